"""Which of several entities has the most, or the least, of something?

The figures of one metric and period for every entity, in order of their values: told only where each of them is held, by one
source or several that agree, in one unit. A rank over what is missing would be a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from ankare.domain.fact import FactKey
from ankare.language.units import same_unit
from ankare.profile.model import Profile
from ankare.structured.intent import ROUTE_COMPOSITE, ROUTE_STRUCTURED, ParsedIntent
from ankare.structured.query_tools import FOUND, QueryResult
from ankare.structured.remains import HIGHEST

_FEWEST = 2


def over_entities(intent: ParsedIntent, profile: Profile) -> ParsedIntent | None:
    """The question for each entity that is ranked: those that it names, else all. None where it asks for no such rank."""
    entities = intent.entities or tuple(entity.code for entity in profile.entities)
    asked = intent.rank and intent.ranks_entities and intent.unfit is None and not (intent.change or intent.compare)
    if not asked or len(entities) < _FEWEST or len(intent.metrics) != 1 or len(intent.periods) > 1 or intent.span:
        return None
    if (
        intent.left_out
        or intent.unknown_entity
        or intent.unknown_channel
        or intent.excluded
        or intent.unreadable_period
    ):
        return None
    route = ROUTE_COMPOSITE if intent.route == ROUTE_COMPOSITE else ROUTE_STRUCTURED
    return replace(intent, route=route, qualifier=None, entities=entities, entity=entities[0])


def in_order(results: Sequence[QueryResult], rank: str) -> tuple[FactKey, ...] | None:
    """The keys of the results by value, the asked end first; None where they cannot be compared."""
    first = results[0] if results else None
    if first is None or any(not _comparable(result, first) for result in results):
        return None
    ordered = sorted(results, key=lambda result: result.value or Decimal(), reverse=rank == HIGHEST)
    return tuple(result.key for result in ordered if result.key is not None)


def _comparable(result: QueryResult, first: QueryResult) -> bool:
    return result.status == FOUND and len(result.facts) == 1 and same_unit(result.unit, first.unit)
