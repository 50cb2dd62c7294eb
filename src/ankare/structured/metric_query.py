"""What does a program get that asks for one figure by name, instead of asking a question?

The three states of the look-up, and what helps to go on: which names there are where one is not known, which periods there are
where the asked one is not held.
"""

from __future__ import annotations

from dataclasses import dataclass

from ankare.domain.fact import TOTAL
from ankare.facts.protocol import FactReader
from ankare.language.periods import period_code
from ankare.profile.model import Named, Profile
from ankare.structured.query_tools import NOT_FOUND, UNRECOGNIZED, QueryResult, execute_query_metric

MOST_CHOICES = 60


@dataclass(frozen=True, slots=True)
class MetricQuery:
    """A figure by names or codes. `entity` "" is the home's own; `channel` "" is all of them together."""

    metric: str
    period: str
    entity: str = ""
    channel: str = ""


@dataclass(frozen=True, slots=True)
class MetricReply:
    """What the store holds. `choices`: names that can stand in place of one that is not known, each "label (CODE)"; or, for a
    figure that is not held, the periods that are, newest first."""

    result: QueryResult
    profile: Profile
    choices: tuple[str, ...] = ()


def query_metric(store: FactReader, profile: Profile, query: MetricQuery) -> MetricReply:
    """Look one figure up. Raises FactStoreError where the store cannot be read."""
    entity = query.entity or profile.home.entity
    result = execute_query_metric(store, query.metric, entity, query.period, query.channel or TOTAL, profile=profile)
    return MetricReply(result, profile, _choices(store, profile, result)[:MOST_CHOICES])


def _choices(store: FactReader, profile: Profile, result: QueryResult) -> tuple[str, ...]:
    if result.status == UNRECOGNIZED:
        named: dict[str, tuple[Named, ...]] = {
            "metric": profile.metrics,
            "entity": profile.entities,
            "channel": profile.channels,
        }
        return tuple(f"{one.label} ({one.code})" for one in named.get(result.param, ()))
    if result.status == NOT_FOUND and result.key is not None:
        held = store.periods(result.key.metric_code, result.key.entity, result.key.channel)
        return tuple(period_code(period) for period in held)
    return ()
