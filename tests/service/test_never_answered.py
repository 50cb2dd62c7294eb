"""A question that never reached the desk, or was given up, has one record: without a text, never two, and never a flood."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from ankare.service.watch.slip import RECORDS_A_SECOND, Ration, Slip
from ankare.service.watch.usage_records import USAGE, read_usage
from tests.service.doors import Doors, doors

QUESTION = "Vilka etapper finns?"


def records(folder: Path) -> list[dict[str, Any]]:
    file = folder / USAGE
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def wait_for_records(folder: Path, count: int) -> list[dict[str, Any]]:
    deadline = time.monotonic() + 30
    while len(records(folder)) < count and time.monotonic() < deadline:
        time.sleep(0.02)
    return records(folder)


@pytest.mark.parametrize("texts", [False, True])
def test_a_question_that_there_is_no_place_for_has_a_record_without_its_text(tmp_path: Path, texts: bool) -> None:
    logs = tmp_path / "logs"
    with doors(tmp_path, max_in_flight=1, log_dir=logs, log_texts=texts) as opened, opened.engine.held() as go_on:
        asking = threading.Thread(target=opened.ask)
        asking.start()
        opened.engine.wait_for_a_question()
        assert opened.ask().status_code == 503
        assert opened.client.post("/v1/chat/completions", json={"messages": []}).status_code == 503
        assert opened.client.post("/api/search", json={"query": "x"}).status_code == 503  # no question
        told = records(logs)
        go_on()
        asking.join(30)
    assert [(one["channel"], one["outcome"], one["reason"]) for one in told] == [
        ("api", "error", "overloaded"),
        ("chat", "error", "overloaded"),
    ]
    assert not {"question", "answer", "missing"} & {name for one in told for name in one}
    assert [one.outcome for one in read_usage(logs)] == ["error", "error", "answered"]


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_a_question_that_took_too_long_is_told_once_and_never_as_answered(tmp_path: Path, accept: str) -> None:
    logs = tmp_path / "logs"
    with doors(tmp_path, request_seconds=0.2, log_dir=logs, log_texts=True) as opened:
        with opened.engine.held():
            assert "timed-out" in opened.ask(Accept=accept).text
            (told,) = wait_for_records(logs, 1)
        answered_afterwards(opened)
        measures = opened.client.get("/metrics").text
    assert (told["outcome"], told["reason"], told["channel"], told["answer_id"]) == ("error", "timed-out", "api", "")
    assert told["question_key"] and told["question_chars"] > 0
    assert "question" not in told
    assert [one.reason for one in read_usage(logs)] == ["timed-out", None]
    assert 'ankare_outcomes_total{outcome="timed-out"} 1.0' in measures
    assert 'ankare_outcomes_total{outcome="answered"} 1.0' in measures


def answered_afterwards(opened: Doors) -> None:
    """One more question, which waits for the thread until the work of the one that was given up is done."""
    assert opened.ask().status_code == 200


def test_of_a_slip_only_the_first_closes_it() -> None:
    slip = Slip("api")
    closed: list[bool] = []
    threads = [threading.Thread(target=lambda: closed.append(slip.close())) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(closed) == [False] * 19 + [True]


def test_an_overload_is_no_flood_of_the_log() -> None:
    moment = [100.0]
    ration = Ration(3, lambda: moment[0])
    assert [ration.take() for _ in range(8)] == [True] * 3 + [False] * 5
    assert ration.left_out() == 0  # their second is not over
    moment[0] = 101.2
    assert ration.left_out() == 5
    assert ration.left_out() == 0
    assert ration.take()
    for _ in range(4):
        ration.take()
    assert ration.left_out(now=True) == 2


def test_those_beyond_are_told_in_one_record(tmp_path: Path) -> None:
    logs, asked = tmp_path / "logs", 4 * RECORDS_A_SECOND
    with doors(tmp_path, max_in_flight=1, log_dir=logs) as opened, opened.engine.held() as go_on:
        asking = threading.Thread(target=opened.ask)
        asking.start()
        opened.engine.wait_for_a_question()
        opened.app.state.desk.accounts.ration._clock = lambda: 7.0  # no second passes
        assert {opened.ask().status_code for _ in range(asked)} == {503}
        told = list(read_usage(logs))
        assert [one.reason for one in told] == ["overloaded"] * RECORDS_A_SECOND
        opened.app.state.desk.accounts.ration._clock = lambda: 8.5
        go_on()
        asking.join(30)
    told = list(read_usage(logs))
    assert sum(one.count for one in told if one.reason == "overloaded") == asked
    assert [one.outcome for one in told[RECORDS_A_SECOND:]] == ["error", "answered"]


def test_a_saboteur_that_never_finds_a_slip_closed_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Slip, "close", lambda _slip: True)
    with pytest.raises(AssertionError):
        test_a_question_that_took_too_long_is_told_once_and_never_as_answered(tmp_path, "application/json")
