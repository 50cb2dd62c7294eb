"""A service that is told to stop finishes what it has begun, takes in nothing new, and is not held up by open pages."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from ankare.service.closing import Closing, EndlessStreams

ROOT = Path(__file__).parents[2]
LONG = 60
"""Seconds after which a test gives up; nothing is asserted of how long anything takes."""


@dataclass
class Held:
    """A service in another process, with its questions held back."""

    process: subprocess.Popen[str]
    base: str
    home: Path

    def ask(self, **headers: str) -> httpx.Response:
        return httpx.post(f"{self.base}/api/ask", json={"question": "Vilka etapper?"}, headers=headers, timeout=LONG)

    def wait_for_a_question(self) -> None:
        wait_until((self.home / "begun").exists)

    def refuses_connections(self) -> bool:
        port = int(self.base.rsplit(":", 1)[1])
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            return True
        return False


def wait_until(true: Any) -> None:
    deadline = time.monotonic() + LONG
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@contextmanager
def held(home: Path, **settings: str) -> Iterator[Held]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **settings}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.service.held_service", str(home)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        service = Held(process, f"http://127.0.0.1:{process.stdout.readline().strip()}", home)
        threading.Thread(target=process.stdout.read, daemon=True).start()
        wait_until(lambda: not service.refuses_connections())
        yield service
    finally:
        (home / "go").touch()
        process.kill()
        process.wait(LONG)


def in_a_thread(work: Any, *given: Any, **named: Any) -> tuple[threading.Thread, list[Any]]:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(work(*given, **named)), daemon=True)
    thread.start()
    return thread, found


@pytest.mark.slow
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_an_answer_under_way_arrives_whole_although_the_service_is_stopping(tmp_path: Path, accept: str) -> None:
    with held(tmp_path, ANKARE_GRACE_SECONDS=str(LONG)) as service:
        asking, answers = in_a_thread(service.ask, Accept=accept)
        service.wait_for_a_question()
        with page_left_open(service.base):
            service.process.send_signal(signal.SIGTERM)
            wait_until(service.refuses_connections)
            assert service.process.poll() is None
            (tmp_path / "go").touch()
            asking.join(LONG)
            assert answers[0].status_code == 200
            assert "Etapperna är tre" in answers[0].text
            assert accept in answers[0].headers["content-type"]
            assert service.process.wait(LONG) == 0


@contextmanager
def page_left_open(base: str) -> Iterator[threading.Thread]:
    """An open page keeps a stream that only says that it is there."""
    there = threading.Event()

    def stay() -> None:
        with httpx.stream("GET", f"{base}/gradio_api/heartbeat/a-session", timeout=LONG) as answer:
            there.set()
            for _ in answer.iter_bytes():
                pass

    thread, _ = in_a_thread(stay)
    assert there.wait(LONG)
    yield thread
    thread.join(LONG)


@pytest.mark.slow
def test_an_open_page_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with held(tmp_path, ANKARE_GRACE_SECONDS="600") as service:
        with page_left_open(service.base) as page:
            service.process.send_signal(signal.SIGTERM)
            assert service.process.wait(LONG) == 0
        assert not page.is_alive()


@pytest.mark.slow
def test_a_question_that_takes_longer_than_the_grace_is_given_up(tmp_path: Path) -> None:
    with held(tmp_path, ANKARE_GRACE_SECONDS="0") as service:
        asking, answers = in_a_thread(ask_anyhow, service)
        service.wait_for_a_question()
        service.process.send_signal(signal.SIGTERM)
        asking.join(LONG)
        assert answers[0] != 200


def ask_anyhow(service: Held) -> int:
    try:
        return service.ask().status_code
    except httpx.HTTPError:
        return 0


def test_an_endless_stream_ends_with_the_service_and_any_other_goes_on() -> None:
    async def run(path: str) -> list[dict[str, Any]]:
        closing, sent = Closing(), []

        async def inside(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            closing.begun.set()
            await asyncio.sleep(0 if path == "/api/ask" else LONG)
            await send({"type": "http.response.body", "body": b"whole"})

        async def send(message: Any) -> None:
            sent.append(message)

        await EndlessStreams(inside, closing)({"type": "http", "path": path}, None, send)  # type: ignore[arg-type]
        return sent

    assert asyncio.run(run("/gradio_api/heartbeat/x"))[-1] == {
        "type": "http.response.body",
        "body": b"",
        "more_body": False,
    }
    assert asyncio.run(run("/api/ask"))[-1]["body"] == b"whole"


def test_a_stream_that_ends_by_itself_is_not_ended_twice() -> None:
    async def run() -> list[dict[str, Any]]:
        closing, sent = Closing(), []

        async def inside(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            closing.begun.set()
            try:
                await asyncio.sleep(LONG)
            finally:
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "path": "/gradio_api/heartbeat/x"}
        await EndlessStreams(inside, closing)(scope, None, send)  # type: ignore[arg-type]
        return sent

    assert [message["type"] for message in asyncio.run(run())] == ["http.response.start", "http.response.body"]


@pytest.mark.slow
def test_a_worker_ends_with_the_process_that_started_it() -> None:
    """It would keep the port, and the service could not be started again."""
    command = [sys.executable, "-m", "tests.service.orphan"]
    parent = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert parent.stdout is not None
        assert int(parent.stdout.readline()) != parent.pid
        parent.kill()
        assert parent.stdout.read() == ""  # the worker holds the other end as long as it lives
    finally:
        parent.kill()
        parent.wait(LONG)
        assert parent.stdout is not None
        parent.stdout.close()
