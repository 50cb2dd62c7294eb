"""Whatever a model writes, a reader gives a value or a ContractError, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ankare.contracts.correction import CorrectionReply, read_correction
from ankare.contracts.draft import MAX_ANSWER, DraftReply, UseReply, read_draft
from ankare.contracts.review import GroundingReviewResult, Verdict, read_review
from ankare.contracts.rewrite import QueryReply, RewriteReply, TermReply, read_rewrite
from ankare.errors import ContractError

QUESTION = "Hur länge pågår undervisningen?"
IDS = ("c1", "c2", "c3")
READERS: dict[str, Callable[[str], object]] = {
    "rewrite": lambda text: read_rewrite(text, QUESTION),
    "draft": lambda text: read_draft(text, IDS),
    "review": read_review,
    "correction": lambda text: read_correction(text, IDS),
}
MODELS = (RewriteReply, QueryReply, TermReply, DraftReply, UseReply, GroundingReviewResult, CorrectionReply)
NAMES = sorted({name for model in MODELS for name in model.model_fields} | {"x"})
WORDS = st.sampled_from(
    [
        QUESTION,
        "c1",
        "C2",
        "[c1, c3]",
        "c9",
        "approve",
        "REJECTED",
        "revise-minor",
        "direct",
        "literal",
        "publish",
        "true",
        "0.8",
        "",
        "\x00",
        "\ud800",
    ]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | WORDS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=6),
    max_leaves=20,
)
OBJECTS = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=12)
PIECES = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        '"',
        "'",
        ":",
        ",",
        "\\",
        "\\u12",
        "<think>",
        "</think>",
        "```json",
        "```",
        "\n",
        "/*",
        "*/",
        "//",
        "“",
        "”",
        "answer",
        "verdict",
        "approve",
        '"verdict": "approve"',
        '"answer": "ja"',
        "true",
        "NaN",
        "0.5",
        "<|channel|>final<|message|>",
        "\ufeff",
        "\x00",
        " ",
    ]
)


def raises_nothing_else(read: Callable[[str], object], text: str) -> object | None:
    try:
        return read(text)
    except ContractError as error:
        assert error.reason and error.reason.isascii() and " " not in error.reason
        assert len(str(error)) < 300
        return None


@pytest.mark.parametrize("agent", READERS)
@given(text=st.text(max_size=200) | st.lists(PIECES, max_size=40).map("".join))
@settings(max_examples=150, deadline=None)
def test_any_text(agent: str, text: str) -> None:
    raises_nothing_else(READERS[agent], text)


@pytest.mark.parametrize("agent", READERS)
@given(value=OBJECTS, cut=st.integers(0, 400))
@settings(max_examples=200, deadline=None)
def test_any_object_whole_and_cut(agent: str, value: dict[str, object], cut: int) -> None:
    written = json.dumps(value)
    raises_nothing_else(READERS[agent], written)
    raises_nothing_else(READERS[agent], written[:cut])


@given(value=OBJECTS)
@settings(max_examples=300, deadline=None)
def test_what_is_read_keeps_to_the_contract(value: dict[str, object]) -> None:
    written = json.dumps(value)
    draft = raises_nothing_else(lambda text: read_draft(text, IDS), written)
    if draft is not None:
        assert 0 < len(draft.answer) <= MAX_ANSWER  # type: ignore[attr-defined]
        assert {use.chunk_id for use in draft.evidence} <= set(IDS)  # type: ignore[attr-defined]
    review = raises_nothing_else(read_review, written)
    if review is not None and value.get("verdict") is not None:
        assert review.verdict in Verdict  # type: ignore[attr-defined]
        if review.verdict is Verdict.APPROVED:  # type: ignore[attr-defined]
            assert not review.unsupported_claims and not review.revision  # type: ignore[attr-defined]


@pytest.mark.parametrize("agent", READERS)
@pytest.mark.parametrize("value", [None, 3, b"x", ["{}"], {"answer": "x"}])
def test_what_is_no_text_is_empty(agent: str, value: object) -> None:
    with pytest.raises(ContractError):
        READERS[agent](value)  # type: ignore[arg-type]
