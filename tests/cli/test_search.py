"""`ankare search`: hits for a person, as JSON, and a row per line of a file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ankare.cli.search import excerpt
from tests.service.real import build_home, write_documents


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("search")
    return build_home(folder / "home", write_documents(folder / "documents"))


def run(home: Path, *arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "ANKARE_SEMANTIC": "false", "COLUMNS": "100"}
    command = [
        sys.executable,
        "-c",
        "from ankare.cli.main import run; run()",
        "search",
        *arguments,
        "--home",
        str(home),
    ]
    return subprocess.run(command, capture_output=True, text=True, env=environment, input=stdin, check=False)


def test_hits_are_shown_with_place_and_score(home: Path) -> None:
    done = run(home, "Vem bokar lokalen?")
    assert done.returncode == 0, done.stderr
    assert "plan.pdf, p. 1" in done.stdout


def test_rows_of_a_table_stand_on_lines_of_their_own(tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "roller.md").write_text(
        "# Roller\n\n| Roll | Namn |\n|---|---|\n| Ledare | Bo |\n| Arkivarie | Eva |\n", "utf-8"
    )
    shown = run(build_home(tmp_path / "home", documents), "arkivarie").stdout.splitlines()
    assert [line.strip() for line in shown if "|" in line] == ["Roll | Namn", "Ledare | Bo", "Arkivarie | Eva"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\n\nb\r\n c ", "a\nb\nc"),
        ("x" * 300, "x" * 240 + " …"),
        ("ord " * 100, "ord " * 59 + "…"),
        ("\x1b[31ma", None),
    ],
)
def test_an_excerpt_is_short_and_harmless(text: str, shown: str | None) -> None:
    found = excerpt(text)
    assert shown is None or found == shown
    assert "\x1b" not in found


def test_explained_parts_sum_to_the_score(home: Path) -> None:
    body = json.loads(run(home, "Vem bokar lokalen?", "--json", "--explain").stdout)
    assert body["query"] == "Vem bokar lokalen?"
    for hit in body["hits"]:
        total = sum(part["contribution"] for part in hit["explanation"]["parts"])
        assert total == pytest.approx(hit["score"], abs=1e-4)
    assert "coverage" in run(home, "Vem bokar lokalen?", "--explain").stdout


def test_batch_gives_a_row_a_line_in_order(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "queries.txt"
    file.write_text("lokalen\n\nfotboll\nVem bokar lokalen?\n", encoding="utf-8")
    done = run(home, "--batch", str(file), "--top-k", "1")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["query"] for row in rows] == ["lokalen", "", "fotboll", "Vem bokar lokalen?"]
    assert [len(row["hits"]) for row in rows] == [1, 0, 0, 1]
    assert all(set(row) == {"query", "hits"} for row in rows)
    assert set(rows[0]["hits"][0]) == {"chunk_id", "source", "pages", "score", "text"}
    assert "line 2" in done.stderr
    assert run(home, "--batch", "-", "--top-k", "1", stdin=file.read_text(encoding="utf-8")).stdout == done.stdout


@pytest.mark.parametrize("arguments", [(), ("x", "--batch", "-"), ("--batch", "/nowhere"), ("x", "--top-k", "0")])
def test_bad_use_is_told(home: Path, arguments: tuple[str, ...]) -> None:
    done = run(home, *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_language_that_nothing_is_read_in_is_told_with_those_that_there_are(home: Path) -> None:
    done = run(home, "planen", "--language", "xx")
    assert (done.returncode, done.stderr) == (
        2,
        "ankare: --language: 'xx' is not one of sv, en, zh. Choose one of them.\n",
    )


def test_a_home_without_an_index_is_told(tmp_path: Path) -> None:
    done = run(tmp_path / "none", "x")
    assert done.returncode == 2
    assert "ankare ingest" in done.stderr
