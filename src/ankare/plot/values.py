"""What is drawn: which values, under which names, on which axis?

A value that is None, no number or beyond all measure is missing: a gap, never a zero. Names may come from anywhere; they are
cleaned, cut to the room that there is, and escaped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

Write = Callable[[float, int], str]
"""Writes a number with so many decimals, as its reader does."""

BEYOND = 1e15
FIGURES = 3


def plain_number(value: float, decimals: int) -> str:
    """With a full stop and without groups."""
    return f"{value:.{decimals}f}"


@dataclass(frozen=True, slots=True)
class Chart:
    """`name`: unique in the document around it. `title`: what is shown; `detail`: what there is to see, by default the values.

    `width`: in units of the drawing, of which a letter is 13 high; the style sheet shows it at most a third larger.
    """

    name: str
    title: str
    detail: str = ""
    width: float = 420.0


@dataclass(frozen=True, slots=True)
class Axis:
    """`label`: the unit or what is measured. `low`, `high`: fixed ends. `decimals`: of written values, None: as they need.

    On a logarithmic axis values of zero and below stand at its low end.
    """

    label: str = ""
    write: Write = plain_number
    log: bool = False
    low: float | None = None
    high: float | None = None
    decimals: int | None = None

    def shown(self, value: float) -> str:
        """A value as it is written beside its mark."""
        return self.write(value, self.decimals or 0)

    def settled(self, values: Iterable[float]) -> Axis:
        """The axis with decimals for these values: the same for all of them, none where all are whole."""
        return self if self.decimals is not None else replace(self, decimals=_decimals_for([*values]))


@dataclass(frozen=True, slots=True)
class Series:
    """Values that belong together: one per place, or, in a distribution, as many as there are."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Dot:
    """A point with its name; `low` and `high` are the ends of a whisker along the upright axis. `series`: whose colour and mark
    it has, by default that of its place among the dots."""

    name: str
    x: float | None
    y: float | None
    low: float | None = None
    high: float | None = None
    series: int | None = None


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its interval. `kind`: "good", "bad" or "" for neither. `shown`: how it is written, by default from the axis.

    `group`: rows in a row with the same one stand under it as their heading.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    kind: str = ""
    shown: str = ""
    group: str = ""


def number(value: float | None) -> float | None:
    """The value as something that can be drawn, None where it cannot be."""
    return float(value) if value is not None and math.isfinite(value) and abs(value) < BEYOND else None


def numbers(values: Iterable[float | None]) -> list[float]:
    """Those that can be drawn."""
    return [found for value in values if (found := number(value)) is not None]


def of_place(series: Series, place: int) -> float | None:
    """The value of a place, None where there is none."""
    return number(series.values[place]) if place < len(series.values) else None


def all_numbers(series: Sequence[Series], places: int) -> list[float]:
    """Every value that will be drawn."""
    return [value for one in series for value in numbers(one.values[:places])]


def _decimals_for(values: Sequence[float]) -> int:
    """As many as show three figures of the largest value, and no more than two for a share of one."""
    largest = max(map(abs, values), default=0.0)
    if all(value == round(value) for value in values) or largest >= 10 ** (FIGURES - 1):
        return 0
    return min(9, FIGURES - 1 - math.floor(math.log10(largest))) if not 0.1 <= largest <= 1 else FIGURES - 1
