"""`ankare eval score`: are runs of every path scored, written and told, and is what cannot be read refused?"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ankare.cli.eval_score import unlike
from ankare.cli.main import app
from ankare.evaluation.measures.scores_file import FILE, read_scores
from ankare.evaluation.measures.summary import summarise
from ankare.evaluation.suites.suite import read_suite
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.sample import pack_path
from tests.evaluation.scored_runs import run_with
from tests.model_server import Seen, answers, model_server

CASES = "definition-1,definition-2,far-1,figure-01,figure-10,figure-17"
PRICES = '[models."a-model"]\nprompt = 1\ncompletion = 2\ncurrency = "SEK"\n'
SENTENCE = re.compile(r"<(c\d+) key=[^>]*>[^\n]*\n[^<]*?([A-ZÅÄÖ][^.\n<]{20,}\.)")
PATHS = ("control", "synthesis", "agentic", "shadow")


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments])


def says(seen: Seen) -> str:
    """Copies the first sentence that the prompt fences, and approves all."""
    prompt = seen.prompt
    if '"verdict"' in prompt:
        return json.dumps({"verdict": "approved"})
    found = SENTENCE.search(prompt)
    if found is None:
        return json.dumps({"queries": []})
    used = [{"chunk_id": found[1], "claim_supported": found[2]}]
    return json.dumps({"answer": found[2], "answer_scope": "direct", "evidence_used": used})


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """A run of each path over a few cases of the sample suite, with a model that copies."""
    folder, pack = tmp_path_factory.mktemp("scored"), pack_path()
    ingest([pack / "documents", pack / "facts"], Home(folder / "home"), pack=pack)
    found = {}
    with model_server() as server, pytest.MonkeyPatch.context() as patch:
        server.does(answers(says))
        for name in [name for name in os.environ if name.startswith("ANKARE_")]:
            patch.delenv(name)
        patch.setenv("ANKARE_LLM_PROVIDER", "openai")
        patch.setenv("ANKARE_LLM_BASE_URL", server.url)
        patch.setenv("ANKARE_LLM_API_KEY", "a-key-of-the-test")
        patch.setenv("ANKARE_AGENTIC_RAG_TIMEOUT_SECONDS", "60")
        for path in PATHS:
            found[path] = folder / path
            asked = invoke(
                "eval", "run", pack / "suite.jsonl", "--home", folder / "home", "--path", path, "--only", CASES,
                "--no-semantic", "--repeat", "2", "--out", found[path], "--name", path,
            )  # fmt: skip
            assert asked.exit_code == 0, asked.output
    yield found


def body(*arguments: str | Path) -> list[dict[str, Any]]:
    told = invoke("eval", "score", *arguments, "--json")
    assert told.exit_code == 0, told.output
    return list(json.loads(told.stdout))


def test_runs_of_every_path_are_scored_with_what_stood_apart(runs: dict[str, Path]) -> None:
    told = {one["path"]: one for one in body(*runs.values())}
    assert set(told) == set(PATHS)
    for one in told.values():
        assert (one["overall"]["cases"], one["overall"]["answers"], one["failures"]) == (6, 12, {})
        assert one["overall"]["measures"]["abstention_correct"]["mean"] == 1.0
        assert one["overall"]["measures"]["figure_exact"]["mean"] == 1.0
        assert one["asides"]["figures"] == 4
    assert told["control"]["overall"]["counted"] == 8  # two definitions, a refusal, and figures with documents; twice
    assert told["agentic"]["asides"]["refused_before_model"] == 2
    assert told["agentic"]["overall"]["measures"]["total_tokens"]["mean"] > 0
    assert told["shadow"]["overall"]["measures"]["total_tokens"]["mean"] > 0
    assert "fallback" not in told["control"]["overall"]["measures"]


def test_the_chain_is_told_apart_from_its_fallbacks(runs: dict[str, Path]) -> None:
    for path in ("synthesis", "agentic", "shadow"):
        body(runs[path])
        rows = read_scores(runs[path]).rows
        for row in rows:
            fell = row.values.get("fallback")
            assert fell is None or (fell == 1.0) == row.aside.startswith(("fallback", "not_run"))
    assert any(row.values.get("approved") == 1.0 for row in read_scores(runs["agentic"]).rows)


def test_scores_and_summary_stand_beside_the_answers(runs: dict[str, Path]) -> None:
    assert invoke("eval", "score", runs["control"]).exit_code == 0
    scored = read_scores(runs["control"])
    assert len(scored.rows) == 12 and scored.suite is not None and len(scored.suite) == 6
    summary = json.loads((runs["control"] / "summary.json").read_text(encoding="utf-8"))
    assert summary["repeats"] == 2
    assert summary["overall"]["measures"]["faithfulness"]["within"] == 0.0  # the same answer every time


def test_scoring_again_gives_the_same_bytes(runs: dict[str, Path]) -> None:
    invoke("eval", "score", runs["control"])
    first = (runs["control"] / FILE).read_bytes()
    invoke("eval", "score", runs["control"])
    assert (runs["control"] / FILE).read_bytes() == first


def test_the_table_tells_figures_with_their_number_of_questions_and_the_reasons(runs: dict[str, Path]) -> None:
    told = invoke("eval", "score", runs["control"], runs["agentic"])
    assert told.exit_code == 0
    for expected in ("faithfulness", "n=", "took the path", "apart: figures", "apart: refused_before_model"):
        assert expected in told.stdout


def test_means_of_different_questions_are_told_as_such(runs: dict[str, Path]) -> None:
    note = "Means of different questions stand side by side (n differs): "
    assert note in invoke("eval", "score", runs["control"], runs["agentic"]).stdout
    assert "side by side" not in invoke("eval", "score", runs["control"], runs["control"]).stdout
    assert "side by side" not in invoke("eval", "score", runs["control"]).stdout


def test_other_suites_are_told_as_such() -> None:
    summaries = [
        summarise(run_with("faithfulness", [0.5] * 3, suite_digest=digest * 64, name=digest)) for digest in "ab"
    ]
    (line,) = unlike(summaries)
    assert line.startswith("The runs asked different suites")
    assert list(unlike(summaries[:1])) == []


def test_prices_give_a_cost_in_their_currency_and_strange_models_are_named(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    table = tmp_path / "prices.toml"
    table.write_text(PRICES.replace("a-model", "*"), encoding="utf-8")
    (told,) = body(runs["agentic"], "--prices", table)
    cost = told["overall"]["measures"]["cost"]
    assert cost["unit"] == "SEK" and cost["mean"] > 0 and told["models"]["unpriced"] == {}
    table.write_text(PRICES.replace("a-model", "unheard-of"), encoding="utf-8")
    assert "for want of" in invoke("eval", "score", runs["agentic"], "--prices", table).stdout
    body(runs["agentic"])  # as it was


def test_a_home_tells_what_names_mean(runs: dict[str, Path], tmp_path: Path) -> None:
    copy = tmp_path / "run"
    copy.mkdir()
    for name in ("run.json", "answers.jsonl", "suite.jsonl"):
        text = (runs["control"] / name).read_text(encoding="utf-8")
        if name == "suite.jsonl":
            text = text.replace('"REVENUE"', '"omsättning"')
        (copy / name).write_text(text, encoding="utf-8")
    told = json.loads((copy / "run.json").read_text(encoding="utf-8"))
    told["suite_digest"] = read_suite(copy / "suite.jsonl").digest
    (copy / "run.json").write_text(json.dumps(told), encoding="utf-8")
    exact = [
        one["overall"]["measures"]["figure_exact"]["mean"]
        for (one,) in (body(copy), body(copy, "--home", runs["control"].parent / "home"))
    ]
    assert exact[0] < exact[1] == 1.0


@pytest.mark.parametrize("broken", ["run.json", "answers.jsonl", "suite.jsonl"])
def test_a_run_that_cannot_be_read_is_refused_with_its_file(runs: dict[str, Path], tmp_path: Path, broken: str) -> None:
    for name in ("run.json", "answers.jsonl", "suite.jsonl"):
        whole = (runs["control"] / name).read_bytes()
        (tmp_path / name).write_bytes(b"{broken\n" + whole if name == broken else whole)
    told = invoke("eval", "score", tmp_path)
    assert isinstance(told.exception, Exception) and broken in str(told.exception)
    assert not (tmp_path / FILE).exists()
