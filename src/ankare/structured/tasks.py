"""What is to be looked up for a question?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ankare.domain.clarification import ClarificationResult
from ankare.domain.fact import FactKey, Period
from ankare.facts.protocol import FactReader
from ankare.language.period_forms import PER_YEAR, shifted
from ankare.structured.intent import ParsedIntent
from ankare.structured.spans import held_span


def tasks_of(
    parts: Sequence[ParsedIntent], whole: ParsedIntent, clarification: ClarificationResult
) -> tuple[FactKey, ...]:
    """The keys of a question or of its parts, in the order of the question, without repeats.

    A development that is asked for with one period is told from the same period of the year before; a comparison with one
    period is one of the year after it.
    """
    keys = [key for part in parts for key in _keys(part, whole, clarification)]
    if tells_a_development(whole) and len({key.period for key in keys}) == 1:
        keys = [_a_year_away(key, 1) or key for key in keys] if whole.compared_to and not whole.change else keys
        keys = [one for key in keys for one in (_a_year_away(key, -1), key) if one is not None]
    return tuple(dict.fromkeys(keys))


def with_held_periods(intent: ParsedIntent, store: FactReader, home: str) -> ParsedIntent:
    """An intent with a span, about those of its periods that are held for anything it asks for; any other as it is."""
    if intent.span is None or intent.metric is None:
        return intent
    keys = [
        FactKey(metric, entity, "", "", channel)
        for entity in intent.entities or _slot(intent.entity) or _slot(home)
        for metric in intent.metrics or _slot(intent.metric)
        for channel in intent.channels or (intent.channel,)
    ]
    span, periods = held_span(intent.span, keys, store)
    return replace(intent, span=span, periods=periods, period=periods[-1] if periods else None)


def tells_a_development(intent: ParsedIntent) -> bool:
    """Is one period asked about that another has to be told beside: growth, or a comparison of one thing with a time?"""
    if len(intent.periods) > 1 or intent.span is not None:
        return False
    things = (intent.entities, intent.metrics, intent.channels)
    return intent.change or (intent.compare and intent.compared_to and all(len(named) < 2 for named in things))


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


def _a_year_away(key: FactKey, years: int) -> FactKey | None:
    """The same part of another year; None beyond the years that are read."""
    other = shifted(Period(key.period_type, key.period), years * PER_YEAR[key.period_type])
    return None if other is None else key._replace(period=other.value)
