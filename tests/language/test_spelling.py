from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.language.languages import get_language
from ankare.language.neighbours import Neighbours, distance
from ankare.language.spelling import Speller

SWEDISH = get_language("sv")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("undervisnnig", "undervisning"),
        ("komunen", "kommunen"),
        ("overlamna", "överlämna"),
        ("befolking", "befolkning"),
        ("försäkrring", "försäkring"),
        ("bibliotket", "biblioteket"),
        ("parkreing", "parkering"),
        ("skolsjuts", "skolskjuts"),
        ("leveransplaan", "leveransplan"),
    ],
)
def test_slips_are_read_as_meant(written: str, meant: str) -> None:
    assert Speller({}, SWEDISH).correct(written) == meant


RIGHT = "undervisning kommunens Lund Malmö bygglov dagbok leveranskontrollmöte och 2024-03 IT-miljö xy Göteborgs"


@pytest.mark.parametrize("word", RIGHT.split())
def test_a_right_word_is_never_changed(word: str) -> None:
    assert Speller({}, SWEDISH).correct(word) is None


def test_a_word_of_the_corpus_is_known_and_wins() -> None:
    speller = Speller({"zorbaxen": 3, "plan": 9}, SWEDISH)
    assert speller.correct("zorbaxen") is None
    assert speller.correct("zorbaksen") == "zorbaxen"


def test_english_is_corrected_too() -> None:
    speller = Speller({}, get_language("en"))
    assert speller.correct("recieve") == "receive"
    assert speller.correct("approval") is None


def test_chinese_is_left_alone() -> None:
    assert Speller({}, get_language("zh")).correct("风险分析") is None


def plain_distance(left: str, right: str) -> int:
    """Optimal string alignment by the textbook table."""
    table = [[i + j if 0 in (i, j) else 0 for j in range(len(right) + 1)] for i in range(len(left) + 1)]
    for i in range(1, len(left) + 1):
        for j in range(1, len(right) + 1):
            same = left[i - 1] == right[j - 1]
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (not same))
            if i > 1 and j > 1 and left[i - 1] == right[j - 2] and left[i - 2] == right[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


words = st.text(alphabet="abcå", min_size=4, max_size=9)


@given(words, words)
def test_distance_agrees_with_the_textbook(left: str, right: str) -> None:
    assert distance(left, right, 20) == plain_distance(left, right)


@given(st.sets(words, max_size=20), words)
def test_all_words_one_edit_away_are_found(vocabulary: set[str], word: str) -> None:
    expected = sorted(each for each in vocabulary if plain_distance(word, each) == 1)
    assert Neighbours(dict.fromkeys(sorted(vocabulary), 1)).within(word, 1) == expected


@given(st.sets(words, max_size=20), words)
def test_nothing_beyond_two_edits_is_found(vocabulary: set[str], word: str) -> None:
    found = Neighbours(dict.fromkeys(sorted(vocabulary), 1)).within(word, 2)
    assert all(1 <= plain_distance(word, each) <= 2 for each in found)
