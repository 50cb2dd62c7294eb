"""Does an answer say the same twice?

Two statements are nearly the same where they share most of their word pairs (the Dice coefficient of the sets of word bigrams)
and neither says a number or a subject that the other does not: "in stage 1" and "in stage 2" say two things, and so do "demands
on rooms" and "demands on tools". Rows of a table are alike by nature and do not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from ankare.evaluation.captured import Statement
from ankare.evaluation.measures.language_cues import words_of
from ankare.language.languages import get_language

ALIKE = 0.8
"""From this share of word pairs on, two statements are nearly the same."""
FEWEST_WORDS = 4
"""Shorter statements repeat each other by chance."""
PHRASE, OFTEN = 5, 3
"""So many words in a row, so many times in running text, are a phrase that is repeated."""
MOST_STATEMENTS, MOST_WORDS = 300, 400
"""What is looked at of an answer, and of each of its statements."""
_ROW, _TEXT = "row", "text"


def repetitions(statements: Sequence[Statement], code: str) -> Iterator[dict[str, object]]:
    """What is repeated: pairs of statements by their numbers, and the phrase that is repeated most. `code`: the language."""
    told = [
        (number, statement.form, words_of(statement.text)[:MOST_WORDS])
        for number, statement in enumerate(statements[:MOST_STATEMENTS])
        if statement.form != _ROW
    ]
    long = [(number, words, frozenset(_runs(words, 2))) for number, _, words in told if len(words) >= FEWEST_WORDS]
    for (first, some, own), (second, others, pairs) in combinations(long, 2):
        alike = dice(own, pairs)
        if alike >= ALIKE and _numbers(some) == _numbers(others) and _says_no_other(some, others, code):
            yield {"statements": [first, second], "alike": round(alike, 3)}
    phrases = Counter(run for _, form, words in told if form == _TEXT for run in _runs(words, PHRASE))
    often = [(run, count) for run, count in phrases.items() if count >= OFTEN]
    if often:
        run, count = max(often, key=lambda one: one[1])
        yield {"phrase": " ".join(run), "times": count}


def dice(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    """2 |A and B| / (|A| + |B|), 0 for two empty sets. Dice, "Measures of the amount of ecologic association between species",
    Ecology 26, 1945."""
    whole = len(one) + len(other)
    return 2 * len(one & other) / whole if whole else 0.0


def _runs(words: Sequence[str], length: int) -> Iterator[tuple[str, ...]]:
    """All runs of so many words."""
    for start in range(len(words) - length + 1):
        yield tuple(words[start : start + length])


def _says_no_other(some: Sequence[str], others: Sequence[str], code: str) -> bool:
    """Is what one of two statements is about a part of what the other is about?"""
    language = get_language(code)
    one, other = (frozenset(language.index_terms(" ".join(words))) for words in (some, others))
    return one <= other or other <= one


def _numbers(words: Sequence[str]) -> list[str]:
    return [word for word in words if any(sign.isdecimal() for sign in word)]
