"""Around a figure its own file's rows are kept as they were, and nothing else: bounded, and gone with the file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from typer.testing import CliRunner

from ankare.cli.facts import app
from ankare.domain.fact import Fact
from ankare.facts import surroundings
from ankare.facts.open import open_store
from ankare.facts.protocol import FactStore
from ankare.facts.surroundings import Excerpt, KeptTables
from ankare.index.home import Home
from ankare.ingest.figures.run import STORE_FILE
from ankare.ingest.remove import remove
from ankare.ingest.run import ingest
from tests.service.librarian import PROFILE

HEADER = "metric,entity,period,value,unit"
YEARS = range(2015, 2025)


def pack_with(folder: Path, files: dict[str, str]) -> Path:
    for name, text in {"profile.toml": PROFILE, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def rows(*years: int) -> str:
    return "\n".join([HEADER, *(f"REVENUE,BOLAG,{year},{year - 2000}.5,SEK_M" for year in years)]) + "\n"


class Held:
    """A home with figures, and what is kept around them."""

    def __init__(self, folder: Path) -> None:
        self.pack, self.path = folder / "pack", folder / "home"
        self.home = Home(self.path)

    def read(self, files: dict[str, str] | None = None) -> None:
        pack_with(self.pack, files or {})
        ingest([self.pack], self.home, workers=1)

    def facts(self) -> list[Fact]:
        store: FactStore = open_store(self.path / STORE_FILE)
        try:
            return [stored.fact for stored in store.facts()]
        finally:
            store.close()

    def fact(self, period: str = "2020") -> Fact:
        return next(fact for fact in self.facts() if fact.period == period)

    def around(self, fact: Fact) -> Excerpt | None:
        return KeptTables(self.path / surroundings.FOLDER).around(fact)

    def files(self) -> list[Path]:
        return sorted((self.path / surroundings.FOLDER).iterdir())


@pytest.fixture
def held(tmp_path: Path) -> Held:
    return Held(tmp_path)


def test_a_figure_of_a_csv_file_stands_between_its_neighbours_under_the_header(held: Held) -> None:
    held.read({"facts/a.csv": rows(*YEARS)})
    found = held.around(held.fact())
    assert found is not None
    assert (found.file, found.sheet, found.row, found.column) == ("a.csv", "", 7, 3)
    assert [(row.number, row.cells[2]) for row in found.rows] == [
        (5, "2018"), (6, "2019"), (7, "2020"), (8, "2021"), (9, "2022"),
    ]  # fmt: skip
    assert [row.cells for row in found.headings] == [tuple(HEADER.split(","))]


def test_every_figure_finds_its_own_row_at_both_ends_too(held: Held) -> None:
    held.read({"facts/a.csv": rows(*YEARS)})
    for fact in held.facts():
        found = held.around(fact)
        assert found is not None
        (own,) = [row for row in found.rows if row.number == found.row]
        assert (own.cells[2], own.cells[found.column]) == (fact.period, f"{int(fact.period) - 2000}.5")


def workbook(path: Path, change: Callable[[openpyxl.worksheet.worksheet.Worksheet], None] = lambda sheet: None) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Blad 1"
    for row in (["Rapport"], ["", 2023, 2024], ["Omsättning", 1320.5, 1371.6], ["Anm", "hemlig", 0.12], ["Slut"]):
        book.active.append(row)
    book.active["C4"].number_format = "0 %"
    change(book.active)
    path.parent.mkdir(parents=True, exist_ok=True)
    book.save(path)


MAPPING = """
[[tables]]
first_row = 3
last_row = 3
columns = "B:C"
metric_column = "A"
entity = "BOLAG"
period_rows = [2]
unit = "SEK_M"
"""


def test_a_figure_of_a_mapped_workbook_has_its_heading_rows_and_the_cells_as_shown(held: Held) -> None:
    workbook(held.pack / "facts/r.xlsx")
    held.read({"facts/r.xlsx.map.toml": MAPPING})
    found = held.around(held.fact("2024"))
    assert found is not None
    assert (found.sheet, found.row, found.column) == ("Blad 1", 3, 2)
    assert [row.cells for row in found.headings] == [("", 2023, 2024)]
    assert [row.cells for row in found.rows] == [
        ("Rapport",),
        ("Omsättning", 1320.5, 1371.6),
        ("Anm", "hemlig", [12.0]),
        ("Slut",),
    ]


def test_what_is_hidden_in_a_workbook_is_not_kept_unless_the_figure_stands_there(held: Held) -> None:
    def hide(sheet: openpyxl.worksheet.worksheet.Worksheet) -> None:
        sheet.row_dimensions[4].hidden = True
        sheet.column_dimensions["B"].hidden = True

    workbook(held.pack / "facts/r.xlsx", hide)
    held.read({"facts/r.xlsx.map.toml": MAPPING})
    (path,) = held.files()
    assert b"hemlig" not in path.read_bytes()
    found = held.around(held.fact("2023"))
    assert found is not None
    assert [row.number for row in found.rows] == [1, 3, 5]
    assert found.rows[1].cells == ("Omsättning", 1320.5, 1371.6)


def test_a_row_that_names_another_source_is_found_all_the_same(held: Held) -> None:
    text = f"{HEADER},source_doc,source_locator\nREVENUE,BOLAG,2020,5,SEK_M,Bokslut.pdf,s. 4\n"
    held.read({"facts/a.csv": text})
    found = held.around(held.fact())
    assert found is not None
    assert (found.file, found.row) == ("a.csv", 2)


def test_a_reload_keeps_it_and_a_changed_file_has_its_new_rows_alone(held: Held) -> None:
    held.read({"facts/a.csv": rows(*YEARS)})
    before = held.files()
    held.read()
    assert held.files() == before
    assert held.around(held.fact()) is not None
    held.read({"facts/a.csv": rows(2020, 2030)})
    (after,) = held.files()
    assert after not in before
    found = held.around(held.fact())
    assert found is not None
    assert [row.cells[2] for row in found.rows] == ["2020", "2030"]


def test_what_is_missing_comes_back_with_the_next_load(held: Held) -> None:
    held.read({"facts/a.csv": rows(2020)})
    held.files()[0].unlink()
    assert held.around(held.fact()) is None
    held.read()
    assert held.around(held.fact()) is not None


def test_a_file_that_is_refused_keeps_the_rows_of_what_stays(held: Held) -> None:
    held.read({"facts/a.csv": rows(2020)})
    held.read({"facts/a.csv": rows(2020) + "REVENUE,BOLAG,2021,tolv,SEK_M\n"})
    assert held.around(held.fact()) is not None


def gone_from_its_folder(held: Held) -> None:
    (held.pack / "facts/a.csv").unlink()
    held.read()


def taken_out(held: Held) -> None:
    remove(["a.csv"], held.home)


@pytest.mark.parametrize("way", [gone_from_its_folder, taken_out])
def test_the_rows_go_with_the_file(held: Held, way: Callable[[Held], None]) -> None:
    held.read({"facts/a.csv": rows(2020), "facts/b.csv": rows(2021)})
    (held.path / surroundings.FOLDER / ".left-by-a-kill.tmp").write_text("rest")
    fact = held.fact()
    way(held)
    assert held.around(fact) is None
    assert len(held.files()) == 1
    assert held.around(held.fact("2021")) is not None


def other_bytes(fact: Fact) -> Fact:
    return replace(fact, source_file_hash="0" * 64)


def another_file(fact: Fact) -> Fact:
    return replace(fact, source_file="/elsewhere/a.csv")


def no_hash(fact: Fact) -> Fact:
    return replace(fact, source_file_hash="../../etc/passwd")


def no_file(fact: Fact) -> Fact:
    return replace(fact, source_file="", source_file_hash="")


def another_value(fact: Fact) -> Fact:
    return replace(fact, value=fact.value + 1)


@pytest.mark.parametrize("changed", [other_bytes, another_file, no_hash, no_file, another_value])
def test_nothing_is_shown_for_a_figure_that_these_bytes_did_not_give(
    held: Held, changed: Callable[[Fact], Fact]
) -> None:
    held.read({"facts/a.csv": rows(2020)})
    assert held.around(changed(held.fact())) is None


@pytest.mark.parametrize("content", [b"", b"\n", b"[]\n", b"{}", b'["x"]\n["",2,[],{"KEY":1},[]]\n', b"\xff\n"])
def test_a_damaged_or_exchanged_file_shows_nothing(held: Held, content: bytes) -> None:
    held.read({"facts/a.csv": rows(2020)})
    (path,) = held.files()
    path.write_bytes(content.replace(b"KEY", surroundings.figure_key(held.fact()).encode()))
    assert held.around(held.fact()) is None


def test_a_saboteur_that_does_not_look_at_the_hash_is_caught(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    held.read({"facts/a.csv": rows(2020)})
    monkeypatch.setattr(surroundings, "_name", lambda path, sha256: held.files()[0].name)
    monkeypatch.setattr(surroundings, "_HASH", surroundings.re.compile(".*"))
    assert held.around(held.fact()) is not None
    assert held.around(other_bytes(held.fact())) is None, "the first line still says whose bytes they are"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(surroundings, "MAX_BYTES", 500)
    yield 500


def test_what_is_kept_of_a_file_is_bounded(held: Held, small: int) -> None:
    held.read({"facts/a.csv": rows(*YEARS)})
    (path,) = held.files()
    assert path.stat().st_size <= small
    assert held.around(held.fact("2015")) is not None
    assert held.around(held.fact("2024")) is None
    assert len(held.facts()) == len(YEARS)


def test_long_cells_and_far_columns_are_cut(held: Held) -> None:
    wide = ",".join([HEADER, *(f"c{n}" for n in range(400))])
    cells = ",".join(["REVENUE,BOLAG,2020,5,SEK_M", "x" * 5000, *("y" for _ in range(399))])
    held.read({"facts/a.csv": f"{wide}\n{cells}\n"})
    found = held.around(held.fact())
    assert found is not None
    assert len(found.rows[0].cells) == 200
    assert found.rows[0].cells[5] == "x" * 120 + "…"


def test_a_folder_that_cannot_be_written_stops_no_figure(held: Held) -> None:
    pack_with(held.pack, {"facts/a.csv": rows(2020)})
    held.path.mkdir()
    (held.path / surroundings.FOLDER).write_text("a file where the folder should be")
    report = ingest([held.pack], held.home, workers=1)
    (told,) = [file for file in report.files if file.source == "a.csv"]
    assert (told.status, told.facts) == ("added", 1)
    assert "the rows around its figures could not be kept" in told.message


@pytest.mark.parametrize("status", ["pending", "rejected"])
def test_a_row_whose_figure_is_not_approved_is_not_kept(held: Held, status: str) -> None:
    lines = [f"{HEADER},review_status", "REVENUE,BOLAG,2020,20.5,SEK_M,approved"]
    lines.append(f"REVENUE,BOLAG,2021,987654.5,SEK_M,{status}")
    held.read({"facts/a.csv": "\n".join(lines) + "\n"})
    found = held.around(held.fact("2020"))
    assert found is not None
    assert [row.number for row in found.rows] == [2]
    assert not any(b"987654" in path.read_bytes() for path in held.files())


def test_the_rows_of_a_file_go_when_one_of_its_figures_is_rejected(held: Held) -> None:
    held.read({"facts/a.csv": rows(2020, 2021)})
    store = open_store(held.path / STORE_FILE)
    number = next(stored.id for stored in store.facts() if stored.fact.period == "2021")
    store.close()
    done = CliRunner().invoke(app, ["review", str(number), "rejected", "--home", str(held.path)])
    assert done.exit_code == 0, done.output
    assert held.around(held.fact("2020")) is None


@pytest.mark.parametrize("cell", ["NaN", "Infinity", "[" * 100_000, '{"a":1}', "[1,2]", "null"])
def test_a_damaged_neighbour_shows_nothing(held: Held, cell: str) -> None:
    held.read({"facts/a.csv": rows(2020, 2021)})
    (path,) = held.files()
    path.write_bytes(path.read_bytes().replace(b'"21.5"', cell.encode()).replace(b"21.5", cell.encode()))
    assert held.around(held.fact("2020")) is None


def test_a_pipe_is_not_waited_for(held: Held) -> None:
    held.read({"facts/a.csv": rows(2020)})
    (path,) = held.files()
    path.unlink()
    os.mkfifo(path)
    assert held.around(held.fact()) is None
    held.read()
    assert held.around(held.fact()) is not None


def test_what_is_not_ours_stays(held: Held, tmp_path: Path) -> None:
    held.read({"facts/a.csv": rows(2020)})
    folder = held.path / surroundings.FOLDER
    (folder / "notes.txt").write_text("mine")
    held.read({"facts/a.csv": rows(2021)})
    assert (folder / "notes.txt").exists()
    outside = tmp_path / "outside"
    folder.rename(outside)
    folder.symlink_to(outside)
    before = sorted(outside.iterdir())
    KeptTables(folder).keep_only({})
    assert sorted(outside.iterdir()) == before
