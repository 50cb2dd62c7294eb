"""Does the gate stay closed for runs that are broken off, failed, old, or held against a ratchet that holds nothing?"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ankare.cli.eval import app as eval_app
from ankare.cli.eval_compare import app
from ankare.errors import EvaluationError
from ankare.evaluation.asking.run_folder import SUITE as SUITE_FILE
from ankare.evaluation.asking.run_folder import keep_suite, write_conditions
from ankare.evaluation.captured import AnswerPath
from ankare.evaluation.case import Case, Suite
from ankare.evaluation.comparing import alone, quality_gate, ratchet
from ankare.evaluation.measures.scores_file import FILE, write_scores
from ankare.evaluation.scored import Outcome, Scored
from ankare.evaluation.suites.suite import digest_of
from tests.evaluation.scored_runs import row, run_of

OPEN, CLOSED = 0, 1
CASES = tuple(Case(f"q{n:02}", f"What is {n}?") for n in range(30))
SUITE = Suite(CASES, digest_of(CASES))
LIMITS = ("--fail-below", "faithfulness=0.9", "--fail-below", "fact_recall=0.9")
FAILED = "failed:timeout"


def answer(case_id: str, repeat: int = 0, score: float = 1.0) -> Scored:
    return row(case_id, repeat, faithfulness=score, fact_recall=score, answer_relevance=0.95)


def failure(case_id: str, repeat: int = 0) -> Scored:
    return row(case_id, repeat, outcome=Outcome.FAILED, aside=FAILED)


GOOD = [answer(case.id) for case in CASES]
Rows = Sequence[Scored]
SPOILED: dict[str, Rows] = {
    "broken off after the good ones": GOOD[:20],
    "nothing was asked": [],
    "all but two failed": [*GOOD[:2], *(failure(case.id) for case in CASES[2:])],
    "two of three repeats failed": [
        row for case in CASES for row in (answer(case.id), failure(case.id, 1), failure(case.id, 2))
    ],
    "five answers lost all": [answer(case.id, score=0.0 if n < 5 else 1.0) for n, case in enumerate(CASES)],
    "questions of no suite": [*GOOD, *(answer(f"x{n}") for n in range(400))],
    "one answer twice": [*GOOD, GOOD[0]],
}


def keep(folder: Path, rows: Rows, suite: Suite = SUITE, path: AnswerPath = AnswerPath.CONTROL) -> Path:
    folder.mkdir(parents=True)
    run = run_of(rows, path, suite, repeats=3 if any(one.repeat == 2 for one in rows) else 1)
    keep_suite(folder, suite)
    write_conditions(folder, replace(run.conditions, name=folder.name))
    write_scores(run, folder)
    return folder


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return keep(tmp_path / "base", GOOD)


def called(*words: object) -> Result:
    return CliRunner().invoke(eval_app, ["compare", *map(str, words)], env={"COLUMNS": "200"})


# --- what a run lacks


@pytest.mark.parametrize("spoiled", SPOILED)
def test_every_gate_is_closed_for_a_spoiled_run(spoiled: str, base: Path, tmp_path: Path) -> None:
    marks = tmp_path / "ratchet.json"
    assert called(base, "--ratchet", marks, "--update-ratchet", *LIMITS).exit_code == OPEN
    before = marks.read_bytes()
    run = keep(tmp_path / "run", SPOILED[spoiled])
    for words in (
        (run, *LIMITS),
        (run, "--ratchet", marks),
        (base, run, "--fail-if-worse"),
        (run, "--ratchet", marks, "--update-ratchet"),
        (run, "--ratchet", tmp_path / "new.json", "--update-ratchet", *LIMITS),
    ):
        result = called(*words)
        assert result.exit_code == CLOSED, (words, result.output)
        assert len(result.stderr.splitlines()) > 1, "it is told why"
    assert marks.read_bytes() == before
    assert not (tmp_path / "new.json").exists()


def drafted(*reviewed: str) -> Suite:
    """The suite, of which nobody has looked at any but these."""
    cases = tuple(replace(case, draft=case.id not in reviewed) for case in CASES)
    return Suite(cases, digest_of(cases))


def test_a_gate_over_drafts_alone_is_closed_and_says_why(tmp_path: Path) -> None:
    run, before = keep(tmp_path / "run", GOOD, drafted()), keep(tmp_path / "before", GOOD, drafted())
    marks = tmp_path / "ratchet.json"
    for words in (
        (run, *LIMITS),
        (before, run, "--fail-if-worse", "faithfulness"),
        (run, "--ratchet", marks, "--update-ratchet"),
    ):
        result = called(*words)
        assert result.exit_code == CLOSED, result.output
        assert "nobody has looked at any of its questions" in result.stderr
        assert "take the draft mark away" in result.stderr
    assert not marks.exists()
    assert called(before, run).exit_code == OPEN  # a comparison is no gate


def test_one_reviewed_question_is_enough_to_be_judged(tmp_path: Path) -> None:
    assert called(keep(tmp_path / "run", GOOD, drafted("q03")), *LIMITS).exit_code == OPEN


def test_a_limit_that_stands_on_drafts_alone_is_a_fault_of_its_own(tmp_path: Path) -> None:
    rows = [*GOOD[:3], row("q03", answer_relevance=0.9), *GOOD[4:]]
    run = keep(tmp_path / "run", rows, drafted("q03"))
    result = called(run, *LIMITS)
    assert result.exit_code == CLOSED
    assert "faithfulness stands on drafts alone" in result.stderr
    assert called(run, "--fail-below", "answer_relevance=0.9").exit_code == OPEN
    result = called(keep(tmp_path / "before", rows, drafted("q03")), run, "--fail-if-worse", "faithfulness")
    assert "faithfulness stands on drafts alone" in result.stderr


def test_a_saboteur_that_takes_drafts_for_reviewed_opens_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quality_gate, "reviewed", lambda *_: True)
    with pytest.raises(AssertionError):
        test_a_gate_over_drafts_alone_is_closed_and_says_why(tmp_path)


def test_what_is_missing_is_told_with_the_remedy(tmp_path: Path) -> None:
    said = called(keep(tmp_path / "run", GOOD[:28]), *LIMITS).stderr
    assert "2 answers of the suite are missing" in said
    assert "again with the same --out" in said
    assert "questions: q28, q29" in said


def test_a_comparison_without_a_gate_warns_of_it(base: Path, tmp_path: Path) -> None:
    result = called(base, keep(tmp_path / "part", GOOD[:28]))
    assert result.exit_code == OPEN
    assert "part: 2 answers of its suite are missing (q28, q29)" in " ".join(result.stdout.split())


@pytest.mark.parametrize(("name", "said"), [("gone", "not kept"), ("another", "not the one that it was asked")])
def test_without_its_suite_nobody_knows_whether_a_run_is_whole(name: str, said: str, base: Path) -> None:
    if name == "gone":
        (base / SUITE_FILE).unlink()
    else:
        keep_suite(base, Suite(CASES[:20], digest_of(CASES[:20])))
    write_scores(run_of(GOOD), base)
    result = called(base, *LIMITS)
    assert result.exit_code == CLOSED
    assert said in result.stderr


def lets_failures_by(folder: Path) -> int:
    """The saboteur: a limit is about the values that are there."""
    return called(folder, *LIMITS, "--least", "0").exit_code


def test_a_limit_that_stands_on_two_answers_is_noticed(tmp_path: Path) -> None:
    run = keep(tmp_path / "run", SPOILED["all but two failed"])
    assert lets_failures_by(run) == OPEN
    assert "stands on 7% of the answers" in called(run, *LIMITS).stderr


def test_failures_are_judged_with_whatever_else_is(base: Path, tmp_path: Path) -> None:
    run = keep(tmp_path / "run", [*GOOD[:29], failure("q29")])
    assert "failed is worse" in called(base, run, "--fail-if-worse", "faithfulness").stderr
    assert called(run, "--fail-above", "failed=0.05").exit_code == OPEN
    assert called(run, "--fail-above", "failed=0.01").exit_code == CLOSED


def test_the_share_on_the_path_is_judged(base: Path, tmp_path: Path) -> None:
    rows = [replace(one, aside="wrong_path") if n < 3 else one for n, one in enumerate(GOOD)]
    result = called(base, keep(tmp_path / "run", rows), "--fail-if-worse", "on_path")
    assert result.exit_code == CLOSED
    assert "on_path is worse: 0.9000, was 1.0000" in result.stderr
    assert called(base, base, "--fail-if-worse", "on_path").exit_code == OPEN


# --- worse than the base


def renamed(n: int) -> tuple[Rows, Suite]:
    """The first so many questions are called otherwise, and their answers are bad."""
    cases = tuple(replace(case, id=f"{case.id}b") if place < n else case for place, case in enumerate(CASES))
    rows = [answer(case.id, score=0.0 if place < n else 1.0) for place, case in enumerate(cases)]
    return rows, Suite(cases, digest_of(cases))


def test_questions_of_the_base_that_are_gone_close_the_gate_unless_they_may(base: Path, tmp_path: Path) -> None:
    run = keep(tmp_path / "run", *renamed(12))
    result = called(base, run, "--fail-if-worse")
    assert result.exit_code == CLOSED
    assert "12 questions of base are missing" in result.stderr
    assert "--only-shared" in result.stderr
    assert called(base, run, "--fail-if-worse", "--only-shared").exit_code == OPEN


@pytest.mark.parametrize(
    ("path", "lost", "code"),
    [
        (AnswerPath.CONTROL, 1, CLOSED),  # one of 30 lost all: 0.033, and nothing is chance
        (AnswerPath.AGENTIC, 1, OPEN),
        (AnswerPath.AGENTIC, 5, OPEN),  # five that fall one way are nothing that a coin would not do
        (AnswerPath.AGENTIC, 15, CLOSED),
    ],
)
def test_without_a_model_what_fell_fell(path: AnswerPath, lost: int, code: int, tmp_path: Path) -> None:
    rows = [answer(case.id, score=0.0 if n < lost else 1.0) for n, case in enumerate(CASES)]
    runs = keep(tmp_path / "a", GOOD, path=path), keep(tmp_path / "b", rows, path=path)
    assert called(*runs, "--fail-if-worse").exit_code == code


def test_the_tolerance_may_be_wider(base: Path, tmp_path: Path) -> None:
    run = keep(tmp_path / "run", [answer("q00", score=0.0), *GOOD[1:]])
    assert called(base, run, "--fail-if-worse", "--tolerance", "0.05").exit_code == OPEN


# --- limits


@pytest.mark.parametrize(
    "limit",
    ["faithfulness=-5", "faithfulness=1e-400", "faithfulness=-0.0", "faithfulness=0", "faithfulness=0_9",
     "faithfulness=٠.٩", "faithfulness=０.９", "faithfulness=inf", "faithfulness=1e999", "faithfulness=0,9",
     "faithfulness=+.9"],
)  # fmt: skip
def test_a_limit_that_closes_nothing_or_is_no_plain_number_is_refused(limit: str, base: Path) -> None:
    error = called(base, "--fail-below", limit).exception
    assert isinstance(error, EvaluationError)
    assert "no limit" in str(error)


@pytest.mark.parametrize(
    ("limit", "code"), [("failed=0", OPEN), ("failed=0.0", OPEN), ("failed=1", None), ("failed=2", None)]
)
def test_nothing_at_all_may_be_above(limit: str, code: int | None, base: Path) -> None:
    result = called(base, "--fail-above", limit)
    assert (result.exit_code if code is not None else type(result.exception)) == (
        EvaluationError if code is None else code
    )


# --- the ratchet


def empty_entry_first(told: dict[str, list[dict[str, object]]]) -> None:
    told["entries"].insert(0, {**told["entries"][0], "measures": {}})


def same_entry_twice(told: dict[str, list[dict[str, object]]]) -> None:
    told["entries"] *= 2


def no_leading_mark(told: dict[str, list[dict[str, object]]]) -> None:
    told["entries"][0]["measures"] = {"on_path": {"mean": 0.0}}


def wide_tolerance(told: dict[str, list[dict[str, object]]]) -> None:
    marks = told["entries"][0]["measures"]
    marks["faithfulness"]["tolerance"] = 9  # type: ignore[index]


def negative_mark(told: dict[str, list[dict[str, object]]]) -> None:
    marks = told["entries"][0]["measures"]
    marks["faithfulness"]["mean"] = -5  # type: ignore[index]


@pytest.mark.parametrize("spoil", [empty_entry_first, same_entry_twice, no_leading_mark, wide_tolerance, negative_mark])
def test_a_ratchet_that_holds_nothing_is_refused(
    spoil: Callable[[dict[str, list[dict[str, object]]]], None], base: Path, tmp_path: Path
) -> None:
    marks = tmp_path / "ratchet.json"
    called(base, "--ratchet", marks, "--update-ratchet")
    told = json.loads(marks.read_text("utf-8"))
    spoil(told)
    marks.write_text(json.dumps(told), "utf-8")
    for more in ((), ("--update-ratchet",), ("--update-ratchet", "--force", "why")):
        error = called(base, "--ratchet", marks, *more).exception
        assert isinstance(error, EvaluationError)
        assert "is no ratchet" in str(error)
        assert "committed" in error.remedy


@pytest.mark.parametrize("more", [(), ("--force", "why")])
def test_no_entry_begins_without_a_leading_mark(more: tuple[str, ...], tmp_path: Path) -> None:
    run = keep(tmp_path / "run", [failure(case.id) for case in CASES])
    marks = tmp_path / "ratchet.json"
    assert called(run, "--ratchet", marks, "--update-ratchet", *more).exit_code == CLOSED
    assert not marks.exists()


def move_at_once(
    first: Path, second: Path, marks: Path, monkeypatch: pytest.MonkeyPatch, patience_s: float
) -> set[str]:
    """This process has read the file, and waits for another to end before it writes. Which entries are left?

    Where the other has to wait for this one, `patience_s` ends it.
    """
    writing, other_is_done, written = threading.Event(), threading.Event(), ratchet.write_ratchet

    def slowly(held: ratchet.Ratchet, path: Path) -> None:
        writing.set()
        other_is_done.wait(patience_s)
        written(held, path)

    monkeypatch.setattr(ratchet, "write_ratchet", slowly)
    mine = threading.Thread(
        target=lambda: CliRunner().invoke(app, [str(first), "--ratchet", str(marks), "--update-ratchet"])
    )
    mine.start()
    assert writing.wait(30)
    words = ["-m", "ankare", "eval", "compare", str(second), "--ratchet", str(marks), "--update-ratchet"]
    subprocess.run([sys.executable, *words], check=True, capture_output=True, timeout=120)
    other_is_done.set()
    mine.join(60)
    return {entry["path"] for entry in json.loads(marks.read_text("utf-8"))["entries"]}


def test_of_two_jobs_at_once_none_undoes_the_other(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = keep(tmp_path / "other", GOOD, path=AnswerPath.SYNTHESIS)
    assert move_at_once(base, other, tmp_path / "ratchet.json", monkeypatch, 2.5) == {"control", "synthesis"}
    assert not list(tmp_path.glob("*lock*")), "nothing is left beside the file"


def test_a_lock_that_locks_nothing_is_noticed(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The saboteur: nobody waits for anybody."""
    other = keep(tmp_path / "other", GOOD, path=AnswerPath.SYNTHESIS)
    monkeypatch.setattr(alone.fcntl, "flock", lambda *_: None)
    assert move_at_once(base, other, tmp_path / "ratchet.json", monkeypatch, 120) == {"control"}


def test_who_waits_too_long_is_told(tmp_path: Path) -> None:
    waits = alone.alone_with(tmp_path / "a", patience_s=0.1)
    with alone.alone_with(tmp_path / "a"), pytest.raises(EvaluationError, match="Another process"), waits:
        pass


# --- scores that were kept


def test_scores_that_do_not_fit_open_no_gate(base: Path) -> None:
    """Rows that a hand has bettered, and no answers to score anew."""
    path = base / FILE
    path.write_text(path.read_text("utf-8").replace("0.95", "0.99"), "utf-8")
    assert isinstance(called(base, *LIMITS).exception, EvaluationError)
