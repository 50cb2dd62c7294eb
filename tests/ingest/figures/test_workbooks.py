"""Workbooks: cells with all that spreadsheet programs put into them, sheets that are hidden, empty or something else."""

from __future__ import annotations

import datetime
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.cell.cell import Cell

from ankare.errors import FactFileError
from tests.ingest.figures.making import COLUMNS, faults_of, places, read, shown, workbook

ROW = ("REVENUE", "ACME", 2024, 1320.5, "USD_M")


def test_a_cell_is_the_source_of_its_figure(tmp_path: Path) -> None:
    path = workbook(tmp_path, [COLUMNS, ROW, ("omsättning", "Kina", "2024Q1", "1 320,5", "MUSD")])
    facts = read(path).facts
    assert shown(facts) == ["REVENUE ACME 2024 1320.5 USD_M", "REVENUE ACME_CN 2024Q1 1320.5 USD_M"]
    assert places(facts) == [("Bokslut.xlsx", "Blad1!D2"), ("Bokslut.xlsx", "Blad1!D3")]


def test_columns_may_stand_in_any_order_and_anywhere(tmp_path: Path) -> None:
    rows = [[], [None, "Unit", None, " VALUE ", "period", "entity", "metric", "note"]]
    path = workbook(tmp_path, [*rows, [None, "USD_M", None, 7, "2024", "ACME", "REVENUE", "hej"]])
    found = read(path)
    assert places(found.facts) == [("Bokslut.xlsx", "Blad1!D3")]
    assert found.notes == ("sheet Blad1: columns not used: note",)


def test_every_visible_sheet_with_the_columns_is_read_and_others_are_told(tmp_path: Path) -> None:
    def more(sheet: Any) -> None:
        second = sheet.parent.create_sheet("Kina")
        second.append(COLUMNS)
        second.append(["REVENUE", "ACME_CN", "2024", 5, "USD_M"])
        hidden = sheet.parent.create_sheet("Dold")
        hidden.append(COLUMNS)
        hidden.append(["REVENUE", "ACME_CN", "2023", 5, "USD_M"])
        hidden.sheet_state = "hidden"
        sheet.parent.create_sheet("Om").append(["metric", "entity", "period", "value"])
        sheet.parent.create_sheet("Tomt")

    found = read(workbook(tmp_path, [COLUMNS, ROW], change=more))
    assert [locator for _, locator in places(found.facts)] == ["Blad1!D2", "Kina!D2"]
    assert found.notes == (
        "sheet Dold is hidden and was left out",
        "sheet Om was left out: it lacks the columns unit",
        "sheet Tomt was left out: it lacks the columns metric, entity, period, value, unit",
    )


def test_hidden_rows_and_columns_are_read_and_told(tmp_path: Path) -> None:
    def hide(sheet: Any) -> None:
        sheet.row_dimensions[2].hidden = True
        sheet.column_dimensions["E"].hidden = True

    found = read(workbook(tmp_path, [COLUMNS, ROW], change=hide))
    assert len(found.facts) == 1
    assert found.notes == ("sheet Blad1 has hidden rows or columns; they were read too",)


def test_dates_and_percents_are_read_where_they_belong(tmp_path: Path) -> None:
    row = ["MARGIN", "ACME", "2024", 0.124, "%", datetime.date(2025, 2, 1), 0.9, None]

    def as_percent(sheet: Any) -> None:
        sheet["D2"].number_format = "0.0%"
        sheet["D3"].number_format = '0.0" %"'

    columns = [*COLUMNS, "valid_as_of", "confidence", "review_status"]
    other = ["MARGIN", "ACME", "2023", 12.4, "%", datetime.datetime(2025, 2, 1, 12), 1, "PENDING"]
    first, second = read(workbook(tmp_path, [columns, row, other], change=as_percent)).facts
    assert (str(first.value), first.valid_as_of, str(first.confidence)) == ("12.4", "2025-02-01", "0.9")
    assert (str(second.value), second.valid_as_of, second.review_status) == ("12.4", "2025-02-01", "pending")


def _merge(cells: str) -> Callable[[Any], object]:
    return lambda sheet: sheet.merge_cells(cells)


def _error(sheet: Any) -> None:
    sheet["D2"] = "#DIV/0!"
    assert isinstance(sheet["D2"], Cell)
    sheet["D2"].data_type = "e"


@pytest.mark.parametrize(
    ("cells", "change", "fault"),
    [
        ({"C": datetime.date(2024, 3, 1)}, None, "Blad1!C2: period: the date 2024-03-01 is no period: write 2024-03"),
        ({"C": 2024.5}, None, "Blad1!C2: period: '2024.5' is no period"),
        ({"D": datetime.date(2024, 3, 1)}, None, "Blad1!D2: value: a date or time (2024-03-01 00:00:00)"),
        ({"D": True}, None, "Blad1!D2: value: TRUE, which is no number"),
        ({"D": "n/a"}, None, "Blad1!D2: value: 'n/a' is no number"),
        ({"D": None}, None, "Blad1!D2: value: no value"),
        ({"D": "=A1+1"}, None, "Blad1!D2: value: a formula without a cached value: open the file"),
        ({"A": "=B1"}, None, "Blad1!A2: metric: a formula without a cached value"),
        ({"A": "REVENU"}, None, "Blad1!A2: metric: unknown metric 'REVENU'; near it: REVENUE"),
        ({"E": None, "A": "WATER"}, None, "Blad1!E2: unit: no unit, and the profile gives none for WATER"),
        ({"E": 5}, None, "Blad1!E2: unit: '5' is no unit"),
        ({}, _error, "Blad1!D2: value: the error value #DIV/0!"),
        (
            {},
            _merge("D2:F2"),
            "Blad1!D2: value: one of the merged cells Blad1!D2:F2: give each figure a cell of its own",
        ),
    ],
)
def test_a_bad_cell_is_refused_with_its_place(
    cells: dict[str, object], change: Callable[[Any], object] | None, fault: str, tmp_path: Path
) -> None:
    row = [cells.get(letter, value) for letter, value in zip("ABCDE", ROW, strict=True)]
    (found,) = faults_of(workbook(tmp_path, [COLUMNS, row], change=change))
    assert found.startswith(fault)


