"""How do four agents and a gate answer a question from the documents?

    interpret -> retrieve -> relevance gate -> agent 1 -> merged retrieval -> agent 2 -> agent 3 -> (agent 4) -> grounding gate

A recipe from top to bottom. The original question is the anchor all the way: it alone decides whether the subject is covered,
it is what is answered and what the answer is reviewed against. Whatever fails ends in an answer without a model, made anew from
the question alone. Nothing is published that the gate has not passed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ankare.answer.asking import AgentFailedError, Asking
from ankare.answer.cast import Cast
from ankare.answer.correct import ask_for_correction
from ankare.answer.draft import ask_for_draft
from ankare.answer.prompts import rewrite_summary
from ankare.answer.review import adds_nothing, ask_for_review
from ankare.answer.rewrite import ask_for_rewrites
from ankare.channels.narrative import ROUTE, Corpus, Found, NarrativeChannel, current_only, refuse
from ankare.channels.notes import missing_note, version_notes, weakly_held
from ankare.channels.publishing import Candidate, FellBackError, TextGate
from ankare.channels.readiness import Readiness
from ankare.channels.way import PLAIN, Clock, Way
from ankare.contracts.draft import AnswerScope, Draft
from ankare.contracts.review import Review, Verdict
from ankare.domain.agents import (
    Agent,
    FinalState,
    Mode,
    Origin,
    Pipeline,
    Reason,
    ReviewState,
)
from ankare.domain.answer import Answer
from ankare.domain.document import Chunk
from ankare.domain.evidence import Hit
from ankare.domain.grounding import Grounding
from ankare.domain.question import Question
from ankare.domain.reply import Reply
from ankare.llm.budget import Budget, current_token
from ankare.llm.protocol import LLMProvider
from ankare.llm.retry import Clock as Time
from ankare.retrieve.pool import POOL, merged
from ankare.retrieve.rewrites import Accepted, screen_rewrites


@dataclass(frozen=True, slots=True)
class ChainSettings:
    """The limits of a chain. `seconds`: its time from the first model call on. `queries`: most wordings that are searched, the
    question included. `context`: most chunks that a draft is written from."""

    seconds: float = 18.0
    queries: int = 5
    context: int = 8
    require_review: bool = False
    log_contracts: bool = False


@dataclass(frozen=True)
class AgentChain:
    """The recipe with its parts. Safe for many threads. `readiness`: what is read before the time of a chain begins; `time` is
    for tests."""

    control: NarrativeChannel
    gate: TextGate
    provider: LLMProvider
    cast: Cast
    settings: ChainSettings = ChainSettings()
    time: Time = field(default_factory=Time)
    readiness: Readiness | None = None

    def reply(self, text: str, corpus: Corpus, language: str | None = None, way: Way = PLAIN) -> Reply:
        """The reply to a screened question. Raises ProviderServiceError for the key and the quota, CallCancelledError when
        nobody waits for it any longer."""
        return self.run(text, corpus, language, way).reply()

    def run(
        self,
        text: str,
        corpus: Corpus,
        language: str | None = None,
        way: Way = PLAIN,
        mode: Mode = Mode.REVIEWED_ANSWER,
    ) -> ChainRun:
        """One question, ready to go. Its record can be read whatever becomes of it."""
        return ChainRun(self, text, corpus, language, Clock(way.on_step), mode)


@dataclass
class ChainRun:
    """One question on its way through the chain, and what is recorded of it."""

    chain: AgentChain
    text: str
    corpus: Corpus
    language: str | None
    clock: Clock
    mode: Mode = Mode.REVIEWED_ANSWER
    wordings: Accepted = field(default_factory=lambda: Accepted(()))
    rewrite_reason: str | None = None
    searched: str = ""
    pool: tuple[Hit, ...] = ()
    context: tuple[Chunk, ...] = ()
    draft: Draft | None = None
    review: ReviewState = ReviewState.NOT_RUN
    escalation: str | None = None
    grounding: Grounding | None = None
    asking: Asking | None = None

    def reply(self) -> Reply:
        """The reply; see `AgentChain.reply`."""
        found = self.chain.control.find(self.text, self.corpus, self.language, self.clock)
        if not found.relevance.supported:
            return self._refused(found)
        settings, readiness = self.chain.settings, self.chain.readiness
        if readiness is not None:
            readiness.see_to(found.hits[0].chunk, found.question.language)
        budget = Budget(settings.seconds, self.chain.time)
        self.asking = Asking(self.chain.provider, self.chain.cast, budget, settings.log_contracts)
        try:
            return self._answered(found, self.asking)
        except (FellBackError, AgentFailedError) as failed:
            return self._fallen_back(failed.reason)

    def _answered(self, found: Found, asking: Asking) -> Reply:
        self._rewrite(found, asking)
        self._retrieve(found)
        draft = self._drafted(found, asking)
        cited = self._cited(draft, found.question)
        review = self._reviewed(found, draft, cited, asking)
        candidate = self._candidate(found, draft, cited, review, asking)
        grounding = self._judged(candidate, found.question)
        return self._published(found, candidate, grounding)

    # Agent 1: other wordings for the search. Whatever goes wrong here, the question alone is searched.

    def _rewrite(self, found: Found, asking: Asking) -> None:
        question, most = found.question, self.chain.settings.queries
        self.wordings = Accepted((question.text,))
        if most < 2:
            return
        with self.clock.step("rewrite"):
            try:
                rewrite = ask_for_rewrites(asking, question, found.hits, found.relevance)
            except AgentFailedError as failed:
                self.rewrite_reason = failed.reason
                return
            if rewrite is None:
                self.rewrite_reason = asking.runs[-1].reason
                return
            analysis = self.chain.control.language_of(question.language)
            self.wordings = screen_rewrites(rewrite, question, analysis, most=most)
        if not self.wordings.accepted:
            self.rewrite_reason = Reason.NO_REWRITE
        self.searched = rewrite_summary(rewrite, self.wordings.queries[1:])

    def _retrieve(self, found: Found) -> None:
        """The pool of the question and its accepted wordings, without documents that a newer one replaces."""
        with self.clock.step("merged_retrieval"):
            language = found.question.language
            others = [
                self.corpus.retrieve(self.corpus.interpret(wording, language), self.chain.control.top_k)
                for wording in self.wordings.queries[1:]
            ]
            self.pool = current_only(merged(found.hits, others, POOL), self.corpus.documents)
            self.context = tuple(hit.chunk for hit in self.pool[: self.chain.settings.context])

    # Agent 2: a draft, and the chunks that it stands on.

    def _drafted(self, found: Found, asking: Asking) -> Draft:
        with self.clock.step("draft"):
            self.draft = ask_for_draft(asking, found.question, self.searched, self.context)
        return self.draft

    def _cited(self, draft: Draft, question: Question) -> tuple[Chunk, ...]:
        """The chunks that the draft cites; where it cites none, those that hold its sentences."""
        ids = {use.chunk_id for use in draft.evidence}
        cited = tuple(chunk for chunk in self.context if chunk.id in ids)
        if cited:
            return cited
        with self.clock.step("matching"):
            verdict = self.chain.gate.judge(
                draft.answer, (), pool=self.context, question=question.text, language=question.language
            )
        matched = {c.chunk.id for sentence in verdict.sentences if sentence.supported for c in sentence.citations[:1]}
        if not matched:
            self.grounding = verdict
            raise FellBackError(Reason.UNKNOWN_EVIDENCE if draft.unknown_ids else Reason.MISSING_EVIDENCE)
        return tuple(chunk for chunk in self.context if chunk.id in matched)

    # Agent 3: a verdict on the draft. Agent 4: one correction, after a rejection and nothing else.

    def _reviewed(self, found: Found, draft: Draft, cited: Sequence[Chunk], asking: Asking) -> Review | None:
        """The review; None where there is none that can be read, which is no approval."""
        current_token().check()
        with self.clock.step("review"):
            try:
                review = ask_for_review(asking, found.question, draft, cited)
            except AgentFailedError:
                self.review = ReviewState.UNAVAILABLE
                return None
        self.review = ReviewState(review.verdict.value)
        return review

    def _candidate(
        self, found: Found, draft: Draft, cited: tuple[Chunk, ...], review: Review | None, asking: Asking
    ) -> Candidate:
        """The text that is to be published if the gate passes it."""
        if review is None:
            if self.chain.settings.require_review:
                raise FellBackError(Reason.REVIEW_UNAVAILABLE)
            return Candidate(draft.answer, cited, Origin.UNREVIEWED, FinalState.UNAVAILABLE, Reason.DRAFT_NOT_GROUNDED)
        if review.verdict is Verdict.APPROVED:
            return Candidate(draft.answer, cited, Origin.REVIEWED, FinalState.APPROVED, Reason.DRAFT_NOT_GROUNDED)
        if review.verdict is Verdict.REVISION:
            return self._revised(found.question, draft, cited, review)
        return self._corrected(found, draft, review, asking)

    def _revised(self, question: Question, draft: Draft, cited: tuple[Chunk, ...], review: Review) -> Candidate:
        if not adds_nothing(review.revision, draft.answer, self.chain.control.language_of(question.language)):
            raise FellBackError(Reason.NEW_CLAIM)
        return Candidate(
            review.revision, cited, Origin.MINOR_REVISION, FinalState.REVISED, Reason.REVISION_NOT_GROUNDED
        )

    def _corrected(self, found: Found, draft: Draft, review: Review, asking: Asking) -> Candidate:
        current_token().check()
        if not asking.has_time_for(Agent.CORRECTION):
            raise FellBackError(Reason.REJECTED)
        self.escalation = Agent.CORRECTION.value
        with self.clock.step("correction"):
            correction = ask_for_correction(asking, found.question, draft, review, self.context)
        ids = {use.chunk_id for use in correction.evidence}
        cited = tuple(chunk for chunk in self.context if chunk.id in ids)
        return Candidate(
            correction.answer, cited, Origin.CORRECTED, FinalState.CORRECTED, Reason.CORRECTION_NOT_GROUNDED
        )

    # The gate, and what comes of it.

    def _judged(self, candidate: Candidate, question: Question) -> Grounding:
        """The verdict on the text. Raises FellBackError for one that did not pass."""
        current_token().check()
        with self.clock.step("grounding"):
            self.grounding = self.chain.gate.judge(
                candidate.text,
                candidate.cited,
                pool=self.context,
                question=question.text,
                language=question.language,
            )
        if not self.grounding.passed:
            raise FellBackError(candidate.blocked)
        return self.grounding

    def _published(self, found: Found, candidate: Candidate, grounding: Grounding) -> Reply:
        question, claims = found.question, grounding.claims()
        missing = weakly_held(found.subject, found.relevance)
        notes = [
            *missing_note(question, missing),
            *version_notes(question, claims, self.pool, self.corpus.documents),
        ]
        partial = bool(missing) or (candidate.origin is not Origin.CORRECTED and self._says_partly())
        answer = Answer(question.type, question.language, claims, " ".join(notes), partial=partial)
        return Reply(
            question=question,
            outcome=answer,
            route=ROUTE,
            hits=self.pool,
            relevance=found.relevance,
            index_version=self.corpus.version,
            timings=tuple(self.clock.timings),
            pipeline=self.record(candidate.origin, candidate.final),
        )

    def _says_partly(self) -> bool:
        """Does the draft say of itself that it answers only a part?"""
        return self.draft is not None and self.draft.scope in (AnswerScope.PARTIAL, AnswerScope.INSUFFICIENT)

    def _refused(self, found: Found) -> Reply:
        """The evidence does not cover the subject of the question: no model is asked."""
        return Reply(
            question=found.question,
            outcome=refuse(found.question, found.relevance, found.hits),
            route=ROUTE,
            hits=found.hits,
            relevance=found.relevance,
            index_version=self.corpus.version,
            timings=tuple(self.clock.timings),
            pipeline=self.record(Origin.FALLBACK, FinalState.FALLBACK, Reason.THIN_EVIDENCE),
        )

    def _fallen_back(self, reason: str) -> Reply:
        """The answer of the question alone: nothing of what the agents searched or wrote is in it."""
        current_token().check()
        with self.clock.step("fallback"):
            plain = self.chain.control.reply(self.text, self.corpus, self.language)
        record = self.record(Origin.FALLBACK, FinalState.FALLBACK, reason, fallback_retrieval=True)
        return replace(plain, timings=tuple(self.clock.timings), pipeline=record)

    def record(
        self, origin: Origin, final: FinalState, reason: str | None = None, *, fallback_retrieval: bool = False
    ) -> Pipeline:
        """What has happened so far, as metadata tell it."""
        asking, draft = self.asking, self.draft
        return Pipeline(
            mode=self.mode,
            origin=origin,
            agents=tuple(asking.runs) if asking else (),
            accepted=self.wordings.accepted,
            rejected=self.wordings.rejected,
            rewrite_reason=self.rewrite_reason,
            queries=self.wordings.queries,
            context=tuple(self.context),
            cited=tuple(use.chunk_id for use in draft.evidence) if draft else (),
            scope=draft.scope if draft else "",
            uncertain=draft.uncertain if draft else (),
            review=self.review,
            final=final,
            escalation=self.escalation,
            reason=None if reason is None else str(reason),
            fallback_retrieval=fallback_retrieval,
            grounding=self.grounding,
            usage=asking.usage() if asking else None,
            usage_by_agent=asking.usage_by_agent() if asking else (),
            warnings=self.chain.cast.warnings,
        )
