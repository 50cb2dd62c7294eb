"""Which answers count for the path that was asked for, and with which reason does each of the others stand apart?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from ankare.domain.agents import Origin, Reason
from ankare.evaluation.captured import AgentCall, AnswerPath, Capture, Chain, Failure, FailureKind, Response, Statement
from ankare.evaluation.measures.paths import aside, measured

CONTROL, SYNTHESIS, AGENTIC, SHADOW = (
    AnswerPath.CONTROL,
    AnswerPath.SYNTHESIS,
    AnswerPath.AGENTIC,
    AnswerPath.SHADOW,
)
NOBODY = Chain(final_status="not_run", review_status="not_run")
CALLS = (AgentCall("agent2", "evidence_answer", "a-model", "ok"),)
SAID = (Statement("Styrgruppen beslutar."),)


def told(origin: str, chain: Chain = NOBODY, *, route: str = "narrative", said: bool = True) -> Response:
    """A response of this origin. A refusal says nothing of the documents."""
    answered = origin != "refusal"
    return Response("?", answered, origin, route, statements=SAID if answered and said else (), chain=chain)


def chained(origin: Origin, final: str, reason: str = "", *, calls: Sequence[AgentCall] = CALLS) -> Chain:
    """What the body tells of a chain that was to publish."""
    return Chain(True, "reviewed_answer", origin.value, final, fallback_reason=reason, calls=tuple(calls))


def beside(origin: Origin, final: str, reason: str = "", *, answered: bool | None = True) -> Chain:
    """What the body tells of a chain that ran in the shadow of the answer."""
    return replace(chained(origin, final, reason), mode="shadow", shadow=True, shadow_answered=answered)


def rewritten(origin: Origin, final: str, reason: str = "") -> Chain:
    """What the body tells of a synthesis."""
    return Chain(False, "", origin.value, final, fallback_reason=reason, calls=CALLS)


EXTRACTIVE, REFUSAL = told("extractive"), told("refusal")
FIGURES = told("figures", route="structured", said=False)
ASKED_BACK = told("refusal", route="structured")
COMPOSITE = told("figures", route="composite")
FIGURES_ALONE = told("figures", route="composite", said=False)
THIN = chained(Origin.FALLBACK, "fallback", Reason.THIN_EVIDENCE.value, calls=())
REVIEWED = chained(Origin.REVIEWED, "approved")
UNCONFIGURED = Chain(True, "reviewed_answer", "extractive", "fallback", fallback_reason=Reason.NOT_CONFIGURED.value)
SWITCHED_OFF = Chain(True, "off", "extractive", "not_run", fallback_reason=Reason.MODE_OFF.value)
PUBLISHED = (
    (Origin.REVIEWED, "approved"),
    (Origin.MINOR_REVISION, "revised"),
    (Origin.CORRECTED, "corrected"),
    (Origin.UNREVIEWED, "unavailable"),
)

TABLE = [
    # the control path: no model has a part, and to refuse is a part of it
    (CONTROL, EXTRACTIVE, ""),
    (CONTROL, REFUSAL, ""),
    (CONTROL, COMPOSITE, ""),
    (CONTROL, FIGURES, "figures"),
    (CONTROL, ASKED_BACK, "figures"),
    (CONTROL, FIGURES_ALONE, "figures"),
    (CONTROL, told("synthesis", rewritten(Origin.SYNTHESIS, "approved")), "wrong_path"),
    (CONTROL, told("fallback", chained(Origin.FALLBACK, "fallback", "agent_timeout")), "wrong_path"),
    (CONTROL, told("refusal", THIN), "wrong_path"),
    (CONTROL, told("extractive", beside(Origin.REVIEWED, "approved")), "wrong_path"),
    # a server that asks a model and tells nothing of a chain is no control path
    (CONTROL, replace(told(""), model="a-model", model_calls=1), "wrong_path"),
    (CONTROL, replace(EXTRACTIVE, prompt_tokens=900, completion_tokens=80), "wrong_path"),
    (CONTROL, told("extractive", replace(NOBODY, origin="synthesis")), "wrong_path"),
    *((CONTROL, told(origin.value, chained(origin, final)), "wrong_path") for origin, final in PUBLISHED),
    # synthesis
    (SYNTHESIS, told("synthesis", rewritten(Origin.SYNTHESIS, "approved")), ""),
    (SYNTHESIS, told("figures", rewritten(Origin.SYNTHESIS, "approved"), route="composite"), ""),
    (SYNTHESIS, FIGURES, "figures"),
    (SYNTHESIS, ASKED_BACK, "figures"),
    (SYNTHESIS, REFUSAL, "refused_before_model"),
    (SYNTHESIS, told("refusal", replace(NOBODY, calls=CALLS)), "refused"),
    (SYNTHESIS, EXTRACTIVE, "not_run"),
    (SYNTHESIS, told("extractive", replace(UNCONFIGURED, enabled=False)), "not_run"),
    (SYNTHESIS, told("refusal", replace(UNCONFIGURED, enabled=False)), "not_run"),
    (
        SYNTHESIS,
        told("extractive", rewritten(Origin.EXTRACTIVE, "fallback", "synthesis_grounding_failed")),
        "fallback:synthesis_grounding_failed",
    ),
    (
        SYNTHESIS,
        told("figures", rewritten(Origin.EXTRACTIVE, "fallback", "provider_error"), route="composite"),
        "fallback:provider_error",
    ),
    (SYNTHESIS, told("agent2_reviewed", REVIEWED), "wrong_path"),
    (SYNTHESIS, told("extractive", beside(Origin.REVIEWED, "approved")), "wrong_path"),
    # the agent chain: what is published by it counts, reviewed or not
    *((AGENTIC, told(origin.value, chained(origin, final)), "") for origin, final in PUBLISHED),
    (AGENTIC, told("figures", REVIEWED, route="composite"), ""),
    (AGENTIC, told("figures", REVIEWED, route="composite", said=False), "figures"),
    (AGENTIC, FIGURES, "figures"),
    (AGENTIC, ASKED_BACK, "figures"),
    (AGENTIC, told("refusal", THIN), "refused_before_model"),
    (AGENTIC, told("refusal", replace(NOBODY, enabled=True)), "refused_before_model"),
    (AGENTIC, told("refusal", replace(NOBODY, enabled=True, calls=CALLS)), "refused"),
    (AGENTIC, told("extractive", UNCONFIGURED), "not_run"),
    (AGENTIC, told("refusal", UNCONFIGURED), "not_run"),
    (AGENTIC, told("extractive", SWITCHED_OFF), "not_run"),
    (AGENTIC, EXTRACTIVE, "not_run"),
    (AGENTIC, told("extractive", beside(Origin.REVIEWED, "approved")), "wrong_path"),
    (AGENTIC, told("synthesis", rewritten(Origin.SYNTHESIS, "approved")), "wrong_path"),
    *(
        (AGENTIC, told("fallback", chained(Origin.FALLBACK, "fallback", reason.value)), f"fallback:{reason.value}")
        for reason in Reason
        if reason not in (Reason.THIN_EVIDENCE, Reason.NOT_CONFIGURED, Reason.MODE_OFF)
    ),
    (
        AGENTIC,
        told("refusal", chained(Origin.FALLBACK, "fallback", "agent2_invalid_json")),
        "fallback:agent2_invalid_json",
    ),
    (AGENTIC, told("fallback", chained(Origin.FALLBACK, "fallback")), "fallback:untold"),
    (
        AGENTIC,
        told("figures", chained(Origin.FALLBACK, "fallback", "agent_timeout"), route="composite"),
        "fallback:agent_timeout",
    ),
    # a body that contradicts itself counts for no path
    *(
        (path, told(origin, chain), "wrong_path")
        for path, chain in ((AGENTIC, REVIEWED), (SYNTHESIS, rewritten(Origin.SYNTHESIS, "approved")))
        for origin in ("extractive", "fallback", "refusal", "")
        if (path, origin) != (SYNTHESIS, "refusal")
    ),
    (AGENTIC, told("agent4_corrected", REVIEWED), "wrong_path"),
    (AGENTIC, replace(told("agent2_reviewed", REVIEWED), answered=False), "wrong_path"),
    (AGENTIC, told("agent2_reviewed", chained(Origin.REVIEWED, "fallback")), "wrong_path"),
    (AGENTIC, told("agent2_reviewed", chained(Origin.REVIEWED, "approved", "agent_timeout")), "wrong_path"),
    (SHADOW, told("synthesis", beside(Origin.REVIEWED, "approved")), "wrong_path"),
    (SHADOW, told("extractive", beside(Origin.REVIEWED, "fallback")), "wrong_path"),
    # in the shadow the answer is the control path's; the chain beside it has to have come through
    *((SHADOW, told("extractive", beside(origin, final)), "") for origin, final in PUBLISHED),
    (SHADOW, told("figures", beside(Origin.REVIEWED, "approved"), route="composite"), ""),
    (SHADOW, FIGURES, "figures"),
    (SHADOW, ASKED_BACK, "figures"),
    (
        SHADOW,
        told("refusal", beside(Origin.FALLBACK, "fallback", "thin_evidence", answered=False)),
        "refused_before_model",
    ),
    (
        SHADOW,
        told("extractive", beside(Origin.FALLBACK, "fallback", "agent3_reject", answered=True)),
        "fallback:agent3_reject",
    ),
    (SHADOW, told("extractive", beside(Origin.FALLBACK, "fallback", "quota", answered=None)), "fallback:quota"),
    (SHADOW, told("extractive", beside(Origin.REVIEWED, "approved", answered=None)), "fallback:untold"),
    (SHADOW, told("extractive", UNCONFIGURED), "not_run"),
    (SHADOW, told("extractive", SWITCHED_OFF), "not_run"),
    (SHADOW, EXTRACTIVE, "not_run"),
    (SHADOW, told("agent2_reviewed", REVIEWED), "wrong_path"),
    (SHADOW, told("synthesis", rewritten(Origin.SYNTHESIS, "approved")), "wrong_path"),
]


def capture(path: AnswerPath, response: Response | None, failure: Failure | None = None) -> Capture:
    return Capture("one", 0, path, "2025-05-20T12:00:00Z", 12.0, response, failure)


@pytest.mark.parametrize(("path", "response", "why"), TABLE)
def test_only_what_took_its_path_counts_for_it(path: AnswerPath, response: Response, why: str) -> None:
    assert aside(capture(path, response)) == why


@pytest.mark.parametrize("path", AnswerPath)
@pytest.mark.parametrize("kind", FailureKind)
def test_what_did_not_come_back_is_a_failure_on_every_path(path: AnswerPath, kind: FailureKind) -> None:
    assert aside(capture(path, None, Failure(kind))) == f"failed:{kind.value}"


def test_no_fallback_ever_counts_for_a_path_of_models() -> None:
    """A saboteur that hides the reason does not bring a fallback in."""
    for path in (SYNTHESIS, AGENTIC, SHADOW):
        for reason in [*(reason.value for reason in Reason), ""]:
            chain = replace(chained(Origin.FALLBACK, "fallback", reason), shadow=path is SHADOW, shadow_answered=True)
            assert aside(capture(path, told("fallback", chain))) != ""


@pytest.mark.parametrize(
    ("path", "response", "fallback", "approved"),
    [
        (AGENTIC, told("agent2_reviewed", REVIEWED), 0.0, 1.0),
        (AGENTIC, told("agent2_unreviewed", chained(Origin.UNREVIEWED, "unavailable")), 0.0, 0.0),
        (AGENTIC, told("agent4_corrected", chained(Origin.CORRECTED, "corrected")), 0.0, 0.0),
        (AGENTIC, told("fallback", chained(Origin.FALLBACK, "fallback", "agent3_reject")), 1.0, 0.0),
        (AGENTIC, told("extractive", UNCONFIGURED), 1.0, 0.0),
        (SYNTHESIS, told("synthesis", rewritten(Origin.SYNTHESIS, "approved")), 0.0, 1.0),
        (SHADOW, told("extractive", beside(Origin.REVIEWED, "approved")), 0.0, 1.0),
        (SHADOW, told("extractive", beside(Origin.FALLBACK, "fallback", "quota", answered=None)), 1.0, 0.0),
    ],
)
def test_fallbacks_and_approvals_are_told_of_every_path_of_models(
    path: AnswerPath, response: Response, fallback: float, approved: float
) -> None:
    values, details = measured(capture(path, response), response)
    assert values == {"fallback": fallback, "approved": approved}
    assert details["approved"]


@pytest.mark.parametrize(
    ("path", "response"), [(CONTROL, EXTRACTIVE), (AGENTIC, FIGURES), (AGENTIC, told("refusal", THIN))]
)
def test_what_was_settled_before_any_model_is_neither(path: AnswerPath, response: Response) -> None:
    assert measured(capture(path, response), response) == ({}, {})
