"""Does `ankare eval review` hand out a sheet, take ratings in, and tell what they say?"""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner

from ankare.cli.eval_review import app
from ankare.cli.eval_review_text import ReviewText
from ankare.cli.fitted_table import Grid
from ankare.errors import BadInputError, EvaluationError
from ankare.evaluation.asking.run_folder import read_run
from ankare.evaluation.measures.score import score_run
from ankare.evaluation.measures.scores_file import write_scores
from ankare.evaluation.reviewing.criteria import CRITERIA
from ankare.evaluation.reviewing.read import take_in
from ankare.evaluation.reviewing.result import review_result
from tests.cli.test_fitted_table import lost
from tests.evaluation.kept_runs import write_run


def invoked(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(one) for one in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def flat(told: str) -> str:
    """Without the breaks of its lines."""
    return " ".join(told.split())


def filled(sheet: Path, rater: str, value: int) -> Path:
    """The CSV sheet as a rater hands it back."""
    rows = list(csv.DictReader(io.StringIO(sheet.read_text("utf-8-sig"))))
    out = sheet.with_name(f"{rater}.csv")
    with out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        for place, row in enumerate(rows):
            writer.writerow({**row, **dict.fromkeys(CRITERIA, (value + place) % 5 + 1), "rater": rater})
    return out


def test_a_sheet_goes_out_and_its_ratings_come_back(tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    told = invoked("sheet", tmp_path / "run", "--form", "csv", "--out", tmp_path / "s.csv")
    assert "4 answers to 4 questions." in told
    assert (tmp_path / "s.scale.txt").is_file()
    files = [filled(tmp_path / "s.csv", name, value) for name, value in (("Bo", 1), ("Eva", 1))]
    told = flat(invoked("read", tmp_path / "run", *files, "--language", "en"))
    assert "control: 4 answers, 2 raters" in told
    assert "The raters agree: conclusions may rest on the ratings." in told
    assert "has no scores to hold the ratings against" in told
    assert "source_support" not in told


def test_repeats_are_left_out_and_told(tmp_path: Path) -> None:
    write_run(tmp_path / "run", repeats=2)
    told = invoked("sheet", tmp_path / "run", "--out", tmp_path / "s.html")
    assert "4 answers to the same questions, asked again, are left out." in told
    assert "Give --all-repeats to hand them out too." in told
    told = invoked("sheet", tmp_path / "run", "--out", tmp_path / "s.html", "--all-repeats")
    assert "8 answers to 4 questions." in told
    assert "left out" not in told


def test_json_holds_all_of_it(tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    invoked("sheet", tmp_path / "run", "--form", "csv", "--out", tmp_path / "s.csv")
    told = json.loads(invoked("read", tmp_path / "run", filled(tmp_path / "s.csv", "Bo", 2), "--json"))
    assert told["groups"][0]["points"][0]["questions"] == 4
    assert set(told["agreements"]) == set(CRITERIA)


def test_a_blind_sheet_of_two_runs_comes_back_with_its_key(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_run(tmp_path / name, name=name)
    told = invoked("sheet", tmp_path / "a", tmp_path / "b", "--blind", "--form", "csv", "--out", tmp_path / "s.csv")
    assert "keep it from those who rate" in told
    ratings = filled(tmp_path / "s.csv", "Bo", 2)
    with pytest.raises(BadInputError, match="--key"):
        invoked("read", tmp_path / "a", tmp_path / "b", ratings)
    given = ("--key", tmp_path / "s.key.json", "--language", "en")
    told = invoked("read", tmp_path / "a", tmp_path / "b", ratings, *given)
    assert "a: 4 answers, 1 rater\n" in told
    assert "b: 4 answers, 1 rater\n" in told


def test_the_sheet_lies_in_the_run_and_speaks_its_language(tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    invoked("sheet", tmp_path / "run")
    (path,) = (tmp_path / "run").glob("review-*.html")
    assert '<html lang="sv">' in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(("sheet", "RUN", "--language", "fi"), "sv, en, zh"), (("read", "RATINGS"), "Name the folder of a run")],
)
def test_bad_use_is_told(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    result = CliRunner().invoke(app, [str(tmp_path / "x") if one.isupper() else one for one in arguments])
    assert result.exit_code == 2
    assert told in result.output


def test_what_is_no_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="holds no run"):
        invoked("sheet", tmp_path)


def test_nobody_has_rated_yet(tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    assert "Nobody has rated" in invoked("read", tmp_path / "run", "--language", "en")


# --- how it is told


def rated_run(root: Path) -> tuple[Path, list[Path]]:
    """A run with its scores, and two files of ratings."""
    write_scores(score_run(write_run(root / "run")), root / "run")
    invoked("sheet", root / "run", "--form", "csv", "--out", root / "s.csv")
    return root / "run", [filled(root / "s.csv", name, value) for name, value in (("Bo", 1), ("Eva", 2))]


def test_it_speaks_the_language_of_the_questions(tmp_path: Path) -> None:
    run, files = rated_run(tmp_path)
    told = flat(invoked("read", run, *files))
    for words in (
        "Bo.csv: 4 svar bedömda.", "control: 4 svar, 2 bedömare", "Rakt på sak", "Kan inte bedöma", "Medel",
        "Är bedömarna överens?", "Säger måtten detsamma som människorna?", "Svarets relevans", "Avhuggna svar ↓",
        "Lägre är bättre i måttet", "– Går inte att räkna ut",
    ):  # fmt: skip
        assert words in told, words
    assert not re.search(r"[a-z]_[a-z]", told.replace(str(tmp_path), "")), (
        "no name of a measure or a point as files have it"
    )


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("language", ["sv", "en", "zh"])
def test_columns_stand_apart_and_nothing_is_cut_off(tmp_path: Path, language: str, width: int) -> None:
    run, files = rated_run(tmp_path)
    given = [str(one) for one in ("read", run, *files, "--language", language)]
    told = CliRunner().invoke(app, given, catch_exceptions=False, env={"COLUMNS": str(width)}).output
    taken = take_in([(run, read_run(run))], [], language=language)
    grids = [part for part in ReviewText(review_result(taken.reviewed), language).parts() if isinstance(part, Grid)]
    assert len(grids) == 3
    assert [missing for grid in grids if (missing := lost(grid, told))] == []
    assert all(cell_len(line) <= width for line in told.splitlines() if str(tmp_path) not in line)


@pytest.mark.parametrize(("language", "told"), [("sv", "är varken 1 till 5 eller cannot"), ("en", "is neither 1 to 5")])
def test_each_fault_stands_on_a_line_of_its_own(tmp_path: Path, language: str, told: str) -> None:
    write_run(tmp_path / "run")
    invoked("sheet", tmp_path / "run", "--form", "csv", "--out", tmp_path / "s.csv")
    bad = filled(tmp_path / "s.csv", "Bo", 1)
    bad.write_text(re.sub(r"(?<=,)[1-5](?=,)", "7", bad.read_text("utf-8")), "utf-8")
    with pytest.raises(BadInputError) as fault:
        invoked("read", tmp_path / "run", bad, "--language", language)
    head, *lines = str(fault.value).splitlines()
    assert "Bo.csv" in head
    assert len([line for line in lines if told in line]) >= 4
    assert all(line.count("Bo.csv:") <= 1 for line in lines)
