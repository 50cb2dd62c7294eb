"""What does the store hold for these slots? The one primitive of the structured channel that produces a fact.

One of three states: found, not found, or a parameter that the profile does not know. Never a guess.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from typing import Any

from ankare.domain.cancel import while_wanted
from ankare.domain.fact import TOTAL, Fact, FactKey, Period, written
from ankare.facts.protocol import FactReader
from ankare.language.periods import parse_period
from ankare.language.units import same_unit
from ankare.profile.model import Profile
from ankare.structured.glossary import CHANNEL, ENTITY, METRIC, Glossary, glossary_of

FOUND = "found"
NOT_FOUND = "not_found"
UNRECOGNIZED = "unrecognized_param"
_RAW_CHARS = 80


@dataclass(frozen=True, slots=True)
class QueryResult(Mapping[str, Any]):
    """What came of one query. Reads as a mapping of the fields of its state too, as tool results travel as JSON.

    found: `value` (exact), `unit`, slots, `valid_as_of`, `ingested_at`, `source` {doc, locator}, and `conflicts`: the same
    fields of every other source whose value or unit differs. not_found: `normalized`. unrecognized_param: `param`, `raw`.
    `facts`: the stored facts that stand behind, the published one first. `awaiting`: figures that wait for review.
    """

    status: str
    value: Decimal | None = None
    unit: str = ""
    metric_code: str = ""
    entity: str = ""
    geography: str = ""
    channel: str = ""
    period_type: str = ""
    period: str = ""
    valid_as_of: str = ""
    ingested_at: str = ""
    source: Mapping[str, str] = field(default_factory=dict)
    conflicts: tuple[Mapping[str, Any], ...] = ()
    normalized: Mapping[str, str] = field(default_factory=dict)
    param: str = ""
    raw: str = ""
    facts: tuple[Fact, ...] = ()
    awaiting: int = 0

    @property
    def key(self) -> FactKey | None:
        """What was asked for; None where a parameter was not recognised."""
        if self.status == UNRECOGNIZED:
            return None
        return FactKey(self.metric_code, self.entity, self.period_type, self.period, self.channel)

    def __getitem__(self, name: str) -> Any:
        """A field of this state."""
        if name not in _SHOWN[self.status]:
            raise KeyError(name)
        return getattr(self, name)

    def __iter__(self) -> Iterator[str]:
        """The names of this state's fields."""
        return iter(_SHOWN[self.status])

    def __len__(self) -> int:
        """How many fields this state has."""
        return len(_SHOWN[self.status])

    def to_json(self) -> dict[str, Any]:
        """The state as plain JSON values; a decimal is a string."""
        return {name: _plain(getattr(self, name)) for name in self}


_SLOTS = ("metric_code", "entity", "geography", "channel", "period_type", "period")
_SHOWN: Mapping[str, tuple[str, ...]] = {
    FOUND: ("status", "value", "unit", *_SLOTS, "valid_as_of", "ingested_at", "source", "conflicts"),
    NOT_FOUND: ("status", "normalized"),
    UNRECOGNIZED: ("status", "param", "raw"),
}


def execute_query_metric(
    store: FactReader,
    metric: object,
    entity: object,
    period: object,
    channel: object = TOTAL,
    *,
    profile: Profile | None = None,
) -> QueryResult:
    """Query the store; each parameter may be a code or any name of the profile, a period any form that the languages have.

    `profile` None is the store's. Raises FactStoreError where the store cannot be read.
    """
    glossary = glossary_of(profile if profile is not None else store.profile)
    slots = normalize(glossary, metric, entity, period, channel)
    return slots if isinstance(slots, QueryResult) else look_up(store, slots, glossary.profile)


def normalize(
    glossary: Glossary, metric: object, entity: object, period: object, channel: object = TOTAL
) -> FactKey | QueryResult:
    """The parameters as codes, or the first one that is not recognised."""
    codes: list[str] = []
    for param, kind, raw in (("metric", METRIC, metric), ("entity", ENTITY, entity)):
        code = glossary.code(kind, raw) if isinstance(raw, str) else None
        if code is None:
            return unrecognized(param, raw)
        codes.append(code)
    when = as_period(period, glossary.languages)
    if when is None:
        return unrecognized("period", period)
    through = TOTAL if channel is None or channel == "" else channel
    code = glossary.code(CHANNEL, through) if isinstance(through, str) else None
    if code is None:
        return unrecognized("channel", channel)
    return FactKey(codes[0], codes[1], when.type, when.value, code)


def look_up(store: FactReader, key: FactKey, profile: Profile) -> QueryResult:
    """What the store holds for a key."""
    return _result(store, key, store.lookup(key), profile)


def look_up_all(store: FactReader, keys: Sequence[FactKey], profile: Profile) -> list[QueryResult]:
    """What the store holds for several keys at one moment, in their order."""
    found = store.lookup_all(keys)
    return [_result(store, key, found[key], profile) for key in while_wanted(keys)]


def _result(store: FactReader, key: FactKey, facts: tuple[Fact, ...], profile: Profile) -> QueryResult:
    entity = profile.entity(key.entity)
    geography = facts[0].geography if facts else (entity.geography if entity else "")
    if not facts:
        normalized = {**key._asdict(), "geography": geography}
        return QueryResult(
            NOT_FOUND, normalized=normalized, geography=geography, awaiting=store.awaiting(key), **key._asdict()
        )
    first = facts[0]
    differing = [fact for fact in facts[1:] if differ(first, fact)]
    return QueryResult(
        FOUND,
        value=first.value,
        unit=first.unit,
        geography=geography,
        valid_as_of=first.valid_as_of,
        ingested_at=first.ingested_at,
        source=source_of(first),
        conflicts=tuple(
            {"value": fact.value, "unit": fact.unit, "valid_as_of": fact.valid_as_of, "source": source_of(fact)}
            for fact in differing
        ),
        facts=(first, *differing),
        **key._asdict(),
    )


def differ(one: Fact, other: Fact) -> bool:
    """Do two sources disagree? The value counts, not how it is written (12.0 and 12), and the unit, not its spelling."""
    return one.value != other.value or not same_unit(one.unit, other.unit)


def source_of(fact: Fact) -> dict[str, str]:
    """Where a fact stands, as answers name it."""
    return {"doc": fact.source_doc_id, "locator": fact.source_locator}


def as_period(raw: object, languages: tuple[str, ...]) -> Period | None:
    """A period from a text or a pair of type and value, None for anything else."""
    if isinstance(raw, str):
        return parse_period(raw, languages)
    if isinstance(raw, tuple | list) and len(raw) == 2 and all(isinstance(part, str) for part in raw):
        kind, value = raw
        found = parse_period(value, languages)
        return found if found is not None and found.type == kind else None
    return None


def unrecognized(param: str, raw: object) -> QueryResult:
    """The state of a parameter that the profile does not know; what was given is kept short."""
    return QueryResult(UNRECOGNIZED, param=param, raw=(raw if isinstance(raw, str) else repr(raw))[:_RAW_CHARS])


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, Decimal):
        return written(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


assert all(name in {f.name for f in fields(QueryResult)} for names in _SHOWN.values() for name in names)  # noqa: S101
