"""What is to be looked up for a question?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ankare.domain.clarification import ClarificationResult
from ankare.domain.fact import FactKey, Period
from ankare.language.period_forms import PER_YEAR, shifted
from ankare.structured.intent import ParsedIntent


def tasks_of(
    parts: Sequence[ParsedIntent], whole: ParsedIntent, clarification: ClarificationResult
) -> tuple[FactKey, ...]:
    """The keys of a question or of its parts, in the order of the question, without repeats.

    A development that is asked for with one period is told from the same period of the year before.
    """
    keys = [key for part in parts for key in _keys(part, whole, clarification)]
    if whole.change and len({key.period for key in keys}) == 1:
        keys = [one for key in keys for one in (*_a_year_before(key), key)]
    return tuple(dict.fromkeys(keys))


def _keys(part: ParsedIntent, whole: ParsedIntent, clarification: ClarificationResult) -> list[FactKey]:
    """Entities by metrics by periods, only as listed; what the part leaves open is the whole question's, else assumed."""
    assumed = clarification.assumed_slots
    entities = part.entities or _slot(part.entity) or whole.entities or _slot(assumed.get("entity"))
    metrics = part.metrics or _slot(part.metric)
    periods = part.periods or _slot(part.period) or whole.periods or _slot(assumed.get("period"))
    channels = part.channels or (part.channel,)
    return [
        FactKey(metric, entity, period[0], period[1], channel)
        for entity in entities
        for metric in metrics
        for period in periods
        for channel in channels
    ]


def _slot(value: Any) -> tuple[Any, ...]:
    return () if value is None or value == "" else (value,)


def _a_year_before(key: FactKey) -> tuple[FactKey, ...]:
    earlier = shifted(Period(key.period_type, key.period), -PER_YEAR[key.period_type])
    return () if earlier is None else (key._replace(period=earlier.value),)
