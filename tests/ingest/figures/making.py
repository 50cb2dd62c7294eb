"""A small profile, and files of figures made by hand: what a test says is what stands in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import openpyxl

from ankare.domain.fact import Fact
from ankare.errors import FactFileError
from ankare.ingest.figures.model import FactFile
from ankare.ingest.figures.read import read_fact_file
from ankare.profile.load import parse_profile
from ankare.profile.model import Profile

PROFILE = parse_profile(
    """
[home]
company = "ACME Group"
entity = "ACME"
[entities.ACME]
label = "ACME-koncernen"
aliases = ["koncernen", "the group", "集团"]
[entities.ACME_CN]
label = "ACME Kina"
aliases = ["Kina", "中国"]
geography = "CN"
[metrics.REVENUE]
label = "Omsättning"
aliases = ["intäkter", "营收"]
unit = "USD_M"
[metrics.MARGIN]
label = "Rörelsemarginal"
unit = "%"
[metrics.TAX_RATE]
label = "Skattesats"
unit = "%"
format = "fraction"
[metrics.GROWTH]
label = "Tillväxt"
unit = "%"
format = "percent"
[metrics.STAFF]
label = "Antal anställda"
unit = "personer"
[metrics.WATER]
label = "Vatten"
[channels.AGENCY]
label = "Agentur"
aliases = ["代理"]
""".encode()
)
HEADER = "metric,entity,period,value,unit"
COLUMNS = HEADER.split(",")


def csv_file(folder: Path, text: str | bytes, name: str = "tal.csv") -> Path:
    """A CSV file of exactly this content."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def workbook(
    folder: Path,
    rows: Iterable[Sequence[object]],
    *,
    name: str = "Bokslut.xlsx",
    title: str = "Blad1",
    change: Callable[[Any], object] | None = None,
) -> Path:
    """A workbook with one sheet of these rows; `change` does more to the sheet before it is saved."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = title
    for row in rows:
        sheet.append(list(row))
    if change is not None:
        change(sheet)
    path = folder / name
    book.save(path)
    return path


def read(path: Path, *, profile: Profile = PROFILE, mapping: Path | None = None, skip_bad: bool = False) -> FactFile:
    """Read a file under its own name."""
    return read_fact_file(path, path.name, profile, mapping=mapping, skip_bad=skip_bad)


def faults_of(path: Path, *, profile: Profile = PROFILE, mapping: Path | None = None) -> list[str]:
    """The faults that a file is refused for; empty where it is taken in."""
    try:
        read(path, profile=profile, mapping=mapping)
    except FactFileError as error:
        return list(error.faults) or [str(error)]
    return []


def shown(facts: Iterable[Fact]) -> list[str]:
    """Each fact as "REVENUE ACME 2024 1320.5 USD_M"."""
    return [f"{f.metric_code} {f.entity} {f.period} {f.value} {f.unit}" for f in facts]


def places(facts: Iterable[Fact]) -> list[tuple[str, str]]:
    """Document and locator of each fact."""
    return [(f.source_doc_id, f.source_locator) for f in facts]
