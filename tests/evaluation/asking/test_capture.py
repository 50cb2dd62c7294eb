"""Is every question of a suite asked once, whatever comes between, and is every outcome kept?"""

from __future__ import annotations

import errno
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import pytest

from ankare.errors import EvaluationError
from ankare.evaluation.asking import capture as capture_module
from ankare.evaluation.asking import hidden
from ankare.evaluation.asking.asker import Asked, Told
from ankare.evaluation.asking.capture import Captured, Plan, capture
from ankare.evaluation.asking.run_folder import ANSWERS, CONDITIONS, Answers, locked, read_conditions, read_run
from ankare.evaluation.captured import AnswerPath, FailureKind, Run
from ankare.evaluation.case import Case
from ankare.evaluation.suites.suite import suite_of
from tests.evaluation.asked import ScriptedAsker, body, fails, says

SUITE = suite_of([Case(f"q{n}", f"Fråga {n}?") for n in range(8)], "frågor")
IDS = [case.id for case in SUITE]
PLAN = Plan(AnswerPath.CONTROL)


def stopping(after: int, stop: Event, answer: Callable[[Case], Asked] = says) -> Callable[[Case], Asked]:
    """Answers, and sets `stop` while it answers question number `after`."""
    begun: list[str] = []

    def ask(case: Case) -> Asked:
        begun.append(case.id)
        if len(begun) == after:
            stop.set()
        return answer(case)

    return ask


def outcomes(run: Run) -> list[tuple[str, int, str]]:
    return [(one.case_id, one.repeat, one.failure.kind.value if one.failure else "ok") for one in run.captures]


def test_every_question_is_asked_once_and_the_run_is_finished(tmp_path: Path) -> None:
    asker, seen = ScriptedAsker(), []
    captured = capture(SUITE, asker, tmp_path / "run", PLAN, watch=lambda done, of, new: seen.append((done, of)))
    assert captured == Captured(tmp_path / "run", asked=8, before=0, left=0)
    assert asker.asked == IDS
    assert seen == [(n, 8) for n in range(1, 9)]
    run = read_run(tmp_path / "run")
    assert [one.response.markdown for one in run.captures if one.response] == [f"Svar på Fråga {n}?" for n in range(8)]
    assert (run.conditions.suite_digest, run.conditions.suite_name) == (SUITE.digest, "frågor")
    assert (run.conditions.revisions, run.conditions.index_versions) == (("r1",), ("i1",))
    assert run.conditions.finished


def interrupted_and_gone_on(folder: Path, after: int, threads: int = 1) -> None:
    """An interrupted run goes on: nothing is asked twice, nothing is lost."""
    stop = Event()
    first = ScriptedAsker(stopping(after, stop))
    plan = replace(PLAN, concurrency=threads)
    captured = capture(SUITE, first, folder, plan, stop=stop)
    assert (captured.stopped, captured.left) == ("interrupted", 8 - captured.asked)
    assert captured.asked == len(first.asked) < 8, "questions under way are finished"
    assert not read_conditions(folder).finished
    second = ScriptedAsker()
    gone_on = capture(SUITE, second, folder, plan)
    assert (gone_on.before, gone_on.left, gone_on.stopped) == (captured.asked, 0, "")
    assert Counter([*first.asked, *second.asked]) == Counter(IDS)
    assert [one.case_id for one in read_run(folder).captures] == IDS


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("after", [1, 4])
def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path, after: int, threads: int) -> None:
    interrupted_and_gone_on(tmp_path, after, threads)


def test_saboteur_a_resume_that_forgets_what_was_recorded_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture_module, "_recorded", lambda folder, *, retry_failed: set())
    with pytest.raises(AssertionError):
        interrupted_and_gone_on(tmp_path, 4)


def test_saboteur_a_resume_that_skips_a_question_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        capture_module, "_recorded", lambda folder, *, retry_failed: {(case_id, 0) for case_id in IDS[:5]}
    )
    with pytest.raises(AssertionError):
        interrupted_and_gone_on(tmp_path, 4)


def test_a_finished_run_asks_nothing_again(tmp_path: Path) -> None:
    capture(SUITE, ScriptedAsker(), tmp_path, PLAN)
    again = ScriptedAsker()
    captured = capture(SUITE, again, tmp_path, PLAN)
    assert (again.asked, captured.asked, captured.before) == ([], 0, 8)


