"""Which words of a language are numbers, units, months and rhythms? From the pack's `measures.toml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

from ankare.language.cues import whole_words
from ankare.language.packs import named_lists

LONGEST_NUMBER = 40
LONGEST_WORD = 60
SHORTEST_SCALE = 3


@dataclass(frozen=True)
class MeasureWords:
    """The words of a language by what they mean to a value; `lists`: all of the pack's lists.

    `spelled`, `scales`: what a number in one word is made of, the longest first. `opening`: words that a value may begin with.
    `parts_of_year`, `part_codes`: words and letters to the field of a date that they name (q, t, h).
    """

    numbers: Mapping[str, int]
    tens: Mapping[str, int]
    parts: Mapping[str, Fraction]
    ordinals: Mapping[str, int]
    units: Mapping[str, tuple[str, Fraction]]
    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    seasons: Mapping[str, int]
    quarters: Mapping[str, int]
    parts_of_year: Mapping[str, str]
    part_codes: Mapping[str, str]
    rhythms: tuple[tuple[re.Pattern[str], Fraction], ...]
    rates: tuple[tuple[re.Pattern[str], int], ...]
    spelled: tuple[tuple[str, int], ...]
    scales: tuple[tuple[str, int], ...]
    opening: frozenset[str]
    lists: Mapping[str, tuple[str, ...]]


@cache
def measure_words(code: str) -> MeasureWords:
    """The words of a language that has a pack of measures."""
    lists = named_lists(code, "measures")
    quarters = _keyed(lists, "quarter")
    numbers = {word: int(key) for key, word in _keyed(lists, "number")}
    tens = {word: int(key) for key, word in _keyed(lists, "ten")}
    parts_of_year = {word: key for key, word in _keyed(lists, "part_of_year")}
    part_codes = {word: key for key, word in _keyed(lists, "part_code")}
    roles = ("number", "ten", "part", "ordinal", "month", "weekday", "season", "quarter")
    return MeasureWords(
        numbers=numbers,
        tens=tens,
        spelled=_by_length(numbers),
        scales=_by_length({word: power for word, power in tens.items() if len(word) > SHORTEST_SCALE}),
        opening=frozenset(
            (*(word for role in roles for _, word in _keyed(lists, role)), *lists["week"], *lists["last"])
        )
        | parts_of_year.keys()
        | part_codes.keys(),
        parts={word: Fraction(key) for key, word in _keyed(lists, "part")},
        ordinals={word: int(key) for key, word in _keyed(lists, "ordinal")},
        units={word: _unit(key) for key, word in _keyed(lists, "unit")},
        months={word: int(key) for key, word in _keyed(lists, "month")},
        weekdays={word: int(key) for key, word in _keyed(lists, "weekday")},
        seasons={word: int(key) for key, word in _keyed(lists, "season")},
        quarters={word: int(key.split()[0]) for key, word in quarters},
        parts_of_year=parts_of_year,
        part_codes=part_codes,
        rhythms=tuple(
            (pattern, Fraction(key.split(maxsplit=1)[1]))
            for key, phrases in lists.items()
            if key.startswith("rhythm ") and (pattern := whole_words(code, phrases))
        ),
        rates=tuple(
            (pattern, often)
            for name, often in (
                ("per_year", 1),
                ("per_half", 2),
                ("per_quarter", 4),
                ("per_month", 12),
                ("per_week", 52),
                ("per_day", 365),
            )
            if (pattern := whole_words(code, lists[name]))
        ),
        lists=lists,
    )


def _keyed(lists: Mapping[str, tuple[str, ...]], role: str) -> list[tuple[str, str]]:
    return [
        (key.split(maxsplit=1)[1], word) for key, words in lists.items() if key.startswith(role + " ") for word in words
    ]


def _unit(key: str) -> tuple[str, Fraction]:
    dimension, factor = key.split()
    return dimension, Fraction(factor).limit_denominator(10_000)


def spelled_count(word: str, words: MeasureWords) -> int | None:
    """The whole number that a word spells ("tjugofem", "12"); None for any other word."""
    if word.isdecimal():
        return int(word) if len(word) < 7 else None
    if word in words.numbers:
        return words.numbers[word]
    if not 5 <= len(word) <= LONGEST_WORD or not word[0].isalpha():
        return None
    return _spelled(word, words.spelled, words.scales)


@lru_cache(4096)
def _spelled(word: str, code_words: tuple[tuple[str, int], ...], tens: tuple[tuple[str, int], ...]) -> int | None:
    """A number that is written as one word ("tjugofem", "etthundrafemtio", "twenty-five")."""
    total, current, rest = 0, 0, word.replace("-", "")
    seen = False
    while rest:
        for spelled, amount in code_words:
            if rest.startswith(spelled) and len(spelled) > 1:
                current, rest, seen = current + amount, rest[len(spelled) :], True
                break
        else:
            for spelled, power in tens:
                if rest.startswith(spelled):
                    scaled = (current or 1) * 10**power
                    total, current = (total + scaled, 0) if power >= 3 else (total, scaled)
                    rest, seen = rest[len(spelled) :], True
                    break
            else:
                return None
    return total + current if seen else None


def _by_length(words: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(words.items(), key=lambda item: -len(item[0])))
