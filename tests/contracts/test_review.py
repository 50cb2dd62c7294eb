"""Agent 3 approves only where nothing that it says speaks against it; a rejection stands whatever else is broken."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from ankare.contracts.review import Review, Verdict, read_review
from ankare.errors import ContractError

APPROVAL: dict[str, Any] = {
    "verdict": "approve",
    "answers_original_question": True,
    "grounded_in_sources": True,
    "drift_from_original_question": False,
    "metadata_leakage": False,
    "unsupported_claims": [],
    "required_action": "publish",
    "minor_revision": "",
    "review_notes": "Håller.",
}
REVISION = APPROVAL | {
    "verdict": "revise_minor",
    "grounded_in_sources": False,
    "unsupported_claims": ["att det alltid gäller"],
    "required_action": "publish_after_minor_revision",
    "minor_revision": "Den kortare texten.",
}


def read(whole: dict[str, Any] = APPROVAL, **changes: Any) -> Review:
    return read_review(json.dumps({name: value for name, value in (whole | changes).items() if value is not ...}))


@pytest.mark.parametrize(
    ("written", "verdict"),
    [
        ("approve", Verdict.APPROVED),
        ("APPROVED", Verdict.APPROVED),
        (" Approve ", Verdict.APPROVED),
        ("reject", Verdict.REJECTED),
        ("Rejected", Verdict.REJECTED),
    ],
)
def test_verdicts_are_read_in_both_spellings_and_any_case(written: str, verdict: Verdict) -> None:
    assert read(verdict=written).verdict is verdict


@pytest.mark.parametrize("written", ["revise_minor", "Revise minor", "REVISE-MINOR", "revision", "Revision"])
def test_a_revision_brings_its_text(written: str) -> None:
    review = read(REVISION, verdict=written)
    assert review.verdict is Verdict.REVISION and review.revision == "Den kortare texten."
    assert review.unsupported_claims == ("att det alltid gäller",)


@pytest.mark.parametrize(("written", "verdict"), [("approved", Verdict.APPROVED), ("rejected", Verdict.REJECTED)])
def test_the_short_form_stands_alone(written: str, verdict: Verdict) -> None:
    assert read_review(json.dumps({"verdict": written})).verdict is verdict


def test_the_action_follows_from_the_verdict_where_it_is_left_out() -> None:
    assert read(required_action=...).verdict is Verdict.APPROVED
    assert read(REVISION, required_action=...).verdict is Verdict.REVISION


CONTRADICTIONS: list[dict[str, Any]] = [
    {"answers_original_question": False},
    {"grounded_in_sources": False},
    {"grounded_in_sources": "false"},
    {"drift_from_original_question": True},
    {"metadata_leakage": True},
    {"unsupported_claims": ["ett påhitt"]},
    {"unsupported_claims": "ett påhitt"},
    {"required_action": "publish_after_minor_revision"},
    {"required_action": "fallback_to_extractive"},
    {"required_action": "ask_for_more_evidence"},
]


def contradictory_approvals_never_approve(read_one: Callable[[str], Review]) -> None:
    for verdict in ("approve", "approved"):
        for change in CONTRADICTIONS:
            review = read_one(json.dumps(APPROVAL | {"verdict": verdict} | change))
            assert review.verdict is Verdict.REJECTED, change
            assert review.contradictions, change


def test_an_approval_that_names_a_fault_is_a_rejection() -> None:
    contradictory_approvals_never_approve(read_review)


def test_a_reader_that_trusts_the_verdict_alone_would_be_noticed() -> None:
    def trusting(reply: str) -> Review:
        return Review({"approve": Verdict.APPROVED, "approved": Verdict.APPROVED}[json.loads(reply)["verdict"]])

    with pytest.raises(AssertionError):
        contradictory_approvals_never_approve(trusting)


@pytest.mark.parametrize(
    ("changes", "contradiction"),
    [
        ({"minor_revision": ""}, "revision_without_text"),
        ({"minor_revision": ...}, "revision_without_text"),
        ({"minor_revision": " - "}, "revision_without_text"),
        ({"answers_original_question": False}, "answers_original_question"),
        ({"drift_from_original_question": True}, "drift_from_original_question"),
        ({"required_action": "fallback_to_extractive"}, "required_action"),
        ({"required_action": "ask_for_more_evidence"}, "required_action"),
    ],
)
def test_a_revision_that_cannot_save_the_draft_is_a_rejection(changes: dict[str, Any], contradiction: str) -> None:
    review = read(REVISION, **changes)
    assert review.verdict is Verdict.REJECTED and review.contradictions == (contradiction,)
    assert review.revision == ""


def test_the_text_of_a_revision_counts_only_with_that_verdict() -> None:
    assert read(minor_revision="En annan text.").revision == ""
    assert read(verdict="reject", minor_revision="En annan text.").revision == ""


@pytest.mark.parametrize(
    "changes",
    [
        {"answers_original_question": "kanske"},
        {"unsupported_claims": [1, 2]},
        {"required_action": "explode"},
        {"review_notes": 7},
        {"grounded_in_sources": ..., "metadata_leakage": ...},
        {"minor_revision": "x" * 9000},
        {"unsupported_claims": ["x" * 900] * 90},
    ],
)
def test_a_rejection_stands_whatever_else_is_wrong(changes: dict[str, Any]) -> None:
    assert read(verdict="reject", **changes).verdict is Verdict.REJECTED


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"verdict": ...}, "missing_field"),
        ({"verdict": ""}, "missing_field"),
        ({"verdict": "ok"}, "unknown_value"),
        ({"verdict": "approve|revise_minor|reject"}, "unknown_value"),
        ({"verdict": "not approved"}, "unknown_value"),
        ({"verdict": True}, "wrong_type"),
        ({"verdict": ["approve"]}, "wrong_type"),
        ({"answers_original_question": ...}, "missing_field"),
        ({"grounded_in_sources": ...}, "missing_field"),
        ({"drift_from_original_question": None}, "missing_field"),
        ({"metadata_leakage": ...}, "missing_field"),
        ({"grounded_in_sources": 1}, "wrong_type"),
        ({"grounded_in_sources": "ja"}, "wrong_type"),
        ({"unsupported_claims": {"claim": "x"}}, "wrong_type"),
        ({"required_action": "maybe"}, "unknown_value"),
        ({"minor_revision": ["x"]}, "wrong_type"),
        ({"minor_revision": "x" * 2201}, "too_long"),
        ({"review_notes": 3}, "wrong_type"),
    ],
)
def test_an_approval_that_cannot_be_read_whole_is_no_review(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(ContractError) as caught:
        read(**changes)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    "reply",
    [
        "Jag godkänner utkastet.",
        "approve",
        '"approve"',
        '{"verdict": "approve"',
        '{"verdict": "approve"} {"verdict": "reject"}',
        '{"verdict": "reject", "verdict": "approve"}',
        "<think>approve",
        "",
        '{"review": "approve"}',
        "[]",
        '{"verdict": {"verdict": "approve"}}',
    ],
)
def test_prose_and_broken_objects_are_no_review(reply: str) -> None:
    with pytest.raises(ContractError):
        read_review(reply)


def test_long_texts_are_cut_and_unexpected_fields_told() -> None:
    review = read(review_notes="n" * 5000, score=10)
    assert len(review.notes) == 700 and review.told == ("ignored:score",)


def test_the_reason_for_the_corrector_holds_what_was_found() -> None:
    review = read(grounded_in_sources=False, unsupported_claims=["ett påhitt"], review_notes="Fel tal.")
    assert review.reason.splitlines() == ["Fel tal.", "ett påhitt"]
    assert read(grounded_in_sources=False, review_notes="").reason == "grounded_in_sources"
