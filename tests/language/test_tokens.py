from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.language.languages import LANGUAGE_CODES, get_language

CASES = [
    ("Det kostar 12,5 kr", ["det", "kostar", "12,5", "kr"]),
    ("1 200 000 invånare", ["1200000", "invånare"]),
    ("kapitel 3.2 och 2024-03-01", ["kapitel", "3.2", "och", "2024-03-01"]),
    ("IT-miljön i EU:s regler", ["it-miljön", "i", "eu:s", "regler"]),
    ("och/eller", ["och", "eller"]),
    ("ＡＢＣ１２", ["abc12"]),
    ("för\u00advalt\u200bning", ["förvaltning"]),
    ("fo\u0308r", ["för"]),
    ("slut.Början", ["slut", "början"]),
    ("Är å ä ö?", ["är", "å", "ä", "ö"]),
    ("bok中国abc", ["bok", "中国", "abc"]),
    ("🙂 \x00 \ud800", []),
]


@pytest.mark.parametrize(("text", "norms"), CASES)
def test_words_are_found_and_normalized(text: str, norms: list[str]) -> None:
    assert [token.norm for token in get_language("sv").tokens(text)] == norms


@given(st.text())
def test_offsets_recover_the_source_text(text: str) -> None:
    for token in get_language("sv").tokens(text):
        assert text[token.start : token.end] == token.text


@pytest.mark.parametrize("code", LANGUAGE_CODES)
@given(text=st.text(alphabet=st.characters(codec=None)))
def test_any_text_can_be_indexed(code: str, text: str) -> None:
    language = get_language(code)
    terms = language.index_terms(text)
    assert terms == language.index_terms(text)
    assert all(terms)
    language.question_type(text)


def test_index_terms_follow_the_words_one_by_one() -> None:
    language = get_language("sv")
    text = "Styrgruppsmötet om IT-miljön hölls i Lund, men ingen skolbuss kom."
    expected: list[str] = []
    for token in language.tokens(text):
        found = language.analyze(token.text)
        expected += () if found.stop else found.terms + found.parts
    assert language.index_terms(text) == tuple(expected)
