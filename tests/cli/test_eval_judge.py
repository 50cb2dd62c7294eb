"""Does `ankare eval judge` say what it would take, ask, tell how the judge agrees, and ask nothing the second time?"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from ankare.cli import eval_judge
from ankare.cli.eval_judge import judge
from ankare.errors import BadInputError, SettingsError
from ankare.evaluation.asking.run_folder import read_run
from ankare.evaluation.measures.score import score_run
from ankare.evaluation.measures.scores_file import write_scores
from tests.evaluation.judging.test_judge import honest
from tests.evaluation.kept_runs import write_run
from tests.model_server import ModelServer, answers, model_server, refuses, says

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(judge)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run = write_run(tmp_path / "run")
    write_scores(score_run(run), tmp_path / "run")
    return tmp_path / "run"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with model_server() as running:
        running.does(answers(honest))
        monkeypatch.setenv("ANKARE_LLM_BASE_URL", f"{running.url}/v1")
        monkeypatch.setenv("ANKARE_LLM_MODEL", "a-model")
        yield running


def invoked(*arguments: object, code: int = 0) -> tuple[str, str]:
    """What it says on stdout and on stderr."""
    result = CliRunner().invoke(app, [str(one) for one in arguments], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout, result.stderr


def test_it_tells_the_cost_before_and_after_and_asks_nothing_twice(folder: Path, server: ModelServer) -> None:
    shown, told = invoked(folder)
    asked = len(server.seen)
    assert f"a-model: {asked} verdicts to ask for (0 known), about" in told
    assert f"Asked {asked} times: {11 * asked} tokens in, {3 * asked} out." in told
    assert "faithfulness: 3 answers have both" in shown
    assert "same verdicts   1.00" in shown
    again, told = invoked(folder)
    assert f"{asked} verdicts of a-model are known; nothing is to be asked." in told
    assert (again, len(server.seen)) == (shown, asked)


def test_a_dry_run_asks_nothing(folder: Path, server: ModelServer) -> None:
    invoked(folder, "--dry-run")
    assert server.seen == []
    assert not (folder / "verdicts.jsonl").exists()


def test_a_dry_run_needs_no_model(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANKARE_LLM_BASE_URL", "ANKARE_LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANKARE_LLM_PROVIDER", "none")
    _, told = invoked(folder, "--dry-run")
    assert re.search(r"no model: \d+ verdicts to ask for \(0 known\), about", told)
    (tmp_path / "p.toml").write_text('[models."b-model"]\nprompt = 1000\ncompletion = 0\ncurrency = "SEK"\n', "utf-8")
    _, told = invoked(folder, "--dry-run", "--model", "b-model", "--prices", tmp_path / "p.toml")
    assert "b-model: " in told
    assert ", SEK " in told


def test_a_dry_run_counts_what_the_model_has_decided(
    folder: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoked(folder, "--model", "b-model")
    monkeypatch.delenv("ANKARE_LLM_BASE_URL")
    _, told = invoked(folder, "--dry-run", "--model", "b-model")
    assert "verdicts of b-model are known; nothing is to be asked." in told


def test_many_calls_want_a_yes(folder: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eval_judge, "MOST_UNASKED", 3)
    _, told = invoked(folder, code=2)
    assert "add --yes, or --limit" in told
    assert server.seen == []
    invoked(folder, "--yes")
    assert len(server.seen) > 3


def test_measures_answers_and_the_model_can_be_chosen(folder: Path, server: ModelServer) -> None:
    invoked(folder, "--measures", "answer_relevance", "--limit", "2", "--model", "b-model")
    assert [seen.json["model"] for seen in server.seen] == ["b-model"] * 2


def test_prices_tell_what_it_costs(folder: Path, server: ModelServer, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text('[models."a-model"]\nprompt = 1000\ncompletion = 0\ncurrency = "SEK"\n', "utf-8")
    _, told = invoked(folder, "--measures", "answer_relevance", "--prices", tmp_path / "p.toml")
    assert ", SEK 0.0330." in told


def test_json_holds_answers_and_agreement(folder: Path, server: ModelServer) -> None:
    told = json.loads(invoked(folder, "--json")[0])
    assert told["by"] == "a-model"
    assert {one["measure"] for one in told["agreement"]} >= {"faithfulness", "context_recall"}
    assert len(told["answers"]) == 3


def test_without_a_model_it_says_what_to_configure(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANKARE_LLM_PROVIDER", "none")
    with pytest.raises(SettingsError, match=r"ANKARE_LLM_BASE_URL .* --export-ragas"):
        invoked(folder)


def test_an_unknown_measure_is_bad_use(folder: Path, server: ModelServer) -> None:
    _, told = invoked(folder, "--measures", "beauty", code=2)
    assert "there are faithfulness" in " ".join(told.replace("│", " ").split())


def test_replies_that_cannot_be_read_are_told(folder: Path, server: ModelServer) -> None:
    server.does(says("kanske"))
    shown, told = invoked(folder, "--measures", "faithfulness")
    assert "No verdict, since the reply could not be read: 4 not an object." in told
    assert "0 answers judged" in shown


def test_a_refused_key_stops_it_with_what_it_has(folder: Path, server: ModelServer) -> None:
    server.does(answers(honest), refuses(401))
    shown, told = invoked(folder, "--concurrency", "1", code=1)
    assert "the service refuses the key" in told
    assert "1 answers judged" in shown


def test_a_run_without_scores_can_be_judged(folder: Path, server: ModelServer) -> None:
    (folder / "scores.jsonl").unlink()
    shown, _ = invoked(folder, "--measures", "answer_relevance")
    assert "no scores to hold them against" in shown


def test_ragas_gets_samples_and_gives_scores(folder: Path, tmp_path: Path) -> None:
    shown, _ = invoked(folder, "--export-ragas", tmp_path / "s.jsonl")
    assert "3 samples" in shown
    samples = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text("utf-8").splitlines()]
    with (tmp_path / "r.csv").open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["user_input", "response", "faithfulness"])
        out.writerows([sample["user_input"], sample["response"], 1] for sample in samples)
    shown, _ = invoked(folder, "--import-ragas", tmp_path / "r.csv")
    assert "3 answers judged by ragas" in shown
    assert "faithfulness: 3 answers have both" in shown
    assert read_run(folder)
    (tmp_path / "r.csv").write_text("user_input,response,faithfulness\nx,y,1\n", "utf-8")
    with pytest.raises(BadInputError, match="no sample"):
        invoked(folder, "--import-ragas", tmp_path / "r.csv")