def test_a_finished_run_stays_as_it_is_and_tells_that_the_index_is_another_one(tmp_path: Path) -> None:
    capture(SUITE, ScriptedAsker(), tmp_path, PLAN)
    before = (tmp_path / CONDITIONS).read_bytes()
    asker = ScriptedAsker(about=Told(about={"index_version": "i2"}, warnings=("mind this",)))
    warned: list[str] = []
    captured = capture(SUITE, asker, tmp_path, PLAN, warn=warned.append)
    assert captured.notes == ("The index is i2 now; the answers are of i1. Ask again with another --out.",)
    assert (tmp_path / CONDITIONS).read_bytes() == before
    assert warned == [], "what matters for questions matters to nobody here"


def test_a_note_is_kept_and_can_be_written_anew(tmp_path: Path) -> None:
    capture(SUITE, ScriptedAsker(), tmp_path, replace(PLAN, note="a scripted model"))
    finished = read_conditions(tmp_path)
    for note, kept in (("", "a scripted model"), ("copies", "copies")):
        capture(SUITE, ScriptedAsker(), tmp_path, replace(PLAN, note=note))
        assert read_conditions(tmp_path) == replace(finished, note=kept)


def found(*semantic: float | None) -> Callable[[Case], Asked]:
    """Answers with one hit each, the next with the next cosine, the last one again and again."""
    waiting = list(semantic)

    def answer(case: Case) -> Asked:
        cosine = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        return Asked(1.0, body("Svar.", retrieval={"top_results": [{"chunk_id": "c", "semantic": cosine}]}))

    return answer


@pytest.mark.parametrize(
    ("cosines", "wanted", "came_up", "said"),
    [
        ((None,), True, ("no",), "was not ready: all answers were found by words alone. Prepare it. Ask again"),
        ((None, None, 0.5), True, ("no", "yes"), "became ready during the run"),
        ((0.5, None), True, ("yes", "no"), "for a part of the texts only"),
        ((0.5,), True, ("yes",), ""),
        ((None,), False, ("no",), ""),
    ],
)
def test_the_part_of_search_by_meaning_is_kept_and_told(
    cosines: tuple[float | None, ...], wanted: bool, came_up: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    asker = ScriptedAsker(found(*cosines), Told(settings={"semantic": wanted}, to_prepare="Prepare it."))
    captured = capture(SUITE, asker, tmp_path, PLAN)
    assert read_conditions(tmp_path).by_meaning == came_up
    assert [said in note for note in captured.notes] == ([True] if said else [])


def test_what_is_to_be_known_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    asker = ScriptedAsker(about=Told(warnings=("mind this",)))
    capture(SUITE, asker, tmp_path, PLAN, warn=lambda line: asker.asked.append(line))
    assert asker.asked == ["mind this", *IDS]


def test_a_half_line_is_cut_off_told_and_asked_again(tmp_path: Path) -> None:
    capture(SUITE, ScriptedAsker(), tmp_path, PLAN)
    lines = (tmp_path / ANSWERS).read_bytes()
    (tmp_path / ANSWERS).write_bytes(lines[:-20])
    again = ScriptedAsker()
    captured = capture(SUITE, again, tmp_path, PLAN)
    assert again.asked == ["q7"]
    assert "half a line" in captured.notes[0]
    assert [one.case_id for one in read_run(tmp_path).captures] == IDS


TOLD = Told("https://a.example", "r1", {"top_k": 8, "semantic": True, "cast": {"agent1": {"model": "a"}}})


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"suite": suite_of(SUITE.cases[:4], "frågor")}, "another suite"),
        ({"suite": suite_of([*SUITE.cases[:-1], Case("q7", "Annat?")], "frågor")}, "another suite"),
        ({"plan": Plan(AnswerPath.SYNTHESIS)}, "path was control, is synthesis"),
        ({"plan": Plan(AnswerPath.CONTROL, repeats=2)}, "repeats was 1, is 2"),
        ({"told": replace(TOLD, base_url="https://b.example")}, "base_url was https://a.example, is https://b.example"),
        ({"told": replace(TOLD, settings={**TOLD.settings, "top_k": 5})}, "top_k was 8, is 5"),
        ({"told": replace(TOLD, settings={"top_k": 8})}, "cast was .*, is null; semantic was true, is null"),
    ],
)
def test_a_run_does_not_go_on_under_other_conditions_and_says_what_differs(
    tmp_path: Path, changed: dict[str, Any], named: str
) -> None:
    capture(SUITE, ScriptedAsker(about=TOLD), tmp_path, PLAN)
    kept = (tmp_path / ANSWERS).read_bytes()
    asker = ScriptedAsker(about=changed.get("told", TOLD))
    with pytest.raises(EvaluationError, match=named):
        capture(changed.get("suite", SUITE), asker, tmp_path, changed.get("plan", PLAN))
    assert (asker.asked, (tmp_path / ANSWERS).read_bytes()) == ([], kept)


