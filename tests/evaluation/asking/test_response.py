"""Is a body of /api/ask read as what it says, whoever sent it, and is nothing in it an error?"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.evaluation.asking.response import response_of
from ankare.evaluation.captured import CitedSpan, Response, Statement

EVIDENCE = {"text": "Nämnden har fem ledamöter.", "chunk_id": "a1", "source": "roller.pdf", "pages": [5], "start": 0}
HIT = {
    "chunk_id": "a1",
    "source": "roller.pdf",
    "pages": [5, 6],
    "text": "Nämnden har fem ledamöter. Den möts i juni.",
    "title": "Roller",
    "section": "2",
    "score": 7.5,
}
SOURCE = {"number": 1, "source": "roller.pdf", "pages": [5], "chunk_id": "a1"}
OWN: dict[str, Any] = {
    "question": "Hur många ledamöter har nämnden?",
    "answer_markdown": "Nämnden har fem ledamöter. [[1]](/sources/x#page=5)\n\n### Källor\n\n1. [Roller](/sources/x)",
    "answered": True,
    "answer_origin": "agent2_reviewed",
    "partial": False,
    "language": "sv",
    "route": "narrative",
    "model": "a-model",
    "sources": [SOURCE],
    "claims": [{"text": "Nämnden har fem ledamöter.", "form": "item", "evidence": [EVIDENCE]}],
    "refusal_reason": None,
    "clarification": {"mode": "none"},
    "facts": [],
    "retrieval": {"intent": "list", "top_results": [HIT]},
    "agentic_pipeline": {
        "enabled": True,
        "mode": "reviewed_answer",
        "agents": [
            {
                "agent": "agent2",
                "role": "evidence_answer",
                "model": "a-model",
                "status": "ok",
                "reason": None,
                "ms": 12.5,
                "usage": {"prompt_tokens": 100, "completion_tokens": 20},
            }
        ],
        "accepted_rewrites": [{"query": "nämndens ledamöter", "purpose": ""}],
        "context": [HIT],
        "review_status": "approved",
        "final_status": "approved",
        "answer_origin": "agent2_reviewed",
        "fallback_reason": None,
        "grounding": {
            "passed": True,
            "sentences": [
                {
                    "text": "x",
                    "supported": True,
                    "evidence": [{"chunk_id": "a1", "start": 0, "end": 26, "pages": [5]}],
                }
            ],
        },
        "shadow": None,
    },
    "llm_usage": {"prompt_tokens": 100, "completion_tokens": 20, "calls": 3, "complete": True},
    "timing_ms": 40.25,
    "timings_ms": {"retrieve": 3.5},
    "revision": "abc",
    "index_version": "000001",
}


def test_what_our_own_server_tells_is_read() -> None:
    found = response_of(OWN)
    assert (found.answered, found.origin, found.route, found.question_type) == (
        True,
        "agent2_reviewed",
        "narrative",
        "list",
    )
    span = CitedSpan("roller.pdf", (5,), "Nämnden har fem ledamöter.", "a1")
    assert found.statements == (Statement("Nämnden har fem ledamöter.", (span,), "item"),)
    assert found.sources == (CitedSpan("roller.pdf", (5,), "", "a1"),)
    assert [(hit.chunk_id, hit.pages, hit.score) for hit in found.context] == [("a1", (5, 6), 7.5)]
    assert (found.prompt_tokens, found.completion_tokens, found.model_calls) == (100, 20, 3)
    assert (found.ms, found.timings_ms, found.revision, found.index_version) == (
        40.25,
        {"retrieve": 3.5},
        "abc",
        "000001",
    )
    chain = found.chain
    assert (chain.enabled, chain.final_status, chain.review_status, chain.shadow) == (
        True,
        "approved",
        "approved",
        False,
    )
    assert [(call.agent, call.ms, call.prompt_tokens) for call in chain.calls] == [("agent2", 12.5, 100)]
    assert [one.text for one in chain.context] == [HIT["text"]]
    assert chain.cited == (CitedSpan("roller.pdf", (5,), "Nämnden har fem ledamöter.", "a1"),)
    assert chain.rewrites == ("nämndens ledamöter",)


def test_without_debug_the_hits_tell_what_the_ids_of_the_context_mean() -> None:
    pipeline = {**OWN["agentic_pipeline"], "context": None, "context_chunk_ids": ["a1", "b2"]}
    chain = response_of({**OWN, "agentic_pipeline": pipeline}).chain
    assert [(one.chunk_id, one.source) for one in chain.context] == [("a1", "roller.pdf"), ("b2", "")]


def test_a_chain_in_the_shadow_cites_pages_and_stands_beside_the_answer() -> None:
    shadow = {"answered": True, "sources": [{"source": "plan.pdf", "pages": [2]}], "ms": 900.0}
    found = response_of(
        {**OWN, "answer_origin": "extractive", "agentic_pipeline": {**OWN["agentic_pipeline"], "shadow": shadow}}
    )
    assert (found.origin, found.chain.origin) == ("extractive", "agent2_reviewed")
    assert (found.chain.shadow, found.chain.shadow_answered, found.chain.ms) == (True, True, 900.0)
    assert found.chain.cited == (CitedSpan("plan.pdf", (2,), ""),)


@pytest.mark.parametrize(
    ("usage", "told"),
    [
        (None, (None, None, True, 0)),
        ({"prompt_tokens": 5, "completion_tokens": 2, "calls": 1, "complete": True}, (5, 2, True, 1)),
        ({"prompt_tokens": 5, "completion_tokens": 2, "calls": 2, "complete": False}, (None, None, False, 2)),
        ({"prompt_tokens": 5, "completion_tokens": 2, "calls": 2, "calls_without_usage": 1}, (None, None, False, 2)),
        ({"prompt_tokens": 5, "completion_tokens": None, "calls": 1}, (None, None, False, 1)),
        ({"prompt_tokens": 5, "completion_tokens": 2, "agents": {"agent1": {}, "agent2": {}}}, (5, 2, True, 2)),
        ({"prompt_tokens": 10**30, "completion_tokens": 2}, (None, None, False, 1)),
        ({"prompt_tokens": -1, "completion_tokens": True}, (None, None, False, 1)),
    ],
)
def test_unknown_tokens_are_never_zero_and_a_sum_that_leaves_calls_out_is_none(usage: object, told: object) -> None:
    found = response_of({**OWN, "llm_usage": usage})
    assert (found.prompt_tokens, found.completion_tokens, found.tokens_complete, found.model_calls) == told


FOREIGN: dict[str, Any] = {
    "question": "Hur många ledamöter har nämnden?",
    "answer_markdown": "Nämnden har fem ledamöter. [1] Den möts i juni.\n\n## Källor\n\n- roller.pdf, s. 5",
    "route": "agentic",
    "model": "openai/gpt-oss-20b",
    "sources": [{"source": "roller.pdf", "pages": [5], "chunk_id": "a1"}],
    "retrieval": {"top_results": [HIT], "relevance_supported": True},
    "agentic_pipeline": {"answer_origin": "agent2_reviewed", "final_status": "approved"},
    "llm_usage": {"prompt_tokens": 8448, "completion_tokens": 900, "total_tokens": 9348},
    "timing_ms": 4000,
}


def test_a_server_that_tells_no_claims_is_read_by_its_text() -> None:
    found = response_of(FOREIGN)
    assert (found.answered, found.origin, found.prompt_tokens) == (True, "agent2_reviewed", 8448)
    assert [(one.text, [span.source for span in one.evidence]) for one in found.statements] == [
        ("Nämnden har fem ledamöter.", ["roller.pdf"]),
        ("Den möts i juni.", []),
    ]
    assert found.statements[0].evidence[0].text == HIT["text"], "the text of the chunk, where the hits tell it"


@pytest.mark.parametrize(
    ("changed", "answered", "origin"),
    [
        ({"retrieval": {"relevance_supported": False}, "sources": []}, False, "refusal"),
        ({"answer_markdown": "   "}, False, "refusal"),
        ({"agentic_pipeline": None, "model": "none", "llm_usage": None}, True, "extractive"),
        ({"agentic_pipeline": None}, True, ""),
        (
            {"route": "structured", "facts": [{"status": "found", "value": "1"}], "agentic_pipeline": {}},
            True,
            "figures",
        ),
    ],
)
def test_whether_it_answered_is_worked_out_where_it_is_not_told(
    changed: dict[str, Any], answered: bool, origin: str
) -> None:
    found = response_of({**FOREIGN, **changed})
    assert (found.answered, found.origin) == (answered, origin)
    assert answered or found.statements == (), "a refusal states nothing"


def test_figures_are_read_in_either_spelling() -> None:
    facts = [
        {
            "status": "found",
            "metric_code": "REVENUE",
            "entity": "A",
            "period": "FY2024",
            "channel": "TOTAL",
            "value": "12.5",
            "unit": "M",
            "source": {"doc": "tal.xlsx", "locator": "B2"},
        },
        {"status": "found", "metric": "REVENUE", "value": 12.5, "source": "tal.xlsx"},
        {"status": "not_found", "normalized": {"metric_code": "REVENUE", "period": "FY2020"}},
    ]
    one, two, none = response_of({**OWN, "facts": facts}).figures
    assert (one.metric, one.value, one.source, one.locator) == ("REVENUE", "12.5", "tal.xlsx", "B2")
    assert (two.metric, two.value, two.source, two.locator) == ("REVENUE", "12.5", "tal.xlsx", "")
    assert (none.status, none.metric, none.period, none.value) == ("not_found", "REVENUE", "FY2020", "")


def _values() -> st.SearchStrategy[Any]:
    leaves = st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.sampled_from(["found", "[1]"])
    )
    names = st.sampled_from(
        [*OWN, *OWN["agentic_pipeline"], *HIT, "evidence", "usage", "normalized", "conflicts", "doc"]
    )
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4), max_leaves=25
    )


@given(st.dictionaries(st.sampled_from(list(OWN)), _values()))
def test_nothing_in_a_body_is_an_error(body: dict[str, Any]) -> None:
    assert isinstance(response_of(body), Response)
    assert isinstance(response_of({**OWN, **body}), Response)


@pytest.mark.parametrize("name", list(OWN))
@pytest.mark.parametrize(
    "value", [None, 7, "text", True, [], {}, [None], [[]], {"x": 1}, float("nan"), 10**400, "\ud800"]
)
def test_each_field_may_be_of_any_type(name: str, value: object) -> None:
    found = response_of({**OWN, name: value})
    json.dumps(found.markdown).encode("utf-8")
    assert found.ms is None or found.ms == OWN["timing_ms"] or name == "timing_ms"


def test_halves_of_characters_do_not_get_into_files() -> None:
    response_of({**OWN, "answer_markdown": "a\ud800b", "question": "\udfff"}).markdown.encode("utf-8")


def test_of_a_claim_as_much_is_read_as_of_a_text() -> None:
    told = {"answer_markdown": "x", "answered": True, "claims": [{"text": "# a" + " " * 40_000 + "x" * 40_000}]}
    (found,) = response_of(told).statements
    assert len(found.text) < 11_000
    assert found.text.startswith("# a ")
