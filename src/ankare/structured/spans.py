"""Which periods does a question mean by a span ("sedan 2022", "de senaste tre åren"), and for which of them is a figure held?

Each period that is held is told for itself. They are never added up, and no other type of period stands for one that is not
held.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ankare.domain.fact import FactKey, Period, PeriodType
from ankare.facts.protocol import FactReader
from ankare.language.period_spans import span_periods
from ankare.language.periods import PeriodMention

MOST_KEYS = 512
"""Look-ups to find out what is held."""


@dataclass(frozen=True, slots=True)
class AskedSpan:
    """The periods of one type that a question means, in order of time: `whole` those that have ended, `running` the one that
    goes on, None where it is not meant. `missing`: those of `whole` for which nothing is held, once the store was asked."""

    whole: tuple[Period, ...]
    running: Period | None = None
    missing: tuple[Period, ...] = ()

    @property
    def periods(self) -> tuple[Period, ...]:
        """All of them."""
        return self.whole if self.running is None else (*self.whole, self.running)


def asked_span(times: Sequence[PeriodMention], step: PeriodType | None) -> AskedSpan | None:
    """The span that a question names and no other time beside it; None for none. `step`: how finely years are to be told."""
    if len(times) != 1 or times[0].span is None:
        return None
    whole, running = span_periods(times[0].span, "" if step is None else step.value)
    return AskedSpan(whole, running) if whole or running else None


def held_span(span: AskedSpan, keys: Iterable[FactKey], store: FactReader) -> tuple[AskedSpan, tuple[Period, ...]]:
    """The span with what is missing of it, and the periods for which a figure of any of the keys is held: all that are meant
    where none is, or there are too many to look at. `keys`: of any period. Raises FactStoreError where the store cannot be
    read.
    """
    asked = [key._replace(period_type=one.type, period=one.value) for key in keys for one in span.periods]
    if len(asked) > MOST_KEYS:
        return span, span.periods
    found = store.lookup_all(asked)
    held = {Period(key.period_type, key.period) for key in asked if found[key]}
    missing = tuple(period for period in span.whole if period not in held)
    return replace(span, missing=missing), tuple(
        one for one in span.periods if one in held
    ) or span.whole or span.periods