def test_a_new_revision_and_index_in_the_middle_are_kept_and_told(tmp_path: Path) -> None:
    def ask(case: Case) -> Asked:
        late = case.id >= "q4"
        return Asked(1.0, body("x", revision="new" if late else "old", index_version="2" if late else "1"))

    captured = capture(SUITE, ScriptedAsker(ask), tmp_path, PLAN)
    conditions = read_conditions(tmp_path)
    assert (conditions.revisions, conditions.index_versions) == (("old", "new"), ("1", "2"))
    assert captured.notes == (
        "The revision changed during the run: old, new.",
        "The index changed during the run: 1, 2.",
    )


def test_where_a_run_goes_on_stands_beside_where_it_began(tmp_path: Path) -> None:
    stop = Event()
    capture(SUITE, ScriptedAsker(stopping(2, stop)), tmp_path, PLAN, stop=stop)
    began = read_conditions(tmp_path)
    capture(SUITE, ScriptedAsker(), tmp_path, replace(PLAN, concurrency=4))
    conditions = read_conditions(tmp_path)
    assert (conditions.started, conditions.environment["concurrency"]) == (began.started, 1)
    assert [one["concurrency"] for one in conditions.environment["resumed"]] == [4]


def test_failures_are_outcomes_and_are_asked_again_only_on_request(tmp_path: Path) -> None:
    broken = ScriptedAsker(lambda case: fails() if case.id in ("q2", "q5") else says(case))
    capture(SUITE, broken, tmp_path, PLAN)
    assert [kind for _, _, kind in outcomes(read_run(tmp_path))].count("broken") == 2
    idle, retried = ScriptedAsker(), ScriptedAsker()
    capture(SUITE, idle, tmp_path, PLAN)
    captured = capture(SUITE, retried, tmp_path, replace(PLAN, retry_failed=True))
    assert (idle.asked, retried.asked, captured.before) == ([], ["q2", "q5"], 6)
    assert {kind for _, _, kind in outcomes(read_run(tmp_path))} == {"ok"}


def test_a_run_without_hope_stops_and_can_go_on(tmp_path: Path) -> None:
    refused = ScriptedAsker(lambda case: fails(FailureKind.PROVIDER, hopeless=True))
    captured = capture(SUITE, refused, tmp_path, PLAN)
    assert (captured.asked, captured.left) == (5, 3)
    assert "5 questions in a row" in captured.stopped
    assert "provider: why" in captured.stopped
    paid = ScriptedAsker()
    assert capture(SUITE, paid, tmp_path, replace(PLAN, retry_failed=True)).left == 0
    assert Counter(paid.asked) == Counter(IDS)


def test_failures_that_are_not_in_a_row_stop_nothing(tmp_path: Path) -> None:
    asker = ScriptedAsker(lambda case: fails(hopeless=True) if case.id != "q4" else says(case))
    assert capture(SUITE, asker, tmp_path, PLAN).left == 0


def test_a_provider_that_refuses_us_in_the_shadow_stops_the_run_too(tmp_path: Path) -> None:
    pipeline = {"fallback_reason": "quota", "shadow": {"answered": None}}
    asker = ScriptedAsker(lambda case: Asked(1.0, body("x", agentic_pipeline=pipeline)))
    captured = capture(SUITE, asker, tmp_path, Plan(AnswerPath.SHADOW))
    assert (captured.asked, captured.left) == (5, 3)
    assert "quota" in captured.stopped
    again = ScriptedAsker()
    capture(SUITE, again, tmp_path, Plan(AnswerPath.SHADOW, retry_failed=True))
    assert Counter(again.asked) == Counter(IDS)


def test_a_chain_that_fell_back_is_a_response_that_tells_why(tmp_path: Path) -> None:
    pipeline = {"fallback_reason": "provider_error", "final_status": "fallback"}
    capture(SUITE, ScriptedAsker(lambda case: Asked(1.0, body("x", agentic_pipeline=pipeline))), tmp_path, PLAN)
    run = read_run(tmp_path)
    assert {one.response.chain.fallback_reason for one in run.captures if one.response} == {"provider_error"}


def test_repeats_are_interleaved(tmp_path: Path) -> None:
    asker = ScriptedAsker()
    capture(SUITE, asker, tmp_path, replace(PLAN, repeats=3))
    assert asker.asked == IDS * 3
    places = [(one.case_id, one.repeat) for one in read_run(tmp_path).captures]
    assert places == [(case_id, repeat) for case_id in IDS for repeat in range(3)]


