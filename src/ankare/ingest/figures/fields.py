"""What does each cell of a row mean in this profile? Exactly one thing, or a ValueError that says why not."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal

from ankare.domain.fact import Period, ReviewStatus, exact
from ankare.ingest.figures.amounts import Amount
from ankare.ingest.figures.cells import Cell, Merged, Missing, reason, text_of
from ankare.ingest.figures.known import Known, shortened
from ankare.ingest.figures.periods import TYPES, period_of
from ankare.language.numbers import parse_decimal
from ankare.language.units import Unit, parse_unit
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
            raise ValueError(f"the date {cell:%Y-%m-%d} is no period: write {cell:%Y-%m} as text, 2024Q1, or the year")
        text = text_of(cell)
        if not text:
            raise ValueError(f"no period: {TYPES}")
        if text not in self._periods:
            self._periods[text] = period_of(text)
        return self._periods[text]

    def unit(self, cell: Cell, metric: str, amount: Amount) -> str:
        """The unit of an amount: the metric's own where it is the same or the cell is empty, else by its code."""
        if cell is Missing.UNIT:
            raise ValueError(f"{metric} has {reason(cell)}")
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
            raise ValueError(f"a text of {len(text):,} characters; at most {MAX_TEXT:,} are taken")
        if _CONTROL.search(text):
            raise ValueError(f"{shortened(text)} holds a control character")
        return text

    def _code(self, field: str, cell: Cell) -> str:
        text = text_of(cell)
        if not text:
            raise ValueError(f"no {field}: the cell is empty")
        code = self._known.code(field, text)
        if code is None:
            raise ValueError(self._known.unknown(field, text))
        return code

    def _unit(self, text: str, metric: str, *, percent: bool) -> str:
        own = self._own_units.get(metric, "")
        unit = parse_unit(text or own or ("%" if percent else ""))
        if unit is None:
            raise ValueError(f"no unit, and the profile gives none for {metric}: write one here or there")
        _check_unit(unit, text)
        if percent and unit.kind != "percent":
            raise ValueError(f"a percent, where the unit is {text or own}: take the sign away, or write the unit %")
        own_unit = parse_unit(own)
        if own_unit is None:
            return unit.code
        if unit == own_unit:
            return own
        if unit.kind != own_unit.kind and {unit.kind, own_unit.kind} & set(_EXCLUSIVE):
            raise ValueError(
                f"the unit {shortened(text)} does not go with {metric}, which is given in {own}: {_expected(own, own_unit)}"
            )
        return unit.code


def _expected(own: str, unit: Unit) -> str:
    """What to write as the unit of a metric."""
    if unit.currency is None:
        return f"write {own}"
    currency = unit.currency
    return (
        f"write a currency, alone or in thousands or millions, such as {currency}, {currency}_K or {currency} million"
    )


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
    raise ValueError(f"{shortened(text)} is no date: write it as 2025-02-01")


def status_of(cell: Cell) -> ReviewStatus:
    """A review status."""
    text = text_of(cell).casefold()
    try:
        return ReviewStatus(text)
    except ValueError:
        raise ValueError(f"unknown review status {shortened(text)}; known are {', '.join(ReviewStatus)}") from None


def confidence_of(cell: Cell) -> Decimal:
    """A confidence from 0 to 1."""
    number = exact(parse_decimal(text_of(cell)))
    if not 0 <= number <= 1:
        raise ValueError(f"a confidence lies between 0 and 1, not at {number}")
    return number


def _check_unit(unit: Unit, text: str) -> None:
    if len(text) > MAX_TEXT or _CONTROL.search(text):
        raise ValueError("a text that is no unit")
    if any(sign.isdigit() for sign in text) and not any(sign.isalpha() for sign in text):
        raise ValueError(
            f"{shortened(text)} is no unit; a value with a decimal comma needs quotes where commas divide the columns"
        )
    if unit.kind == "other" and unit.magnitude:
        raise ValueError(f"the unit {shortened(text)} names no currency: write, for example, SEK million")


def _unmerged(cell: Cell) -> Cell:
    while isinstance(cell, Merged):
        cell = cell.value
    return cell
