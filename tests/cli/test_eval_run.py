"""Does `ankare eval run` ask what it should, go on where it was, and end with the code that it promises?"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ankare.cli.eval import app
from ankare.cli.eval_run import chosen, told
from ankare.errors import EvaluationError, SettingsError
from ankare.evaluation.asking.run_folder import ANSWERS, read_run
from ankare.evaluation.case import Case
from ankare.evaluation.measures.tally import Tally, Tokens, Variation
from ankare.evaluation.suites.suite import suite_of, write_suite
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.sample import pack_path
from tests.evaluation.asked import body
from tests.model_server import Behaviour, Line, ModelServer, model_server, refuses, reply, stall

SAMPLE = pack_path() / "suite.jsonl"
CASES = tuple(Case(f"q{n}", f"Fråga {n}?", type="list" if n % 2 else "definition", draft=n == 3) for n in range(6))
IDS = [case.id for case in CASES]
HEALTH = {"provider": "none", "revision": "r1"}
PATIENCE = 60


def serves(*answers: Behaviour) -> Behaviour:
    """/health, and to the questions these answers; the last one again and again."""
    waiting = list(answers)

    def behave(line: Line) -> None:
        if line.request.target == "/health":
            reply(200, HEALTH)(line)
        else:
            (waiting.pop(0) if len(waiting) > 1 else waiting[0])(line)

    return behave


ANSWER = reply(200, body("Svar."))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        running.does(serves(ANSWER))
        yield running


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    write_suite(CASES, tmp_path / "frågor.jsonl")
    return tmp_path / "frågor.jsonl"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "home"
    ingest([], Home(folder), pack=pack_path(), workers=1)
    return folder


def run(*arguments: object, **variables: str) -> Result:
    return CliRunner().invoke(app, ["run", *map(str, arguments)], env={"ANKARE_EVAL_KEY": None, **variables})


def questions(server: ModelServer) -> list[str]:
    """The ids of the cases that the server was asked, in order."""
    texts = [seen.json["question"] for seen in server.seen if seen.target == "/api/ask"]
    return [f"q{text.split()[1].rstrip('?')}" for text in texts]


def test_a_suite_is_asked_in_process(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(SAMPLE, "--home", home, "--no-semantic", "--repeat", 2, "--limit", 7, "--name", "mitt")
    assert done.exit_code == 0, done.output
    (folder,) = (tmp_path / "eval").iterdir()
    assert re.fullmatch(r"\d{8}-\d{6}-control", folder.name)
    assert f"ankare eval score eval/{folder.name}" in done.stdout
    assert "of 7 questions 7 had the same text each time, 7 the same sources, 7 the same outcome" in done.stdout
    found = read_run(folder)
    assert len(found.captures) == 14
    assert (found.conditions.name, found.conditions.suite_name, found.conditions.repeats) == ("mitt", "suite", 2)
    assert found.conditions.settings["semantic"] is False


def test_what_was_recorded_is_not_told_as_if_it_had_been_asked(
    server: ModelServer, suite: Path, tmp_path: Path
) -> None:
    for _ in range(2):
        done = run(suite, "--base-url", server.url, "--out", tmp_path / "run", "--note", "a  scripted\nmodel")
    assert done.stdout.startswith("Nothing was asked: all 6 outcomes were recorded before.\n")
    assert "were added" not in done.stdout
    assert len(questions(server)) == 6
    assert read_run(tmp_path / "run").conditions.note == "a scripted model"
    assert run(suite, "--base-url", server.url, "--note", "x" * 501).exit_code == 2


def test_a_home_without_search_by_meaning_is_told_at_the_start_and_at_the_end(home: Path, tmp_path: Path) -> None:
    done = run(SAMPLE, "--home", home, "--limit", 1, "--out", tmp_path / "run")
    assert done.stderr.startswith("ankare: Search by meaning is not ready")
    assert f"Run `ankare embed --home {home}` first" in done.stderr
    assert "all answers were found by words alone" in done.stdout


def test_a_suite_is_asked_over_http(server: ModelServer, suite: Path, tmp_path: Path) -> None:
    done = run(suite, "--base-url", server.url, "--out", tmp_path / "run")
    assert done.exit_code == 0, done.output
    assert Counter(questions(server)) == Counter(IDS)
    assert "6 answered" in done.stdout
    assert "1 of 6 cases are drafts" in done.stderr
    assert read_run(tmp_path / "run").conditions.environment["concurrency"] == 4


def test_failures_are_told_and_are_outcomes(server: ModelServer, suite: Path, tmp_path: Path) -> None:
    server.does(serves(refuses(500), ANSWER))
    done = run(suite, "--base-url", server.url, "--out", tmp_path / "run", "--concurrency", 1)
    assert done.exit_code == 0, done.output
    assert "Failures:  1 broken" in done.stdout
    again = run(suite, "--base-url", server.url, "--out", tmp_path / "run", "--retry-failed")
    assert "5 outcomes were there already, 1 were added." in again.stdout
    assert "Failures" not in again.stdout


def test_a_run_that_makes_no_sense_stops_early(server: ModelServer, suite: Path, tmp_path: Path) -> None:
    server.does(serves(reply(503, {"code": "model-quota", "detail": "used up"})))
    done = run(suite, "--base-url", server.url, "--out", tmp_path / "run", "--concurrency", 1)
    assert done.exit_code == 1
    assert "stopped early, 1 questions are left: 5 questions in a row" in done.stderr
    assert f"--out {tmp_path / 'run'}" in done.stdout


def started(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "ankare", "eval", "run", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ.copy())


def killed_and_gone_on(server: ModelServer, suite: Path, out: Path) -> None:
    """A run that is killed in the middle goes on: nothing is asked twice but what was under way, nothing is lost."""
    server.does(serves(ANSWER, ANSWER, ANSWER, stall))
    process = started(suite, "--base-url", server.url, "--out", out, "--concurrency", 1)
    server.wait_until_asked(5)  # /health, three answers, one that never comes
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=PATIENCE)
    assert [one.case_id for one in read_run(out).captures] == IDS[:3]
    server.does(serves(ANSWER))
    done = run(suite, "--base-url", server.url, "--out", out, "--concurrency", 1)
    assert done.exit_code == 0, done.output
    assert questions(server) == [*IDS[:4], *IDS[3:]]
    assert [one.case_id for one in read_run(out).captures] == IDS
    assert len((out / ANSWERS).read_bytes().splitlines()) == len(IDS)


def test_a_run_that_is_killed_goes_on(server: ModelServer, suite: Path, tmp_path: Path) -> None:
    killed_and_gone_on(server, suite, tmp_path / "run")


def test_saboteur_a_resume_that_forgets_what_was_recorded_is_found_out(
    server: ModelServer, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ankare.evaluation.asking.capture._recorded", lambda folder, *, retry_failed: set())
    with pytest.raises(AssertionError):
        killed_and_gone_on(server, suite, tmp_path / "run")


def test_ctrl_c_finishes_what_is_under_way_and_leaves_130(server: ModelServer, suite: Path, tmp_path: Path) -> None:
    told_so = Event()

    def waits(line: Line) -> None:
        assert told_so.wait(PATIENCE)
        ANSWER(line)

    server.does(serves(ANSWER, waits, ANSWER))
    process = started(suite, "--base-url", server.url, "--out", tmp_path / "run", "--concurrency", 1)
    try:
        server.wait_until_asked(3)  # /health, one that has its answer, one that is under way
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        while "finishing the questions under way" not in (line := process.stderr.readline()):
            assert line, "it ended without a word"
        told_so.set()
        out, _ = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 130
    assert [one.case_id for one in read_run(tmp_path / "run").captures] == IDS[:2]
    assert "2 answered" in out
    assert run(suite, "--base-url", server.url, "--out", tmp_path / "run").exit_code == 0
    assert Counter(questions(server)) == Counter(IDS)


def test_a_second_ctrl_c_leaves_at_once_and_says_how_to_go_on(server: ModelServer, suite: Path, tmp_path: Path) -> None:
    server.does(serves(ANSWER, stall))
    process = started(suite, "--base-url", server.url, "--out", tmp_path / "run", "--concurrency", 1)
    try:
        server.wait_until_asked(3)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        while "finishing the questions under way" not in (line := process.stderr.readline()):
            assert line, "it ended without a word"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 130
    assert f"--out {tmp_path / 'run'}" in errors
    assert [one.case_id for one in read_run(tmp_path / "run").captures] == IDS[:1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--only", "q1,q77"), "no case q77"),
        (("--type", "other"), "Types of the suite: definition, list"),
        (("--path", "agentic"), "has no model"),
        (("--base-url", "ftp://x"), "no http"),
    ],
)
def test_bad_use_is_told_before_anything_is_asked(
    server: ModelServer, suite: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = run(suite, "--base-url", server.url, "--out", tmp_path / "run", *arguments)
    assert isinstance(done.exception, EvaluationError | SettingsError)
    assert said in str(done.exception)
    assert questions(server) == []
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("arguments", [("--no-semantic",), ("--as-public",), ("--pack", "."), ("--path", "other")])
def test_what_says_nothing_about_a_server_is_bad_use(
    server: ModelServer, suite: Path, arguments: tuple[str, ...]
) -> None:
    assert run(suite, "--base-url", server.url, *arguments).exit_code == 2
    assert server.seen == []


def test_the_key_comes_from_the_variable_that_is_named(server: ModelServer, suite: Path, tmp_path: Path) -> None:
    given: dict[str, Any] = {"ANKARE_EVAL_KEY": "ank-own-1", "OTHER": "ank-other-2"}
    for n, (named, sent) in enumerate([((), "ank-own-1"), (("--key-env", "OTHER"), "ank-other-2")]):
        run(suite, "--base-url", server.url, "--out", tmp_path / str(n), "--limit", 1, *named, **given)
        assert server.seen[-1].headers["authorization"] == f"Bearer {sent}"


@pytest.mark.parametrize(
    ("only", "type_", "limit", "ids"),
    [
        ("", "", None, IDS),
        ("q4, q1", "", None, ["q1", "q4"]),
        ("", "list", None, ["q1", "q3", "q5"]),
        ("", "list", 2, ["q1", "q3"]),
        ("q0,q1", "list", None, ["q1"]),
    ],
)
def test_cases_are_chosen_in_the_order_of_the_suite(only: str, type_: str, limit: int | None, ids: list[str]) -> None:
    whole = suite_of(CASES, "frågor")
    found = chosen(whole, only, type_, limit)
    assert [case.id for case in found] == ids
    assert (found.digest == whole.digest) == (ids == IDS)
    assert found.name == "frågor"


def test_what_is_not_known_is_told_as_not_known() -> None:
    none = Tally({"refused": 2}, {}, {}, None, None, Tokens(), Variation())
    assert told(none) == ["Outcomes:  2 refused"]
    some = Tally({"answered": 3}, {"timeout": 1}, {"agent_timeout": 2}, 10.0, 20.0, Tokens(100, 20, 3, 1), Variation())
    assert told(some)[1:] == [
        "Failures:  1 timeout",
        "Fallbacks: 2 agent timeout",
        "Time:      median 10 ms, 95 of 100 within 20 ms",
        "Tokens:    100 in, 20 out, for 2 answers; not told for 1 more",
    ]
    assert "not told" in told(Tally({}, {}, {}, None, None, Tokens(0, 0, 3, 3), Variation()))[-1]


UNSEEN = "\x1b]0;own\x07\x1b[2J\u202e\x9b31m"


def shown_of_a_server_that_sends_signs_for_terminals(server: ModelServer, suite: Path, out: Path) -> str:
    """What a terminal gets of a run, of going on with it, and of one that stops early."""
    health = {**HEALTH, "revision": f"r{UNSEEN}", "provider": f"openai{UNSEEN}", "index_version": f"i{UNSEEN}"}
    chain = {"enabled": True, "fallback_reason": f"timeout{UNSEEN}", "final_status": f"fallback{UNSEEN}"}
    said = reply(200, body("Svar.", revision=f"r2{UNSEEN}", index_version=f"j{UNSEEN}", agentic_pipeline=chain))

    def behave(line: Line) -> None:
        (reply(200, health) if line.request.target == "/health" else said)(line)

    server.does(behave)
    once = run(suite, "--base-url", server.url, "--path", "agentic", "--out", out)
    health["provider"] = f"other{UNSEEN}"
    again = run(suite, "--base-url", server.url, "--path", "agentic", "--out", out)
    server.does(reply(200, health), reply(401, {"detail": f"no{UNSEEN}"}))
    stopped = run(suite, "--base-url", server.url, "--out", out.with_name("other"), "--concurrency", 1)
    assert "Fallbacks: 6 timeout" in once.stdout
    assert isinstance(again.exception, EvaluationError)
    assert "stopped early" in stopped.stderr
    return "".join((once.output, str(again.exception), stopped.output, stopped.stderr))


def test_no_sign_that_steers_a_terminal_gets_there(server: ModelServer, suite: Path, tmp_path: Path) -> None:
    shown = shown_of_a_server_that_sends_signs_for_terminals(server, suite, tmp_path / "run")
    assert [sign for sign in shown if sign in UNSEEN and not sign.isprintable()] == []


def test_saboteur_a_summary_that_shows_all_as_it_came_is_found_out(
    server: ModelServer, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("shown", "shown_line"):
        monkeypatch.setattr(f"ankare.cli.eval_run.{name}", str)
    assert "\x1b" in shown_of_a_server_that_sends_signs_for_terminals(server, suite, tmp_path / "run")


def test_the_suite_that_was_asked_lies_beside_the_answers(server: ModelServer, suite: Path, tmp_path: Path) -> None:
    run(suite, "--base-url", server.url, "--out", tmp_path / "run", "--only", "q2")
    kept = [json.loads(line) for line in (tmp_path / "run" / "suite.jsonl").read_text("utf-8").splitlines()]
    assert [row["id"] for row in kept] == ["q2"]
