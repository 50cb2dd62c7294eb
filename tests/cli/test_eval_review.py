"""Does `ankare eval review` hand out a sheet, take ratings in, and tell what they say?"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ankare.cli.eval_review import app
from ankare.errors import BadInputError, EvaluationError
from ankare.evaluation.reviewing.criteria import CRITERIA
from tests.evaluation.kept_runs import write_run


def invoked(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(one) for one in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


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
    told = invoked("read", tmp_path / "run", *files)
    assert "control: 4 answers, 2 raters" in told
    assert "The raters agree: conclusions may rest on the ratings." in told
    assert "has no scores to hold the ratings against" in told
    assert invoked("read", tmp_path / "run").count("source_support") == 2


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
    told = invoked("read", tmp_path / "a", tmp_path / "b", ratings, "--key", tmp_path / "s.key.json")
    assert "a: 4 answers, 1 raters" in told
    assert "b: 4 answers, 1 raters" in told


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
    assert "Nobody has rated" in invoked("read", tmp_path / "run")
