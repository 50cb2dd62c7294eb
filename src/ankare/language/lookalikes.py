"""Which letter is a reader meant to see in this character?

Whatever a character is dressed as, it is read as a plain letter: without accent, case or width, a Cyrillic, Greek or small
capital look-alike as the Latin letter (Unicode Technical Standard 39 and `packs/und/lookalikes*.tsv`), a traditional Chinese
character as the simplified one (`packs/zh/variants.tsv`). Both sides of a comparison must be read so. A digit stays a digit
here; `SKELETON` then lets it meet the letters that look like it, and i meet l.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from ankare.language.packs import word_map

DIGIT_READINGS: Mapping[str, str] = MappingProxyType(
    {"0": "o", "1": "il", "2": "z", "3": "e", "4": "a", "5": "s", "6": "g", "7": "t", "8": "b", "9": "g"}
)
SKELETON: Mapping[int, str] = MappingProxyType(
    {**{ord(digit): letters[0] for digit, letters in DIGIT_READINGS.items()}, ord("l"): "i"}
)
"""One letter for all that may be taken for one another; for `str.translate`, one for one."""

_IGNORABLE = frozenset("\u115f\u1160\u3164\uffa0\u0640\u2800")
"""Fillers, a stroke that only stretches a word, and an empty pattern: letters and symbols by category, nothing to the eye."""
_NO_LETTERS = frozenset("\u2122\u2120")
"""Trade and service mark decompose to letters, and are none."""
_KEPT_MODIFIERS = frozenset("\u3005\u309d\u309e\u30fc\u30fd\u30fe")


def letters_of(char: str) -> str:
    """The letters and digits that one character is read as; usually one, empty for whatever is neither."""
    known = _letters().get(char)
    if known is None:
        if len(_letters()) >= _REMEMBERED:
            _letters().clear()
        known = _letters()[char] = _read(char)
    return known


def is_invisible(char: str) -> bool:
    """Does it leave the word whole: accents, joiners, bidi and format controls, soft hyphens, variation selectors?"""
    return char in _IGNORABLE or (unicodedata.category(char) in ("Mn", "Me", "Cf", "Cc") and not char.isspace())


@cache
def symbol_letters() -> Mapping[str, str]:
    """The symbols that may be meant as a letter (@ for a, $ for s), and the letter or digit that they are read as."""
    return MappingProxyType({char: read for char, read in _table().items() if not _is_letter(char)})


class SkeletonTable(dict[int, str | None]):
    """A text's skeleton by `text.translate(table)`: its letters as read, in `SKELETON`, and nothing else."""

    def __missing__(self, code: int) -> str | None:
        skeleton = letters_of(chr(code)).translate(SKELETON) or None
        if len(self) < _REMEMBERED:
            self[code] = skeleton
        return skeleton


_REMEMBERED = 50_000


@cache
def _letters() -> dict[str, str]:
    return {}


def _read(char: str) -> str:
    if char.isascii():
        return char.lower() if char.isalnum() else ""
    if char in _IGNORABLE or char in _NO_LETTERS or char in symbol_letters():
        return ""
    known = _as_letter(char)
    if known:
        return known
    return "".join(map(_read_part, unicodedata.normalize("NFKD", char)))


def _read_part(char: str) -> str:
    """The letter of one part of a decomposed character."""
    if char.isascii():
        return char.lower() if char.isalnum() else ""
    category = unicodedata.category(char)
    if category[0] not in "LN" or char in _IGNORABLE or (category == "Lm" and char not in _KEPT_MODIFIERS):
        return _as_letter(char)
    small = char.casefold()
    return _as_letter(char) or _digit(char) or "".join(_as_letter(each) or each for each in small)


def _as_letter(char: str) -> str:
    return (_table().get(char, "") if _is_letter(char) else "") or _variants().get(char, "")


def _is_letter(char: str) -> bool:
    return unicodedata.category(char)[0] in "LN"


def _digit(char: str) -> str:
    value = unicodedata.digit(char, None)
    return "" if value is None else str(value)


@cache
def _table() -> Mapping[str, str]:
    rows = word_map("und", "lookalikes")
    return {chr(int(code, 16)): read for read, codes in rows.items() for code in codes}


def simplified(character: str) -> str:
    """The simplified form of a Chinese character; any other character as it is."""
    return character if character < _FIRST_VARIANT else _variants().get(character, character)


_FIRST_VARIANT = "\u2e80"


@cache
def _variants() -> Mapping[str, str]:
    return {other: first for first, others in word_map("zh", "variants").items() for other in others}
