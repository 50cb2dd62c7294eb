"""`ankare eval suggest`: drafts are written once, never over somebody's corrections."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ankare.evaluation.suites.suite import read_suite
from tests.service.real import build_home

TEXT = """# Plan

## Roller

Styrgruppen beslutar om budgeten. Projektledaren ansvarar för tidplanen.

## Möten

Protokollet skickas ut senast tre dagar efter mötet. Loggen sparas i fem år.

En loggbok är en lista över det som har hänt under ett pass.
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suggest")
    (folder / "documents").mkdir()
    (folder / "documents" / "plan.md").write_text(TEXT, "utf-8")
    return build_home(folder / "home", folder / "documents")


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from ankare.cli.main import run; run()", "eval", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_drafts_are_written_and_what_there_is_too_little_of_is_told(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "draft.jsonl"
    done = run("suggest", "--home", home, "--out", out, "--count", 20)
    assert done.returncode == 0, done.stderr
    suite = read_suite(out)
    assert f"{len(suite)} drafts" in done.stdout and "Fewer than the 20 asked for" in done.stdout
    assert "process 0 of" in done.stdout and "ankare eval check" in done.stdout
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert all(row["draft"] is True for row in rows)
    assert "Vem beslutar om budgeten?" in {row["question"] for row in rows}
    checked = run("check", out, "--home", home)
    assert checked.returncode == 0 and "not looked at yet: " in checked.stdout


def test_a_file_that_is_there_is_not_written_over_without_force(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "draft.jsonl"
    out.write_text("corrected by hand", "utf-8")
    done = run("suggest", "--home", home, "--out", out)
    assert done.returncode == 2 and "--force" in done.stderr and out.read_text("utf-8") == "corrected by hand"
    assert run("suggest", "--home", home, "--out", out, "--force").returncode == 0
    assert len(read_suite(out)) > 0


def test_one_type_and_one_language_can_be_asked_for(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "draft.jsonl"
    run("suggest", "--home", home, "--out", out, "--type", "time", "--type", "definition", "--language", "sv")
    assert {(case.type, case.language) for case in read_suite(out)} == {("time", "sv"), ("definition", "sv")}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--type", "tme"), "known are definition"),
        (("--language", "xx"), "known are sv"),
        (("--count", "0"), "Invalid value"),
        (("--home", "/nowhere"), "ankare ingest"),
    ],
)
def test_bad_use_is_told_and_nothing_written(home: Path, tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    out = tmp_path / "draft.jsonl"
    done = run("suggest", "--home", home, "--out", out, *arguments)
    assert done.returncode == 2 and "Traceback" not in done.stderr and told in done.stderr
    assert not out.exists()
