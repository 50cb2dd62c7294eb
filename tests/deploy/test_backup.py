"""A home that was saved while it was in use answers as before once it is restored; half of one is never there."""

from __future__ import annotations

import fcntl
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.settings import Settings
from ankare.wiring import open_engine
from tests.service.real import write_documents

sys.path.insert(0, str(Path(__file__).parents[2] / "deploy"))

import backup_home

QUESTION = "Vem bokar lokalen?"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    ingest([write_documents(tmp_path / "documents")], Home(folder), workers=1)
    return folder


def answer(home: Path) -> str:
    return str(open_engine(Settings(home=home, semantic=False)).ask(QUESTION).outcome)


def run(*words: str | Path) -> int:
    return backup_home.main([str(word) for word in words])


def test_what_was_saved_answers_as_before_and_can_be_added_to(home: Path, tmp_path: Path) -> None:
    before = answer(home)
    assert run("save", "--home", home, "--out", tmp_path / "a.tar.gz") == 0
    assert run("restore", "--home", tmp_path / "again", "--from", tmp_path / "a.tar.gz") == 0
    assert answer(tmp_path / "again") == before
    assert Home(tmp_path / "again").current_version() == Home(home).current_version()
    report = ingest([tmp_path / "documents"], Home(tmp_path / "again"), workers=1)
    assert {file.status.value for file in report.files} == {"unchanged"}


def test_figures_are_saved_with_what_stands_in_the_log_of_the_database(home: Path, tmp_path: Path) -> None:
    """As long as somebody has the database open, what is new may stand in its log alone."""
    with closing(sqlite3.connect(home / "facts.db")) as open_one:
        open_one.execute("PRAGMA journal_mode = WAL")
        open_one.execute("CREATE TABLE figures (value TEXT)")
        open_one.execute("INSERT INTO figures VALUES ('12.5')")
        open_one.commit()
        assert (home / "facts.db-wal").stat().st_size > 0
        assert run("save", "--home", home, "--out", tmp_path / "a.tar.gz") == 0
    assert run("restore", "--home", tmp_path / "again", "--from", tmp_path / "a.tar.gz") == 0
    assert not list((tmp_path / "again").glob("facts.db-*"))
    with closing(sqlite3.connect(tmp_path / "again/facts.db")) as restored:
        assert restored.execute("SELECT value FROM figures").fetchall() == [("12.5",)]


def test_a_build_is_waited_for_and_told(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (home / "lock").open("a") as building:
        fcntl.flock(building, fcntl.LOCK_EX)
        assert run("save", "--home", home, "--out", tmp_path / "a.tar.gz", "--patience", "0") == 1
    assert "being built" in capsys.readouterr().err
    assert not (tmp_path / "a.tar.gz").exists()


def test_what_is_unfinished_is_left_out(home: Path, tmp_path: Path) -> None:
    for folder in ("versions/.building", "library/.incoming"):
        (home / folder).mkdir(parents=True)
        (home / folder / "half").write_text("half", "utf-8")
    (home / "library/documents").mkdir()
    (home / "library/documents/a.md").write_text("# A", "utf-8")
    run("save", "--home", home, "--out", tmp_path / "a.tar.gz")
    run("restore", "--home", tmp_path / "again", "--from", tmp_path / "a.tar.gz")
    assert not list((tmp_path / "again").rglob("half"))
    assert (tmp_path / "again/library/documents/a.md").read_text("utf-8") == "# A"


@pytest.mark.parametrize("size", [0, 10, 2000])
def test_a_damaged_archive_leaves_nothing(home: Path, tmp_path: Path, size: int) -> None:
    run("save", "--home", home, "--out", tmp_path / "a.tar.gz")
    (tmp_path / "b.tar.gz").write_bytes((tmp_path / "a.tar.gz").read_bytes()[:size])
    assert run("restore", "--home", tmp_path / "again", "--from", tmp_path / "b.tar.gz") == 1
    assert not (tmp_path / "again").exists()
    assert not list(tmp_path.glob(".again-*"))


def test_nothing_is_written_over(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("save", "--home", home, "--out", tmp_path / "a.tar.gz")
    assert run("restore", "--home", home, "--from", tmp_path / "a.tar.gz") == 1
    assert run("save", "--home", tmp_path / "nowhere", "--out", tmp_path / "b.tar.gz") == 1
    assert "holds something" in capsys.readouterr().err
