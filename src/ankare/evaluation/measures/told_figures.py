"""Does a text tell a figure: its digits, its sign and its unit, and no other value of that unit beside it?

The text is read as a reader of the language does: "1 320,5 MSEK" and "1 320 500 000 kr" are one amount, "minus 345" is
negative, "inte 345" tells nothing, and of "345 eller 999 MSEK" nobody knows which it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from ankare.evaluation.measures.said import said, wording
from ankare.language.languages import LANGUAGE_CODES, get_language
from ankare.language.numbers import parse_decimal
from ankare.language.units import Unit, parse_unit

MOST_SIGNS = 100
_POINT = {"sv": ","}
_SPACES = re.compile("[\u00a0\u2007\u2009\u202f]")
_MINUS = re.compile("[\u2212\u2010-\u2013]")
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<sign>[-+](?=\d)|\((?=\d[\d., ]*\)))?(?P<body>\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?![\d])|\d+(?:[.,]\d+)*)"
    r"(?![^\W\d_]*\d)"
)
_CHINESE_NUMBER = re.compile(r"(?<![\d.,])(?P<sign>[-+](?=\d)|\((?=\d[\d., ]*\)))?(?P<body>\d+(?:[.,]\d+)*)")
_CITATION = re.compile(r"\[\d{1,4}\]")
_UNIT_BEFORE = re.compile(r"(?:(?<!\w)([A-Za-z]{2,5}) ?|([$€£¥]) ?)$")
_UNIT_AFTER = re.compile(r" ?(?P<text>(?:[^\W\d_]|[%$€£¥])[^\d,;:()|\[\]\n。，；、（）]{0,30})")
_MARKS = re.compile(r"[,;:()|\n。，；、：]")
_LONGEST_UNIT, _LONGEST_CHINESE_UNIT = 3, 10
_DENYING_REACH = 30
"""Characters before a value within which a word denies it."""
_SIGN_REACH = 12


@dataclass(frozen=True, slots=True)
class Told:
    """A value in a text. `amount`: in the unit's own measure, a magnitude multiplied in ("345 MSEK" is 345 000 000).

    `dimension`: a currency, "PCT", or "" where the text names neither. `denied`: it is said not to be so.
    """

    amount: Decimal
    dimension: str
    magnitude: int
    denied: bool
    start: int


def tells(text: str, value: str, unit: str, language: str, others: Iterable[tuple[str, str]] = ()) -> bool:
    """Does a text tell a value of a unit, and in the same sentence no other of that currency or percent?

    `others`: values with their units that may stand beside it. A value to which the text writes no unit is taken to have the
    right one, unless another value of the unit stands beside it.
    """
    number, known = decimal_of(value), parse_unit(unit)
    if number is None:
        return False
    dimension, allowed = _dimension(known), [number_in(*other) for other in (*others, (value, unit))]
    found = False
    for sentence in _sentences(readable(text), language):
        here = [one for one in read_figures(sentence, language) if not one.denied]
        if any(_is(one, number, known) for one in here):
            if dimension and any(one.dimension == dimension and one.amount not in allowed for one in here):
                return False
            found = True
    return found


def _is(one: Told, number: Decimal, unit: Unit | None) -> bool:
    """Is a value of a text this one? A magnitude without a currency ("345 miljoner") scales it as well."""
    if unit is None:
        return number in (one.amount, one.amount.scaleb(-one.magnitude))
    if one.dimension:
        return one.dimension == _dimension(unit) and one.amount == _scaled(number, unit)
    return one.amount == (_scaled(number, unit) if one.magnitude else number)


def number_in(value: str, unit: str) -> Decimal | None:
    """A value in the unit's own measure."""
    number = decimal_of(value)
    return None if number is None else _scaled(number, parse_unit(unit))


