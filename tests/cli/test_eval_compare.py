"""Does `ankare eval compare` tell what got worse first, and does its exit code let nothing by that it could not judge?"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ankare.cli.eval import app as eval_app
from ankare.cli.eval_compare import columns, spread
from ankare.errors import EvaluationError
from ankare.evaluation.asking.run_folder import keep_suite, write_conditions
from ankare.evaluation.captured import AnswerPath
from ankare.evaluation.case import Case, Suite
from ankare.evaluation.comparing.told import Section
from ankare.evaluation.measures.scores_file import write_scores
from ankare.evaluation.scored import ScoredRun
from ankare.evaluation.suites.suite import digest_of
from ankare.messages import messages
from tests.evaluation.scored_runs import row, run_of
from tests.posted import CALLS, reads
from tests.posted import called as calls_of

QUESTIONS = 20
CASES = tuple(Case(f"q{n:02}", f"What is {n}?") for n in range(QUESTIONS))
SUITE = Suite(CASES, digest_of(CASES))


def run(faithfulness: float = 0.8, path: AnswerPath = AnswerPath.CONTROL, **values: float) -> ScoredRun:
    """The last question is the one that a change moves most."""
    rows = (
        row(
            f"q{n:02}",
            path=path,
            faithfulness=faithfulness - (0.1 if n == QUESTIONS - 1 else 0),
            wall_ms=100.0,
            **values,
        )
        for n in range(QUESTIONS)
    )
    return run_of(rows, path, SUITE, finished="2026-01-31T12:00:00+00:00")


RUNS = {
    "base": run(),
    "same": run(),
    "worse": run(0.6),
    "better": run(0.9),
    "shadow": run(path=AnswerPath.SHADOW, context_recall=0.5, shadow_context_recall=0.5),
    "agentic": run(0.95, AnswerPath.AGENTIC),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, scored in RUNS.items():
        (tmp_path / name).mkdir()
        keep_suite(tmp_path / name, SUITE)
        write_scores(scored, tmp_path / name)
        write_conditions(tmp_path / name, replace(scored.conditions, name="" if name == "base" else name))
    return tmp_path


def called(folder: Path, *words: str, columns: int = 200) -> Result:
    """Names of runs and `*.json` files stand for their paths."""
    told = [str(folder / word) if word in RUNS or word.endswith((".json", ".md")) else word for word in words]
    return CliRunner().invoke(eval_app, ["compare", *told], env={"COLUMNS": str(columns)})


# --- what is told


def test_what_got_worse_is_told_first(folder: Path) -> None:
    result = called(folder, "base", "worse")
    assert result.exit_code == 0
    out = result.stdout
    assert "worse against base" in out
    assert out.index(messages("en")["measure.faithfulness"]) < out.index(messages("en")["measure.wall_ms"])
    assert out.index("Questions that got worse: 20") < out.index("Questions that got better: 0")


def test_json_holds_everything(folder: Path) -> None:
    told = json.loads(called(folder, "base", "worse", "shadow", "--json").stdout)
    assert [one["label"] for one in told["runs"]] == ["base", "worse", "shadow"]
    assert told["runs"][0]["measures"]["faithfulness"] == {"mean": pytest.approx(0.795), "n": 20}
    assert [pair["other"] for pair in told["comparison"]["pairs"]] == ["worse", "shadow"]
    assert told["comparison"]["pairs"][0]["measures"][0]["verdict"] == "worse"
    assert told["advice"]["shadow"]["recommendation"] == "ask_more"
    assert told["gate"]["passed"] is True


def test_markdown_goes_to_a_file_in_the_readers_language(folder: Path) -> None:
    result = called(folder, "base", "worse", "--out", "report.md", "--language", "sv")
    text = (folder / "report.md").read_text("utf-8")
    assert (result.exit_code, result.stdout) == (0, "")
    assert text.startswith("# Jämförelse av körningar\n")
    assert f"| {messages('sv')['measure.faithfulness']} | 0,795 | 0,595 | −0,200 |" in text


def test_what_a_file_holds_is_no_markup_anywhere(folder: Path) -> None:
    evil = "<img src=x> | [a](http://b) `c` \x1b[31m\u202e"
    scored = replace(RUNS["worse"], rows=tuple(replace(one, type=evil) for one in RUNS["worse"].rows))
    base = replace(RUNS["base"], rows=tuple(replace(one, type=evil) for one in RUNS["base"].rows))
    for name, held in (("base", base), ("worse", scored)):
        write_scores(held, folder / name)
    for words in ((), ("--markdown",)):
        out = called(folder, "base", "worse", *words).stdout
        assert "\x1b[31m" not in out
        assert "\u202e" not in out
    assert "\\<img src=x\\> \\| \\[a\\](http&#58;<!-- -->//b) \\`c\\`" in out


def test_a_comparison_that_is_posted_calls_nobody(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("base", "worse"):
        write_scores(
            replace(RUNS[name], rows=tuple(replace(one, type=CALLS) for one in RUNS[name].rows)), folder / name
        )
        write_conditions(folder / name, replace(RUNS[name].conditions, name=f"{name} {CALLS}", note=CALLS))
    text = called(folder, "base", "worse", "--markdown").stdout
    assert calls_of(text) == []
    assert CALLS in reads(text)
    monkeypatch.setattr("ankare.evaluation.comparing.told.unlinked", str)
    assert {"@o", "#1", "s://"} <= set(calls_of(called(folder, "base", "worse", "--markdown").stdout))


def test_advice_on_the_chain_stands_below(folder: Path) -> None:
    out = called(folder, "base", "agentic").stdout
    assert "Advice on the chain: agentic" in out
    assert "A gain is shown with the chain" in out


# --- the gate

OPEN, CLOSED, BAD_USE = 0, 1, 2


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("base", "same", "--fail-if-worse"), OPEN, ""),
        (("base", "worse", "--fail-if-worse"), CLOSED, "faithfulness is worse: 0.5950, was 0.7950"),
        (("base", "worse", "--fail-if-worse", "faithfulness"), CLOSED, "faithfulness is worse"),
        (("--fail-if-worse", "faithfulness", "base", "worse"), CLOSED, "faithfulness is worse"),
        (("base", "better", "--fail-if-worse", "faithfulness", "wall_ms"), OPEN, ""),
        (("base", "same", "--fail-if-worse", "context_recall"), CLOSED, "context_recall is missing"),
        (("base", "same", "worse", "--fail-if-worse"), CLOSED, "worse: faithfulness is worse"),
        (("base", "--fail-below", "faithfulness=0.7"), OPEN, ""),
        (("base", "--fail-below", "faithfulness=0.9"), CLOSED, "questions: q19, q00"),
        (("base", "--fail-below", "faithfulness=0.7", "--fail-below", "mrr=0.1"), CLOSED, "mrr is missing"),
        (("base", "--fail-above", "wall_ms=50"), CLOSED, "wall_ms is 100.0000, above 50"),
        (("worse", "better", "--fail-below", "faithfulness=0.8"), OPEN, ""),  # the base is not judged
        (("base",), BAD_USE, "Name two runs"),
        (("base", "--fail-if-worse"), BAD_USE, "needs a base"),
        (("base", "same", "--json", "--markdown"), BAD_USE, "either --json or --markdown"),
        (("base", "--update-ratchet", "--fail-below", "faithfulness=0.1"), BAD_USE, "need --ratchet"),
        (("base", "--ratchet", "r.json", "--force", "why"), BAD_USE, "needs --update-ratchet"),
    ],
)
def test_the_exit_code_is_the_gate(words: Sequence[str], code: int, said: str, folder: Path) -> None:
    result = called(folder, *words)
    assert result.exit_code == code, result.output
    assert said in " ".join(result.stderr.replace("│", " ").split())


def test_a_measure_that_is_no_number_closes_the_gate(folder: Path) -> None:
    """However it came there: a file with NaN is refused when it is read, or its measure when it is judged."""
    path = folder / "base" / "scores.jsonl"
    path.write_text(path.read_text("utf-8").replace("100.0", "NaN", 1), "utf-8")
    result = called(folder, "base", "--fail-above", "wall_ms=500")
    assert result.exit_code != OPEN


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("base", "--fail-below", "faithfulness"), "no limit"),
        (("base", "--fail-below", "wall_ms=5"), "--fail-above wall_ms"),
        (("base", "no_run", "--fail-if-worse"), "no_run"),
        (
            ("base", "same", "--fail-if-worse", "faithfullness"),
            "neither the folder of a run nor a measure. Did you mean faith",
        ),
        (("base", "same", "--fail-if-worse=faithfullness"), "no measure 'faithfullness'. Did you mean faithfulness?"),
        (("base", "--fail-below", "fakt_recall=0.9"), "Did you mean fact_recall"),
        (("base", "--ratchet", "none.json"), "--update-ratchet"),
    ],
)
def test_what_cannot_be_used_is_told_with_its_remedy(words: Sequence[str], said: str, folder: Path) -> None:
    """`ankare` makes exit code 2 of these."""
    error = called(folder, *words).exception
    assert isinstance(error, EvaluationError)
    assert said in str(error)


def test_the_gate_stands_in_the_json_too(folder: Path) -> None:
    result = called(folder, "base", "worse", "--json", "--fail-if-worse")
    (fault,) = json.loads(result.stdout)["gate"]["faults"]
    assert (result.exit_code, fault["run"], fault["measure"]) == (CLOSED, "worse", "faithfulness")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["a", "b", "--fail-if-worse"], ["a", "b", "--fail-if-worse=leading"]),
        (["--fail-if-worse", "fallback", "a", "b"], ["--fail-if-worse=fallback", "a", "b"]),
        (
            ["--fail-if-worse", "fallback", "approved", "--json"],
            ["--fail-if-worse=fallback", "--fail-if-worse=approved", "--json"],
        ),
        (["--fail-if-worse=fallback"], ["--fail-if-worse=fallback"]),
        (["--fail-if-worse", "fallbak", "a"], ["--fail-if-worse=leading", "fallbak", "a"]),
    ],
)
def test_measures_may_follow_the_option(words: list[str], told: list[str]) -> None:
    assert spread(words) == told


# --- the ratchet


def test_the_ratchet_from_its_beginning_to_a_forced_step_down(folder: Path) -> None:
    def code(*words: str) -> int:
        return called(folder, *words, "--ratchet", "ratchet.json").exit_code

    def best() -> float:
        told = json.loads((folder / "ratchet.json").read_text("utf-8"))
        mean: float = told["entries"][0]["measures"]["faithfulness"]["mean"]
        return mean

    assert code("base", "--update-ratchet") == OPEN
    assert code("same") == OPEN
    assert code("base", "better", "--update-ratchet") == OPEN
    assert best() == pytest.approx(0.895)
    before = (folder / "ratchet.json").read_bytes()
    assert code("base") == CLOSED
    assert code("base", "--update-ratchet") == CLOSED
    assert code("agentic") == CLOSED  # another path than the ratchet knows
    assert (folder / "ratchet.json").read_bytes() == before
    assert code("base", "--update-ratchet", "--force", "the gold was wrong") == OPEN
    assert best() == pytest.approx(0.795)
    assert json.loads((folder / "ratchet.json").read_text("utf-8"))["forced"][0]["reason"] == "the gold was wrong"


def test_a_ratchet_is_begun_and_kept_under_one_way_of_searching(folder: Path) -> None:
    def asked(by_meaning: tuple[str, ...], *words: str) -> Result:
        write_conditions(folder / "base", replace(RUNS["base"].conditions, by_meaning=by_meaning))
        return called(folder, "base", "--ratchet", "ratchet.json", *words)

    assert asked(("no", "yes"), "--update-ratchet").exit_code == CLOSED
    assert not (folder / "ratchet.json").exists()
    assert asked(("yes",), "--update-ratchet").exit_code == OPEN
    refused = asked(("no",))
    assert refused.exit_code == CLOSED
    assert "search by meaning: no in this run, yes when the marks were reached" in refused.stderr
    assert "`ankare embed`" in refused.stderr
    assert asked(("no",), "--update-ratchet", "--force", "no model there").exit_code == OPEN
    assert asked(("no",)).exit_code == OPEN


def test_a_ratchet_is_not_moved_where_another_gate_is_closed(folder: Path) -> None:
    words = ("base", "--fail-below", "faithfulness=0.99", "--ratchet", "ratchet.json", "--update-ratchet")
    assert called(folder, *words).exit_code == CLOSED
    assert not (folder / "ratchet.json").exists()


def test_a_note_stands_with_its_run(folder: Path) -> None:
    write_conditions(folder / "worse", replace(RUNS["worse"].conditions, name="worse", note="a *scripted* model"))
    assert "worse: a *scripted* model" in called(folder, "base", "worse").stdout
    assert "- worse: a \\*scripted\\* model" in called(folder, "base", "worse", "--markdown").stdout
    told = json.loads(called(folder, "base", "worse", "--json").stdout)
    assert [one["note"] for one in told["runs"]] == ["", "a *scripted* model"]
    assert "a *scripted* model" in called(folder, "worse", "--fail-below", "faithfulness=0.1").stdout


def test_too_few_questions_are_told_with_their_number(folder: Path) -> None:
    few = replace(RUNS["worse"], rows=RUNS["worse"].rows[:4])
    write_scores(few, folder / "worse")
    assert "too few questions (4)" in called(folder, "base", "worse").stdout


def test_what_a_narrow_screen_leaves_out_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = re.sub(r"\x1b\[[0-9;]*m", "", called(folder, "base", "worse", columns=80).stdout)
    assert "Left out for want of room: Better/same/worse, p, p (Holm)" in " ".join(out.split())
    assert "--markdown and --json" in " ".join(out.split())
    assert "Left out" not in called(folder, "base", "worse").stdout


def test_a_narrow_table_keeps_the_interval_and_the_verdict() -> None:
    head = ("measure", "a", "b", "difference", "interval", "n", "wins", "p", "holm", "verdict")
    section = Section("t", (), head, (head,), spare=(7, 8, 6, 5))
    assert list(columns(section, 200)) == list(range(10))
    assert list(columns(section, 58)) == [0, 1, 2, 3, 4, 5, 6, 9]
    assert list(columns(section, 10)) == [0, 1, 2, 3, 4, 9]
