"""One source gives one value for a figure: a file that gives two was read wrongly, or is wrong, and is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ankare.ingest.figures import assemble
from ankare.ingest.figures.sayings import Sayings
from tests.ingest.figures.making import COLUMNS, HEADER, csv_file, faults_of, places, read, shown, workbook

KEEP_ONE = "keep one of them, or name for each the source_doc that it comes from"
TWO_BLOCKS = [
    ["(tusental kronor)"],
    [None, 2023, 2024],
    ["Koncernen"],
    ["Omsättning", 5, 6],
    ["Kina"],
    ["Omsättning", 1, 2],
]
BLOCK = """
[[tables]]
entity = "ACME"
metric_column = "A"
period_row = 2
unit_cell = "A1"
columns = "B:C"
first_row = 3
"""
QUARTERS = [
    ["MSEK"],
    [],
    [],
    [None, 2023, None, None, None, None],
    [None, "Q1", "Q2", "Q3", "Q4", "Helår"],
    ["Omsättning", 1, 2, 3, 4, 10],
]
YEARS_ONLY = """
[[tables]]
entity = "ACME"
metric_column = "A"
period_row = 4
unit_cell = "A1"
columns = "B:F"
first_row = 6
"""


def rows_of(folder: Path, *rows: str, header: str = HEADER) -> Path:
    return csv_file(folder, "\n".join((header, *rows, "")))


def mapped(folder: Path, rows: list[list[object]], mapping: str, change: Callable[[Any], object] | None = None) -> Path:
    path = workbook(folder, rows, change=change)
    path.with_name(path.name + ".map.toml").write_text(mapping, encoding="utf-8")
    return path


def several_values_are_refused(folder: Path) -> None:
    first, second = faults_of(
        rows_of(
            folder, *(f"intäkter,koncernen,2024,{value},USD_M" for value in (5, "5.0", 6)), "REVENUE,ACME,2024,7,MUSD"
        )
    )
    assert first == (
        f"row 4: another value for Omsättning, ACME, 2024 stands in row 2: 5 USD_M, here 6 USD_M; {KEEP_ONE}"
    )
    assert second == "row 5: another value for Omsättning, ACME, 2024 stands in row 2: 5 USD_M, here 7 USD_M"


def test_several_values_for_a_figure_are_refused_with_both_places(tmp_path: Path) -> None:
    several_values_are_refused(tmp_path)


@pytest.mark.parametrize("way", ["first", "apart"])
def test_a_reader_that_keeps_several_values_is_found_out(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The saboteurs: one takes the first value, the other each row for a source of its own."""
    if way == "first":
        monkeypatch.setattr(assemble, "_identity", lambda fact, named: fact.key)
    monkeypatch.setattr(Sayings, "contradiction", lambda *_args, **_more: "")
    with pytest.raises((AssertionError, ValueError)):
        several_values_are_refused(tmp_path)


def test_blocks_of_several_entities_read_as_one_are_refused(tmp_path: Path) -> None:
    faults = faults_of(mapped(tmp_path, TWO_BLOCKS, BLOCK))
    assert [fault.partition(", here")[0] for fault in faults] == [
        "Blad1!B6: another value for Omsättning, ACME, 2023 stands in Blad1!B4: 5 SEK_K",
        "Blad1!C6: another value for Omsättning, ACME, 2024 stands in Blad1!C4: 6 SEK_K",
    ]
    assert "is last_row missing in the mapping, or a row in period_rows?" in faults[0]
    assert len(read(mapped(tmp_path, TWO_BLOCKS, f"{BLOCK}last_row = 4\n")).facts) == 2


def test_quarters_read_as_their_year_are_refused(tmp_path: Path) -> None:
    path = mapped(tmp_path, QUARTERS, YEARS_ONLY, lambda sheet: sheet.merge_cells("B4:F4"))
    faults = faults_of(path)
    assert [fault[:8] for fault in faults] == ["Blad1!C6", "Blad1!D6", "Blad1!E6", "Blad1!F6"]
    assert "another value for Omsättning, ACME, 2023 stands in Blad1!B6: 1 SEK_M, here 2 SEK_M" in faults[0]


