"""Which periods does a question mean by a span ("sedan 2022", "de senaste tre åren"), and for which of them is a figure held?

Each period that is held is told for itself. They are never added up, and no other type of period stands for one that is not
held.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ankare.domain.fact import FactKey, Period, PeriodType
from ankare.facts.protocol import FactReader
from ankare.language.period_forms import make_period, year_and_part
from ankare.language.period_spans import span_periods
from ankare.language.periods import PeriodMention

MOST_KEYS = 512
"""Look-ups to find out what is held."""


@dataclass(frozen=True, slots=True)
class AskedSpan:
    """The periods of one type that a question means, in order of time: `whole` those that have ended, `running` the one that
    goes on, None where it is not meant. `missing`: those of `whole` for which nothing is held, once the store was asked.
    `too_long`: there are more of them than are read, so none is here."""

    whole: tuple[Period, ...]
    running: Period | None = None
    missing: tuple[Period, ...] = ()
    too_long: bool = False

    @property
    def periods(self) -> tuple[Period, ...]:
        """All of them."""
        return self.whole if self.running is None else (*self.whole, self.running)


@dataclass(frozen=True, slots=True)
class MixedSpan:
    """What a span beside another time may mean: the `whole` periods of the span, the `others`, or parts `of_each` year."""

    whole: tuple[Period, ...]
    others: tuple[Period, ...]
    of_each: tuple[Period, ...]

    @property
    def readings(self) -> tuple[tuple[Period, ...], ...]:
        """Each of them that there is, the one that leaves nothing out first."""
        return tuple(filter(None, (self.of_each, self.whole, self.others)))


def asked_span(times: Sequence[PeriodMention], step: PeriodType | None) -> AskedSpan | None:
    """The span that a question names and no other time beside it; None for none. `step`: how finely years are to be told."""
    if len(times) != 1 or times[0].span is None:
        return None
    whole, running = span_periods(times[0].span, "" if step is None else step.value)
    return AskedSpan(whole, running, too_long=not whole and running is None)


def mixed_span(times: Sequence[PeriodMention], step: PeriodType | None) -> MixedSpan | None:
    """A span with another time beside it that names no year of its own ("Q3 ... de senaste tre åren"): either may be meant, or
    that part of each year. None for none."""
    spans = [time for time in times if time.span is not None]
    others = [period for time in times if time.relative for period in time.periods]
    span = asked_span(spans, step) if len(spans) == 1 and others else None
    if span is None or span.too_long:
        return None
    years = {year_and_part(period)[0]: None for period in span.whole}
    parts = [(period.type, year_and_part(period)[1]) for period in others if period.type != PeriodType.FY]
    of_each = (make_period(kind, year, part) for year in years for kind, part in parts)
    return MixedSpan(span.whole, tuple(others), tuple(period for period in of_each if period is not None))


def held_span(span: AskedSpan, keys: Iterable[FactKey], store: FactReader) -> tuple[AskedSpan, tuple[Period, ...]]:
    """The span with what is missing of it, and the periods for which a figure of any of the keys is held: all that are meant
    where none is, or there are too many to look at. `keys`: of any period. Raises FactStoreError where the store cannot be
    read.
    """
    asked = [key._replace(period_type=one.type, period=one.value) for key in keys for one in span.periods]
    if not asked or len(asked) > MOST_KEYS:
        return span, span.periods
    found = store.lookup_all(asked)
    held = {Period(key.period_type, key.period) for key in asked if found[key]}
    missing = tuple(period for period in span.whole if period not in held)
    return replace(span, missing=missing), tuple(
        one for one in span.periods if one in held
    ) or span.whole or span.periods
