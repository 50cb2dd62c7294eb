"""How is an exact decimal written in a language, and which decimal does a written number mean?

Nothing is rounded in either direction. "1,320" and "1.320" mean two things, so they are read only where something else
tells which: the other mark in the same number, or `decimal`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum
from functools import cache

from ankare.language.packs import named_lists

LANGUAGES = ("sv", "en", "zh")
MAX_SIGNS = 100
"""A longer text is no number that anyone wrote."""

_PLAIN = re.compile(r"-?\d+(?:\.(?:\d\d?|\d{4,}))?", re.ASCII)
_MINUS = "-\u2212\u2010\u2011\u2012\u2013\ufe63"
_SPACES = " \u00a0\u2007\u2009\u202f\u2005\u2006\u2008\u200a\u3000"
_APOSTROPHES = "'\u2019"
_ONE_MARK = {ord(sign): "-" for sign in _MINUS} | {ord(sign): " " for sign in _SPACES} | {ord("\u2019"): "'"}
_HALF_WIDTH = {full: full - 0xFEE0 for full in range(0xFF01, 0xFF5F)}
_SIGNS = _HALF_WIDTH | _ONE_MARK
_NUMBER = re.compile(r"(?P<sign>[-+]?) ?(?P<body>[.,]?\d(?:[\d.,' ]*\d)?)", re.ASCII)
_EXPONENT = re.compile(r"[-+]?\d+(?:[.,]\d+)?e[-+]?\d+", re.ASCII | re.IGNORECASE)
_THREES = 3


class NumberFault(StrEnum):
    """Why a text is not read as a number."""

    EMPTY = "empty"
    LONG = "long"
    NONE = "none"
    EXPONENT = "exponent"
    PERCENT = "percent_sign"
    TWO_NUMBERS = "two_numbers"
    MARK_TWICE = "mark_more_than_once"
    BETWEEN = "between_its_decimals"
    TWO_WAYS = "two_ways"
    THREES = "three_digits"


class NumberError(ValueError):
    """A text that is not read as a number, and why."""

    def __init__(self, text: str, fault: NumberFault) -> None:
        shown = repr(text) if len(text) <= MAX_SIGNS else f"a text of {len(text):,} characters"
        super().__init__(f"{shown} is no number that can be read: {fault.replace('_', ' ')}")
        self.text = text
        self.fault = fault


def format_decimal(value: Decimal, language: str) -> str:
    """Every digit of the value as a reader of the language writes it; the scale is kept ("1 320,50"). Unknown: as English."""
    group, decimal, minus, _ = _marks(language)
    text = format(value, ",f")
    if text[0] == "-":
        text = minus + text[1:] if value else text[1:]
    if decimal == ".":
        return text
    whole, point, part = text.partition(".")
    return whole.replace(",", group) + (decimal + part if point else "")


def percent_sign(language: str) -> str:
    """The percent sign with what a reader of the language puts before it."""
    return _marks(language)[3] + "%"


def parse_decimal(text: str, languages: Sequence[str] = LANGUAGES, *, decimal: str | None = None) -> Decimal:
    """The number that a text is, with the scale it is written in; "(12,5)" is negative, full-width digits are digits.

    `decimal` ("," or ".") decides where the text alone does not: one mark with exactly three digits after it. Without it
    `languages` do, where all of them use the same decimal mark. Raises NumberError, with the reason, for what is no number
    and for what could be two.
    """
    if _PLAIN.fullmatch(text) and len(text) <= MAX_SIGNS:
        return Decimal(text)
    if not text.strip():
        raise NumberError(text, NumberFault.EMPTY)
    if len(text) > MAX_SIGNS:
        raise NumberError(text, NumberFault.LONG)
    plain = text.translate(_SIGNS).strip()
    bracketed = plain.startswith("(") and plain.endswith(")")
    inner = plain[1:-1].strip() if bracketed else plain
    found = _NUMBER.fullmatch(inner)
    if found is None or (bracketed and found["sign"]):
        raise NumberError(text.strip(), _fault(inner))
    number = Decimal(_with_point(found["body"], text.strip(), decimal or _shared_mark(tuple(languages))))
    # copy_negate: a minus sign would round to the context's 28 digits
    return number.copy_negate() if number and (bracketed or found["sign"] == "-") else number


def _with_point(body: str, text: str, decimal: str | None) -> str:
    """The digits with "." as the decimal mark and nothing between thousands."""
    commas, points = body.count(","), body.count(".")
    others = {sign for sign in body if sign in " '"}
    if commas and points:
        mark = max(",.", key=body.rfind)
        return _split(body, mark, {",": ".", ".": ","}[mark], others, text)
    if not commas + points:
        return _ungrouped(body, others, text)
    mark = "," if commas else "."
    if commas + points > 1:
        return _ungrouped(body, {mark, *others}, text)
    if others or not _may_group(body, mark):
        return _split(body, mark, "", others, text)
    if decimal is None:
        raise NumberError(text, NumberFault.TWO_NUMBERS)
    return body.replace(mark, "." if mark == decimal else "")


def _split(body: str, mark: str, group: str, others: set[str], text: str) -> str:
    """A number with a decimal mark; what else stands in it must set off thousands."""
    if body.count(mark) > 1:
        raise NumberError(text, NumberFault.MARK_TWICE)
    whole, part = body.split(mark)
    if not part.isdecimal():
        raise NumberError(text, NumberFault.BETWEEN)
    return f"{_ungrouped(whole, others | {group} if group else others, text) or '0'}.{part}"


def _ungrouped(whole: str, marks: set[str], text: str) -> str:
    """The digits of a whole number whose thousands are set off by one kind of mark, or by none."""
    if not marks:
        return whole
    if len(marks) > 1:
        raise NumberError(text, NumberFault.TWO_WAYS)
    first, *rest = whole.split(marks.pop())
    if not 1 <= len(first) <= _THREES or any(len(part) != _THREES for part in rest):
        raise NumberError(text, NumberFault.THREES)
    return "".join((first, *rest))


def _may_group(body: str, mark: str) -> bool:
    """Could this one mark also set off thousands ("1,320", but not "0,125" or "1320,500")?"""
    whole, part = body.split(mark)
    return len(part) == _THREES and 1 <= len(whole) <= _THREES and not whole.startswith("0")


def _fault(inner: str) -> NumberFault:
    if _EXPONENT.fullmatch(inner):
        return NumberFault.EXPONENT
    return NumberFault.PERCENT if inner.endswith("%") else NumberFault.NONE


@cache
def _marks(language: str) -> tuple[str, str, str, str]:
    lists = named_lists(language if language in LANGUAGES else "en", "numbers")
    return (lists["group"][0], lists["decimal"][0], lists["minus"][0], lists["before_percent"][0])


@cache
def _shared_mark(languages: tuple[str, ...]) -> str | None:
    marks = {_marks(language)[1] for language in languages}
    return marks.pop() if len(marks) == 1 else None
