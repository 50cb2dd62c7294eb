"""How is a question led through screening, reading, clarification and the stored figures?

    security gate -> intent (and split) -> clarify -> documents | several look-ups | tool loop -> guard -> notes -> trace

A recipe from top to bottom, shared by `Engine.ask` and `answer_question`. No figure in what comes out was written by a model.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Protocol

from ankare.domain.agents import LookUpCall
from ankare.domain.answer import Refusal
from ankare.domain.cancel import check_wanted
from ankare.domain.clarification import ClarificationResult, ClarifyMode
from ankare.domain.fact import FactKey, PeriodType
from ankare.domain.figures import FigureAnswer
from ankare.errors import ProviderError, ProviderServiceError, QuestionError
from ankare.facts.protocol import FactReader
from ankare.gate.security import ALLOW
from ankare.language.period_forms import period_code
from ankare.llm.protocol import LLMProvider
from ankare.profile.model import Profile
from ankare.structured.clarify import clarify_scope
from ankare.structured.compose import Wording
from ankare.structured.decompose import QueryDecomposer, sub_intents
from ankare.structured.glossary import Glossary, glossary_of
from ankare.structured.guard import NO_RESULT_REASON, NOT_FOUND_REASON, guarded, unrecognized_refusal
from ankare.structured.intent import (
    ROUTE_COMPOSITE,
    ROUTE_NARRATIVE,
    ROUTE_STRUCTURED,
    IntentParser,
    ParsedIntent,
    RuleIntentParser,
    question_language,
    readable,
)
from ankare.structured.notes import with_notes
from ankare.structured.offers import held_instead, newest_held
from ankare.structured.query_tools import FOUND, QueryResult, look_up, look_up_all, unrecognized
from ankare.structured.ranking import in_order, over_entities
from ankare.structured.substance import speaks_of_more_than_figures
from ankare.structured.tasks import tasks_of, with_held_periods
from ankare.structured.tool_loop import HistoryTurn, LoopOutcome, run_tool_loop
from ankare.structured.trace import Trace, emit, new_request_id, status_counts, tokens

MAX_TASKS = 64
PROVIDER_REASON = "provider_error"
TOO_MANY_REASON = "too_many_tasks"
_ASKS = (ClarifyMode.OUT_OF_SCOPE_ENTITY, ClarifyMode.ASK_FIRST)
EARLIEST, LATEST = 1950, 2150
"""The years of reference dates."""


@dataclass(frozen=True, slots=True)
class NarrativePassage:
    """A stretch of a document, word for word, that a relevance gate admitted as evidence for the question."""

    text: str
    doc: str
    locator: str = ""
    chunk_id: str = ""
    score: float = 0.0


class NarrativeRetriever(Protocol):
    """The narrative channel, as the figures need it."""

    def retrieve(self, question: str) -> Sequence[NarrativePassage]:
        """The passages that answer the question, best first; empty where the documents do not."""


@dataclass(frozen=True, slots=True)
class FigureReply:
    """What came of a question. `outcome` is None where the route is narrative (then `passages` tell) or something is asked.

    `provider_error`: the model failed; `outcome` is then a refusal that says so, unless the channel looks up without it.
    `calls`: every time that it was asked. `fell_back`: why it was looked up without it after that, "" where it was not.
    """

    route: str
    language: str
    intent: ParsedIntent
    clarification: ClarificationResult
    outcome: FigureAnswer | Refusal | None
    results: tuple[QueryResult, ...]
    passages: tuple[NarrativePassage, ...]
    trace: Trace
    provider_error: ProviderError | None = None
    calls: tuple[LookUpCall, ...] = ()
    fell_back: str = ""


@dataclass(frozen=True)
class FigureChannel:
    """The recipe with its parts. `provider` None looks figures up without any model; `narrative` None knows no documents.

    `falls_back`: what the provider's model does not look up, although the slots are known, is looked up without it; else that
    is refused.
    """

    store: FactReader
    profile: Profile
    provider: LLMProvider | None = None
    narrative: NarrativeRetriever | None = None
    parser: IntentParser | None = None
    decomposer: QueryDecomposer | None = None
    falls_back: bool = False

    def reply(
        self,
        question: str,
        *,
        reference_date: date | None = None,
        history: Sequence[HistoryTurn] = (),
        language: str | None = None,
    ) -> FigureReply:
        """Answer one question.

        Raises QuestionError for a reference date out of range, FactStoreError, and whatever a replaced part raises that is no
        ProviderError.
        """
        started = time.perf_counter()
        reference = reference_date or date.today()
        if not EARLIEST <= reference.year <= LATEST:
            raise QuestionError(
                f"{reference} is no day to count periods from.", f"Give one from {EARLIEST} to {LATEST}."
            )
        run = _Run(self, question, reference, history, glossary_of(self.profile), language)
        found = run.reply()
        trace = run.trace(found, round(time.perf_counter() - started, 6))
        emit(trace)
        return replace(found, trace=trace)


@dataclass
class _Run:
    """One question on its way through the recipe."""

    channel: FigureChannel
    question: str
    reference: date
    history: Sequence[HistoryTurn]
    glossary: Glossary
    given_language: str | None
    request_id: str = field(default_factory=new_request_id)
    loop: LoopOutcome = field(default_factory=LoopOutcome)
    fell_back: str = ""

    def reply(self) -> FigureReply:
        self.language = self.given_language or question_language(readable(self.question), self.glossary)
        self.wording = Wording(self.channel.profile, self.language)
        refused = self._screened()
        if refused is not None:
            return refused
        intent = self._parse(self.question)
        if intent.raw_question != self.question or intent.language != self.language:
            intent = replace(intent, raw_question=self.question, language=self.language)
        if intent.metric is None and intent.route == ROUTE_STRUCTURED:
            held = self.channel.store.count()
            passages = self._passages() if intent.subject or not held else ()
            if passages or not held or self._is_for_documents(intent):
                return self._done(replace(intent, route=ROUTE_NARRATIVE), passages=passages)
        intent = self._with_every_year(intent)
        intent = with_held_periods(intent, self.channel.store, self.channel.profile.home.entity)
        ranked = self._ranked(intent)
        if ranked is not None:
            return ranked
        clarification = self._clarified(intent)
        if clarification.mode in _ASKS:
            about_both = intent.unfit is not None and _may_be_about_something_else(intent)
            passages = self._passages() if about_both and not intent.external_entity else ()
            asked = replace(intent, route=ROUTE_NARRATIVE) if passages else intent
            return self._done(asked, None if passages else clarification, passages=passages)
        if intent.route == ROUTE_NARRATIVE:
            passages = self._passages()
            if not passages and intent.periods and self._may_be_about_a_figure(intent):
                asked = replace(
                    intent, route=ROUTE_STRUCTURED
                )  # a time is named, and the documents have nothing to say
                return self._done(asked, self._clarified(asked))
            return self._done(intent, clarification, passages=passages)
        if self.channel.narrative is not None and _may_be_about_something_else(intent):
            passages = self._passages()
            if passages or intent.howto:
                return self._done(replace(intent, route=ROUTE_NARRATIVE), passages=passages)
        return self._figures(intent, clarification)

    def _is_for_documents(self, intent: ParsedIntent) -> bool:
        """Are documents the only ones that can tell why this has no answer, if there are any?"""
        return self.channel.narrative is not None and speaks_of_more_than_figures(intent)

    def _may_be_about_a_figure(self, intent: ParsedIntent) -> bool:
        documents = self.channel.narrative is not None and not speaks_of_more_than_figures(intent)
        return documents and bool(self.channel.store.count())

    def _screened(self) -> FigureReply | None:
        """The refusal of a question about an outsider, before anything else reads the question."""
        verdict = self.glossary.gate.screen(raw_question=self.question, metric=None, language=self.language)
        if verdict.decision == ALLOW:
            return None
        parsed = RuleIntentParser(self.channel.profile, self.language).parse(self.question, self.reference)
        intent = replace(parsed, external_entity=verdict.external_entity)
        return self._done(intent, self._clarified(intent))

    def _parse(self, question: str) -> ParsedIntent:
        parser = self.channel.parser or RuleIntentParser(self.channel.profile, self.language)
        return parser.parse(question, self.reference)

    def _figures(self, intent: ParsedIntent, clarification: ClarificationResult) -> FigureReply:
        if intent.unreadable_period is not None and intent.period is None:
            result = unrecognized("period", intent.unreadable_period)
            refusal = unrecognized_refusal(result, self.wording, self.question)
            return self._with_documents(intent, clarification, (result,), refusal)
        too_long = intent.span is not None and intent.span.too_long
        tasks = () if too_long else self._tasks(intent, clarification)
        if too_long or len(tasks) > MAX_TASKS:
            texts = self.wording.texts
            refusal = Refusal(TOO_MANY_REASON, self.language, texts["figures.too_many"])
            return self._with_documents(intent, clarification, (), refusal)
        results = self._results(tasks)
        missing = bool(tasks) and all(result.status != FOUND for result in results)
        newest = newest_held(self.channel.store, tasks) if missing else None
        lost = self.loop.error is not None and not self.channel.falls_back
        if lost and not any(result.status == FOUND for result in results):
            outcome: FigureAnswer | Refusal = Refusal(
                PROVIDER_REASON, self.language, self.wording.texts["figures.provider_error"]
            )
        else:
            outcome = guarded(
                tasks,
                results,
                self.loop.text,
                self.glossary,
                self.wording,
                self.question,
                compare=intent.compare,
                within=intent.span.whole if intent.span else (),
                newest=newest,
            )
        noted = with_notes(outcome, intent, clarification, self.wording)
        if isinstance(outcome, Refusal) and outcome.reason == NOT_FOUND_REASON:
            held = held_instead(self.channel.store, tasks[0], self.wording, newest)
            options = tuple(dict.fromkeys((*held, *clarification.narrowing_options)))
            clarification = replace(clarification, narrowing_options=options)
        return self._with_documents(intent, clarification, tuple(results), noted)

    def _ranked(self, intent: ParsedIntent) -> FigureReply | None:
        """Every entity's figure in order of its value, where that is asked for and all of them are held."""
        asked = over_entities(intent, self.channel.profile)
        clarification = None if asked is None else self._clarified(asked)
        if asked is None or clarification is None or clarification.mode in _ASKS:
            return None
        tasks = tasks_of([asked], asked, clarification)
        results = look_up_all(self.channel.store, tasks, self.channel.profile) if len(tasks) <= MAX_TASKS else []
        ordered = in_order(results, asked.rank)
        if ordered is None:
            return None
        outcome = guarded(ordered, results, "", self.glossary, self.wording, self.question)
        if isinstance(outcome, FigureAnswer):
            outcome = replace(outcome, header=self.wording.texts[f"figures.{asked.rank}_first"])
        noted = with_notes(outcome, asked, clarification, self.wording)
        return self._with_documents(asked, clarification, tuple(results), noted)

    def _with_every_year(self, intent: ParsedIntent) -> ParsedIntent:
        """ "Every year" means every year that a figure is held for."""
        entity = intent.entity or self.channel.profile.home.entity
        if not intent.every_year or intent.metric is None or not entity:
            return intent
        held = self.channel.store.periods(intent.metric, entity, intent.channel)
        years = tuple(sorted(period for period in held if period.type == PeriodType.FY))
        return replace(intent, periods=years, period=years[-1]) if years else intent

    def _clarified(self, intent: ParsedIntent) -> ClarificationResult:
        return clarify_scope(intent, self.reference, profile=self.channel.profile, store=self.channel.store)

    def _tasks(self, intent: ParsedIntent, clarification: ClarificationResult) -> tuple[FactKey, ...]:
        """What is to be looked up, in the order of the question, without repeats."""
        parts = sub_intents(intent, self.channel.decomposer, self._parse, self._allowed)
        return tasks_of(parts, intent, clarification)

    def _allowed(self, question: str) -> bool:
        verdict = self.glossary.gate.screen(raw_question=question, metric=None, language=self.language)
        return verdict.decision == ALLOW

    def _results(self, tasks: Sequence[FactKey]) -> list[QueryResult]:
        """One look-up per task; a single one through the model's tool loop where there is a model."""
        check_wanted()
        provider = self.channel.provider
        if len(tasks) > 1 or provider is None:
            return look_up_all(self.channel.store, tasks, self.channel.profile)
        self.loop = run_tool_loop(self.question, tasks[0], provider, self.glossary, self._look_up, self.history)
        return self._with_or_without_the_model(tasks[0]) if self.channel.falls_back else self.loop.results

    def _with_or_without_the_model(self, task: FactKey) -> list[QueryResult]:
        """The same in any case: what the model looked up of what was asked for, else what is looked up without it."""
        found = [result for result in self.loop.results if result.key == task]
        if not found and not isinstance(self.loop.error, ProviderServiceError):  # a refused customer is told
            self.fell_back = self.loop.error.kind if self.loop.error else NO_RESULT_REASON
            found = [self._look_up(task)]
        return found

    def _look_up(self, key: FactKey) -> QueryResult:
        return look_up(self.channel.store, key, self.channel.profile)

    def _with_documents(
        self,
        intent: ParsedIntent,
        clarification: ClarificationResult,
        results: tuple[QueryResult, ...],
        outcome: FigureAnswer | Refusal,
    ) -> FigureReply:
        passages = self._passages() if intent.route == ROUTE_COMPOSITE else ()
        return self._done(intent, clarification, outcome=outcome, results=results, passages=passages)

    def _passages(self) -> tuple[NarrativePassage, ...]:
        return () if self.channel.narrative is None else tuple(self.channel.narrative.retrieve(self.question))

    def _done(
        self,
        intent: ParsedIntent,
        clarification: ClarificationResult | None = None,
        *,
        outcome: FigureAnswer | Refusal | None = None,
        results: tuple[QueryResult, ...] = (),
        passages: tuple[NarrativePassage, ...] = (),
    ) -> FigureReply:
        clarification = clarification or ClarificationResult(ClarifyMode.NONE)
        return FigureReply(
            intent.route,
            self.language,
            intent,
            clarification,
            outcome,
            results,
            passages,
            Trace(self.request_id),
            self.loop.error,
            tuple(self.loop.calls),
            self.fell_back,
        )

    def trace(self, reply: FigureReply, seconds: float) -> Trace:
        """The record of this question."""
        intent, results = reply.intent, reply.results
        return Trace(
            request_id=self.request_id,
            route=reply.route,
            language=reply.language,
            metrics=intent.metrics,
            entities=intent.entities,
            periods=tuple(period_code(period) for period in intent.periods),
            channel=intent.channel,
            external_entity=intent.external_entity,
            clarification_mode=reply.clarification.mode.value,
            tool_status_counts=status_counts(results),
            fabrication_guard_triggered=bool(results) and all(result.status != FOUND for result in results),
            provider_error=self.loop.error.kind if self.loop.error else None,
            chunks=tuple((passage.chunk_id, passage.score) for passage in reply.passages),
            prompt_tokens=tokens(self.loop.usage, "prompt_tokens"),
            completion_tokens=tokens(self.loop.usage, "completion_tokens"),
            model_calls=len(self.loop.usage),
            refused_calls=self.loop.refused_calls,
            seconds=seconds,
        )


def _may_be_about_something_else(intent: ParsedIntent) -> bool:
    """A metric's name with neither entity nor time, but other words or a measure that it does not fit: "how many employees does
    the plan cover", "what does an employee cost"."""
    slots = intent.entities or intent.periods or intent.channels or intent.unreadable_period
    return not slots and (intent.route == ROUTE_COMPOSITE or bool(intent.left_out) or intent.unfit is not None)
