"""`ankare eval usage` tells the same in every form, and says what to set where there is nothing to tell."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner, Result

from ankare.cli.eval_usage import _grid
from ankare.cli.main import app
from ankare.service.watch.usage_collect import summarise_usage
from ankare.service.watch.usage_period import period_of
from ankare.service.watch.usage_sections import report_sections
from tests.cli.test_fitted_table import lost
from tests.service.usage_busy import busy
from tests.service.usage_lines import line, write_log


@pytest.fixture
def log(tmp_path: Path) -> Path:
    now = datetime.now(UTC)
    refused = {"outcome": "refused", "reason": "no_hits", "question": "Vad kostar gymkortet?", "missing": ["gymkortet"]}
    told = [line(now - timedelta(days=90)), *(line(now - timedelta(hours=n + 1), agents=1) for n in range(4))]
    return write_log(tmp_path / "log", [*told, line(now - timedelta(hours=2), **refused), "{"])


def run(*given: object, **environment: str) -> Result:
    return CliRunner().invoke(app, ["eval", "usage", *map(str, given)], env={"COLUMNS": "120", **environment})


def test_tables_tell_the_figures(log: Path, tmp_path: Path) -> None:
    told = run("--log-dir", log, "--home", tmp_path / "none")
    assert told.exit_code == 0, told.output
    for words in (
        "Questions",
        "gymkortet",
        "Subjects without an answer",
        "Lines of the log that could not be read, and are left out: 1.",
        "Time zone",
    ):
        assert words in told.output, words


@pytest.mark.parametrize(
    ("language", "words"), [("sv", "Frågor som inte fick svar"), ("en", "Questions without an answer")]
)
def test_markdown_speaks_the_language(log: Path, language: str, words: str) -> None:
    told = run("--log-dir", log, "--markdown", "--language", language)
    assert f"## {words}" in told.output
    assert "| gymkortet" in told.output


def test_json_is_the_summary(log: Path) -> None:
    told = json.loads(run("--log-dir", log, "--json", "--by", "week", "--time-zone", "Europe/Stockholm").stdout)
    assert (told["totals"]["questions"], told["totals"]["refused"], told["log"]["broken"]) == (5, 1, 1)
    assert (told["period"]["by"], told["period"]["time_zone"]) == ("week", "Europe/Stockholm")
    assert told["unanswered"]["subjects"][0]["terms"][0] == "gymkortet"


def test_files_are_written_where_they_are_named(log: Path, tmp_path: Path) -> None:
    page, tables = tmp_path / "report.html", tmp_path / "tables"
    told = run("--log-dir", log, "--html", page, "--csv", tables, "--language", "sv")
    assert told.exit_code == 0, told.output
    assert page.read_text("utf-8").startswith('<!doctype html><html lang="sv">')
    assert "gymkortet" in (tables / "subjects.csv").read_text("utf-8")
    assert "Överblick" not in told.stdout, "tables are printed only where nothing else is asked for"


def test_the_folder_comes_from_the_environment_and_several_are_read(log: Path, tmp_path: Path) -> None:
    assert json.loads(run("--json", ANKARE_LOG_DIR=str(log)).stdout)["totals"]["questions"] == 5
    other = write_log(tmp_path / "other", [line(datetime.now(UTC) - timedelta(hours=1))])
    both = json.loads(run("--json", "--log-dir", log, "--log-dir", other).stdout)
    assert both["totals"]["questions"] == 6


def test_feedback_of_the_home_is_told(log: Path, tmp_path: Path) -> None:
    moment = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    said = {"time": moment, "answer_id": "a", "rating": "down", "comment": "Priset saknas"}
    write_log(tmp_path / "home" / "feedback", [said], "feedback.jsonl")
    assert "Priset saknas" in run("--log-dir", log, "--home", tmp_path / "home").output


def test_without_a_log_it_says_what_to_set(tmp_path: Path) -> None:
    for told in (run(), run("--log-dir", tmp_path / "none")):
        assert told.exit_code == 2
        assert "ANKARE_LOG_DIR" in told.output


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return busy(tmp_path_factory.mktemp("busy"))


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("language", ["sv", "en", "zh"])
def test_no_table_is_cut_off(used: tuple[Path, Path], language: str, width: int) -> None:
    log, home = used
    given = ("--log-dir", log, "--home", home, "--language", language)
    told = run(*given, COLUMNS=str(width)).output
    sections = report_sections(summarise_usage([log], home, period_of("", "", "", "")), language)
    tables = [table for section in sections for table in section.tables]
    assert {"figures", "subjects", "untold", "repeated", "by_key", "steps", "agents", "comments"} <= {
        table.name for table in tables
    }
    assert [(table.name, missing) for table in tables if (missing := lost(_grid(table, ""), told))] == []
    assert max(map(cell_len, told.splitlines())) <= width


def test_an_empty_log_is_no_error(tmp_path: Path) -> None:
    told = run("--log-dir", write_log(tmp_path, []))
    assert told.exit_code == 0
    assert "no questions of this time" in told.output


@pytest.mark.parametrize(
    "given",
    [
        ("--since", "soon"),
        ("--since", "2026-02-01", "--until", "2026-01-01"),
        ("--by", "minute"),
        ("--time-zone", "Nowhere"),
        ("--language", "fi"),
        ("--json", "--markdown"),
        ("--since", "2000-01-01", "--by", "hour"),
    ],
)
def test_bad_use_is_told(log: Path, given: tuple[str, ...]) -> None:
    assert run("--log-dir", log, *given).exit_code == 2


def test_a_file_that_cannot_be_written_is_told(log: Path, tmp_path: Path) -> None:
    told = run("--log-dir", log, "--html", tmp_path / "none" / "report.html")
    assert told.exit_code == 2
    assert "cannot be written" in told.output
