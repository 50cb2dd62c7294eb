"""How do the figures of the books become the files that a controller and a secretary hand over?

    Bolagens_nyckeltal.csv      every figure of the companies, one a row, with Swedish numbers
    Koncernrapport_2024.xlsx    the group as reports show it: metrics down, periods across, merged headings
    Styrelserapport_....csv     a few figures of another source

The mapping of the workbook is written by hand and lies beside it in the pack.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.styles import Alignment, Font, PatternFill

from ankare.profile.load import PROFILE_NAME, load_profile
from ankare.profile.model import Profile
from ankare.sample import pack_path
from ankare.sample.generate.books import DIRECT, MARGIN, PARTNER, TOTAL, Account, Books, in_order, read_books
from ankare.sample.generate.furniture import GREEN, ORGANISATION
from ankare.sample.generate.office import sealed

BOOKS = Path(__file__).parent / "texts" / "nyckeltal.facts.toml"
FLAT_COLUMNS = ("metric", "entity", "channel", "period", "value", "unit", "valid_as_of")
BOARD_COLUMNS = (
    *("metric", "entity", "period", "value", "unit"),
    *("source_doc", "source_locator", "valid_as_of", "review_status"),
)
_BANDS, _HEADER = 4, 5
_PARTS = ("H1", "H2", "Q1", "Q2", "Q3", "Q4")
_YEAR = len("2024")
_PERCENT_FORMAT = "0.0%"


def build_facts(folder: Path) -> list[str]:
    """Write every fact file of the pack into `folder`; returns the file names, sorted."""
    books = read_books(BOOKS)
    profile = load_profile(pack_path() / PROFILE_NAME)
    files = {
        books.plan["flat"]["file"]: flat(books, profile),
        books.plan["board"]["file"]: board(books.plan["board"], profile),
        books.plan["report"]["file"]: report(books, profile),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return sorted(files)


# -- CSV


def flat(books: Books, profile: Profile) -> bytes:
    """One row a figure of a company, by metric, company, channel and period."""
    metrics, entities = ([item.code for item in items] for items in (profile.metrics, profile.entities))
    channels = (TOTAL, DIRECT, PARTNER)
    kept = sorted(
        books.accounts, key=lambda a: (metrics.index(a.metric), entities.index(a.entity), channels.index(a.channel))
    )
    rows = []
    for account in kept:
        for period in in_order(books.accounts[account]):
            value = swedish(books.accounts[account][period])
            published = f"{int(period[:4]) + 1}{books.plan['date'][4:]}"
            rows.append((*_labels(account, profile), period, value, books.units[account], published))
    return _csv(FLAT_COLUMNS, rows)


def board(plan: Mapping[str, Any], profile: Profile) -> bytes:
    """The figures of the report to the board, with the place of each in it."""
    rows = []
    for row in plan["rows"]:
        metric, entity, _ = _labels(Account(row["metric"], row["entity"]), profile)
        given = (row["period"], row["value"], row["unit"], plan["source"], row["locator"], plan["date"])
        rows.append((metric, entity, *given, row.get("review_status", "approved")))
    return _csv(BOARD_COLUMNS, rows)


def swedish(value: Decimal) -> str:
    """Thousands set off by a space, decimals by a comma: "1 320,5"."""
    return f"{value:,}".replace(",", " ").replace(".", ",")


def _labels(account: Account, profile: Profile) -> tuple[str, str, str]:
    """Metric, entity and channel as people write them; an empty channel stays empty."""
    metric, entity, channel = (
        profile.metric(account.metric),
        profile.entity(account.entity),
        profile.channel(account.channel),
    )
    assert metric and entity  # noqa: S101 - the books use the codes of the profile
    return metric.label, entity.label, channel.label if channel else ""


def _csv(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=";", lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return stream.getvalue().encode()


# -- workbook


def report(books: Books, profile: Profile) -> bytes:
    """The group's figures, how they add up, and the orders that are taken in another currency."""
    plan = books.plan["report"]
    book = openpyxl.Workbook()
    book.remove(book.active)
    book.properties.title, book.properties.creator = plan["title"], ORGANISATION
    sheet = book.create_sheet(plan["sheet"])
    periods = _bands(sheet, plan)
    for row, told in enumerate(plan["rows"], _HEADER + 1):
        channel = told.get("channel", TOTAL)
        values = [books.group(told["metric"], channel, period) for period in periods]
        _line(sheet, row, told["label"], values, percent=told["metric"] == MARGIN, indent=bool(channel))
    _reconcile(sheet, _HEADER + len(plan["rows"]) + 2, books, profile, periods)
    _foreign(book.create_sheet(books.plan["foreign"]["sheet"]), books.plan["foreign"], plan["band"])
    stream = io.BytesIO()
    book.save(stream)
    return sealed(stream.getvalue(), books.plan["date"])