def test_no_figure_is_taken_from_any_part_of_merged_values(tmp_path: Path) -> None:
    rows = [COLUMNS, ROW, ("REVENUE", "ACME", 2023, None, "USD_M")]
    assert [fault[:9] for fault in faults_of(workbook(tmp_path, rows, change=_merge("D2:D3")))] == [
        "Blad1!D2:",
        "Blad1!D3:",
    ]


def test_merged_names_hold_for_every_row_that_they_cover(tmp_path: Path) -> None:
    def merge(sheet: Any) -> None:
        sheet.merge_cells("A2:A3")
        sheet.merge_cells("B2:B3")
        sheet.merge_cells("G1:H9")

    rows = [COLUMNS, ROW, (None, None, 2023, 7, "USD_M")]
    assert shown(read(workbook(tmp_path, rows, change=merge)).facts) == [
        "REVENUE ACME 2024 1320.5 USD_M",
        "REVENUE ACME 2023 7 USD_M",
    ]


def test_a_row_of_formulas_that_nobody_has_worked_out_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    rows = [COLUMNS, ROW, ["=A2", "=B2", "=C2-1", "=D2*2", "=E2"]]
    assert len(faults_of(workbook(tmp_path, rows))) == 4


def test_a_formula_is_read_by_its_cached_value(tmp_path: Path) -> None:
    path = _patched(
        workbook(tmp_path, [COLUMNS, [*ROW[:3], "=1+1", "USD_M"]]), b"<f>1+1</f><v></v>", b"<f>1+1</f><v>2</v>"
    )
    assert shown(read(path).facts) == ["REVENUE ACME 2024 2 USD_M"]


def _patched(path: Path, old: bytes, new: bytes, part: str = "xl/worksheets/sheet1.xml") -> Path:
    """The workbook with some bytes of a part changed."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert old in parts[part]
    parts[part] = parts[part].replace(old, new)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"</sheetData>", b"", "Sheet Blad1 is damaged"),
        (b'<row r="2"', b'<row r="x"', "Sheet Blad1 is damaged"),
        (b"<worksheet", b"<!DOCTYPE x [<!ENTITY a 'b'>]><worksheet", "declares entities"),
    ],
)
def test_a_broken_sheet_is_refused(old: bytes, new: bytes, message: str, tmp_path: Path) -> None:
    path = workbook(tmp_path, [COLUMNS, ROW])
    with pytest.raises(FactFileError, match=message):
        read(_patched(path, old, new))


def test_cells_far_apart_neither_fill_the_memory_nor_take_long(tmp_path: Path) -> None:
    def far(sheet: Any) -> None:
        sheet["XFD1048576"] = 1

    assert len(read(workbook(tmp_path, [COLUMNS, ROW], change=far)).facts) == 1


def test_a_bomb_and_too_much_merging_are_refused(tmp_path: Path) -> None:
    path = _patched(workbook(tmp_path, [COLUMNS, ROW], change=_merge("G1:H2")), b'"G1:H2"', b'"G1:Z30000"')
    with pytest.raises(FactFileError, match=r"more than 500,000 merged cells"):
        read(path)
    bomb = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"<workbook/>")
        archive.writestr("xl/worksheets/sheet1.xml", b" " * 50_000_000)
    with pytest.raises(FactFileError, match="far more than a document needs"):
        read(bomb)


def test_workbooks_that_cannot_be_opened_say_what_to_do(tmp_path: Path) -> None:
    old = tmp_path / "gammal.xls"
    old.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600)
    with pytest.raises(FactFileError, match=r"before 2007\. Save it as \.xlsx\."):
        read(old)
    locked = tmp_path / "lost.xlsx"
    locked.write_bytes(old.read_bytes() + "EncryptedPackage".encode("utf-16-le"))
    with pytest.raises(FactFileError, match=r"encrypted\. Save it without a password"):
        read(locked)
    empty = tmp_path / "tom.xlsx"
    openpyxl.Workbook().save(empty)
    with pytest.raises(FactFileError, match="There is no table of figures in it"):
        read(empty)
    with pytest.raises(FactFileError, match="There are no figures in it"):
        read(workbook(tmp_path, [COLUMNS]))


def test_numbers_of_any_shape_are_exact(tmp_path: Path) -> None:
    rows = [["REVENUE", "ACME", 2000 + at, value, "USD_M"] for at, value in enumerate([0.1, 1e-7, 3, -2.50, 1e15])]
    assert [str(fact.value) for fact in read(workbook(tmp_path, [COLUMNS, *rows])).facts] == [
        "0.1",
        "1E-7",
        "3",
        "-2.5",
        "1000000000000000",
    ]
