"""What does each cell of a row mean in this profile? Exactly one thing, or a ValueError that says why not."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal

from ankare.domain.fact import Period, ReviewStatus
from ankare.ingest.figures.amounts import Amount, digits_kept, read_number
from ankare.ingest.figures.cells import Cell, Merged, Missing, reason, text_of
from ankare.ingest.figures.known import Known, shortened
from ankare.ingest.figures.periods import period_of
from ankare.language.units import Unit, parse_unit
from ankare.messages.remarks import Remark, remark
from ankare.profile.model import Profile

MAX_TEXT = 1000
"""Signs of a source, a locator, a geography or a unit."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_EXCLUSIVE = ("money", "percent")
"""A unit of one of these kinds goes only with a metric of the same kind."""


class Fields:
    """Reads the cells of one file. Texts that come again are looked up once."""

    def __init__(self, profile: Profile) -> None:
        self._known = Known(profile)
        self._own_units = {metric.code: metric.unit for metric in profile.metrics}
        self._geography = {entity.code: entity.geography for entity in profile.entities}
        self._periods: dict[str, Period] = {}
        self._units: dict[tuple[str, str, bool], str] = {}

    def metric(self, cell: Cell) -> str:
        """The code of a metric."""
        return self._code("metric", cell)

    def entity(self, cell: Cell) -> str:
        """The code of an entity."""
        return self._code("entity", cell)

    def channel(self, cell: Cell) -> str:
        """The code of a channel."""
        return self._code("channel", cell)

    def period(self, cell: Cell) -> Period:
        """The period that a cell names, never a date: whether a month or a year is meant, it does not say."""
        cell = _unmerged(cell)
        if isinstance(cell, datetime.date):
            raise ValueError(remark("date_no_period", date=f"{cell:%Y-%m-%d}", month=f"{cell:%Y-%m}"))
        text = text_of(cell)
        if not text:
            raise ValueError(remark("period_missing", types=remark("period_types")))
        if text not in self._periods:
            self._periods[text] = period_of(text)
        return self._periods[text]

    def unit(self, cell: Cell, metric: str, amount: Amount) -> str:
        """The unit of an amount: the metric's own where it is the same or the cell is empty, else by its code."""
        if cell is Missing.UNIT:
            raise ValueError(remark("unit_of", metric=metric, what=reason(cell)))
        text = text_of(cell)
        key = (metric, text, amount.percent)
        if key not in self._units:
            self._units[key] = self._unit(text, metric, percent=amount.percent)
        return self._units[key]

    def geography(self, entity: str | None) -> str:
        """The geography of an entity, empty where the profile names none."""
        return self._geography.get(entity or "", "")

    def text(self, cell: Cell) -> str:
        """A text of the row's own."""
        text = text_of(cell)
        if len(text) > MAX_TEXT:
            raise ValueError(remark("text_long", length=len(text), most=MAX_TEXT))
        if _CONTROL.search(text):
            raise ValueError(remark("text_control", text=shortened(text)))
        return text

    def _code(self, field: str, cell: Cell) -> str:
        text = text_of(cell)
        if not text:
            raise ValueError(remark("code_missing", field=remark(f"field_{field}")))
        code = self._known.code(field, text)
        if code is None:
            raise ValueError(self._known.unknown(field, text))
        return code

    def _unit(self, text: str, metric: str, *, percent: bool) -> str:
        own = self._own_units.get(metric, "")
        unit = parse_unit(text or own or ("%" if percent else ""))
        if unit is None:
            raise ValueError(remark("unit_none", metric=metric))
        _check_unit(unit, text)
        if percent and unit.kind != "percent":
            raise ValueError(remark("percent_unit", unit=text or own))
        own_unit = parse_unit(own)
        if own_unit is None:
            return unit.code
        if unit == own_unit:
            return own
        if unit.kind != own_unit.kind and {unit.kind, own_unit.kind} & set(_EXCLUSIVE):
            do = _expected(own, own_unit)
            raise ValueError(remark("unit_other_kind", unit=shortened(text), metric=metric, own=own, do=do))
        return unit.code


def _expected(own: str, unit: Unit) -> Remark:
    """What to write as the unit of a metric."""
    if unit.currency is None:
        return remark("do_write_unit", unit=own)
    return remark("do_write_currency", currency=unit.currency)


def date_of(cell: Cell) -> str:
    """An ISO date."""
    cell = _unmerged(cell)
    if isinstance(cell, datetime.date):
        return f"{cell:%Y-%m-%d}"
    text = text_of(cell)
    try:
        if _DATE.fullmatch(text):
            return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    raise ValueError(remark("date_unknown", text=shortened(text)))


def status_of(cell: Cell) -> ReviewStatus:
    """A review status."""
    text = text_of(cell).casefold()
    try:
        return ReviewStatus(text)
    except ValueError:
        raise ValueError(remark("status_unknown", text=shortened(text), known=tuple(map(str, ReviewStatus)))) from None


def confidence_of(cell: Cell) -> Decimal:
    """A confidence from 0 to 1."""
    number = digits_kept(read_number(text_of(cell)))
    if not 0 <= number <= 1:
        raise ValueError(remark("confidence_range", number=str(number)))
    return number


def _check_unit(unit: Unit, text: str) -> None:
    if len(text) > MAX_TEXT or _CONTROL.search(text):
        raise ValueError(remark("unit_text"))
    if any(sign.isdigit() for sign in text) and not any(sign.isalpha() for sign in text):
        raise ValueError(remark("unit_number", text=shortened(text)))
    if unit.kind == "other" and unit.magnitude:
        raise ValueError(remark("unit_no_currency", unit=shortened(text)))


def _unmerged(cell: Cell) -> Cell:
    while isinstance(cell, Merged):
        cell = cell.value
    return cell
