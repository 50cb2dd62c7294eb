"""Reports as they are laid out: metrics down and periods across, or the other way, as a mapping describes them."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ankare.errors import FactFileError
from tests.ingest.figures.making import csv_file, faults_of, places, read, shown, workbook

REPORT = [
    ["Resultaträkning i sammandrag"],
    ["(tusental kronor)"],
    [None, 2024, None, 2023],
    [None, "Q1", "Q2", "Q1"],
    ["Intäkter"],
    ["Summa intäkter", 1320.5, "1 400,25", 1100],
    ["Antal anställda", 12, 13, "-"],
    ["Rörelsemarginal", 0.12, 0.13, 0.1],
]
MAP = """
[[tables]]
sheet = "Koncernen"
header_rows = [3, 4]
first_row = 5
metric_column = "A"
columns = ["B", "C:D"]
entity = "koncernen"
unit_cell = "A2"
valid_as_of = "2025-02-01"
empty = ["-"]
[tables.metrics]
"Summa intäkter" = "REVENUE"
[tables.units]
STAFF = "personer"
"""


def _dress(sheet: Any) -> None:
    sheet.merge_cells("B3:C3")
    for cell in ("B8", "C8", "D8"):
        sheet[cell].number_format = "0 %"


def report(folder: Path, mapping: str = MAP, rows: list[list[object]] | None = None, *, dressed: bool = True) -> Path:
    path = workbook(folder, rows or REPORT, title="Koncernen", change=_dress if dressed else None)
    path.with_name(path.name + ".map.toml").write_text(mapping, encoding="utf-8")
    return path


def test_a_report_is_read_as_its_mapping_describes_it(tmp_path: Path) -> None:
    found = read(report(tmp_path))
    assert shown(found.facts) == [
        "REVENUE ACME 2024Q1 1320.5 SEK_K",
        "REVENUE ACME 2024Q2 1400.25 SEK_K",
        "REVENUE ACME 2023Q1 1100 SEK_K",
        "STAFF ACME 2024Q1 12 personer",
        "STAFF ACME 2024Q2 13 personer",
        "MARGIN ACME 2024Q1 12 %",
        "MARGIN ACME 2024Q2 13 %",
        "MARGIN ACME 2023Q1 10 %",
    ]
    assert places(found.facts)[1] == ("Bokslut.xlsx", "Koncernen!C6")
    assert {fact.valid_as_of for fact in found.facts} == {"2025-02-01"}


def test_tertials_are_headings_as_quarters_are(tmp_path: Path) -> None:
    rows = [["MSEK", 2024, None, None, 2025], [None, "T1", "Tertial 2", "Tertial 3", "T1"], ["Omsättning", 5, 6, 7, 8]]
    mapping = (
        '[[tables]]\nperiod_rows = [1, 2]\nmetric_column = "A"\nunit_cell = "A1"\ncolumns = "B:E"\nfirst_row = 3\n'
        'entity = "ACME"\n'
    )
    assert shown(read(report(tmp_path, mapping, rows, dressed=False)).facts) == [
        "REVENUE ACME 2024T1 5 SEK_M",
        "REVENUE ACME 2024T2 6 SEK_M",
        "REVENUE ACME 2024T3 7 SEK_M",
        "REVENUE ACME 2025T1 8 SEK_M",
    ]


def test_metrics_across_and_periods_down(tmp_path: Path) -> None:
    rows = [[None, "Omsättning", "Antal anställda"], [None, "MUSD", "st"], ["2023", 5, 12], ["2024", 6, 13]]
    mapping = '[[tables]]\nmetric_row = 1\nunit_row = 2\nperiod_column = "A"\ncolumns = "B:C"\nfirst_row = 3\nentity = "ACME"\n'
    path = report(tmp_path, mapping, rows, dressed=False)
    assert shown(read(path).facts) == [
        "REVENUE ACME 2023 5 USD_M",
        "STAFF ACME 2023 12 COUNT",
        "REVENUE ACME 2024 6 USD_M",
        "STAFF ACME 2024 13 COUNT",
    ]


def test_entities_and_channels_may_stand_in_rows_and_columns(tmp_path: Path) -> None:
    rows = [["", "", "koncernen", "Kina"], ["Agentur", "MUSD", 5, 6], ["", "MSEK", 7, None]]
    mapping = (
        '[[tables]]\nmetric = "REVENUE"\nperiod = 2024\nentity_row = 1\nchannel_column = "A"\nunit_column = "B"\n'
        'first_column = "C"\nlast_column = "D"\nfirst_row = 2\nlast_row = 3\n'
    )
    facts = read(report(tmp_path, mapping, rows, dressed=False)).facts
    assert shown(facts) == ["REVENUE ACME 2024 5 USD_M", "REVENUE ACME_CN 2024 6 USD_M", "REVENUE ACME 2024 7 SEK_M"]
    assert [fact.channel for fact in facts] == ["AGENCY", "AGENCY", "TOTAL"]


def test_a_csv_report_is_mapped_by_its_columns_letters(tmp_path: Path) -> None:
    path = csv_file(tmp_path, "MSEK;2024;;2023\n;Q1;Q2;Q1\nOmsättning;1 320,5;7;8\n", "rapport.csv")
    mapping = tmp_path / "annan.toml"
    mapping.write_text(
        '[[tables]]\nperiod_rows = [1, 2]\nmetric_column = "A"\nunit_cell = "A1"\ncolumns = "B:D"\nfirst_row = 3\n'
        'entity = "ACME"\n'
    )
    facts = read(path, mapping=mapping).facts
    assert shown(facts) == [
        "REVENUE ACME 2024Q1 1320.5 SEK_M",
        "REVENUE ACME 2024Q2 7 SEK_M",
        "REVENUE ACME 2023Q1 8 SEK_M",
    ]
    assert places(facts)[0] == ("rapport.csv", "B3")


def test_every_figure_in_the_mapped_block_is_read_or_a_fault(tmp_path: Path) -> None:
    rows = [*REPORT, ["Eget kapital", 7, None, "n/a"]]
    unknown, unreadable = faults_of(report(tmp_path, rows=rows))
    assert unknown.startswith("Koncernen!A9: metric: unknown metric 'Eget kapital'; the profile lists REVENUE,")
    assert unreadable == (
        "Koncernen!D9: value: 'n/a' is no number: say empty = [\"n/a\"] in the mapping, or write the value"
    )
    skipped = MAP.replace("empty =", 'skip_rows = ["eget kapital"]\nempty =')
    assert faults_of(report(tmp_path, skipped, rows)) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda rows: rows[3].__setitem__(1, "Summa"), "Koncernen!B4: period: '2024 Summa' is no period"),
        (
            lambda rows: rows[2].__setitem__(3, None),
            "Koncernen!D6: another value for Omsättning, ACME, 2024Q1 stands in",
        ),
        (
            lambda rows: rows[3].__setitem__(1, datetime.date(2024, 3, 1)),
            "Koncernen!B4: period: the date 2024-03-01 is no",
        ),
        (lambda rows: rows[5].__setitem__(0, None), "Koncernen!A6: metric: no metric"),
        (lambda rows: rows[5].__setitem__(1, "=1+1"), "Koncernen!B6: value: a formula without a cached value"),
        (lambda rows: rows[7].__setitem__(2, "12 kr"), "Koncernen!C8: value: '12 kr' is no number"),
    ],
)
def test_a_bad_cell_of_a_report_is_refused_with_its_place(
    change: Callable[[list[list[object]]], None], fault: str, tmp_path: Path
) -> None:
    rows = [list(row) for row in REPORT]
    change(rows)
    found = faults_of(report(tmp_path, rows=rows))
    assert found[0].startswith(fault), found


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"koncernen"', '"Mars"', "Bokslut.xlsx.map.toml, line 8: entity: unknown entity 'Mars'"),
        ('"2025-02-01"', '"1 feb"', "Bokslut.xlsx.map.toml, line 10: valid_as_of: '1 feb' is no date"),
        ('"REVENUE"', '"REVENU"', "Bokslut.xlsx.map.toml, line 13: metric: unknown metric 'REVENU'; near it: REVENUE"),
        ('"personer"', '"MSEK"', "Bokslut.xlsx.map.toml, line 15: unit: the unit 'MSEK' does not go with STAFF"),
        ('unit_cell = "A2"', 'unit = "SEK"', ""),
        ('unit_cell = "A2"', 'unit = "%"', "line 9: unit: the unit '%' does not go with REVENUE"),
    ],
)
def test_what_a_mapping_says_is_held_against_the_profile(old: str, new: str, fault: str, tmp_path: Path) -> None:
    found = faults_of(report(tmp_path, MAP.replace(old, new)))
    assert (len(found) == 1 and fault in found[0]) if fault else not found, found


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ("", "line 1: there are no tables. Write [[tables]]"),
        ("[tables]\n", "there are no tables"),
        ("x = 1\n", "line 1: unknown key 'x'"),
        ("[[tables]]\nfirst_row = \n", "line 2: "),
        (MAP.replace("empty", "tom"), "line 11: unknown key 'tom'. Known here are sheet,"),
        (MAP.replace("first_row = 5\n", ""), "line 2: first_row is missing"),
        (MAP.replace("first_row = 5", "first_row = 0"), "line 5: 0 is no row number"),
        (MAP.replace("first_row = 5", "first_row = 5\nlast_row = 3"), "line 6: last_row 3 lies above first_row 5"),
        (MAP.replace('columns = ["B", "C:D"]\n', ""), "line 2: the columns of the figures are missing"),
        (MAP.replace('"C:D"', '"D:C"'), "line 7: 'D:C' runs backwards"),
        (MAP.replace('"C:D"', '"B:D"'), "line 7: a column is there twice"),
        (MAP.replace('"C:D"', '"7"'), "line 7: '7' names no column"),
        (MAP.replace('"A2"', '"2A"'), "line 9: '2A' names no cell"),
        (MAP.replace('entity = "koncernen"\n', ""), "line 2: where the entity stands is missing"),
        (MAP.replace("[3, 4]", "3"), "line 4: header_rows is not a list of row numbers"),
        (MAP.replace("empty =", "period = 2024\nempty ="), "both say where the period stands"),
        (MAP.replace('"Koncernen"', '"Blad9"'), "line 2: there is no sheet 'Blad9'. There are Koncernen"),
        (MAP.replace('"Koncernen"', "7"), "line 2: there is no sheet '7'"),
        (MAP.replace('"Koncernen"', "true"), "line 3: sheet is not a text"),
        (MAP.replace('["-"]', '"-"'), "line 11: empty is not a list of texts"),
        (MAP.replace('= "REVENUE"', "= 7"), "metrics is not a table of texts"),
        (MAP.replace('"A2"', '"A1"'), "line 9: Koncernen!A1 ('Resultaträkning i sammandrag') names no unit"),
        (MAP + MAP.replace("first_row = 5", "first_row = 0"), "line 20: 0 is no row number"),
    ],
)
def test_a_broken_mapping_is_refused_with_file_and_line(mapping: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FactFileError) as told:
        read(report(tmp_path, mapping))
    assert "Bokslut.xlsx.map.toml, " in str(told.value)
    assert message in str(told.value)


def test_a_mapping_that_is_not_there_or_no_text_is_told(tmp_path: Path) -> None:
    path = report(tmp_path)
    with pytest.raises(FactFileError, match=r"nix\.toml cannot be read"):
        read(path, mapping=tmp_path / "nix.toml")
    path.with_name("Bokslut.xlsx.map.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(FactFileError, match="is not UTF-8"):
        read(path)


def test_the_sheet_must_be_named_where_there_are_several(tmp_path: Path) -> None:
    def more(sheet: Any) -> None:
        _dress(sheet)
        sheet.parent.create_sheet("Kina")

    path = workbook(tmp_path, REPORT, title="Koncernen", change=more)
    nameless = tmp_path / "m.toml"
    nameless.write_text(MAP.replace('sheet = "Koncernen"\n', ""), encoding="utf-8")
    with pytest.raises(FactFileError, match=r"which sheet is meant is missing\. Write sheet = one of Koncernen, Kina"):
        read(path, mapping=nameless)


@pytest.mark.parametrize(
    "heading", ["MSEK", "Belopp i miljoner kronor", "Resultat 2024, Mkr", "Amounts in SEK million"]
)
def test_the_unit_is_found_in_a_heading(heading: str, tmp_path: Path) -> None:
    rows = [list(row) for row in REPORT]
    rows[1] = [heading]
    assert {fact.unit for fact in read(report(tmp_path, rows=rows)).facts} == {"SEK_M", "personer", "%"}


def test_labels_of_entities_and_channels_are_given_their_codes_by_the_mapping(tmp_path: Path) -> None:
    rows = [["MSEK", "Bolag 1", "Bolag 2 (Kina)"], ["Via ombud", 5, 6], ["Allt", 7, 8]]
    mapping = (
        '[[tables]]\nmetric = "REVENUE"\nperiod = 2024\nentity_row = 1\nchannel_column = "A"\nunit_cell = "A1"\n'
        'columns = "B:C"\nfirst_row = 2\n[tables.entities]\n"Bolag 1" = "ACME"\n"bolag  2 (kina)" = "中国"\n'
        '[tables.channels]\n"Via ombud" = "AGENCY"\nAllt = "TOTAL"\n'
    )
    facts = read(report(tmp_path, mapping, rows, dressed=False)).facts
    assert [(fact.entity, fact.channel, str(fact.value)) for fact in facts] == [
        ("ACME", "AGENCY", "5"),
        ("ACME_CN", "AGENCY", "6"),
        ("ACME", "TOTAL", "7"),
        ("ACME_CN", "TOTAL", "8"),
    ]
    for wrong, line in (('"ACME"', 10), ('"TOTAL"', 14)):
        (fault,) = faults_of(report(tmp_path, mapping.replace(wrong, '"NIX"'), rows, dressed=False))
        assert fault.startswith(f"Bokslut.xlsx.map.toml, line {line}: ")
        assert "'NIX'" in fault
    one_line = mapping.replace('[tables.entities]\n"Bolag 1" = "ACME"\n"bolag  2 (kina)" = "中国"\n', "")
    one_line = one_line.replace("first_row", 'entities = {"Bolag 1" = "ACME", "Bolag 2 (Kina)" = "NIX"}\nfirst_row')
    (fault,) = faults_of(report(tmp_path, one_line, rows, dressed=False))
    assert fault.startswith("Bokslut.xlsx.map.toml, line 8: entity: unknown entity 'NIX'")


def needs_a_unit(folder: Path) -> None:
    """Thousands would be read as millions: the profile's unit is no answer to what a report's heading says."""
    found = faults_of(report(folder, MAP.replace('unit_cell = "A2"\n', "")))
    assert [fault[:50] for fault in found] == ["Bokslut.xlsx.map.toml, line 2: unit: REVENUE has n"]
    assert 'write unit_cell = "A2" (the cell that says "MSEK" or "(tusental kronor)"), or unit = "SEK_K"' in found[0]


def test_a_report_without_a_unit_is_refused_at_its_line_of_the_mapping(tmp_path: Path) -> None:
    needs_a_unit(tmp_path)


def test_a_reader_that_takes_the_profiles_unit_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ankare.ingest.figures.layout.Missing", Taken)
    with pytest.raises(AssertionError):
        needs_a_unit(tmp_path)


class Taken:
    """The saboteur: where a mapping names no unit, the cell counts as empty."""

    UNIT = None


def test_percents_and_metrics_with_units_of_their_own_need_no_other(tmp_path: Path) -> None:
    rows = [["Rörelsemarginal", "12 %"], ["Antal anställda", 5], ["Skattesats", 0.25]]
    mapping = '[[tables]]\nmetric_column = "A"\nperiod = 2024\nentity = "ACME"\ncolumns = "B"\nfirst_row = 1\n'
    path = report(tmp_path, f'{mapping}[tables.units]\nSTAFF = "personer"\n"Skattesats" = "%"\n', rows, dressed=False)
    assert shown(read(path).facts) == ["MARGIN ACME 2024 12 %", "STAFF ACME 2024 5 personer", "TAX_RATE ACME 2024 25 %"]


def test_an_empty_cell_for_the_unit_is_told_with_its_place(tmp_path: Path) -> None:
    rows = [["Omsättning", "MUSD", 5], ["Antal anställda", None, 5], ["Rörelsemarginal", None, "12 %"]]
    mapping = '[[tables]]\nmetric_column = "A"\nperiod = 2024\nentity = "ACME"\ncolumns = "C"\nfirst_row = 1\n'
    (fault,) = faults_of(report(tmp_path, f'{mapping}unit_column = "B"\n', rows[:2], dressed=False))
    assert fault.startswith("Koncernen!B2: unit: STAFF has no unit")
    found = read(report(tmp_path, f'{mapping}unit_column = "B"\n', [rows[0], rows[2]], dressed=False))
    assert shown(found.facts) == ["REVENUE ACME 2024 5 USD_M", "MARGIN ACME 2024 12 %"]


def test_an_error_value_may_stand_for_no_figure(tmp_path: Path) -> None:
    def broken(sheet: Any) -> None:
        _dress(sheet)
        sheet["C6"].value, sheet["C6"].data_type = "#N/A", "e"

    path = workbook(tmp_path, REPORT, title="Koncernen", change=broken)
    mapping = path.with_name(path.name + ".map.toml")
    mapping.write_text(MAP, encoding="utf-8")
    assert faults_of(path) == [
        'Koncernen!C6: value: the error value #N/A: say empty = ["#N/A"] in the mapping, or mend the formula'
    ]
    mapping.write_text(MAP.replace('["-"]', '["-", "#n/a"]'), encoding="utf-8")
    assert len(read(path).facts) == 7


def test_a_percent_format_in_some_cells_only_leaves_the_others_open(tmp_path: Path) -> None:
    def half(sheet: Any) -> None:
        _dress(sheet)
        sheet["C8"].number_format = "0.00"

    path = workbook(tmp_path, REPORT, title="Koncernen", change=half)
    path.with_name(path.name + ".map.toml").write_text(MAP + 'MARGIN = "%"\n', encoding="utf-8")
    (fault,) = faults_of(path)
    assert fault.startswith(
        "Koncernen!C8: value: 0,13 can mean 0,13 % or 13 % (others here have a percent sign): write"
    )