def _bands(sheet: Any, plan: Mapping[str, Any]) -> list[str]:
    """Titles and the two rows of headings; gives the periods from the second column on."""
    years = [str(year) for year in plan["years"]]
    bands: list[tuple[str | int, list[str]]] = [(plan["band"], years)]
    bands += [(year, [f"{year}{part}" for part in _PARTS]) for year in plan["detailed"]]
    periods = [period for _, listed in bands for period in listed]
    _titles(sheet, plan, 1 + len(periods))
    column = 2
    for band, listed in bands:
        _headings(sheet, column, band, [int(at) if band == plan["band"] else at[_YEAR:] for at in listed])
        column += len(listed)
    return periods


def _headings(sheet: Any, column: int, band: str | int, parts: Sequence[str | int]) -> None:
    """A heading that is merged over the headings of its parts."""
    sheet.merge_cells(start_row=_BANDS, end_row=_BANDS, start_column=column, end_column=column + len(parts) - 1)
    cells = [
        sheet.cell(_BANDS, column, band),
        *(sheet.cell(_HEADER, at, part) for at, part in enumerate(parts, column)),
    ]
    for cell in cells:
        cell.font = Font(bold=True, color="FFFFFF")
        cell.fill = PatternFill("solid", fgColor="{:02X}{:02X}{:02X}".format(*GREEN))
        cell.alignment = Alignment(horizontal="center")


def _titles(sheet: Any, plan: Mapping[str, Any], width: int) -> None:
    sheet.cell(1, 1, plan["heading"]).font = Font(bold=True, size=14)
    sheet.merge_cells(start_row=1, end_row=1, start_column=1, end_column=width)
    sheet.cell(2, 1, plan["subtitle"])
    sheet.merge_cells(start_row=2, end_row=2, start_column=1, end_column=width)
    sheet.column_dimensions["A"].width = 34
    for column in range(2, width + 1):
        sheet.column_dimensions[openpyxl.utils.get_column_letter(column)].width = 13
    sheet.freeze_panes = sheet.cell(_HEADER + 1, 2)


def _line(
    sheet: Any, row: int, label: str, values: Iterable[Decimal | None], *, percent: bool = False, indent: bool = False
) -> None:
    """A row of the table; what is not kept stays empty. A percent is stored as its share, as spreadsheets do."""
    sheet.cell(row, 1, label).alignment = Alignment(indent=int(indent))
    for column, value in enumerate(values, 2):
        if value is None:
            continue
        cell = sheet.cell(row, column, _number(value / 100 if percent else value))
        cell.number_format = _PERCENT_FORMAT if percent else "#,##0" + "." * (_places(value) > 0) + "0" * _places(value)


def _reconcile(sheet: Any, row: int, books: Books, profile: Profile, periods: Sequence[str]) -> None:
    """Below the table, from this row on: what each sum is made of."""
    plan = books.plan["report"]
    labels = [*(_entity(profile, code) for code in books.plan["companies"]), plan["internal_label"]]
    for metric, title in plan["reconciled"].items():
        sheet.cell(row, 1, title).font = Font(bold=True)
        columns = [list(books.parts(metric, TOTAL, period)) for period in periods]
        lines = [(label, values) for label, *values in zip(labels, *columns, strict=True)]
        lines.append((plan["heading"], [books.group(metric, TOTAL, period) for period in periods]))
        if metric == books.foreign.metric:
            lines.append((plan["rate_label"], [books.plan["foreign"]["rates"].get(period) for period in periods]))
        for at, (label, values) in enumerate(lines, row + 1):
            _line(sheet, at, label, values)
        row += len(lines) + 2


def _foreign(sheet: Any, plan: Mapping[str, Any], band: str) -> None:
    years = plan["years"]
    _titles(sheet, plan, 1 + len(years))
    _headings(sheet, 2, band, [int(year) for year in years])
    _line(sheet, _HEADER + 1, plan["label"], [Decimal(value) for value in years.values()])


def _entity(profile: Profile, code: str) -> str:
    found = profile.entity(code)
    return found.label if found else code


def _places(value: Decimal) -> int:
    return max(0, -int(value.as_tuple().exponent))


def _number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() and not _places(value) else float(value)
