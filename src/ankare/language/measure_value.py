"""What is a number, measure, date or rhythm that a text states, and when do two state the same?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

FULL = 100
PARTS = {"h": 2, "t": 3, "q": 4}
"""Parts of a year by their field: how many a year has."""


_SEASON_MONTHS = {1: (1, 2, 3, 4, 5, 6), 2: (6, 7, 8), 3: (8, 9, 10, 11, 12), 4: (12, 1, 2, 3)}


@dataclass(frozen=True, slots=True)
class Value:
    """A number, measure, date or rhythm, and where it stands: `text[start:end]`.

    `kind`: "number" (with or without a measure), "date", "clock", "rhythm" or "ordinal". `amount`: in the own unit of
    `dimension` ("" for a bare number); `written`: as it stands, before the unit. `fields` of a date: y, m, d, q (quarter),
    t (tertial), h (half-year), w (week), wd (weekday), s (season). `article`: only an article ("en månad").
    """

    kind: str
    start: int
    end: int
    amount: Fraction = Fraction(0)
    dimension: str = ""
    written: Fraction = Fraction(0)
    fields: Mapping[str, int] = field(default_factory=dict)
    article: bool = False
    unit: str = ""

    def __hash__(self) -> int:
        return hash((self.kind, self.start, self.end))


def same_value(one: Value, other: Value) -> bool:
    """Does `other` state what `one` states? A date that leaves fields open is stated by one that fills them."""
    if one.kind == "date" and other.kind == "date":
        return _dates_agree(one.fields, other.fields)
    if one.kind != other.kind and {one.kind, other.kind} != {"number", "ordinal"}:
        return False
    if one.dimension == other.dimension:
        return one.amount == other.amount
    return not one.dimension and not one.unit and one.written == other.written


def same_dimension(one: Value, other: Value) -> bool:
    """Are they of a kind, so that one could be put in the other's place?"""
    return one.kind == other.kind and (one.dimension == other.dimension or not one.dimension or not other.dimension)


def _dates_agree(one: Mapping[str, int], other: Mapping[str, int]) -> bool:
    shared = one.keys() & other.keys()
    if one.keys() - other.keys() - {"s", *PARTS}:
        return False
    if any(part in one and part not in other and not _lies_in(part, one[part], other) for part in PARTS):
        return False
    if not all(one[key] == other[key] for key in shared):
        return False
    if shared - {"y"}:
        return True
    if "m" in other:
        month = other["m"]
        if "s" in one:
            return month in _SEASON_MONTHS[one["s"]]
    return bool(shared) or not PARTS.keys().isdisjoint(one)


def _lies_in(part: str, number: int, other: Mapping[str, int]) -> bool:
    """Does a date lie in a half, tertial or quarter: its month, or its quarter in a half?"""
    if "m" in other:
        return (other["m"] - 1) * PARTS[part] // 12 + 1 == number
    return part == "h" and "q" in other and (other["q"] + 1) // 2 == number
