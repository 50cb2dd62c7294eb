"""The command line sees all, and what a reader sees where it is told to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ankare.cli.main import app
from tests.access.world import at_once

QUESTION = "Hur finansieras uppköpet av Zirkonbolaget?"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return at_once(tmp_path_factory.mktemp("home"))


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 0),
        (("--as-label", "Board"), 0),
        (("--as-label", "legal", "--as-label", "board"), 0),
        (("--as-label", "legal"), 3),
        (("--as-public",), 3),
        (("--as-label", "the board"), 2),
        (("--as-label", "board", "--as-public"), 2),
    ],
)
def test_a_question_is_asked_through_a_readers_eyes(home: Path, options: tuple[str, ...], code: int) -> None:
    done = CliRunner().invoke(app, ["ask", QUESTION, "--home", str(home), "--json", *options])
    assert done.exit_code == code, done.output
    if code == 3:
        assert json.loads(done.stdout)["sources"] == []


def test_a_search_sees_what_a_reader_sees(home: Path) -> None:
    def sources(*options: str) -> set[str]:
        done = CliRunner().invoke(app, ["search", "Zirkonbolaget", "--home", str(home), "--json", *options])
        return {hit["source"] for hit in json.loads(done.stdout)["hits"]}

    assert "styrelse/fusion.md" in sources() & sources("--as-label", "board")
    assert not any("styrelse" in source for source in sources("--as-public"))


def test_doctor_and_ingest_tell_of_labels(home: Path) -> None:
    told = json.loads(CliRunner().invoke(app, ["doctor", "--home", str(home), "--json"]).stdout)
    (labels,) = (check for check in told if check["name"] == "labels")
    assert "board: 6 documents" in labels["found"] and "legal: 1 document" in labels["found"]
    assert "ankare keys" in labels["remedy"]
    done = CliRunner().invoke(app, ["ingest", str(home.parent / "docs"), "--home", str(home), "--no-semantic"])
    assert "6 with board, 1 with legal" in done.output.replace("\n", " ")
