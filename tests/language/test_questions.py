from __future__ import annotations

from pathlib import Path

import pytest

from ankare.domain.question import QuestionType
from ankare.language.languages import detect_language, get_language

DATA = Path(__file__).parent / "data"


def labelled(code: str) -> list[tuple[str, str]]:
    lines = (DATA / f"questions_{code}.tsv").read_text(encoding="utf-8").splitlines()
    return [(kind, text) for kind, text in (line.split("\t") for line in lines)]


@pytest.mark.parametrize(("kind", "text"), labelled("sv"))
def test_swedish_questions_get_their_type(kind: str, text: str) -> None:
    assert get_language("sv").question_type(text) == QuestionType(kind)


@pytest.mark.parametrize(("kind", "text"), labelled("en"))
def test_english_questions_get_their_type(kind: str, text: str) -> None:
    assert get_language("en").question_type(text) == QuestionType(kind)


@pytest.mark.parametrize("code", ["sv", "en"])
def test_labelled_questions_are_recognized_as_their_language(code: str) -> None:
    other = "en" if code == "sv" else "sv"
    wrong = [text for _, text in labelled(code) if detect_language(text, ("sv", "en", "zh"), other) != code]
    assert not wrong


@pytest.mark.parametrize(
    ("text", "kind"),
    [("什么是风险", "definition"), ("谁负责", "responsibility"), ("什么时候开始", "time"), ("为什么", "purpose")],
)
def test_chinese_questions_get_their_type(text: str, kind: str) -> None:
    assert get_language("zh").question_type(text) == QuestionType(kind)


@pytest.mark.parametrize("code", ["sv", "en", "zh"])
def test_every_pack_has_the_same_cue_lists(code: str) -> None:
    names = (
        "definition_evidence purpose_evidence time_evidence condition sequence responsibility_evidence existence_evidence "
        "process_evidence list_evidence planning_evidence negation modal anaphora quantity"
    )
    for name in names.split():
        cues = get_language(code).cues(name)
        assert cues
        assert all(cue == cue.casefold() for cue in cues)
    with pytest.raises(KeyError):
        get_language(code).cues("no such list")


@pytest.mark.parametrize("code", ["sv", "en"])
@pytest.mark.parametrize("piece", ["? ", ", - "])
def test_very_many_marks_end(code: str, piece: str) -> None:
    """A pattern that backtracks would not end before the test run is stopped."""
    assert get_language(code).question_type(piece * (60_000 // len(piece))) == QuestionType.GENERAL


@pytest.mark.parametrize("between", ["", "  ", "? ", "?? ", "?! - ", ". . . ", " … "])
def test_marks_before_a_clause_do_not_hide_it(between: str) -> None:
    swedish = get_language("sv")
    assert swedish.question_type(f"{between}Vem leder gruppen?") == QuestionType.RESPONSIBILITY
    assert swedish.question_type(f"Hej!{between or ' '}Vem leder gruppen?") == QuestionType.RESPONSIBILITY
