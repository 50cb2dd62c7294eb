"""Which periods belong to a span that ends today: the last so many, or all since one that is named?

A span counts in one type of period. The periods that have ended belong to it; the one that goes on belongs to an open span too,
but nobody can be missing a figure for it yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from ankare.domain.fact import Period
from ankare.language.period_forms import PER_YEAR, make_period, shifted, year_and_part

MOST_IN_SPAN = 60
"""A span of more periods is none."""


@dataclass(frozen=True, slots=True)
class PeriodSpan:
    """The periods from `first` to `last`, of one type; `last` None is today, `reference`."""

    first: Period
    last: Period | None
    reference: date


def period_of_date(kind: str, day: date) -> Period | None:
    """The period of a type that holds a day; None beyond the years that are read."""
    return make_period(kind, day.year, (day.month - 1) * PER_YEAR[kind] // 12 + 1)


def open_span(first: Period, reference: date) -> PeriodSpan | None:
    """All since a period; None where it has not begun."""
    running = period_of_date(first.type, reference)
    return PeriodSpan(first, None, reference) if running is not None and first <= running else None


def trailing_span(kind: str, count: int, reference: date) -> PeriodSpan | None:
    """The last so many whole periods of a type before a day."""
    running = period_of_date(kind, reference)
    last = None if running is None else shifted(running, -1)
    first = None if last is None else shifted(last, 1 - count)
    return None if first is None else PeriodSpan(first, last, reference)


def span_periods(span: PeriodSpan, kind: str = "") -> tuple[tuple[Period, ...], Period | None]:
    """The periods of a span that have ended, in order of time, and the one that goes on where it belongs to the span.

    `kind`: the type that years are told by, "" for years. Both are empty for more than `MOST_IN_SPAN` periods.
    """
    kind = kind if kind and span.first.type == "FY" else span.first.type
    running = period_of_date(kind, span.reference)
    first, last = _edge(span.first, kind, 1), _edge(span.last, kind, PER_YEAR[kind]) if span.last else None
    last = last or (shifted(running, -1) if running else None)
    whole: list[Period] = []
    while first is not None and last is not None and first <= last and len(whole) <= MOST_IN_SPAN:
        whole.append(first)
        first = shifted(first, 1)
    if len(whole) > MOST_IN_SPAN:
        return (), None
    return tuple(whole), None if span.last else running


def _edge(period: Period, kind: str, part: int) -> Period | None:
    """A period, or the part of it with which it begins or ends where years are told by their parts."""
    return period if period.type == kind else make_period(kind, year_and_part(period)[0], part)
