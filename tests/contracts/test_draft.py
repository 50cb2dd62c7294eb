"""Agent 2 writes an answer and names its chunks; nothing else of what it says counts, and no broken reply is an answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from ankare.contracts.correction import Correction, read_correction
from ankare.contracts.draft import MAX_ANSWER, AnswerScope, Draft, EvidenceUse, SourceCoverage, read_draft
from ankare.errors import ContractError

IDS = ("c1", "c2", "c3")
ANSWER = "Beställaren godkänner leveransen inom tio dagar."
WHOLE: dict[str, Any] = {
    "answer": ANSWER,
    "answer_scope": "direct",
    "evidence_used": [{"chunk_id": "c2", "claim_supported": "Godkänns inom tio dagar."}],
    "unsupported_or_uncertain": [],
}


def read(**changes: Any) -> Draft:
    return read_draft(json.dumps(WHOLE | changes), IDS)


def test_a_whole_reply() -> None:
    draft = read()
    assert draft == Draft(ANSWER, AnswerScope.DIRECT, (EvidenceUse("c2", "Godkänns inom tio dagar."),))


def test_a_short_answer_is_as_right_as_a_long_one() -> None:
    assert read(answer="Ja.").answer == "Ja."


@pytest.mark.parametrize(
    ("evidence", "cited", "unknown"),
    [
        ([{"chunk_id": "C1", "claim_supported": "x"}], ("c1",), ()),
        ([{"chunk_id": "[c1]", "claim_supported": "x"}], ("c1",), ()),
        ([{"chunk_id": "c1, c3"}], ("c1", "c3"), ()),
        ([{"chunk_id": "c1 och c3", "claim_supported": None}], ("c1", "c3"), ()),
        (["c3", "c1", "c3"], ("c3", "c1"), ()),
        ("c1", ("c1",), ()),
        ({"chunk_id": "c1", "claim_supported": "x"}, ("c1",), ()),
        ([{"chunk_id": "c9", "claim_supported": "x"}], (), ("c9",)),
        ([{"chunk_id": "c1, c9", "claim_supported": "x"}], (), ("c1, c9",)),
        ([{"chunk_id": "chunk 1"}], (), ("chunk 1",)),
        ([{"chunk_id": "1"}], (), ("1",)),
        ([{"chunk_id": "Plan.pdf"}, {"chunk_id": "c2"}], ("c2",), ("Plan.pdf",)),
        ([], (), ()),
        (None, (), ()),
        ([{}, 3, None, {"chunk_id": 1}, {"source": "a.pdf"}, ""], (), ()),
        ([{"chunk_id": f"x{number}"} for number in range(1000)], (), tuple(f"x{number}" for number in range(8))),
    ],
)
def test_only_chunks_that_were_shown_are_evidence(
    evidence: object, cited: tuple[str, ...], unknown: tuple[str, ...]
) -> None:
    draft = read(evidence_used=evidence)
    assert tuple(use.chunk_id for use in draft.evidence) == cited
    assert draft.unknown_ids == unknown


def test_unreadable_evidence_is_told_and_does_not_void_the_answer() -> None:
    draft = read(evidence_used=[3, {"chunk_id": "c1"}])
    assert draft.answer == ANSWER and "evidence_item_unreadable" in draft.notes


@pytest.mark.parametrize(
    ("answer", "text", "cited"),
    [
        ("Ett påstående [c1].", "Ett påstående.", ("c1",)),
        ("Ett【c1】 och två (c2, c3).", "Ett och två.", ("c1", "c2", "c3")),
        ("Nivå (C1) krävs.", "Nivå (C1) krävs.", ()),
        ("Se [c9].", "Se [c9].", ()),
        ("Se [1] och [bilaga c1].", "Se [1] och [bilaga c1].", ()),
    ],
)
def test_citation_marks_are_evidence_and_no_text(answer: str, text: str, cited: tuple[str, ...]) -> None:
    draft = read(answer=answer, evidence_used=[])
    assert draft.answer == text
    assert tuple(use.chunk_id for use in draft.evidence) == cited


def test_paragraphs_and_lists_keep_their_lines() -> None:
    assert read(answer="Ett.\r\n\r\n\r\n\r\n• två\n• tre").answer == "Ett.\n\n• två\n• tre"
    assert read(answer="Ett.\\n\\n• två\\n• tre").answer == "Ett.\n\n• två\n• tre"
    assert read(answer="Mappen C:\\nya används.").answer == "Mappen C:\\nya används."


def test_invisible_characters_do_not_come_through() -> None:
    assert read(answer="a\u200bg\u202eent\x07 3\ufeff").answer == "agent 3"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"answer": None}, "missing_field"),
        ({"answer": ""}, "empty_answer"),
        ({"answer": " \n "}, "empty_answer"),
        ({"answer": "..."}, "empty_answer"),
        ({"answer": "[c1]"}, "empty_answer"),
        ({"answer": "\u200b\ufeff"}, "empty_answer"),
        ({"answer": ["ett", "två"]}, "wrong_type"),
        ({"answer": {"text": "ett"}}, "wrong_type"),
        ({"answer": 42}, "wrong_type"),
        ({"answer": True}, "wrong_type"),
        ({"answer": "x" * (MAX_ANSWER + 1)}, "too_long"),
        ({"answer": "Ord och mening. " * 3200}, "too_long"),
        ({"answer": '{"answer": "Ja, det är så."}'}, "answer_is_json"),
        ({"answer": 'Ja. "evidence_used": [{"chunk_id": "c1"'}, "answer_is_json"),
        ({"answer_scope": "complete"}, "unknown_value"),
        ({"answer_scope": 1}, "wrong_type"),
        ({"evidence_used": 7}, "wrong_type"),
        ({"unsupported_or_uncertain": [1]}, "wrong_type"),
    ],
)
def test_values_outside_the_contract_are_faults(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(ContractError) as caught:
        read(**changes)
    assert caught.value.reason == reason


def test_the_scope_is_read_in_any_case_and_may_be_absent() -> None:
    assert read(answer_scope="Insufficient Evidence").scope is AnswerScope.INSUFFICIENT
    assert read(answer_scope=None).scope is AnswerScope.UNSTATED


def test_doubts_are_bounded() -> None:
    draft = read(unsupported_or_uncertain=["", *("x" * 500 for _ in range(50))])
    assert len(draft.uncertain) == 6 and all(len(doubt) == 180 for doubt in draft.uncertain)
    assert read(unsupported_or_uncertain="ett tvivel").uncertain == ("ett tvivel",)


def test_the_model_does_not_own_sources_and_coverage() -> None:
    draft = read(source_coverage={"answers_original_question": True}, grounding_notes="allt stämmer", sources=["a.pdf"])
    assert {"ignored:source_coverage", "ignored:grounding_notes", "ignored:sources"} <= set(draft.notes)
    coverage = SourceCoverage(
        uses_retrieved_chunks=True, answers_original_question=True, ignores_metadata_as_facts=True
    )
    result = draft.published("Vem godkänner?", {"c2": ("plan.pdf", [4])}, coverage)
    assert (result.evidence_used[0].source, result.evidence_used[0].pages) == ("plan.pdf", [4])
    with pytest.raises(ValidationError):
        read(evidence_used=[]).published("Vem godkänner?", {}, coverage)


RAW = "Beställaren godkänner leveransen inom tio dagar efter leverans."


@pytest.mark.parametrize(
    "reply",
    [
        RAW,
        f"<think>hm</think>\n{RAW}",
        f"```\n{RAW}\n```",
        f"```markdown\n{RAW}\n```",
        f'"{RAW}"',
        f"\ufeff{RAW}",
        RAW.replace(" efter", " [c2] efter"),
    ],
)
def test_a_plain_text_is_kept_as_a_draft(reply: str) -> None:
    draft = read_draft(reply, IDS)
    assert draft.answer == RAW and draft.recovered == "raw_text"
    assert draft.scope is AnswerScope.UNSTATED
    assert [use.chunk_id for use in draft.evidence] == (["c2"] if "[c2]" in reply else [])


BROKEN = [
    '{"answer": "' + RAW,
    '{"answer": "' + RAW + '", "evidence_used": [{"chunk_id": "c1"',
    '{"answer": "' + RAW + '" "answer_scope": "direct"}',
    '"answer": "' + RAW + '", "answer_scope": "direct"',
    f'answer": "{RAW}", "evidence_used": []',
    f"“answer”: “{RAW}”",
    f'["{RAW}", "{RAW}"]',
    f"{{answer: {RAW}}}",
    f'```json\n{{"answer": "{RAW}"\n```',
    json.dumps('{"answer": "' + RAW),
    f"<think>{RAW}",
    f"answer_scope direct. {RAW}",
    f'{RAW}", "answer_sc',
    f'{RAW}", "c1"]',
    f'{RAW}"',
    f"{RAW} chunk_id c1",
    f'{{"text": "{RAW}"}}',
    f'{{"answer": "{RAW}"}} {{"answer": "Nej, aldrig någonsin."}}',
    "Ja.",
    "Jag vet inte.",
]

ReadDraft = Callable[[str], Draft]


def broken_objects_never_become_drafts(read_one: ReadDraft) -> None:
    for reply in BROKEN:
        try:
            draft = read_one(reply)
        except ContractError:
            continue
        raise AssertionError(f"a draft from {reply!r}: {draft.answer!r}")


def test_no_broken_object_becomes_a_draft() -> None:
    broken_objects_never_become_drafts(lambda reply: read_draft(reply, IDS))


def test_a_reader_that_keeps_every_raw_text_would_be_noticed() -> None:
    def keeping(reply: str) -> Draft:
        try:
            return read_draft(reply, IDS)
        except ContractError:
            return Draft(reply, AnswerScope.UNSTATED, recovered="raw_text")

    with pytest.raises(AssertionError, match="a draft from"):
        broken_objects_never_become_drafts(keeping)


def correct(**changes: Any) -> Correction:
    return read_correction(json.dumps({"answer": ANSWER, "evidence_used": WHOLE["evidence_used"]} | changes), IDS)


def test_a_whole_correction() -> None:
    assert correct() == Correction(ANSWER, (EvidenceUse("c2", "Godkänns inom tio dagar."),))


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (RAW, "not_an_object"),
        (f'"{RAW}"', "not_an_object"),
        ('{"answer": "' + RAW, "truncated"),
        ('{"evidence_used": []}', "missing_field"),
        ('{"answer": ""}', "empty_answer"),
        ('{"answer": 3}', "wrong_type"),
        ('{"answer": "a", "evidence_used": 3}', "wrong_type"),
        (json.dumps({"answer": "x" * 2201}), "too_long"),
        ('{"answer": "ett", "answer": "två"}', "duplicate_key"),
        ("", "empty"),
    ],
)
def test_a_correction_is_an_object_or_nothing(reply: str, reason: str) -> None:
    with pytest.raises(ContractError) as caught:
        read_correction(reply, IDS)
    assert caught.value.reason == reason


def test_a_correction_tells_unknown_ids_and_unexpected_fields() -> None:
    correction = correct(evidence_used=["c1", "c7"], verdict="approve")
    assert [use.chunk_id for use in correction.evidence] == ["c1"]
    assert correction.unknown_ids == ("c7",) and correction.notes == ("ignored:verdict",)
