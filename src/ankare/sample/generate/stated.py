"""Which figures do the fact files of the pack state?

Read with plain libraries, apart from ankare's own readers and its mapping, so that what checks the suite is no mirror of them.
"""

from __future__ import annotations

import csv
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl

_UNITS = {"MSEK": "SEK_M", "tusental NOK": "NOK_K", "personer": "PERSONS"}
_BANDS, _HEADER = 4, 5
_PART = "varav "


class Slots(NamedTuple):
    """What a figure is about; the period as "FY2024", "2024H1", "2024Q3" or "2024-03"."""

    metric: str
    entity: str
    period: str
    channel: str = "TOTAL"


class Stated(NamedTuple):
    """A figure as a file states it."""

    slots: Slots
    value: Decimal
    unit: str
    approved: bool = True


def stated_figures(pack: Path) -> dict[Slots, set[tuple[Decimal, str]]]:
    """The approved values, with their unit, of everything that the CSV files and workbooks of a pack state."""
    codes = _codes(pack)
    found: dict[Slots, set[tuple[Decimal, str]]] = defaultdict(set)
    for path in sorted((pack / "facts").iterdir()):
        reader = {".csv": _of_csv, ".xlsx": _of_workbook}.get(path.suffix)
        for figure in reader(path, codes) if reader else ():
            if figure.approved:
                found[figure.slots].add((figure.value, figure.unit))
    return dict(found)


def _codes(pack: Path) -> dict[str, str]:
    """The code of each metric, entity and channel by its label in small letters."""
    profile = tomllib.loads((pack / "profile.toml").read_text(encoding="utf-8"))
    sections = (profile["metrics"], profile["entities"], profile["channels"])
    return {item["label"].lower(): code for section in sections for code, item in section.items()}


def _of_csv(path: Path, codes: dict[str, str]) -> Iterator[Stated]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter=";"):
            channel = codes[row["channel"].lower()] if row.get("channel") else "TOTAL"
            slots = Slots(codes[row["metric"].lower()], codes[row["entity"].lower()], _period(row["period"]), channel)
            value = Decimal(row["value"].replace(" ", "").replace(",", "."))
            status = row.get("review_status") or "approved"
            yield Stated(slots, value, _UNITS.get(row["unit"], row["unit"]), status == "approved")


def _of_workbook(path: Path, codes: dict[str, str]) -> Iterator[Stated]:
    """The first table of every sheet: entity in A1, periods in rows 4 and 5, metrics below down to the first empty row."""
    for sheet in openpyxl.load_workbook(path):
        entity = codes[sheet["A1"].value.lower()]
        money = next((unit for unit in _UNITS if unit in sheet["A2"].value), "")
        periods = list(_periods(sheet))
        metric = ""
        for row in sheet.iter_rows(min_row=_HEADER + 1):
            label, _, unit = str(row[0].value or "").partition(", ")
            if not label:
                break
            is_part = label.startswith(_PART)
            metric = metric if is_part else codes[label.lower()]
            channel = codes[label.removeprefix(_PART).lower()] if is_part else "TOTAL"
            for cell, period in zip(row[1:], periods, strict=True):
                if cell.value is not None:
                    yield Stated(Slots(metric, entity, period, channel), _value(cell), _UNITS.get(unit or money, unit))


def _periods(sheet: Any) -> Iterator[str]:
    """What the columns are about: a year, or a part of the year that stands merged above."""
    above: object = None
    for column in range(2, sheet.max_column + 1):
        above = sheet.cell(_BANDS, column).value or above
        below = str(sheet.cell(_HEADER, column).value)
        yield _period(below if below.isdigit() else f"{above}{below}")


def _value(cell: Any) -> Decimal:
    number = Decimal(repr(cell.value))
    return number * 100 if "%" in cell.number_format else number


def _period(text: str) -> str:
    return f"FY{text}" if text.isdigit() else text