def test_tables_and_sheets_are_held_against_each_other(tmp_path: Path) -> None:
    (fault,) = faults_of(
        mapped(tmp_path, TWO_BLOCKS, f"{BLOCK}last_row = 4\n{BLOCK.replace('B:C', 'C')}".replace("= 3\n\n", "= 6\n"))
    )
    assert fault.startswith("Blad1!C6: another value for Omsättning, ACME, 2024 stands in Blad1!C4")

    def more(sheet: Any) -> None:
        second = sheet.parent.create_sheet("Kina")
        second.append(COLUMNS)
        second.append(["REVENUE", "ACME", "2024", 5, "MUSD"])

    (fault,) = faults_of(
        workbook(tmp_path, [COLUMNS, ["REVENUE", "ACME", "2024", 6, "MUSD"]], name="Tal.xlsx", change=more)
    )
    assert fault.startswith("Kina!D2: another value for Omsättning, ACME, 2024 stands in Blad1!D2: 6 USD_M, here 5")


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        (["5,USD_M", "5.0,MUSD"], ["5 USD_M"]),
        (["5,USD_M", "5000000,USD"], ["5 USD_M"]),
        (["0.5,SEK_M", "500,tkr", "500000,SEK"], ["0.5 SEK_M"]),
    ],
)
def test_the_same_amount_twice_is_only_a_note(rows: list[str], kept: list[str], tmp_path: Path) -> None:
    found = read(rows_of(tmp_path, *(f"REVENUE,ACME,2024,{row}" for row in rows)))
    assert [f"{fact.value} {fact.unit}" for fact in found.facts] == kept
    assert found.notes[0].startswith("counted once: row 3 repeats row 2")


@pytest.mark.parametrize("other", ["5,SEK_M", "5,USD_K", "5.01,USD_M"])
def test_another_unit_is_another_value(other: str, tmp_path: Path) -> None:
    (fault,) = faults_of(rows_of(tmp_path, "REVENUE,ACME,2024,5,USD_M", f"REVENUE,ACME,2024,{other}"))
    assert "stands in row 2: 5 USD_M, here" in fault


def test_sources_that_are_named_may_disagree_and_one_may_not(tmp_path: Path) -> None:
    header = f"{HEADER},source_doc,source_locator"
    row = "REVENUE,ACME,2024,{},USD_M,{}"
    found = read(rows_of(tmp_path, row.format(1, "A.pdf,s. 1"), row.format(2, "B.pdf,s. 1"), header=header))
    assert places(found.facts) == [("A.pdf", "s. 1"), ("B.pdf", "s. 1")]
    for places_of in (("A.pdf,s. 1", "A.pdf,s. 1"), ("A.pdf,s. 1", "A.pdf,s. 7"), (",s. 1", ",s. 2"), (",s. 1", ",")):
        (fault,) = faults_of(rows_of(tmp_path, *(row.format(*one) for one in enumerate(places_of)), header=header))
        assert fault.startswith("row 3: another value for Omsättning, ACME, 2024 stands in row 2: 0 USD_M, here 1")
    found = read(rows_of(tmp_path, row.format(1, "A.pdf,s. 1"), row.format("1.0", "A.pdf,s. 1"), header=header))
    assert (len(found.facts), found.notes) == (1, ("counted once: row 3 repeats row 2",))


def test_a_value_that_waits_or_was_rejected_may_stand_beside_one_that_holds(tmp_path: Path) -> None:
    header = f"{HEADER},review_status"
    rows = [f"REVENUE,ACME,2024,{value},USD_M,{status}" for value, status in ((1, ""), (2, "pending"), (3, "rejected"))]
    assert len(read(rows_of(tmp_path, *rows, "REVENUE,ACME,2024,4,USD_M,rejected", header=header)).facts) == 4
    (fault,) = faults_of(rows_of(tmp_path, *rows, "REVENUE,ACME,2024,4,USD_M,pending", header=header))
    assert "stands in row 3: 2 USD_M, here 4 USD_M" in fault


def test_skipping_bad_rows_takes_none_of_several_values(tmp_path: Path) -> None:
    rows = ["REVENUE,ACME,2024,1,USD_M", "REVENUE,ACME,2023,1,USD_M", "REVENUE,ACME,2024,2,USD_M"]
    found = read(rows_of(tmp_path, *rows), skip_bad=True)
    assert shown(found.facts) == ["REVENUE ACME 2023 1 USD_M"]
    assert found.notes == ("of figures with several values none was taken (1)",)


def test_channels_periods_and_entities_are_figures_of_their_own(tmp_path: Path) -> None:
    rows = ["REVENUE,ACME,2024,1,USD_M,", "REVENUE,ACME,2024,2,USD_M,Agentur", "REVENUE,ACME,2024Q4,3,USD_M,"]
    found = read(rows_of(tmp_path, *rows, "REVENUE,Kina,2024,4,USD_M,", header=f"{HEADER},channel"))
    assert len(found.facts) == 4
    (fault,) = faults_of(rows_of(tmp_path, rows[1], rows[1].replace(",2,", ",5,"), header=f"{HEADER},channel"))
    assert "another value for Omsättning, ACME, 2024, AGENCY stands in row 2" in fault
