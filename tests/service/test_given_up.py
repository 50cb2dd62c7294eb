"""Work that nobody waits for any more ends, gives its thread and its place back, and leaves nothing but one record."""

from __future__ import annotations

import json
import logging
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from ankare.channels.way import Clock
from ankare.domain.cancel import while_wanted
from ankare.domain.reply import Reply
from ankare.service import crew
from ankare.service.app import create_app
from ankare.service.watch.usage_records import USAGE
from ankare.settings import Settings
from tests.service.live import listening
from tests.service.scripted import ScriptedEngine, ScriptedShelf
from tests.service.test_shutdown import LONG, ask_anyhow, held, in_a_thread, wait_until

QUICK, SLOW = {"question": "Vilka etapper finns?"}, {"question": "Vilka långsamma etapper finns?"}
CHAT = {"model": "ankare", "messages": [{"role": "user", "content": SLOW["question"]}]}
PLAIN, EVENTS = "application/json", "text/event-stream"
ROUTES = [
    ("/api/ask", SLOW, PLAIN),
    ("/api/ask", SLOW, EVENTS),
    ("/v1/chat/completions", CHAT, PLAIN),
    ("/page/ask", SLOW, EVENTS),
]


@dataclass
class SlowEngine(ScriptedEngine):
    """Has a stage without an end, in which it `looks` whether it is still wanted, or does not."""

    looks: bool = True
    begun: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    free: threading.Event = field(default_factory=threading.Event)

    def ask(self, question: str, **given: Any) -> Reply:
        if question == SLOW["question"]:
            try:
                with Clock().step("retrieve"):
                    self.begun.set()
                    for _ in while_wanted(self._turns()) if self.looks else self._turns():
                        time.sleep(0.01)
            finally:
                self.ended.set()
        return super().ask(question, **given)

    def search(self, query: str, **_: Any) -> Any:
        return self.ask(query)

    def _turns(self) -> Iterator[int]:
        while not self.free.is_set():
            yield 1


@dataclass
class Service:
    """A service with one thread and one place."""

    app: FastAPI
    engine: SlowEngine
    logs: Path

    def records(self) -> list[tuple[str, str]]:
        file = self.logs / USAGE
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        return [(told["channel"], told["reason"]) for told in map(json.loads, lines)]

    def measured(self, name: str) -> float:
        text = self.app.state.desk.measures.text().decode()
        return sum(float(line.rpartition(" ")[2]) for line in text.splitlines() if line.startswith(name))


@contextmanager
def serving(folder: Path, *, looks: bool = True, page: bool = False, **settings: Any) -> Iterator[Service]:
    engine, logs = SlowEngine(looks=looks), folder / "logs"
    given = {"home": folder, "log_dir": logs, "threads": 1, "max_in_flight": 1, **settings}
    app = create_app(Settings(**given), engine, ScriptedShelf(folder), page=page)
    try:
        yield Service(app, engine, logs)
    finally:
        engine.free.set()


def is_free_again(service: Service, ask: Callable[[], httpx.Response]) -> None:
    """The thread has ended its work, and the only place and thread are there for the next one."""
    assert service.engine.ended.wait(LONG)
    wait_until(lambda: ask().status_code == 200)
    wait_until(lambda: service.measured("ankare_abandoned_work ") == 0)
    assert service.measured("ankare_abandoned_seconds_count") == 1


@pytest.mark.parametrize(("path", "body", "accept"), ROUTES[:3])
def test_the_time_is_up(tmp_path: Path, path: str, body: Any, accept: str) -> None:
    with serving(tmp_path, request_seconds=1.0) as service, TestClient(service.app) as client:
        answer = client.post(path, json=body, headers={"Accept": accept})
        assert "timed-out" in answer.text or "longer than" in answer.text
        assert service.engine.asked == []  # nothing of it was answered after all
        is_free_again(service, lambda: client.post("/api/ask", json=QUICK))
        channel = "chat" if path.startswith("/v1") else "api"
        assert service.records() == [(channel, "timed-out"), ("api", None)]
        assert service.measured("ankare_questions_total") == 2


@pytest.mark.parametrize(("path", "body", "accept"), ROUTES)
def test_the_client_is_gone(tmp_path: Path, path: str, body: Any, accept: str) -> None:
    with serving(tmp_path, page=path.startswith("/page")) as service, listening(service.app) as base:
        go_away(service, f"{base}{path}", body, accept)
        is_free_again(service, lambda: httpx.post(f"{base}/api/ask", json=QUICK))
        channel = {"/api/ask": "api", "/page/ask": "page"}.get(path, "chat")
        assert service.records() == [(channel, "cancelled"), ("api", None)]
        assert service.measured('ankare_outcomes_total{outcome="cancelled"}') == 1


def test_whoever_only_searches_can_go_away_too(tmp_path: Path) -> None:
    with serving(tmp_path) as service, listening(service.app) as base:
        go_away(service, f"{base}/api/search", {"query": SLOW["question"]}, PLAIN)
        is_free_again(service, lambda: httpx.post(f"{base}/api/ask", json=QUICK))
        assert service.records() == [("api", None)]  # a search is no question


def test_a_question_that_never_got_a_thread_has_its_record_too(tmp_path: Path) -> None:
    with serving(tmp_path, max_in_flight=2) as service, listening(service.app) as base:
        asking, _ = in_a_thread(httpx.post, f"{base}/api/ask", json=SLOW, timeout=LONG)
        assert service.engine.begun.wait(LONG)
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{base}/api/ask", json=QUICK, timeout=0.3)
        wait_until(lambda: service.records() == [("api", "cancelled")])
        service.engine.free.set()
        asking.join(LONG)
        assert [question for question, _ in service.engine.asked] == [SLOW["question"]]


def go_away(service: Service, url: str, body: Any, accept: str) -> None:
    """Ask, and hang up once the slow stage has begun."""
    parts, sent = urlsplit(url), json.dumps(body).encode()
    head = (
        f"POST {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nAccept: {accept}\r\nContent-Type: application/json\r\n"
    )
    with socket.create_connection((str(parts.hostname), int(parts.port or 0)), LONG) as connection:
        connection.sendall(f"{head}Content-Length: {len(sent)}\r\n\r\n".encode() + sent)
        assert service.engine.begun.wait(LONG)


@pytest.mark.slow
def test_the_service_stops(tmp_path: Path) -> None:
    with held(tmp_path, ANKARE_GRACE_SECONDS="0", HELD_LOOKS="1") as service:
        asking, _ = in_a_thread(ask_anyhow, service)
        service.wait_for_a_question()
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(LONG) == 0  # no thread is left that it would wait for
        asking.join(LONG)


def test_a_stage_that_never_looks_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(crew, "STUBBORN_SECONDS", 0.05)
    caplog.set_level(logging.WARNING, "ankare.service")
    with serving(tmp_path, looks=False, request_seconds=1.0) as service, TestClient(service.app) as client:
        assert client.post("/api/ask", json=SLOW).status_code == 504
        wait_until(lambda: "does not look: retrieve" in caplog.text)
        assert service.measured("ankare_abandoned_work ") == 1
        assert not service.engine.ended.is_set()
        service.engine.free.set()
        is_free_again(service, lambda: client.post("/api/ask", json=QUICK))
        assert service.records() == [("api", "timed-out"), ("api", None)]


def test_a_saboteur_that_never_looks_fails_the_promise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.service.test_given_up.while_wanted", iter)
    monkeypatch.setattr("tests.service.test_given_up.LONG", 0.3)
    with pytest.raises(AssertionError):
        test_the_time_is_up(tmp_path, *ROUTES[0])
