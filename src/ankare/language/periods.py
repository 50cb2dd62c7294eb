"""Which periods does a text name, and where?

"Omsättningen tredje kvartalet 2024 jämfört med året innan" names 2024Q3 and 2023Q3. The way there: the words and numbers of
time (`period_tokens`, with the words of the packs), what each run of them says (`period_items`), what neighbours lend each
other (`period_chains`); here the items meet the reference date and become periods. A time that no supported type can
express gives a mention without periods, never a longer period; a number that counts or labels something is no time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from ankare.domain.fact import Period
from ankare.language.period_chains import RANGES, read_chains
from ankare.language.period_folding import fold
from ankare.language.period_forms import (
    PER_YEAR,
    covers,
    make_period,
    period_code,
    period_label,
    read_code,
    shifted,
    year_and_part,
)
from ankare.language.period_items import Item, Part, Step, Trailing
from ankare.language.period_loans import Chain
from ankare.language.period_numbers import FIRST_BARE_YEAR, LAST_BARE_YEAR
from ankare.language.period_spans import PeriodSpan, open_span, period_of_date, trailing_span
from ankare.language.period_tokens import time_tokens

__all__ = [
    "EARLIEST_YEAR",
    "MOST_PERIODS",
    "YEARS_AHEAD",
    "PeriodMention",
    "covers",
    "find_periods",
    "parse_period",
    "period_code",
    "period_label",
    "shifted",
]

EARLIEST_YEAR = 1990
"""A bare number before it is no year in a text."""
YEARS_AHEAD = 10
"""Nor is one that lies more years than this after the reference date."""
MOST_PERIODS = 12
"""A longer range has no periods."""


@dataclass(frozen=True, slots=True)
class PeriodMention:
    """A place in a text that names a time: `text[start:end]`.

    `periods`: usually one; several for a range or for a part of several years, at most `MOST_PERIODS`; none for a time that no
    supported type of period can express. `relative`: counted from the reference date. `span`: what such a time says where it
    is a span that ends today ("sedan 2022").
    """

    start: int
    end: int
    periods: tuple[Period, ...]
    relative: bool = False
    span: PeriodSpan | None = None


def find_periods(text: str, languages: Sequence[str], reference_date: date) -> tuple[PeriodMention, ...]:
    """The times that a text names, by position; they do not overlap.

    `languages`: codes of packs; where two read a word differently, the first one decides. A part of a year without a
    year near it is that of the reference date's year. Raises PackError for a language without a pack.
    """
    return tuple(_mentions(text, tuple(languages), reference_date, lone=False))


def parse_period(
    text: str, languages: Sequence[str] = ("sv", "en", "zh"), reference_date: date | None = None
) -> Period | None:
    """The one period that the whole text is, as in a cell of a table; None for anything else.

    Codes ("FY2024", "2024", "2024H1", "2024T1", "2024Q3", "2024-03") are read in every language. Without a reference date a
    relative period, or one without its year, is None. Raises PackError for a language without a pack.
    """
    code = read_code(text)
    if code is not None:
        return code if not text.strip().isdecimal() or FIRST_BARE_YEAR <= int(code.value) <= LAST_BARE_YEAR else None
    mentions = _mentions(text, tuple(languages), reference_date, lone=True)
    if len(mentions) != 1 or len(mentions[0].periods) != 1:
        return None
    (mention,) = mentions
    outside = text[: mention.start] + " " + text[mention.end :]
    return mention.periods[0] if _says_nothing(outside, tuple(languages)) else None


def _says_nothing(text: str, languages: tuple[str, ...]) -> bool:
    """Are there only prepositions, articles and spaces ("under 2024")?"""
    if not text.strip():
        return True
    folded = fold(text).text
    glue = "".join(folded[token.start : token.end] for token in time_tokens(folded, languages) if token.kind == "g")
    return "".join(glue.split()) == "".join(folded.split())


def _mentions(text: str, languages: tuple[str, ...], reference: date | None, *, lone: bool) -> list[PeriodMention]:
    """The mentions of a text; `lone`: the text stands for itself, so any year in it is one."""
    folded = fold(text)
    tokens = time_tokens(folded.text, languages)
    chains = read_chains(folded.text, tokens) if tokens else []
    resolver = _Resolver(reference, lone)
    return [
        PeriodMention(*folded.span(reading.start, reading.end), reading.periods, reading.relative, reading.span)
        for chain in chains
        for reading in resolver.readings(chain)
    ]


@dataclass(frozen=True, slots=True)
class _Reading:
    """The periods of a stretch of the folded text."""

    start: int
    end: int
    periods: tuple[Period, ...]
    relative: bool
    span: PeriodSpan | None = None


_SAME_YEAR = Step("FY", 0, told=True)
"""The year of a part that names none: that of the period before it, else the reference date's."""


