from __future__ import annotations

import pytest

from ankare.errors import BadInputError
from ankare.language.languages import detect_language, get_language

ALL = ("sv", "en", "zh")


@pytest.mark.parametrize("forms", ["decision decisions", "approve approved approves", "child children", "city cities"])
def test_english_forms_meet(forms: str) -> None:
    language = get_language("en")
    assert len({language.analyze(form).terms for form in forms.split()}) == 1


def test_an_abbreviation_in_capitals_is_no_function_word() -> None:
    language = get_language("en")
    assert language.index_terms("the IT plan") == ("it", "plan")
    assert language.index_terms("plan it") == ("plan",)


def test_chinese_is_indexed_by_characters_and_pairs() -> None:
    terms = get_language("zh").analyze("风险分析").terms
    assert {"风险", "险分", "分析", "风", "险", "分", "析"} == set(terms)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(BadInputError, match="xx"):
        get_language("xx")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Vad är moms?", "sv"),
        ("Vem bestämmer?", "sv"),
        ("Riskanalys", "sv"),
        ("Hur fungerar support?", "sv"),
        ("Lista alla krav", "sv"),
        ("Finns parkering?", "sv"),
        ("what is risk", "en"),
        ("Who decides?", "en"),
        ("acceptance test", "en"),
        ("Parking rules", "en"),
        ("How does support work?", "en"),
        ("谁负责?", "zh"),
        ("什么是 IT 系统", "zh"),
    ],
)
def test_short_questions_are_recognized(text: str, code: str) -> None:
    for default in ("sv", "en"):
        assert detect_language(text, ALL, default) == code


@pytest.mark.parametrize("text", ["", "12,5", "🙂", "?!", "budget"])
def test_where_nothing_tells_the_default_stands(text: str) -> None:
    assert detect_language(text, ALL, "sv") == "sv"


def test_only_accepted_languages_are_given() -> None:
    assert detect_language("什么是风险", ("sv", "en"), "sv") in ("sv", "en")
    assert detect_language("What is risk?", ("sv",), "sv") == "sv"
