"""Which facts do the rows of a table make, and which rows make none?

Every cell is resolved exactly or is a fault with its place; nothing is guessed. What depends on a whole column (which mark
is the decimal one, whether 0.12 is 12 %) is decided when all rows are there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from ankare.domain.fact import TOTAL, Fact, ReviewStatus
from ankare.ingest.figures.amounts import Amount, hundredfold, read_amount
from ankare.ingest.figures.cells import Cell
from ankare.ingest.figures.fields import Fields, confidence_of, date_of, status_of
from ankare.ingest.figures.model import Fault, RawFact, Spot
from ankare.ingest.figures.sayings import Sayings, quantity
from ankare.language.units import parse_unit
from ankare.messages.remarks import Remark, remark, some
from ankare.profile.model import Profile

T = TypeVar("T")
_SHOWN = 3
_UNSAID: Mapping[str, Any] = MappingProxyType(
    {
        "channel": TOTAL,
        "source_doc_id": "",
        "source_locator": "",
        "valid_as_of": "",
        "review_status": ReviewStatus.APPROVED,
        "confidence": None,
    }
)
"""What holds of a figure whose row does not say it."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """A fact that waits for its column to tell the value. `given`: its other fields."""

    raw: RawFact
    amount: Amount
    given: dict[str, Any]


class _Entry(NamedTuple):
    """A fact, or what may become one. `named`: its row names a source of its own; `mapped`: a mapping led to it."""

    fact: Fact | _Draft
    place: str
    spot: Spot
    named: bool
    mapped: bool


class Assembler:
    """Takes the rows of one file one by one; `finish` gives the facts. `faults` and `notes` grow meanwhile; then `spots` tell
    the cell of each fact.

    `source`: what the file is called where a row names no source; `path`, `sha256`: where it lies and the hash of its bytes.
    """

    def __init__(self, profile: Profile, source: str, path: str, sha256: str) -> None:
        self.faults: list[Fault] = []
        self.notes: list[str] = []
        self.spots: tuple[tuple[Fact, Spot], ...] = ()
        self._profile = profile
        self._fields = Fields(profile)
        self._optional: dict[str, tuple[str, Callable[[Cell], Any]]] = {
            "channel": ("channel", self._fields.channel),
            "geography": ("geography", self._fields.text),
            "source_doc": ("source_doc_id", self._fields.text),
            "source_locator": ("source_locator", self._fields.text),
            "valid_as_of": ("valid_as_of", date_of),
            "review_status": ("review_status", status_of),
            "confidence": ("confidence", confidence_of),
        }
        self._formats = {metric.code: metric.format for metric in profile.metrics}
        self._file: dict[str, Any] = {"source_file": path, "source_file_hash": sha256}
        self._source = source
        self._entries: list[_Entry] = []
        self._without_unit = 0

    def add(self, raw: RawFact) -> None:
        """Take in a row. All that is wrong with it is noted, and it becomes a fact only without faults."""
        before = len(self.faults)
        given = self._given(raw)
        amount = self._read(raw, "value", partial(read_amount, column=raw.column))
        if amount is not None and (metric := given["metric_code"]):
            given["unit"] = self._read(raw, "unit", lambda cell: self._fields.unit(cell, metric, amount))
        if len(self.faults) > before or amount is None:
            return
        named = bool(given["source_doc_id"] or given["source_locator"])
        given["source_doc_id"] = given["source_doc_id"] or self._source
        given["source_locator"] = given["source_locator"] if named else raw.place
        self._without_unit += not raw.cells.get("unit") and not amount.percent
        draft = _Draft(raw, amount, given)
        fact = draft if self._is_open(draft) else self._fact(draft)
        if fact is not None:
            self._entries.append(_Entry(fact, raw.place, raw.spot, named, raw.column.mapped))

    def finish(self) -> tuple[Fact, ...]:
        """The facts of all rows in their order, repetitions once, and none of those that contradict each other."""
        kept: dict[tuple[object, ...], tuple[Fact, _Entry]] = {}
        repeated: list[str] = []
        sayings = Sayings(self._profile)
        for entry in self._entries:
            fact = self._fact(entry.fact) if isinstance(entry.fact, _Draft) else entry.fact
            if fact is None:
                continue
            if contradiction := sayings.contradiction(fact, entry.place, mapped=entry.mapped):
                self.faults.append(Fault(entry.place, contradiction))
                continue
            first, before = kept.setdefault(_identity(fact, named=entry.named), (fact, entry))
            if first is fact:
                continue
            if _said(first) == _said(fact):
                repeated.append(remark("repeats", place=entry.place, other=before.place))
            else:
                self.faults.append(Fault(entry.place, remark("same_figure_differs", place=before.place)))
        self._tell(repeated)
        self.spots = tuple((fact, entry.spot) for fact, entry in kept.values() if not sayings.is_disputed(fact))
        facts = tuple(fact for fact, _ in self.spots)
        if len(facts) < len(kept):
            self.notes.append(remark("disputed", count=len(kept) - len(facts)))
        return facts

    def _given(self, raw: RawFact) -> dict[str, Any]:
        """All that a row says but its value and unit; None for what could not be read."""
        metric = self._read(raw, "metric", self._fields.metric)
        entity = self._read(raw, "entity", self._fields.entity)
        period = self._read(raw, "period", self._fields.period)
        given = dict(_UNSAID, metric_code=metric, entity=entity, geography=self._fields.geography(entity))
        given["period_type"], given["period"] = period or (None, None)
        for field, (name, read) in self._optional.items():
            if raw.cells.get(field) is not None:
                given[name] = self._read(raw, field, read)
        return given

    def _read(self, raw: RawFact, field: str, read: Callable[[Cell], T]) -> T | None:
        """What a field's cell means; None, with the fault noted, where it means nothing."""
        try:
            return read(raw.cells.get(field))
        except ValueError as error:
            self.faults.append(Fault(raw.place_of(field), _in_field(field, error)))
            return None

    def _is_open(self, draft: _Draft) -> bool:
        """Does the value wait for the rest of its column? A bare percent above 1 tells the others how it is written."""
        number = draft.amount.number
        if number is None:
            return True
        if not number or not self._may_be_share(draft):
            return False
        if abs(number) > 1:
            draft.raw.column.percents_above_one = True
            return False
        return True

    def _may_be_share(self, draft: _Draft) -> bool:
        """A percent for which neither the cell nor the profile says how it is written."""
        if draft.amount.percent or self._formats[draft.given["metric_code"]]:
            return False
        return _is_percent(draft.given["unit"])

    def _fact(self, draft: _Draft) -> Fact | None:
        """The fact; None, with the fault noted, where its value is not clear."""
        try:
            return Fact(value=self._value(draft), **draft.given, **self._file)
        except ValueError as error:
            self.faults.append(Fault(draft.raw.place_of("value"), _in_field("value", error)))
            return None

    def _value(self, draft: _Draft) -> Decimal:
        """The exact value. Raises ValueError where the cell can mean two, and nothing tells which."""
        metric, unit, column = draft.given["metric_code"], draft.given["unit"], draft.raw.column
        number = column.decided(draft.amount)
        if self._formats[metric] == "fraction" and not draft.amount.percent and _is_percent(unit):
            return hundredfold(number)
        if not number or abs(number) > 1 or column.tells_percents() or not self._may_be_share(draft):
            return number
        one, other = column.written(number), column.written(hundredfold(number))
        code = "share_or_percent_beside" if column.percent_signs else "share_or_percent"
        raise ValueError(remark(code, one=one, other=other, metric=metric))

    def _tell(self, repeated: list[str]) -> None:
        if repeated:
            self.notes.append(remark("counted_once", repeated=some(repeated, _SHOWN)))
        if self._without_unit:
            self.notes.append(remark("profile_unit", figures=remark("figures", count=self._without_unit)))


def _in_field(field: str, error: ValueError) -> Remark:
    """What is wrong in a field: the remark of the error, or its text where it comes from elsewhere."""
    what = error.args[0] if error.args and isinstance(error.args[0], str) else str(error)
    return remark("in_field", field=remark(f"field_{field}"), what=what)


def _is_percent(unit: str) -> bool:
    known = parse_unit(unit)
    return known is not None and known.kind == "percent"


def _identity(fact: Fact, *, named: bool) -> tuple[object, ...]:
    """Two rows that name the same place are one; so are two that name no source of their own and say the same."""
    if named:
        return (fact.key, fact.source_doc_id, fact.source_locator)
    return (fact.key, *_said(fact))


def _said(fact: Fact) -> tuple[object, ...]:
    return (*quantity(fact), fact.valid_as_of, fact.review_status, fact.confidence, fact.geography)
