"""Is what a run came to counted as it was, and is what nobody told told as unknown?"""

from __future__ import annotations

from typing import Any

from ankare.evaluation.asking.response import response_of
from ankare.evaluation.captured import AnswerPath, Capture, Conditions, Failure, FailureKind, Run
from ankare.evaluation.case import Case
from ankare.evaluation.measures.tally import Tokens, Variation, tally_of
from ankare.evaluation.suites.suite import suite_of

SUITE = suite_of([Case("a", "A?"), Case("b", "B?")])
CALL = {"agent": "agent2", "status": "ok", "usage": {"prompt_tokens": 10, "completion_tokens": 4}}


def answer(case_id: str, repeat: int, text: str, ms: float, **told: Any) -> Capture:
    body = {"answer_markdown": text, "answered": True, "claims": [], **told}
    return Capture(case_id, repeat, AnswerPath.CONTROL, "", ms, response_of(body), None, body)


def failure(case_id: str, repeat: int) -> Capture:
    return Capture(case_id, repeat, AnswerPath.CONTROL, "", 9000.0, None, Failure(FailureKind.TIMEOUT))


def run(*captures: Capture) -> Run:
    return Run(Conditions(AnswerPath.CONTROL, SUITE.digest), SUITE, captures)


def test_outcomes_failures_and_fallbacks_are_counted() -> None:
    fell_back = {"agentic_pipeline": {"fallback_reason": "provider_error"}}
    asks = {"answered": False, "clarification": {"mode": "ask_first"}}
    found = tally_of(
        run(
            answer("a", 0, "x", 1.0, **fell_back),
            answer("a", 1, "x", 1.0, answered=False),
            answer("b", 0, "?", 1.0, **asks),
            failure("b", 1),
        )
    )
    assert found.outcomes == {"answered": 1, "refused": 1, "asked_back": 1, "failed": 1}
    assert (found.failures, found.fallbacks) == ({"timeout": 1}, {"provider_error": 1})


def test_times_are_those_of_responses() -> None:
    times = [answer("a", n, "x", float(n)) for n in range(1, 101)]
    found = tally_of(run(*times, failure("b", 0)))
    assert (found.median_ms, found.p95_ms) == (50.0, 95.0)
    none = tally_of(run(failure("b", 0)))
    assert (none.median_ms, none.p95_ms) == (None, None)


def test_unknown_tokens_are_counted_as_unknown_and_those_of_a_shadow_are_its_own() -> None:
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "calls": 1, "complete": True}
    shadow = {"agents": [CALL, CALL], "shadow": {"answered": True}}
    silent = {"agents": [CALL, {"agent": "agent3", "status": "approved"}], "shadow": {"answered": True}}
    found = tally_of(
        run(
            answer("a", 0, "x", 1.0),
            answer("a", 1, "x", 1.0, llm_usage=usage),
            answer("a", 2, "x", 1.0, llm_usage={**usage, "complete": False}),
            answer("b", 0, "x", 1.0, agentic_pipeline=shadow),
            answer("b", 1, "x", 1.0, agentic_pipeline=silent),
        )
    )
    assert found.tokens == Tokens(prompt=120, completion=28, calls=4, untold=2)


def test_repeats_of_a_question_are_compared_with_one_another() -> None:
    one, other = ({"sources": [{"source": "a.pdf", "pages": [page]}]} for page in (1, 2))
    found = tally_of(
        run(
            answer("a", 0, "same", 10.0, **one),
            answer("a", 1, "same", 30.0, **one),
            answer("b", 0, "so", 10.0, **one),
            answer("b", 1, "else", 14.0, **other),
            answer("b", 2, "else", 12.0, **other, answered=False),
        )
    ).variation
    assert found == Variation(cases=2, same_text=1, same_sources=1, same_outcome=1, spread_ms=4.0)


def test_a_question_without_two_responses_does_not_vary() -> None:
    assert tally_of(run(answer("a", 0, "x", 1.0), failure("a", 1))).variation == Variation()