def test_as_many_are_asked_at_once_as_are_wished_and_the_order_read_is_the_suite_s(tmp_path: Path) -> None:
    together = Barrier(4)

    def ask(case: Case) -> Asked:
        together.wait(60)  # ends only where four are asked at once
        return says(case)

    capture(SUITE, ScriptedAsker(ask), tmp_path, replace(PLAN, concurrency=4))
    assert [one.case_id for one in read_run(tmp_path).captures] == IDS


def test_no_more_are_asked_at_once_than_are_wished(tmp_path: Path) -> None:
    at_work, most, lock = 0, 0, threading.Lock()

    def ask(case: Case) -> Asked:
        nonlocal at_work, most
        with lock:
            at_work += 1
            most = max(most, at_work)
        found = says(case)
        with lock:
            at_work -= 1
        return found

    capture(SUITE, ScriptedAsker(ask), tmp_path, replace(PLAN, concurrency=2, repeats=20))
    assert most <= 2


def test_a_disk_that_is_full_stops_the_run_and_what_is_written_stays_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append, lines = Answers.append, []

    def full(self: Answers, line: bytes) -> None:
        lines.append(line)
        if len(lines) == 4:
            raise OSError(errno.ENOSPC, "No space left on device")
        append(self, line)

    monkeypatch.setattr(Answers, "append", full)
    captured = capture(SUITE, ScriptedAsker(), tmp_path, PLAN)
    assert "No space left on device" in captured.stopped
    assert len(read_run(tmp_path).captures) == captured.asked < 8
    monkeypatch.undo()
    assert capture(SUITE, ScriptedAsker(), tmp_path, PLAN).left == 0
    assert [one.case_id for one in read_run(tmp_path).captures] == IDS


def kept_out(folder: Path) -> None:
    """While one run writes into a folder, no other does."""
    asker = ScriptedAsker()
    with locked(folder), pytest.raises(EvaluationError, match="Another process"):
        capture(SUITE, asker, folder, PLAN)
    assert asker.asked == []


def test_two_runs_never_write_into_one_folder(tmp_path: Path) -> None:
    kept_out(tmp_path)


def test_saboteur_a_lock_that_locks_nobody_out_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ankare.evaluation.asking.run_folder.fcntl.flock", lambda descriptor, operation: None)
    with pytest.raises(pytest.fail.Exception):
        kept_out(tmp_path)


@pytest.mark.parametrize("strange", ["notes.txt", ANSWERS])
def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path, strange: str) -> None:
    (tmp_path / strange).write_text("mine\n")
    with pytest.raises(EvaluationError, match="no run's folder"):
        capture(SUITE, ScriptedAsker(), tmp_path, PLAN)
    assert (tmp_path / strange).read_text() == "mine\n"


def test_a_run_that_was_killed_before_its_first_answer_begins_anew(tmp_path: Path) -> None:
    capture(SUITE, ScriptedAsker(), tmp_path, PLAN)
    (tmp_path / CONDITIONS).unlink()
    (tmp_path / ANSWERS).unlink()
    assert capture(SUITE, ScriptedAsker(), tmp_path, PLAN).asked == 8


def secret_told_and_hidden(folder: Path) -> None:
    """A secret that an answer repeats is in no file of the run."""
    secret = "sk-" + "very-private"
    told = body(f"nyckeln är {secret}", claims=[{"text": secret}])
    capture(SUITE, ScriptedAsker(lambda case: Asked(1.0, told), secrets=(secret,)), folder, PLAN)
    assert all(secret.encode() not in path.read_bytes() for path in folder.iterdir())
    assert "nyckeln är ***" in (folder / ANSWERS).read_text("utf-8")


def test_no_secret_gets_into_a_file(tmp_path: Path) -> None:
    secret_told_and_hidden(tmp_path)


def test_saboteur_a_writer_that_hides_nothing_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden, "SHORTEST_SECRET", 10_000)
    with pytest.raises(AssertionError):
        secret_told_and_hidden(tmp_path)


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, object()])
def test_a_body_that_no_file_can_hold_is_a_broken_answer(tmp_path: Path, value: object) -> None:
    asker = ScriptedAsker(lambda case: Asked(1.0, body("x", held=value)))
    capture(SUITE, asker, tmp_path, PLAN)
    assert {kind for _, _, kind in outcomes(read_run(tmp_path))} == {"broken"}


def test_a_fault_of_ours_ends_the_run_and_is_not_an_outcome(tmp_path: Path) -> None:
    def ask(case: Case) -> Asked:
        if case.id == "q3":
            raise RuntimeError("ours")
        return says(case)

    with pytest.raises(RuntimeError, match="ours"):
        capture(SUITE, ScriptedAsker(ask), tmp_path, PLAN)
    assert [one.case_id for one in read_run(tmp_path).captures] == IDS[:3]
