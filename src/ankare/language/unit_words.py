"""Which words are units in these languages?

They stand in the language packs (`units.toml`); here those of several languages become one table and two patterns: one
for a whole text that is a unit, one that finds units in a sentence. Where two languages share a word, the language that
is named first decides ("kronor", "¥").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from typing import Literal

from ankare.language.packs import named_lists

LANGUAGES = ("sv", "en", "zh")
_POWERS = range(2, 13)
_LETTERS = ("", "K", "M", "BN", "TN")
_TIMES = ("", "10", "100")
_WORD_LENGTH = 3
"""A magnitude of fewer letters ("m", "k") is one only beside a currency."""

_SIGN = "0-9a-zß-ɏ"
_EDGE = rf"(?:(?<![{_SIGN}])|(?![{_SIGN}]))"
"""Not inside a word. Chinese has no such edges, and a code may stand right beside Chinese text."""

_YEAR = r"(?:19|20)\d\d(?!\d|[.,]\d)"
_AMOUNT = rf"(?<![{_SIGN}.,])(?!{_YEAR})\d[\d.,\s]{{0,30}}+|[一二两三四五六七八九]++"

UnitKind = Literal["money", "percent", "count", "other"]
Packs = Sequence[Mapping[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class UnitWords:
    """Written forms in small letters, and what they mean.

    `currencies`: names, abbreviations and codes to ISO codes; `tens`: words and letters to powers of ten, `ten_words` those
    that are a magnitude also alone; `units`: the names of percent, counts and others to our codes and kinds. `ordinary`:
    words that mean other things too; `small_only`: no unit in capitals; `any_case`: codes that are no words in small
    letters. `whole` fits a currency with or without a magnitude, `inside` finds units in a sentence in small letters.
    """

    currencies: Mapping[str, str]
    codes: frozenset[str]
    tens: Mapping[str, int]
    ten_words: frozenset[str]
    units: Mapping[str, tuple[str, UnitKind]]
    ordinary: frozenset[str]
    small_only: frozenset[str]
    any_case: frozenset[str]
    whole: re.Pattern[str] = field(repr=False)
    inside: re.Pattern[str] = field(repr=False)


@cache
def unit_words(languages: tuple[str, ...]) -> UnitWords:
    """The words of these languages in one table. A language without a pack adds none; with none at all, those of English."""
    packs = [named_lists(code, "units") for code in languages if code in LANGUAGES] or [named_lists("en", "units")]
    codes = {key.casefold(): key for pack in packs for key in pack if key.isupper()}
    currencies = _by_key(packs, "short_") | _by_key(packs, "") | codes
    after = {ten_code(power).casefold(): power for power in _POWERS} | _powers(packs, "ten_")
    tens = _powers(packs, "before_") | after
    words = frozenset(word for word in tens if not _is_latin(word) or (word.isalpha() and len(word) >= _WORD_LENGTH))
    return UnitWords(
        currencies=currencies,
        codes=frozenset(codes),
        tens=tens,
        ten_words=words,
        units=_units(packs),
        ordinary=_listed(packs, "ordinary"),
        small_only=_listed(packs, "small_only"),
        any_case=_listed(packs, "any_case"),
        whole=re.compile(_money(currencies, tens, tens)),
        inside=_inside(packs, _money(currencies, tens, after), words),
    )


def ten_code(power: int) -> str:
    """How our unit codes write a power of ten: 3 is "K", 6 "M", 8 "100M", 9 "BN"."""
    return _TIMES[power % 3] + _LETTERS[power // 3]


def _money(currencies: Iterable[str], before: Iterable[str], after: Iterable[str]) -> str:
    return (
        rf"(?:(?P<before>{_any_of(before)})\.?\s*)?(?P<currency>{_any_of(currencies)})"
        rf"(?:\s*(?P<after>{_any_of(after)}){_EDGE})?"
    )


def _inside(packs: Packs, money: str, ten_words: Iterable[str]) -> re.Pattern[str]:
    """`amount`: a number before the unit, which then is stated, not asked for. `lead`: a word that a unit follows."""
    leads = _longest_first(_listed(packs, "asked_after"))
    lead = "|".join(re.escape(word) + (r"\s+" if _is_latin(word) else r"\s*") for word in leads)
    unit = rf"(?P<percent>{_any_of(_listed(packs, 'percent'))})|{money}|(?P<ten>{_any_of(ten_words)})"
    return re.compile(
        rf"(?:(?P<amount>{_AMOUNT})\s*|{_EDGE}(?P<lead>{lead})|{_EDGE})(?P<unit>{unit})"
        rf"{_EDGE}(?![-.][a-z])(?!\s*(?!{_YEAR})\d)(?!{_any_of(_listed(packs, 'not_before'))})"
    )


def _units(packs: Packs) -> dict[str, tuple[str, UnitKind]]:
    found: dict[str, tuple[str, UnitKind]] = dict.fromkeys(_listed(packs, "percent"), ("PCT", "percent"))
    found |= {word: (code, "count") for word, code in _by_key(packs, "count_").items()}
    return found | {word: (code, "other") for word, code in _by_key(packs, "other_").items()}


def _by_key(packs: Packs, start: str) -> dict[str, str]:
    """Words to the rest of their list's key, of the lists whose key begins so and goes on in capitals."""
    found: dict[str, str] = {}
    for pack in packs:
        for key, words in pack.items():
            rest = key.removeprefix(start)
            if key.startswith(start) and rest.isupper():
                for word in words:
                    found.setdefault(word, rest)
    return found


def _powers(packs: Packs, start: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for pack in packs:
        for power in _POWERS:
            for word in pack.get(f"{start}{power}", ()):
                found.setdefault(word, power)
    return found


def _listed(packs: Packs, name: str) -> frozenset[str]:
    return frozenset(word for pack in packs for word in pack.get(name, ()))


def _any_of(words: Iterable[str]) -> str:
    """A pattern of the words, the longest first; grouped by their first letter, so that not each is tried at every place."""
    ordered = sorted(set(words), key=lambda word: (word[0], -len(word), word))
    groups = groupby(ordered, key=lambda word: word[0])
    return "|".join(
        f"{re.escape(first)}(?:{'|'.join(re.escape(word[1:]) for word in group)})" for first, group in groups
    )


def _longest_first(words: Iterable[str]) -> list[str]:
    return sorted(words, key=lambda word: (-len(word), word))


def _is_latin(word: str) -> bool:
    return word[0] < "ɏ"
