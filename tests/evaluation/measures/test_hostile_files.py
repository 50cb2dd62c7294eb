"""Scores, judgements and prices that somebody spoiled are refused with their place, and never end in a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ankare.errors import EvaluationError
from ankare.evaluation.judging.judged_file import FILE as JUDGED
from ankare.evaluation.judging.judged_file import keep_judged, read_judged
from ankare.evaluation.measures import scores_file
from ankare.evaluation.measures.prices import read_prices
from ankare.evaluation.measures.score import score_run
from ankare.evaluation.measures.scores_file import FILE, read_scores, write_scores
from ankare.evaluation.measures.summary import summarise
from tests.evaluation.kept_runs import write_run

HUGE = "9" * 400
SCORE = {"case_id": '"a"', "repeat": "0", "path": '"control"', "outcome": '"answered"', "values": "{}", "details": "{}"}
JUDGEMENT = {"kind": '"judge"', "by": '"m"', "case_id": '"a"', "repeat": "0", "values": "{}", "missing": "{}"}


def line(fields: dict[str, str], **told: str) -> str:
    return "{" + ", ".join(f'"{name}": {value}' for name, value in {**fields, **told}.items()) + "}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_scores(score_run(write_run(tmp_path)), tmp_path)
    return tmp_path


def as_score(folder: Path, **told: str) -> Any:
    text = (folder / FILE).read_text("utf-8").splitlines(keepends=True)
    (folder / FILE).write_text("".join([*text[:2], line(SCORE, **told)]), "utf-8")
    return read_scores(folder)


@pytest.mark.parametrize(
    "told",
    [
        *({"values": f'{{"wall_ms": {value}}}'} for value in (HUGE, "1e308", "-1e308", "1e999", "Infinity", "NaN")),
        *({"values": value} for value in ('{"wall_ms": true}', '{"wall_ms": "1"}', "[]", "5")),
        *({name: '"\\ud800"'} for name in ("case_id", "type", "aside")),
        *({"repeat": value} for value in (HUGE, "-1", "true", "0.5", '"0"')),
        *({"details": value} for value in ("[]", '[["a", 1]]', '{"cost": {"x": 1e999}}', '{"cost": "\\udfff"}')),
    ],
)
def test_a_line_that_is_no_score_is_told_with_file_and_line(folder: Path, told: dict[str, str]) -> None:
    with pytest.raises(EvaluationError, match=r"scores\.jsonl:3 is no line of scores"):
        as_score(folder, **told)


@pytest.mark.parametrize("value", ["1e15", "-1e15", "0", "1000000000000000"])
def test_a_value_that_can_be_summed_is_taken(folder: Path, value: str) -> None:
    found = as_score(folder, values=f'{{"wall_ms": {value}}}')
    assert found.rows[-1].values == {"wall_ms": float(value)}
    summarise(found)


def test_a_saboteur_that_takes_every_number_is_noticed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scores_file, "_number", float)
    with pytest.raises(OverflowError):
        as_score(folder, values=f'{{"wall_ms": {HUGE}}}')


@pytest.mark.parametrize(
    "told",
    [
        *({"values": f'{{"faithfulness": {value}}}'} for value in (HUGE, "1e999", "NaN", "-1", "true")),
        *({"missing": f'{{"faithfulness": {value}}}'} for value in (HUGE, "1e999", "1.5", "-1", '"1"')),
        *({"by": value} for value in ('"\\ud800"', "5", "null")),
        *({"repeat": value} for value in (HUGE, "-1", "true")),
        {"case_id": '"\\ud800"'},
        {"verdicts": "[]"},
    ],
)
def test_a_line_that_is_no_judgement_is_told_with_file_and_line(tmp_path: Path, told: dict[str, str]) -> None:
    (tmp_path / JUDGED).write_text(line(JUDGEMENT) + line(JUDGEMENT, **told), "utf-8")
    for read in (read_judged, lambda folder: keep_judged((), folder)):
        with pytest.raises(EvaluationError, match=r"judged\.jsonl:2 is no judgement"):
            read(tmp_path)


@pytest.mark.parametrize(
    ("price", "why"),
    [
        *((value, "models.a.prompt") for value in ("1e400", "1e999999", "1e9999999999999999999", "inf", "1.1e9")),
        *((value, "models.a.prompt") for value in ("2020-01-01", "9" * 30)),
        ("9" * 5000, ":2 is longer than"),
        (f'1\ncurrency = "\\u001b[31m"\n{".".join("a" * 200_000)} = 1', ":4 is longer than"),
        ("1\ncompletion = 1\ncurrency = '\\u001b'\n" + "#" * 1_000_000, "is larger than"),
        ('1\ncompletion = 1\ncurrency = "\\u001b[31m"', "models.a.currency"),
    ],
)
def test_a_price_beyond_reason_is_told_by_its_name(tmp_path: Path, price: str, why: str) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(f"[models.a]\nprompt = {price}\n", "utf-8")
    with pytest.raises(EvaluationError) as raised:
        read_prices(path)
    assert why in raised.value.message


@pytest.mark.parametrize("path", ["/dev/zero", "/"])
def test_prices_stand_in_a_plain_file(path: str) -> None:
    with pytest.raises(EvaluationError, match=r"plain file|cannot be read"):
        read_prices(Path(path))


def test_a_price_at_the_bound_costs_what_it_says(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text("[models.a]\r\nprompt = 1e9\r\ncompletion = 0\r\ncurrency = 'kr'\r\n", "utf-8")
    assert json.dumps(float(read_prices(path).cost("a", 2, 0) or 0)) == "2000.0"
