"""Beside a figure a reader sees its cell in its table, in the reader's language, and never what the reader may not read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from fastapi.testclient import TestClient

from ankare.facts.surroundings import FOLDER, Excerpt, TableRow
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.messages import languages, messages
from ankare.service.app import create_app
from ankare.service.page.excerpt import excerpts_html, said_cell, shown_columns
from ankare.settings import Settings
from tests.ingest.figures.test_kept_tables import MAPPING, pack_with, workbook
from tests.service.librarian import opened, pack_of

HEADER = "metric,entity,period,value,unit"
ROWS = "\n".join([HEADER, *(f"REVENUE,BOLAG,{year},{year - 2000}.5,SEK_M" for year in range(2015, 2025))]) + "\n"


def beside(client: Any, question: str, lang: str = "sv") -> str:
    """All that the page shows beside the answer."""
    answer = client.post(f"/page/ask?lang={lang}", json={"question": question})
    (data,) = re.findall(r"event: answer\ndata: (.*)", answer.text)
    told: dict[str, Any] = orjson.loads(data)
    return "".join(str(view["html"]) for view in told["views"])


def service(home: Path) -> TestClient:
    return TestClient(create_app(Settings(home=home, semantic=False)))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    pack = pack_with(tmp_path / "pack", {"facts/a.csv": ROWS})
    ingest([pack], Home(tmp_path / "home"), workers=1)
    return tmp_path / "home"


def test_the_cell_of_a_csv_file_is_marked_between_its_neighbours(home: Path) -> None:
    with service(home) as client:
        html = beside(client, "Vad var omsättningen 2020?")
    assert re.findall("<mark>(.*?)</mark>", html) == ["20.5"]
    assert "Cellen i sin tabell, ur a.csv" in html
    assert re.findall(r'class="ak-row-number">(?:<span.*?</span>)?(\d+)<', html) == ["1", "5", "6", "7", "8", "9"]
    assert '<th scope="col">metric</th>' in html
    assert "<dt>" in html, "all that is stored of it is still told"


@pytest.mark.parametrize(("lang", "shown"), [("sv", "1371,6"), ("en", "1371.6")])
def test_the_cell_of_a_workbook_is_written_as_the_reader_writes(tmp_path: Path, lang: str, shown: str) -> None:
    workbook(tmp_path / "pack/facts/r.xlsx")
    ingest([pack_with(tmp_path / "pack", {"facts/r.xlsx.map.toml": MAPPING})], Home(tmp_path / "h"), workers=1)
    with service(tmp_path / "h") as client:
        html = beside(client, "Vad var omsättningen 2024?", lang)
    assert re.findall("<mark>(.*?)</mark>", html) == [shown]
    assert '<th scope="col">2024</th>' in html, "a heading is no amount"
    assert "Blad 1" in html
    assert 'aria-hidden="true"><td></td><td>A</td><td>B</td><td>C</td></tr>' in html


def test_an_upload_has_its_table_too_and_takes_it_along_when_it_goes(tmp_path: Path) -> None:
    ingest([pack_of(tmp_path / "pack")], Home(tmp_path / "home"), workers=1)
    with opened(tmp_path / "home") as librarian:
        librarian.take_in("uppladdad.csv", ROWS)
        with service(tmp_path / "home") as client:
            assert "<mark>20.5</mark>" in beside(client, "Vad var omsättningen 2020?")
        librarian.done(librarian.delete("files/uppladdad.csv"))
    assert list((tmp_path / "home" / FOLDER).iterdir()) == []


def without_rows(home: Path) -> None:
    for path in (home / FOLDER).iterdir():
        path.unlink()


def with_other_bytes(home: Path) -> None:
    for path in (home / FOLDER).iterdir():
        path.write_bytes(b'["' + b"0" * 64 + path.read_bytes()[66:])


@pytest.mark.parametrize("change", [without_rows, with_other_bytes])
def test_where_no_rows_are_kept_the_view_is_as_before(home: Path, change: Callable[[Path], None]) -> None:
    change(home)
    with service(home) as client:
        html = beside(client, "Vad var omsättningen 2020?")
    assert "<mark>" not in html
    assert "<dd>20,5</dd>" in html


def test_rows_of_a_file_with_a_label_reach_only_its_readers(tmp_path: Path) -> None:
    files = {"facts/a.csv": ROWS, "facts/a.csv.meta.toml": 'access = "board"', "documents/d.md": "# Drift\n\nTestas.\n"}
    ingest([pack_with(tmp_path / "pack", files)], Home(tmp_path / "home"), workers=1)
    settings = Settings(home=tmp_path / "home", semantic=False)
    with service(tmp_path / "home") as client:
        assert "20.5" not in beside(client, "Vad var omsättningen 2020?")
    assert b"20.5" in next((settings.home / FOLDER).iterdir()).read_bytes()


def excerpt(*cells: Any, column: int = 0, headings: tuple[TableRow, ...] = (), sheet: str = "") -> Excerpt:
    return Excerpt("f.csv", sheet, headings, (TableRow(7, tuple(cells)),), 7, column)


@pytest.mark.parametrize("language", languages())
def test_nothing_in_a_table_is_markup(language: str) -> None:
    hostile = "<img src=x onerror=alert(1)>\u202e"
    found = Excerpt(
        hostile, hostile, (TableRow(1, (hostile,)),), (TableRow(7, (hostile, 1)), TableRow(9, (hostile,))), 7, 0
    )
    html = excerpts_html([found], messages(language), language)
    assert "<img" not in html and "\u202e" not in html
    assert html.count("&lt;img") == 9
    assert html.count("ak-gap") == 2


def test_a_table_is_shown_once_however_many_figures_have_it() -> None:
    percent = excerpt([12.5], "a")
    html = excerpts_html([percent, percent, excerpt("b")], messages("sv"), "sv")
    assert html.count("<table ") == 2
    assert "<mark>12,5\u00a0%</mark>" in html


@pytest.mark.parametrize(
    ("cell", "language", "text"),
    [
        ("1 182,4", "en", "1 182,4"),
        (2024, "sv", "2024"),
        (-1320.5, "sv", "-1320,5"),
        (1320.5, "zh", "1320.5"),
        ([12], "en", "12%"),
        (1e-05, "en", "0.00001"),
        (1e20, "en", "1" + "0" * 20),
    ],
)
def test_a_cell_is_said_as_the_reader_writes_numbers(cell: Any, language: str, text: str) -> None:
    assert said_cell(cell, language) == text


@pytest.mark.parametrize(
    ("count", "column", "shown"),
    [
        (3, 1, [0, 1, 2]),
        (12, 11, list(range(12))),
        (40, 20, [0, 1, -1, 17, 18, 19, 20, 21, 22, 23, -1]),
        (40, 39, [0, 1, -1, 36, 37, 38, 39]),
        (40, 0, [0, 1, 2, 3, -1]),
        (40, 4, [0, 1, 2, 3, 4, 5, 6, 7, -1]),
    ],
)
def test_of_a_wide_table_the_first_columns_and_those_near_are_shown(count: int, column: int, shown: list[int]) -> None:
    assert list(shown_columns(count, column)) == shown
