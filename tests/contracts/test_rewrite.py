"""Agent 1 proposes wordings; it never changes the question, and what it says of another one is told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from ankare.contracts.rewrite import MAX_READ, Purpose, Rewrite, RewriteQuery, read_rewrite
from ankare.errors import ContractError

QUESTION = "Hur länge pågår undervisningen?"
WHOLE: dict[str, Any] = {
    "original_question": QUESTION,
    "retrieval_queries": [
        {"query": "undervisningens längd", "purpose": "swedish_inflection"},
        {"query": "undervisade timmar", "purpose": "broader_context"},
    ],
    "must_keep_focus": ["längd"],
    "semantic_terms": [{"surface": "undervisat", "normalized_family": "undervisa", "kind": "inflection"}],
    "negative_constraints": ["inte lärarutbildning"],
    "confidence": 0.8,
}


def read(**changes: Any) -> Rewrite:
    return read_rewrite(json.dumps(WHOLE | changes), QUESTION)


def test_a_whole_reply() -> None:
    rewrite = read()
    assert rewrite.queries[0] == RewriteQuery("undervisningens längd", Purpose.SWEDISH_INFLECTION)
    assert rewrite.must_keep_focus == ("längd",)
    assert rewrite.semantic_terms[0].normalized_family == "undervisa"
    assert rewrite.negative_constraints == ("inte lärarutbildning",)
    assert rewrite.confidence == 0.8
    assert not rewrite.mismatch and rewrite.notes == ()


@pytest.mark.parametrize(
    ("echoed", "mismatch"),
    [
        (QUESTION, False),
        ("hur länge pågår undervisningen", False),
        ('"Hur  länge pågår\nundervisningen?"', False),
        ("Hur la\u0308nge pa\u030ag\u00e5r undervisningen?".replace("pa\u030ag\u00e5r", "p\u00e5g\u00e5r"), False),
        ("Hur länge pågår utbildningen?", True),
        ("Hur lange pagar undervisningen?", True),
        ("Hur länge pågår undervisningen och vad kostar den?", True),
        ("", True),
    ],
)
def test_another_question_is_told(echoed: str, mismatch: bool) -> None:
    assert read(original_question=echoed).mismatch is mismatch


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"original_question": None}, "missing_field"),
        ({"original_question": 3}, "wrong_type"),
        ({"retrieval_queries": None}, "missing_field"),
        ({"retrieval_queries": []}, "no_queries"),
        ({"retrieval_queries": [{"query": "  ", "purpose": "literal"}]}, "no_queries"),
        ({"retrieval_queries": 3}, "wrong_type"),
        ({"retrieval_queries": [3]}, "wrong_type"),
        ({"retrieval_queries": [{"purpose": "literal"}]}, "missing_field"),
        ({"retrieval_queries": [{"query": ["a"], "purpose": "literal"}]}, "wrong_type"),
        ({"retrieval_queries": [{"query": "a", "purpose": "answer"}]}, "unknown_value"),
        ({"retrieval_queries": [{"query": "a", "purpose": 1}]}, "wrong_type"),
        ({"confidence": None}, "missing_field"),
        ({"confidence": True}, "wrong_type"),
        ({"confidence": "high"}, "wrong_type"),
        ({"confidence": "80 %"}, "wrong_type"),
        ({"confidence": "1.2.3"}, "wrong_type"),
        ({"confidence": [0.8]}, "wrong_type"),
        ({"confidence": 80}, "out_of_range"),
        ({"confidence": -0.1}, "out_of_range"),
        ({"confidence": 1.0001}, "out_of_range"),
        ({"confidence": float("nan")}, "out_of_range"),
        ({"confidence": float("inf")}, "out_of_range"),
        ({"must_keep_focus": [1]}, "wrong_type"),
        ({"must_keep_focus": {"a": 1}}, "wrong_type"),
        ({"semantic_terms": "ord"}, None),
        ({"semantic_terms": 3}, "wrong_type"),
        ({"negative_constraints": False}, "wrong_type"),
    ],
)
def test_values_outside_the_contract_are_faults(changes: dict[str, Any], reason: str | None) -> None:
    if reason is None:
        assert "terms_left_out" in read(**changes).notes
        return
    with pytest.raises(ContractError) as caught:
        read(**changes)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("written", "meant"), [("0.8", 0.8), ("0,8", 0.8), ("1", 1.0), (1, 1.0), (0, 0.0), (" 0.55 ", 0.55)]
)
def test_a_number_in_a_string_is_read_where_it_means_one_thing(written: object, meant: float) -> None:
    assert read(confidence=written).confidence == meant


def test_side_lists_may_be_absent_and_that_is_told() -> None:
    rewrite = read(must_keep_focus=None, semantic_terms=None, negative_constraints=None)
    assert rewrite.must_keep_focus == rewrite.semantic_terms == rewrite.negative_constraints == ()
    assert "missing:must_keep_focus" in rewrite.notes


def test_bare_queries_are_read_without_a_purpose() -> None:
    rewrite = read(retrieval_queries=["en sökning", "en\nannan"])
    assert rewrite.queries == (RewriteQuery("en sökning"), RewriteQuery("en annan"))
    assert (
        read(retrieval_queries={"query": "ensam", "purpose": "Broader Context"}).queries[0].purpose
        is Purpose.BROADER_CONTEXT
    )


def test_a_flood_of_queries_is_bounded_and_told() -> None:
    rewrite = read(retrieval_queries=[{"query": f"q{number} " * 90, "purpose": "literal"} for number in range(100)])
    assert len(rewrite.queries) == MAX_READ and "queries_left_out" in rewrite.notes
    assert max(len(query.query) for query in rewrite.queries) <= 360


def test_unexpected_fields_are_ignored_and_told_by_name_alone() -> None:
    rewrite = read(answer="Den pågår i tre år.", svar="x")
    assert {"ignored:answer", "ignored:svar"} <= set(rewrite.notes)
    assert not any("tre år" in note for note in rewrite.notes)


def test_the_published_contract_holds_the_question_as_it_was_asked() -> None:
    result = read(original_question="hur länge pågår undervisningen").published(QUESTION, ["undervisade timmar"])
    assert result.original_question == QUESTION
    assert [query.query for query in result.retrieval_queries] == ["undervisade timmar"]
    with pytest.raises(ValidationError):
        read().published(QUESTION, [])
