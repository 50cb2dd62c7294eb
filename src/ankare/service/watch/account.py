"""What is told of one question, and to whom: the usage log, the measures, the trace, and whoever gives feedback later?

    with accounts.of(question, channel, caller) as account:
        ...
        account.tell(reply, body)

A question that ends in an error is told as well, by its code; so is one that was turned away or took too long, without anything
of it but its length and the keyed hash, where it has come that far.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from ankare.cite.body import Json
from ankare.domain.agents import FinalState, Pipeline
from ankare.domain.answer import Refusal
from ankare.domain.cancel import CallCancelledError
from ankare.domain.clarification import ClarifyMode
from ankare.domain.reply import Reply
from ankare.domain.tracing import Span, Value, span
from ankare.service.caller import Caller
from ankare.service.problem import OVERLOADED, TIMED_OUT, code_of
from ankare.service.watch.measures import CHANNELS, LOOK_UP, ORIGINS, ROUTES, Measures
from ankare.service.watch.pipeline_summary import without_texts
from ankare.service.watch.question_key import QuestionKey
from ankare.service.watch.slip import Ration, Slip, current_slip
from ankare.service.watch.usage_log import Logs
from ankare.service.watch.usage_records import ANSWERED, ASKED_BACK, FAILED, REFUSED

CANCELLED = "cancelled"
MOST_RECENT = 5000
"""Answers of this process that feedback can still be joined with; one takes half a kilobyte."""


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """What is known of an answer when somebody says what it was worth. No text is among it."""

    outcome: str
    reason: str | None
    channel: str
    route: str
    origin: str
    language: str
    index_version: str
    revision: str


class RecentAnswers:
    """The latest answers of this process by id. Safe for many threads."""

    def __init__(self, most: int = MOST_RECENT) -> None:
        self._most = most
        self._lock = Lock()
        self._facts: OrderedDict[str, AnswerFacts] = OrderedDict()

    def keep(self, answer_id: str, facts: AnswerFacts) -> None:
        """Remember an answer, and forget the oldest for it where there are many."""
        with self._lock:
            self._facts[answer_id] = facts
            while len(self._facts) > self._most:
                self._facts.popitem(last=False)

    def of(self, answer_id: str) -> AnswerFacts | None:
        """What is known of it; None for one of another process, of long ago, or of nobody."""
        with self._lock:
            return self._facts.get(answer_id)


@dataclass(frozen=True)
class Accounts:
    """Gives an account of each question. Safe for many threads."""

    logs: Logs
    measures: Measures
    question_key: QuestionKey
    revision: str = ""
    recent: RecentAnswers = field(default_factory=RecentAnswers)
    ration: Ration = field(default_factory=Ration)

    @contextmanager
    def of(self, question: str, channel: str, caller: Caller) -> Iterator[Account]:
        """The account of the question that is answered inside. An error that leaves it is told and goes on."""
        with span("ankare.question", {"ankare.channel": channel, "ankare.revision": self.revision}) as told:
            slip = current_slip() or Slip(channel)
            account = Account(self, question, channel, caller.name, told, slip)
            slip.asked = (self.question_key.of(question) if self.logs.kept else "", len(question))
            try:
                yield account
            except Exception as error:
                account.failed(error)
                raise

    def overloaded(self) -> None:
        """There was no place for the question of this request. The measures have it already."""
        slip = current_slip()
        if slip is not None and slip.channel and slip.close():
            self._brief(slip, OVERLOADED)

    def timed_out(self) -> None:
        """The question of this request took too long: nobody waits for it any more, whatever it still comes to."""
        slip = current_slip()
        if slip is not None and slip.channel and slip.close():
            self._brief(slip, TIMED_OUT)
            self._count(slip, TIMED_OUT)

    def given_up(self) -> None:
        """Nobody waits for the question of this request any more: the caller went away, or the service stops."""
        slip = current_slip()
        if slip is not None and slip.channel and slip.close():
            if self.logs.kept:
                self._write(slip, CANCELLED, ms=slip.taken())
            self._count(slip, CANCELLED)

    def tell_left_out(self, *, now: bool = False) -> None:
        """One record for those that were turned away and have none."""
        if count := self.ration.left_out(now=now):
            self._write(Slip(), OVERLOADED, count=count)

    def _brief(self, slip: Slip, reason: str) -> None:
        self.tell_left_out()
        if self.logs.kept and self.ration.take():
            self._write(slip, reason, ms=slip.taken())

    def _write(self, slip: Slip, reason: str, **more: object) -> None:
        self.logs.usage.write(
            answer_id="",
            channel=slip.channel,
            key=slip.key(),
            outcome=FAILED,
            reason=reason,
            question_key=slip.asked[0],
            question_chars=slip.asked[1],
            route="none",
            origin="none",
            revision=self.revision,
            **more,
        )

    def _count(self, slip: Slip, reason: str) -> None:
        channel = self.measures.known("channel", slip.channel, CHANNELS)
        self.measures.questions.labels(channel, "none", "none", FAILED).inc()
        self.measures.question_time.labels(channel).observe(slip.taken() / 1000)
        self.measures.outcomes.labels(self.measures.known("outcome", reason)).inc()


@dataclass
class Account:
    """The account of one question."""

    to: Accounts
    question: str
    channel: str
    key: str
    span: Span
    slip: Slip
    started: float = field(default_factory=time.perf_counter)

    def tell(self, reply: Reply, body: Json) -> None:
        """It was answered, refused or asked back. `body`: with `answer_id` and `timing_ms`.

        Where nobody waited for it any more, only what its models cost is counted.
        """
        if not self.slip.close():
            self._measure_calls(reply)
            return
        self.to.tell_left_out()
        outcome, reason = outcome_of(reply)
        facts = AnswerFacts(
            outcome,
            reason,
            self.channel,
            reply.route,
            reply.origin,
            reply.outcome.language,
            reply.index_version,
            self.to.revision,
        )
        answer_id = str(body["answer_id"])
        self.to.recent.keep(answer_id, facts)
        self._log(facts, answer_id, usage_fields(reply, body), _texts(self.question, reply, body))
        self._measure(facts)
        self._measure_reply(reply, body)
        self._trace(facts, answer_id, body)

    def failed(self, error: Exception) -> None:
        """It ended in an error. Where nobody waited for it any more, that has been told."""
        code = CANCELLED if isinstance(error, CallCancelledError) else code_of(error)
        self.span.note({"ankare.outcome": FAILED, "ankare.reason": code})
        if not self.slip.close():
            return
        self.to.tell_left_out()
        facts = AnswerFacts(FAILED, code, self.channel, "none", "none", "", "", self.to.revision)
        self._log(facts, "", {"ms": self._taken()}, lambda: {"question": self.question})
        self._measure(facts)
        self.to.measures.outcomes.labels(self.to.measures.known("outcome", code)).inc()

    def _taken(self) -> float:
        return round((time.perf_counter() - self.started) * 1000, 3)

    def _log(self, facts: AnswerFacts, answer_id: str, told: Json, texts: Callable[[], Json]) -> None:
        logs = self.to.logs
        if not logs.kept:
            return
        logs.usage.write(
            answer_id=answer_id,
            channel=facts.channel,
            key=self.key,
            outcome=facts.outcome,
            reason=facts.reason,
            question_key=self.slip.asked[0],
            question_chars=self.slip.asked[1],
            language=facts.language,
            route=facts.route,
            origin=facts.origin,
            index_version=facts.index_version,
            revision=facts.revision,
            **told,
            **(texts() if logs.rules.texts else {}),
        )

    def _measure(self, facts: AnswerFacts) -> None:
        measures = self.to.measures
        channel = measures.known("channel", facts.channel, CHANNELS)
        route = measures.known("route", facts.route, ROUTES)
        origin = measures.known("origin", facts.origin, ORIGINS)
        measures.questions.labels(channel, route, origin, facts.outcome).inc()
        measures.question_time.labels(channel).observe(time.perf_counter() - self.started)

    def _measure_reply(self, reply: Reply, body: Json) -> None:
        measures = self.to.measures
        outcome, reason = outcome_of(reply)
        measures.outcomes.labels(measures.known("outcome", ANSWERED if outcome == ANSWERED else str(reason))).inc()
        for timing in reply.timings:
            measures.steps.labels(measures.known("step", timing.step)).observe(timing.milliseconds / 1000)
        if outcome == ANSWERED:
            measures.sources.observe(_count(body["sources"]))
        self._measure_calls(reply)

    def _measure_calls(self, reply: Reply) -> None:
        for call in reply.figures.calls if reply.figures else ():
            told = (call.usage.prompt_tokens, call.usage.completion_tokens) if call.usage else (None, None)
            self.to.measures.model_call(LOOK_UP, call.status, call.milliseconds / 1000, told)
        for record in filter(None, (reply.pipeline, reply.shadow.pipeline if reply.shadow else None)):
            self._measure_models(record)

    def _measure_models(self, record: Pipeline) -> None:
        for run in record.agents:
            tokens = (run.usage.prompt_tokens, run.usage.completion_tokens) if run.usage else (None, None)
            self.to.measures.model_call(run.agent, run.status, run.milliseconds / 1000, tokens)
        if record.final is FinalState.FALLBACK:
            self.to.measures.fallback(record.reason or "")

    def _trace(self, facts: AnswerFacts, answer_id: str, body: Json) -> None:
        told: dict[str, Value | None] = {
            "ankare.answer_id": answer_id,
            "ankare.outcome": facts.outcome,
            "ankare.reason": facts.reason,
            "ankare.route": facts.route,
            "ankare.origin": facts.origin,
            "ankare.language": facts.language,
            "ankare.index_version": facts.index_version,
            "ankare.sources": _count(body["sources"]),
        }
        if self.to.logs.rules.texts:
            told |= {"ankare.question": self.question, "ankare.answer": str(body["answer_markdown"])}
        self.span.note(told)


def outcome_of(reply: Reply) -> tuple[str, str | None]:
    """Answered, refused or asked back, and why not answered."""
    if reply.answered:
        return ANSWERED, None
    assert isinstance(reply.outcome, Refusal)  # noqa: S101 - what is not answered is refused
    return (ASKED_BACK if reply.outcome.reason == ClarifyMode.ASK_FIRST else REFUSED), reply.outcome.reason


def usage_fields(reply: Reply, body: Json) -> Json:
    """What the usage log says of a reply beside who asked and how it ended; no text of anybody."""
    agentic: Any = body["agentic_pipeline"]
    relevance = reply.relevance
    return {
        "question_type": reply.question.type.value,
        "partial": body["partial"],
        "sources": _count(body["sources"]),
        "top_score": round(reply.hits[0].score, 4) if reply.hits else None,
        "relevance_reason": relevance.reason,
        "coverage": round(relevance.coverage, 4),
        "probability": round(relevance.probability, 4),
        "steps_ms": body["timings_ms"],
        "ms": body["timing_ms"],
        "agentic": without_texts(agentic),
        "llm_usage": body["llm_usage"],
    }


def _texts(question: str, reply: Reply, body: Json) -> Callable[[], Json]:
    return lambda: {
        "question": question,
        "missing": list(reply.relevance.missing),
        "answer": body["answer_markdown"],
    }


def _count(listed: object) -> int:
    return len(listed) if isinstance(listed, list) else 0
