"""Gradio's own call, as other programs use it: however many call and never fetch, it stays small, and it goes on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send

from ankare.domain.reply import Reply
from ankare.service.app import create_app
from ankare.service.page import queue as page_queue
from ankare.service.page import sessions as page_sessions
from ankare.settings import Settings
from tests.service.scripted import ScriptedEngine, ScriptedShelf
from tests.service.test_shutdown import wait_until

LONG = 60
SUBMIT = "/gradio_api/call/submit"
DATA = "/gradio_api/queue/data"


class HeldEngine(ScriptedEngine):
    """Answers while it may."""

    def __init__(self) -> None:
        super().__init__()
        self.go, self.begun = threading.Event(), threading.Event()

    def ask(self, question: str, **given: Any) -> Reply:
        self.begun.set()
        assert self.go.wait(LONG)
        return super().ask(question, **given)


@pytest.fixture
def engine() -> Iterator[HeldEngine]:
    engine = HeldEngine()
    yield engine
    engine.go.set()


def client_of(engine: HeldEngine, home: Path, monkeypatch: pytest.MonkeyPatch, most: int = 1000) -> TestClient:
    kept: list[Any] = []
    bound = page_queue.bound_queue

    def noted(blocks: Any, places: int) -> None:
        bound(blocks, places)
        kept.append(blocks)

    monkeypatch.setattr("ankare.service.page.mount.bound_queue", noted)
    app = create_app(Settings(home=home, max_in_flight=most), engine, ScriptedShelf(home))
    app.state.blocks = kept[0]
    return TestClient(app)


def call(client: TestClient, **body: Any) -> str:
    return str(client.post(SUBMIT, json={"data": ["Vilka etapper?"], **body}).json()["event_id"])


def fetched(client: TestClient, event: str) -> str:
    return client.get(f"{SUBMIT}/{event}").text


@pytest.mark.parametrize("path", [f"{DATA}?session_hash=never", f"{DATA}?session_hash=", f"{SUBMIT}/never"])
def test_a_session_that_there_is_not_is_told_in_a_stream_that_ends(
    engine: HeldEngine, tmp_path: Path, path: str
) -> None:
    with TestClient(create_app(Settings(home=tmp_path), engine, ScriptedShelf(tmp_path))) as client:
        told = client.get(path)  # raises what the service would log
    assert told.status_code == 200
    assert told.text.count("data:") == 1


async def broken_off(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """The saboteur: Gradio as it is by itself."""
    await app(scope, receive, send)


def test_a_stream_that_breaks_is_caught(engine: HeldEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_sessions, "_to_its_end", broken_off)
    with pytest.raises(RuntimeError, match="already started"):
        test_a_session_that_there_is_not_is_told_in_a_stream_that_ends(engine, tmp_path, f"{DATA}?session_hash=never")


def test_a_full_queue_turns_away_and_those_in_it_are_answered(
    engine: HeldEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with client_of(engine, tmp_path, monkeypatch, most=2) as client:
        events = [call(client)]
        assert engine.begun.wait(LONG)
        events += [call(client), call(client)]
        refused = client.post(SUBMIT, json={"data": ["Vilka etapper?"]})
        assert refused.status_code == 503
        assert refused.headers["Retry-After"] == "1"
        assert refused.json()["code"] == "overloaded"
        engine.go.set()
        assert all("event: complete" in fetched(client, event) for event in events)


def test_a_session_that_is_let_go_of_does_not_end_the_queue(
    engine: HeldEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_queue, "MOST_SESSIONS", 2)
    with client_of(engine, tmp_path, monkeypatch) as client:
        for _ in range(5):
            call(client)
        engine.go.set()
        last = call(client)
        assert "event: complete" in fetched(client, last)
        assert "event: complete" in fetched(client, call(client))


@pytest.mark.parametrize("session", [None, "always-the-same"])
@pytest.mark.parametrize("fetches", [True, False])
def test_of_calls_that_are_over_little_is_kept(
    engine: HeldEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, session: str | None, *, fetches: bool
) -> None:
    monkeypatch.setattr(page_queue, "MOST_SESSIONS", 3)
    monkeypatch.setattr(page_queue, "MOST_MESSAGES", 4)
    engine.go.set()
    with client_of(engine, tmp_path, monkeypatch) as client:
        body = {} if session is None else {"session_hash": session}
        for _ in range(12):
            event = call(client, **body)
            if fetches:
                fetched(client, event)
        last = call(client)
        assert "event: complete" in fetched(client, last)  # so all before it are over too
        queue = client.app.state.blocks._queue  # type: ignore[attr-defined]
        assert len(queue.pending_event_ids_session) <= 3
        assert sum(map(len, queue.pending_event_ids_session.values())) <= 5
        assert all(messages.qsize() <= 4 for messages in queue.pending_messages_per_session.values())
        wait_until(lambda: not queue.event_ids_to_events)  # an event is forgotten after its answer has gone out