def same_amount(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Are two values with their units the same amount of one currency ("345 MSEK" and "345000000 SEK")?"""
    first, second = parse_unit(one[1]), parse_unit(other[1])
    if first is None or second is None or not first.currency or first.currency != second.currency:
        return False
    amount = number_in(*one)
    return amount is not None and amount == number_in(*other)


def decimal_of(text: str) -> Decimal | None:
    """A decimal as text, None for what is none."""
    try:
        found = Decimal(text) if len(text) <= MOST_SIGNS else None
    except InvalidOperation:
        return None
    return found if found is not None and found.is_finite() else None


def _scaled(number: Decimal, unit: Unit | None) -> Decimal:
    return number.scaleb(unit.magnitude) if unit is not None and unit.currency else number


def _dimension(unit: Unit | None) -> str:
    if unit is None:
        return ""
    return unit.currency or ("PCT" if unit.kind == "percent" else "")


def readable(text: str) -> str:
    """The text with plain spaces and minus signs, without what Markdown marks."""
    plain = _CITATION.sub("", text.replace("\\", "").replace("*", "").replace("（", "(").replace("）", ")"))
    return _MINUS.sub("-", _SPACES.sub(" ", plain))


def _sentences(text: str, language: str) -> Iterator[str]:
    code = _code(language)
    for line in text.splitlines():
        for start, end in get_language(code).sentences(line):
            yield line[start:end]


@lru_cache(4096)
def read_figures(sentence: str, language: str) -> tuple[Told, ...]:
    """The values of a sentence, in order."""
    code = _code(language)
    matches = (_CHINESE_NUMBER if code == "zh" else _NUMBER).finditer(sentence)
    return tuple(one for match in matches if (one := _read(sentence, match, code)) is not None)


def _read(sentence: str, match: re.Match[str], code: str) -> Told | None:
    try:
        number = parse_decimal(match["body"], decimal=_POINT.get(code, "."))
    except ValueError:
        return None
    before = sentence[: match.start()]
    if match["sign"] in ("-", "(") or _minus_in_words(before, code):
        number = -number
    ten, unit = _unit_after(sentence[match.end() :].removeprefix(")"), code)
    unit = unit or _unit_before(before)
    magnitude = ten + (unit.magnitude if unit else 0)
    return Told(number.scaleb(magnitude), _dimension(unit), magnitude, _denied(before, code), match.start())


def _minus_in_words(before: str, code: str) -> bool:
    near = before.rstrip()[-_SIGN_REACH:].casefold()
    return any(found.end() == len(near) for found in wording(code, "minus_before").finditer(near))


def _unit_before(before: str) -> Unit | None:
    found = _UNIT_BEFORE.search(before)
    unit = parse_unit(found[1] or found[2]) if found else None
    return unit if unit is not None and unit.currency else None


def _unit_after(after: str, code: str) -> tuple[int, Unit | None]:
    """(a power of ten that stands alone, the currency or percent) that follow a number."""
    found = _UNIT_AFTER.match(after)
    if found is None:
        return 0, None
    text, ten = found["text"], 0
    for _ in range(2):
        read = _longest_unit(text, code)
        if read is None:
            return ten, None
        unit, length = read
        if _dimension(unit):
            return ten, unit
        ten += unit.magnitude
        text = text[length:].lstrip()
    return ten, None


def _longest_unit(text: str, code: str) -> tuple[Unit, int] | None:
    """The unit that a text begins with, and its length."""
    for end in _ends(text, code):
        unit = parse_unit(text[:end])
        if unit is not None and (_dimension(unit) or (unit.magnitude and unit.kind == "other")):
            return unit, end
    return None


def _ends(text: str, code: str) -> Sequence[int]:
    """Where a unit at the beginning of a text may end, the longest first."""
    ends = [match.end() for match in re.finditer(r"[^\s.!?]+", text)][:_LONGEST_UNIT]
    if code == "zh":
        ends = sorted({*ends, *range(1, min(len(text), _LONGEST_CHINESE_UNIT) + 1)})
    return ends[::-1]


def _denied(before: str, code: str) -> bool:
    """Does a word right before a value deny it ("inte 345"), with nothing set against it in between ("inte 345 utan 999")?"""
    stretch = _MARKS.split(before[-_DENYING_REACH:])[-1]
    turned = list(wording(code, "contrast").finditer(stretch.casefold()))
    return bool(said(stretch[turned[-1].end() :] if turned else stretch, code).denied)


def _code(language: str) -> str:
    return language if language in LANGUAGE_CODES else "en"
