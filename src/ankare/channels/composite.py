"""Which channel answers: the documents, the figures, or both?

One router for `Engine.ask`, and so for the API, the command line and the page. A home without figures asks its documents; one
with figures lets `ankare.channels.figures` decide, with the documents as its narrative part. Models have a part in what the
documents say only once it is known that the documents answer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from typing import NoReturn, Protocol

from ankare.answer.asking import token_sum
from ankare.channels.documents import DocumentChannel
from ankare.channels.figures import FigureChannel, FigureReply, NarrativePassage
from ankare.channels.narrative import Corpus
from ankare.channels.way import PLAIN, Clock, Way
from ankare.domain.access import OWNER, Access
from ankare.domain.answer import Answer, Claim, Refusal
from ankare.domain.clarification import ClarifyMode
from ankare.domain.evidence import Relevance
from ankare.domain.fact import FactKey, Period
from ankare.domain.figures import FigureAnswer, Figures
from ankare.domain.question import Question, QuestionType
from ankare.domain.reply import Reply
from ankare.errors import FactStoreError, ProviderServiceError
from ankare.facts.protocol import FactReader
from ankare.language.periods import period_code
from ankare.llm.protocol import LLMProvider, Usage
from ankare.llm.usage import total_usage
from ankare.messages import messages
from ankare.profile.model import Profile
from ankare.structured.decompose import QueryDecomposer
from ankare.structured.glossary import ENTITY, glossary_of
from ankare.structured.intent import ROUTE_NARRATIVE, ROUTE_STRUCTURED
from ankare.structured.metric_query import MetricQuery, MetricReply, query_metric
from ankare.structured.phrases import fold
from ankare.structured.query_tools import UNRECOGNIZED, QueryResult

LOG = logging.getLogger("ankare.facts")
OTHER_ENTITY_REASON = "other_entity"
_NOT_SEARCHED = Relevance(False, "not_searched")


class DescribedCorpus(Corpus, Protocol):
    """A corpus with the profile that its documents went in with."""

    profile: Profile


@dataclass
class RoutedChannel:
    """Documents and figures behind one entrance. `store_of` gives the store of figures as a reader sees it, None where the
    reader sees none.

    `provider` None looks figures up directly: the slots are known before a model would be asked, so it could only add time.
    Where there is one, and it does not look up what was asked for, that is done without it.

    While the figures cannot be read, a question that may be about them is not answered at all: the documents would answer it
    as if none were held. One that by its own words needs none is answered from the documents.
    """

    documents: DocumentChannel
    store_of: Callable[[Profile, Access], FactReader | None] = lambda _profile, _access: None
    provider: LLMProvider | None = None
    decomposer: QueryDecomposer | None = None
    _bare: tuple[Profile, Profile] | None = field(default=None, repr=False)
    _fault: str = field(default="", repr=False)

    def reply(
        self,
        text: str,
        corpus: DescribedCorpus,
        language: str | None = None,
        *,
        reference_date: date | None = None,
        history: Sequence[tuple[str, str]] = (),
        way: Way = PLAIN,
        access: Access = OWNER,
    ) -> Reply:
        """The reply to a screened question; `corpus` is what a reader with `access` sees.

        Raises FactStoreError, ProviderServiceError and CallCancelledError.
        """
        profile = corpus.profile
        store = self._store(profile, access) if profile.metrics else None
        if store is None:
            if not profile.external_entities:
                return self.documents.reply(text, corpus, language, way)
            profile, store = self._without_metrics(profile), _NoFigures(profile)
        clock = Clock(way.on_step)
        documents = _Documents(self.documents, corpus, corpus.profile, language, clock, way)
        channel = FigureChannel(store, profile, self.provider, documents, decomposer=self.decomposer, falls_back=True)
        with clock.step("figures"):
            found = channel.reply(text, reference_date=reference_date, history=history, language=language)
        if isinstance(found.provider_error, ProviderServiceError):
            raise found.provider_error
        return _joined(found, documents, text, corpus, clock)

    def _store(self, profile: Profile, access: Access) -> FactReader | None:
        """The store; one that cannot be read tells so to whoever needs it, and to the log once until it can be read again."""
        try:
            store = self.store_of(profile, access)
        except FactStoreError as error:
            if str(error) != self._fault:
                LOG.warning("Only questions that need no figures are answered. %s", error)
            self._fault = str(error)
            return _OutOfReach(profile, error)
        self._fault = ""
        return store

    def query_metric(self, query: MetricQuery, corpus: DescribedCorpus, access: Access) -> MetricReply | None:
        """One figure by its names; None where there are no figures. Raises FactStoreError."""
        profile = corpus.profile
        store = self.store_of(profile, access) if profile.metrics else None
        return None if store is None else query_metric(store, profile, query)

    def _without_metrics(self, profile: Profile) -> Profile:
        """The profile of a home that holds no figures: only its gate and its documents are of use."""
        if self._bare is None or self._bare[0] is not profile:
            self._bare = (profile, replace(profile, metrics=()))
        return self._bare[1]


@dataclass
class _Documents:
    """The documents as the figures see them: asked without any model, since most questions about figures need them only to
    find out that they do not answer. Keeps the reply that they gave."""

    channel: DocumentChannel
    corpus: Corpus
    profile: Profile
    language: str | None
    clock: Clock
    way: Way = PLAIN
    reply: Reply | None = None

    def retrieve(self, question: str) -> tuple[NarrativePassage, ...]:
        """What the documents answer, one passage for each claim; empty for a refusal."""
        if self.reply is None:
            self.reply = self.channel.control.reply(
                question, self.corpus, self.language, replace(PLAIN, on_step=self.way.on_step)
            )
            self.clock.leave_out(self.reply.timings)
        outcome = self.reply.outcome
        if not isinstance(outcome, Answer):
            return ()
        scores = {hit.chunk.id: hit.score for hit in self.reply.hits}
        return tuple(
            NarrativePassage(
                claim.text,
                first.chunk.source,
                str(first.pages[0] if first.pages else ""),
                first.chunk.id,
                scores.get(first.chunk.id, 0.0),
            )
            for claim in outcome.claims
            for first in claim.citations[:1]
        )

    def used(self, text: str) -> Reply | None:
        """The reply once more, now that it is a part of the answer: the way that the caller asked for, whatever it takes."""
        if self.reply is not None and self.way.asks_a_model:
            before = self.reply.timings
            again = self.channel.reply(text, self.corpus, self.language, self.way)
            self.reply = replace(again, timings=(*before, *again.timings))
        return self.reply


def _joined(found: FigureReply, documents: _Documents, text: str, corpus: Corpus, clock: Clock) -> Reply:
    """One reply of what the figures and the documents say."""
    asks = found.clarification.mode in (ClarifyMode.ASK_FIRST, ClarifyMode.OUT_OF_SCOPE_ENTITY)
    results = tuple(result_json(result) for result in found.results)
    usage = token_sum(total_usage(Usage(**asdict(call.usage)) if call.usage else None for call in found.calls))
    figures = Figures(
        found.clarification,
        results,
        asks,
        found.trace.request_id,
        found.calls,
        usage if found.calls else None,
        found.fell_back,
    )
    told = documents.reply if asks or found.route == ROUTE_STRUCTURED else documents.used(text)
    if found.route != ROUTE_NARRATIVE and told is not None:
        told = replace(told, outcome=about_the_asked(told.outcome, found, documents.profile))
    if found.route == ROUTE_NARRATIVE and not asks:
        assert told is not None  # noqa: S101 - the narrative route has asked the documents
        return replace(told, figures=figures, timings=(*told.timings, *clock.timings))
    outcome = _outcome(found)
    timings = (*(told.timings if told else ()), *clock.timings)
    question = told.question if told else Question(text, found.language, QuestionType.GENERAL, ())
    return Reply(
        question=question,
        outcome=outcome,
        route=found.route,
        hits=told.hits if told else (),
        relevance=told.relevance if told else _NOT_SEARCHED,
        index_version=corpus.version,
        timings=timings,
        documents=told.outcome if told and corpus.documents and not isinstance(told.outcome, FigureAnswer) else None,
        figures=figures,
        pipeline=told.pipeline if told else None,
        shadow=told.shadow if told else None,
    )


def about_the_asked(
    outcome: Answer | Refusal | FigureAnswer, found: FigureReply, profile: Profile
) -> Answer | Refusal | FigureAnswer:
    """What the documents say beside a figure, without what they say of another entity than the ones that were asked for."""
    if not isinstance(outcome, Answer) or not found.intent.entities:
        return outcome
    names = glossary_of(profile).names
    asked = set(found.intent.entities)

    def of_others(claim: Claim) -> bool:
        named = {one.code for one in names.find(fold(claim.text), claim.text) if one.kind == ENTITY}
        return bool(named) and named.isdisjoint(asked)

    claims = tuple(claim for claim in outcome.claims if not of_others(claim))
    if claims == outcome.claims:
        return outcome
    nothing = messages(outcome.language)["figures.documents_none"]
    return replace(outcome, claims=claims) if claims else Refusal(OTHER_ENTITY_REASON, outcome.language, nothing)


def _outcome(found: FigureReply) -> FigureAnswer | Refusal:
    if found.outcome is not None:
        return found.outcome
    return Refusal(found.clarification.mode.value, found.language, found.clarification.question)


def result_json(result: QueryResult) -> dict[str, object]:
    """A look-up as the API hands it out: the same fields in every state, a decimal as a string."""
    if result.status == UNRECOGNIZED:
        return {"status": result.status, "param": result.param, "raw": result.raw}
    shown = result.to_json()
    return {
        "status": result.status,
        "metric": result.metric_code,
        "entity": result.entity,
        "period_type": result.period_type,
        "period": period_code(Period(result.period_type, result.period)),
        "channel": result.channel,
        "geography": result.geography,
        "value": shown.get("value"),
        "unit": result.unit or None,
        "source": shown.get("source"),
        "valid_as_of": result.valid_as_of or None,
        "conflicts": shown.get("conflicts", []),
    }


class _NoFigures:
    """The store of a home without figures."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile

    def lookup(self, _key: object) -> tuple[()]:
        return ()

    def lookup_all(self, keys: Sequence[FactKey]) -> dict[FactKey, tuple[()]]:
        return dict.fromkeys(keys, ())

    def awaiting(self, _key: object) -> int:
        return 0

    def periods(self, *_slots: object) -> tuple[()]:
        return ()

    def count(self) -> int:
        return 0


class _OutOfReach:
    """A store of figures that cannot be read now. Nobody knows what it holds, or whether it holds anything."""

    def __init__(self, profile: Profile, error: FactStoreError) -> None:
        self.profile = profile
        self._error = error

    def _tell(self, *_: object) -> NoReturn:
        raise self._error

    lookup = lookup_all = awaiting = periods = count = _tell
