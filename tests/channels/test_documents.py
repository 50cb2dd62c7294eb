"""Which way does a question take, and does the shadow of an answer leave the answer alone?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from ankare.channels.corpus import OpenCorpus
from ankare.channels.documents import DocumentChannel
from ankare.channels.synthesized import Synthesizer
from ankare.channels.way import Way
from ankare.domain.agents import Agent, FinalState, Mode, Origin, ReviewState, RunStatus
from ankare.domain.answer import Answer, Refusal
from ankare.domain.cancel import CallCancelledError, CancelToken, cancelled_by
from ankare.domain.reply import Reply
from ankare.errors import ProviderError, ProviderServiceError
from ankare.llm.retry import Clock
from ankare.llm.scripted import ScriptedProvider
from tests.channels.scripted_agents import (
    DECIDES,
    GOOD,
    INVENTED,
    OFF_TOPIC,
    QUESTION,
    BlindGate,
    SpiedCorpus,
    WordForWordGate,
    build_corpus,
    chain_of,
    cites,
    review,
    rewrite,
    said,
)

AGENTIC, SYNTHESIS, BOTH = Way(agentic=True), Way(synthesis=True), Way(agentic=True, synthesis=True)
QUOTA = ProviderServiceError("No quota.", kind="quota", status=402)
DENIED = ProviderServiceError("No.", kind="auth", status=401)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> OpenCorpus:
    return build_corpus(tmp_path_factory.mktemp("ways"))


@pytest.fixture
def spied(corpus: OpenCorpus) -> SpiedCorpus:
    return SpiedCorpus(corpus)


def channel_of(
    replies: Any, mode: Mode = Mode.REVIEWED_ANSWER, gate: WordForWordGate | None = None, **settings: Any
) -> tuple[DocumentChannel, ScriptedProvider]:
    chain, provider = chain_of(replies, gate, **settings)
    synthesis = Synthesizer(chain.gate, provider, chain.cast, chain.settings.seconds)
    return DocumentChannel(chain.control, chain, synthesis, mode), provider


def without_times(reply: Reply) -> Reply:
    return replace(reply, timings=(), pipeline=None, shadow=None)


def rewritten(text: str) -> Any:
    return cites(DECIDES, text, agent="synthesis")


# The caller decides whether the chain runs, the operator whether its text is published.


def test_without_a_flag_no_model_is_asked(spied: SpiedCorpus) -> None:
    channel, provider = channel_of(())
    reply = channel.reply(QUESTION, spied)
    assert (reply.pipeline, reply.shadow, provider.calls) == (None, None, ())


@pytest.mark.parametrize("way", [AGENTIC, SYNTHESIS, BOTH])
def test_without_a_provider_the_control_path_answers_and_says_why(spied: SpiedCorpus, way: Way) -> None:
    control = chain_of(())[0].control
    reply = DocumentChannel(control).reply(QUESTION, spied, None, way)
    assert without_times(reply) == without_times(control.reply(QUESTION, spied))
    assert reply.pipeline is not None
    assert (reply.pipeline.reason, reply.pipeline.final) == ("provider_not_configured", FinalState.FALLBACK)
    assert reply.origin == "extractive"


def test_switched_off_by_the_operator_the_chain_never_runs(spied: SpiedCorpus) -> None:
    channel, provider = channel_of((), Mode.OFF)
    reply = channel.reply(QUESTION, spied, None, AGENTIC)
    assert provider.calls == ()
    assert reply.pipeline is not None
    assert (reply.pipeline.reason, reply.pipeline.final) == ("agentic_mode_off", FinalState.NOT_RUN)


def test_the_chain_goes_before_a_synthesis(spied: SpiedCorpus) -> None:
    channel, provider = channel_of(GOOD)
    assert channel.reply(QUESTION, spied, None, BOTH).origin == "agent2_reviewed"
    assert len(provider.calls) == 3


def test_a_failed_chain_is_not_dressed_up_by_a_synthesis(spied: SpiedCorpus) -> None:
    channel, provider = channel_of((rewrite(), said("{")))
    assert channel.reply(QUESTION, spied, None, BOTH).origin == "fallback"
    assert len(provider.calls) == 2


# Shadow: the chain runs and is recorded, and the user's answer is that of the control path.

SHADOWS: dict[str, tuple[Any, ...]] = {
    "another answer": GOOD,
    "a fallback": (rewrite(), said("{")),
    "a rejection": (rewrite(), cites(DECIDES, INVENTED), review("reject"), said("")),
    "no quota": (rewrite(), QUOTA),
    "no key": (DENIED,),
    "a fault of ours": (rewrite(), ZeroDivisionError("a bug")),
    "a service that is down": (ProviderError("Down.", kind="server", status=500),) * 2,
}


@pytest.mark.parametrize("question", [QUESTION, OFF_TOPIC])
@pytest.mark.parametrize("script", SHADOWS.values(), ids=SHADOWS.keys())
def test_in_the_shadow_of_any_run_the_answer_is_that_of_the_control_path(
    spied: SpiedCorpus, script: tuple[Any, ...], question: str
) -> None:
    channel, _ = channel_of(script, Mode.SHADOW)
    reply = channel.reply(question, spied, None, AGENTIC)
    assert without_times(reply) == without_times(channel.control.reply(question, spied))
    assert (reply.pipeline, reply.origin) == (None, "extractive" if question == QUESTION else "refusal")
    assert reply.shadow is not None
    assert reply.shadow.pipeline.mode is Mode.SHADOW


def test_a_shadow_tells_what_the_chain_would_have_answered(spied: SpiedCorpus) -> None:
    shadow = channel_of(GOOD, Mode.SHADOW)[0].reply(QUESTION, spied, None, AGENTIC).shadow
    assert shadow is not None
    assert isinstance(shadow.outcome, Answer)
    assert [claim.text for claim in shadow.outcome.claims] == [DECIDES]
    assert shadow.pipeline.origin is Origin.REVIEWED
    assert shadow.pipeline.usage is not None


@pytest.mark.parametrize(
    ("name", "reason"), [("no quota", "quota"), ("no key", "auth"), ("a fault of ours", "chain_error")]
)
def test_what_broke_a_shadow_off_is_told_in_its_record(spied: SpiedCorpus, name: str, reason: str) -> None:
    channel, provider = channel_of((*SHADOWS[name], *GOOD), Mode.SHADOW)
    shadow = channel.reply(QUESTION, spied, None, AGENTIC).shadow
    assert shadow is not None
    assert (shadow.outcome, shadow.pipeline.reason) == (None, reason)
    assert shadow.pipeline.agents or name == "a fault of ours"
    assert len(provider.calls) == len(SHADOWS[name])


def test_a_shadow_ends_when_nobody_waits_for_the_answer(spied: SpiedCorpus) -> None:
    token = CancelToken()
    token.cancel()
    channel, provider = channel_of(GOOD, Mode.SHADOW)
    with cancelled_by(token), pytest.raises(CallCancelledError):
        channel.reply(QUESTION, spied, None, AGENTIC)
    assert provider.calls == ()


def test_a_shadow_runs_beside_a_rewritten_answer(spied: SpiedCorpus) -> None:
    channel, _ = channel_of((rewritten(DECIDES), *GOOD), Mode.SHADOW)
    reply = channel.reply(QUESTION, spied, None, BOTH)
    assert reply.origin == "synthesis"
    assert reply.shadow is not None


# Synthesis: the answer in other words, behind the same gate.


def test_a_rewritten_answer_that_the_gate_passes_is_published(spied: SpiedCorpus) -> None:
    channel, provider = channel_of((rewritten(DECIDES),))
    reply = channel.reply(QUESTION, spied, None, SYNTHESIS)
    assert isinstance(reply.outcome, Answer)
    assert [claim.text for claim in reply.outcome.claims] == [DECIDES]
    assert reply.pipeline is not None
    assert (reply.origin, reply.pipeline.final, reply.pipeline.review) == (
        "synthesis",
        FinalState.APPROVED,
        ReviewState.NOT_RUN,
    )
    assert reply.pipeline.model == "openai/gpt-oss-20b"
    assert provider.calls[0].options.temperature == 0.2


SYNTHESIS_FAULTS: dict[str, tuple[Any, str]] = {
    "invented": (rewritten(INVENTED), "synthesis_grounding_failed"),
    "true, with something invented": (rewritten(f"{DECIDES} {INVENTED}"), "synthesis_grounding_failed"),
    "cut off": (said('{"answer": "Styr'), "synthesis_invalid_json"),
    "empty": (said(""), "synthesis_invalid_json"),
    "time-out": (ProviderError("Late.", kind="timeout"), "agent_timeout"),
    "service down": (ProviderError("Down.", kind="server", status=503), "provider_error"),
}


@pytest.mark.parametrize(("reply", "reason"), SYNTHESIS_FAULTS.values(), ids=SYNTHESIS_FAULTS.keys())
def test_a_failed_synthesis_leaves_the_answer_as_it_was(spied: SpiedCorpus, reply: Any, reason: str) -> None:
    channel, _ = channel_of((reply,))
    answered = channel.reply(QUESTION, spied, None, SYNTHESIS)
    assert without_times(answered) == without_times(channel.control.reply(QUESTION, spied))
    assert answered.pipeline is not None
    assert (answered.pipeline.reason, answered.pipeline.final) == (reason, FinalState.FALLBACK)
    assert answered.origin == "extractive"


def test_a_gate_that_passes_everything_would_publish_an_invented_synthesis(spied: SpiedCorpus) -> None:
    channel, _ = channel_of((rewritten(INVENTED),), gate=BlindGate())
    answer = channel.reply(QUESTION, spied, None, SYNTHESIS).outcome
    assert isinstance(answer, Answer)
    assert INVENTED in answer.claims[0].text


def test_a_refusal_is_not_rewritten(spied: SpiedCorpus) -> None:
    channel, provider = channel_of(())
    reply = channel.reply(OFF_TOPIC, spied, None, SYNTHESIS)
    assert isinstance(reply.outcome, Refusal)
    assert provider.calls == ()


@pytest.mark.parametrize("error", [QUOTA, DENIED])
def test_a_refused_key_or_quota_ends_a_synthesis(spied: SpiedCorpus, error: ProviderServiceError) -> None:
    channel, provider = channel_of((error, rewritten(DECIDES)))
    with pytest.raises(ProviderServiceError):
        channel.reply(QUESTION, spied, None, SYNTHESIS)
    assert len(provider.calls) == 1


# One time budget for the chain.


@dataclass
class Slow:
    """A clock on which each reply takes as long as it is told to."""

    now: float = 0.0

    def clock(self) -> Clock:
        return Clock(monotonic=lambda: self.now)

    def after(self, seconds: float, reply: Any) -> Any:
        def late(messages: Any, tools: Any) -> Any:
            self.now += seconds
            return reply(messages, tools) if callable(reply) else reply

        return late


def run_of(slow: Slow, spied: SpiedCorpus, *script: Any, **settings: Any) -> tuple[Reply, int]:
    chain, provider = chain_of(script, clock=slow.clock(), **settings)
    return chain.reply(QUESTION, spied), len(provider.calls)


def test_an_agent_that_is_late_is_not_listened_to(spied: SpiedCorpus) -> None:
    slow = Slow()
    reply, _ = run_of(slow, spied, slow.after(4.0, GOOD[0]), *GOOD[1:])
    assert reply.pipeline is not None
    assert reply.pipeline.rewrite_reason == "agent_timeout"
    assert reply.origin == "agent2_reviewed"


def test_a_late_draft_ends_in_a_fallback_within_the_budget(spied: SpiedCorpus) -> None:
    slow = Slow()
    reply, calls = run_of(slow, spied, slow.after(1.0, GOOD[0]), slow.after(9.0, GOOD[1]), GOOD[2])
    assert reply.pipeline is not None
    assert (reply.pipeline.reason, reply.origin, calls) == ("agent_timeout", "fallback", 2)
    assert slow.now < 18.0


def test_a_late_review_is_unavailable(spied: SpiedCorpus) -> None:
    slow = Slow()
    script = (slow.after(1.0, GOOD[0]), slow.after(8.0, GOOD[1]), slow.after(5.0, GOOD[2]))
    reply, _ = run_of(slow, spied, *script)
    assert reply.pipeline is not None
    assert (reply.pipeline.final, reply.origin) == (FinalState.UNAVAILABLE, "agent2_unreviewed")


def test_once_the_time_is_spent_no_model_is_asked(spied: SpiedCorpus) -> None:
    slow = Slow()
    inner = SpiedCorpus(spied.inner)

    def dawdling(question: Any, top_k: int) -> Any:
        slow.now += 17.8 if inner.searched else 0.0  # the second search takes all the time there is
        return SpiedCorpus.retrieve(inner, question, top_k)

    inner.retrieve = dawdling  # type: ignore[method-assign]
    reply, calls = run_of(slow, inner, rewrite("beslut om budget"), *GOOD[1:])
    assert reply.pipeline is not None
    assert (reply.pipeline.reason, calls) == ("agent_timeout", 1)
    assert [(run.agent, run.status, run.attempts) for run in reply.pipeline.agents[1:]] == [
        (Agent.DRAFT, RunStatus.SKIPPED, 0)
    ]


def test_a_rejection_without_time_for_a_correction_is_a_fallback(spied: SpiedCorpus) -> None:
    slow = Slow()
    script = (
        slow.after(0.9, rewrite()),
        slow.after(1.0, cites(DECIDES, INVENTED)),
        slow.after(0.78, review("reject")),
    )
    reply, calls = run_of(slow, spied, *script, seconds=3.0)
    assert reply.pipeline is not None
    assert (reply.pipeline.reason, reply.pipeline.escalation) == ("agent3_reject", None)
    assert (reply.origin, calls) == ("fallback", 3)
