"""A report never takes the place of what it did not write itself."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ankare.cli.main import app
from ankare.errors import EvaluationError
from ankare.evaluation.asking.run_folder import ANSWERS, CONDITIONS
from ankare.evaluation.report import place
from tests.evaluation.reported import folders

MINE = "my own notes\n"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return folders(tmp_path)[0]


def report(run: Path, out: Path, *more: str) -> Result:
    return CliRunner().invoke(app, ["eval", "report", str(run), "--out", str(out), *more])


@pytest.mark.parametrize("name", [ANSWERS, "report.md", "report", "report.html.csv"])
def test_a_name_that_is_no_pages_is_refused(run: Path, name: str) -> None:
    before = (run / ANSWERS).read_bytes()
    found = report(run, run / name, "--force")
    assert found.exit_code != 0
    assert isinstance(found.exception, EvaluationError)
    assert ".html" in found.exception.remedy
    assert (run / ANSWERS).read_bytes() == before


@pytest.mark.parametrize("name", ["x.html", "x.md", "x-questions.csv", "x-measures.csv"])
def test_what_somebody_else_wrote_stays(run: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(MINE, encoding="utf-8")
    found = report(run, tmp_path / "x.html")
    assert found.exit_code != 0
    assert name in str(found.exception)
    assert (tmp_path / name).read_text(encoding="utf-8") == MINE
    assert len(list(tmp_path.glob("x*"))) == 1
    assert report(run, tmp_path / "x.html", "--force").exit_code == 0
    assert (tmp_path / name).read_text(encoding="utf-8") != MINE


def test_a_report_takes_the_place_of_an_earlier_one(run: Path, tmp_path: Path) -> None:
    assert report(run, tmp_path / "x.html").exit_code == 0
    assert report(run, tmp_path / "x.html", "--title", "Nyare").exit_code == 0
    assert "Nyare" in (tmp_path / "x.html").read_text(encoding="utf-8")
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("name", ["x.html", "x.md"])
def test_a_link_is_never_followed(run: Path, tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text(MINE, encoding="utf-8")
    (tmp_path / name).symlink_to(victim)
    assert report(run, tmp_path / "x.html").exit_code != 0
    assert report(run, tmp_path / "x.html", "--force").exit_code == 0
    assert victim.read_text(encoding="utf-8") == MINE


def test_a_file_in_the_folder_of_a_run_stays_even_when_forced(run: Path) -> None:
    (run / "sheet.html").write_text(MINE, encoding="utf-8")
    assert report(run, run / "sheet.html", "--force").exit_code != 0
    assert (run / "sheet.html").read_text(encoding="utf-8") == MINE


def test_a_saboteur_that_takes_every_file_for_its_own_is_noticed(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, "is_ours", lambda page: True)
    (tmp_path / "x.md").write_text(MINE, encoding="utf-8")
    assert report(run, tmp_path / "x.html").exit_code == 0
    assert (tmp_path / "x.md").read_text(encoding="utf-8") != MINE


def test_a_folder_whose_name_is_no_unicode_is_reported(run: Path, tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"run\xff\x1b[31m")
    shutil.copytree(run, odd)
    path = odd / CONDITIONS
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"name": ""}), "utf-8")
    found = CliRunner().invoke(app, ["eval", "report", str(odd), str(run), "--out", str(tmp_path / "x.html")])
    assert found.exit_code == 0, found.exception
    for name in ("x.html", "x.md", "x-questions.csv", "x-measures.csv"):
        text = (tmp_path / name).read_text("utf-8")
        assert "[31m" in text
        assert "\x1b" not in text