class _Resolver:
    """Turns items into periods, from left to right: some count from the one that was named last."""

    def __init__(self, reference: date | None, lone: bool) -> None:
        self._reference = reference
        self._lone = lone
        self._named: Period | None = None
        self._named_relative = False
        self._lost_track = False

    def readings(self, chain: Chain) -> list[_Reading]:
        """The readings of a chain; a range is one."""
        readings: list[_Reading] = []
        for place, item in enumerate(chain.items):
            opens_range = chain.joiners[place + 1 : place + 2] in _RANGE_ENDS
            closes_range = place > 0 and chain.joiners[place] in RANGES
            if self._is_number(item) and not (opens_range or closes_range):
                continue
            reading = self._reading(item)
            span = _ranged(readings[-1], reading, by_year=item.lent) if closes_range else None
            if span is not None:
                readings.pop()
            readings.append(span or reading)
        return readings

    def _is_number(self, item: Item) -> bool:
        """Is a bare number too far from the reference date to be a year?"""
        if not (item.bare and item.only_years) or self._lone or self._reference is None:
            return False
        last = self._reference.year + YEARS_AHEAD
        return any(isinstance(year, int) and not EARLIEST_YEAR <= year <= last for year in item.years)

    def _reading(self, item: Item) -> _Reading:
        periods, relative = self._periods(item)
        self._lost_track = not periods or len(periods) > MOST_PERIODS
        if self._lost_track:
            return _Reading(item.start, item.end, (), False, self._span(item))
        self._named, self._named_relative = periods[-1], relative
        return _Reading(item.start, item.end, periods, relative)

    def _periods(self, item: Item) -> tuple[tuple[Period, ...], bool]:
        """The periods of an item in order of time, and whether they count from the reference date."""
        if item.lost or self._is_number(item):
            return (), False
        if item.step is not None:
            return self._stepped(item.step)
        if item.same is not None:
            return self._same(item.same, item.years)
        years = [self._year(year) for year in item.years or (_SAME_YEAR,)]
        parts = item.parts or (Part("FY", 1),)
        made = {make_period(kind, year, number) for year, _ in years if year for kind, number in parts}
        return tuple(sorted(period for period in made if period)), any(relative for _, relative in years)

    def _span(self, item: Item) -> PeriodSpan | None:
        """The span that an item tells, None for none."""
        if item.span is None or self._reference is None:
            return None
        if isinstance(item.span, Trailing):
            return trailing_span(item.span.type, item.span.number, self._reference)
        periods, _ = self._periods(item.span)
        return open_span(periods[0], self._reference) if len(periods) == 1 else None

    def _year(self, year: int | Step) -> tuple[int | None, bool]:
        if isinstance(year, int):
            return year, False
        if year.told and year.steps and self._lost_track:
            return None, False
        if year.told and self._named is not None:
            return year_and_part(self._named)[0] + year.steps, self._named_relative
        return (None if self._reference is None else self._reference.year + year.steps), True

    def _stepped(self, step: Step) -> tuple[tuple[Period, ...], bool]:
        """A quarter, half or month counted from the last one named, where there is one, or from the reference date's."""
        if step.told and (self._named is not None or self._lost_track):
            fits = self._named is not None and self._named.type == step.type and not self._lost_track
            start, relative = self._named if fits else None, self._named_relative
        else:
            day, relative = self._reference, True
            start = None if day is None else period_of_date(step.type, day)
        found = None if start is None else shifted(start, step.steps)
        return ((found,) if found else ()), relative

    def _same(self, kind: str, years: Sequence[int | Step]) -> tuple[tuple[Period, ...], bool]:
        """The part of the year that was named last, in the year that is named now ("samma kvartal förra året")."""
        if self._named is None or self._lost_track or kind not in ("", self._named.type):
            return (), False
        year, part = year_and_part(self._named)
        wanted = years[0] if years else _SAME_YEAR
        found = make_period(self._named.type, year + wanted.steps if isinstance(wanted, Step) else wanted, part)
        return ((found,) if found else ()), self._named_relative


_RANGE_ENDS = tuple((joiner,) for joiner in RANGES)


def _ranged(first: _Reading, last: _Reading, *, by_year: bool) -> _Reading | None:
    """The range from one reading to another; None for two years in falling order, which are two readings.

    `by_year`: the same part of each year. Ends of different types, or in falling order, make no range that can be expressed.
    """
    periods: tuple[Period, ...] = ()
    if len(first.periods) == len(last.periods) == 1 and first.periods[0].type == last.periods[0].type:
        if first.periods > last.periods and first.periods[0].type == "FY":
            return None
        periods = _from_to(first.periods[0], last.periods[0], by_year)
    return _Reading(first.start, last.end, periods, bool(periods) and (first.relative or last.relative))


def _from_to(first: Period, last: Period, by_year: bool) -> tuple[Period, ...]:
    """The periods between two of one type, with both; none where there are more than `MOST_PERIODS` or the order falls."""
    step = PER_YEAR[first.type] if by_year else 1
    periods: list[Period] = []
    current: Period | None = first
    while current is not None and current <= last and len(periods) <= MOST_PERIODS:
        periods.append(current)
        current = shifted(current, step)
    return tuple(periods) if len(periods) <= MOST_PERIODS else ()
