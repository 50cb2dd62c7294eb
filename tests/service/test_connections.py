"""Clients that connect and send nothing, half a head, or one without an end keep neither memory nor places for others."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import MagicMock

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from ankare.cli import serve
from ankare.service.door import connection
from ankare.service.door.connection import Connection
from ankare.settings import Settings

LONG = 60
"""Seconds after which a test gives up; nothing is asserted of how long anything takes."""
REQUEST = b"GET /quick HTTP/1.1\r\nHost: x\r\n\r\n"
HALF = b"GET /quick HTTP/1.1\r\nHost: x\r\nX-More: "


class Soon(Connection):
    """As in the service, but it loses patience sooner."""

    head_seconds = 0.3


@dataclass
class Held:
    """An app that answers at once, or on /held once it may."""

    go: threading.Event = field(default_factory=threading.Event)
    begun: threading.Event = field(default_factory=threading.Event)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        if scope["path"] != "/quick":
            self.begun.set()
            while not self.go.is_set():
                await asyncio.sleep(0.02)
        head: Any = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]}
        await send(head)
        await send({"type": "http.response.body", "body": b"ok"})


@contextmanager
def listening(app: Held, protocol: type[Connection] = Soon) -> Iterator[Callable[[], socket.socket]]:
    """A function that connects to a server with this app."""
    config = uvicorn.Config(
        app,
        host="127.0.0.1",
        port=0,
        http=protocol,
        log_config=None,
        access_log=False,
        lifespan="off",
        timeout_keep_alive=LONG,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    opened: list[socket.socket] = []
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]

        def connect() -> socket.socket:
            opened.append(socket.create_connection(("127.0.0.1", port), timeout=LONG))
            return opened[-1]

        yield connect
    finally:
        app.go.set()
        for one in opened:
            one.close()
        server.should_exit = True
        thread.join(LONG)


def is_closed(one: socket.socket) -> bool:
    """Does the server close it? A server that never does makes the read time out, and the test fail."""
    try:
        while one.recv(4096):
            pass
    except ConnectionError:
        pass
    return True


@pytest.mark.parametrize("sent", [b"", b"\r\n", b"GET /qui", HALF, REQUEST + HALF], ids=repr)
def test_whoever_does_not_come_to_a_request_is_let_go(sent: bytes) -> None:
    with listening(Held()) as connect:
        one = connect()
        one.sendall(sent)
        assert is_closed(one)


@pytest.mark.parametrize("piece", [b"a", b"\r\n"], ids=repr)
def test_a_byte_now_and_then_is_no_request_either(piece: bytes) -> None:
    with listening(Held()) as connect:
        one = connect()
        one.sendall(HALF if piece == b"a" else b"")
        one.settimeout(0.05)
        deadline = time.monotonic() + LONG
        while not _ended(one, piece):
            assert time.monotonic() < deadline


def _ended(one: socket.socket, piece: bytes) -> bool:
    try:
        one.sendall(piece)
        return one.recv(4096) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


ENDLESS_HEADS = {
    "one header": (HALF, b"a" * 10_000),
    "many headers": (HALF + b"\r\n", b"A: b\r\n" * 2000),
    "address": (b"GET /", b"a" * 10_000),
    "trailer": (
        b"POST /quick HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n",
        b"A: b\r\n" * 2000,
    ),
    "chunk's extension": (
        b"POST /quick HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2;",
        b"a" * 10_000,
    ),
}


@pytest.mark.parametrize(("begin", "piece"), ENDLESS_HEADS.values(), ids=ENDLESS_HEADS)
def test_a_head_without_an_end_is_not_kept(begin: bytes, piece: bytes) -> None:
    with listening(Held(), Connection) as connect:
        one = connect()
        with pytest.raises(ConnectionError):  # a server that takes everything in lets the loop end
            one.sendall(begin)
            for _ in range(5000):
                one.sendall(piece)


def test_a_head_that_is_too_large_is_told_so() -> None:
    with listening(Held(), Connection) as connect:
        one = connect()
        one.sendall(HALF + b"a" * (connection.HEAD_BYTES + 1 - len(HALF)))
        assert one.recv(4096).startswith(b"HTTP/1.1 431 ")


def test_who_waits_for_an_answer_is_not_let_go_and_may_ask_again() -> None:
    app = Held()
    with listening(app) as connect:
        one = connect()
        one.sendall(b"GET /held HTTP/1.1\r\nHost: x\r\n\r\n")
        assert app.begun.wait(LONG)
        other = connect()
        assert is_closed(other)  # so long has it taken that nobody would wait for a head any more
        app.go.set()
        assert one.recv(4096).startswith(b"HTTP/1.1 200")
        one.sendall(REQUEST)
        assert one.recv(4096).startswith(b"HTTP/1.1 200")


def test_a_large_body_that_somebody_reads_is_no_head() -> None:
    body = b"b" * (20 * connection.HEAD_BYTES)
    with listening(Held(), Connection) as connect:
        one = connect()
        one.sendall(b"POST /quick HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        assert one.recv(4096).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("path", ["", "/gradio_api/heartbeat/x"])
def test_of_too_many_those_go_who_have_waited_longest(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setattr(connection, "most_connections", lambda: 5)
    app = Held()
    with listening(app, Connection) as connect:
        busy = connect()
        busy.sendall(b"GET /held HTTP/1.1\r\nHost: x\r\n\r\n")
        assert app.begun.wait(LONG)
        silent = [connect() for _ in range(4)]
        for one in silent if path else ():
            app.begun.clear()
            one.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert app.begun.wait(LONG)
        for _ in range(3):
            late = connect()
            late.sendall(REQUEST)
            assert late.recv(4096).startswith(b"HTTP/1.1 200")
        assert is_closed(silent[0])
        app.go.set()
        assert busy.recv(4096).startswith(b"HTTP/1.1 200")


def test_where_everybody_is_busy_the_new_one_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "most_connections", lambda: 1)
    app = Held()
    with listening(app, Connection) as connect:
        busy = connect()
        busy.sendall(b"GET /held HTTP/1.1\r\nHost: x\r\n\r\n")
        assert app.begun.wait(LONG)
        assert is_closed(connect())
        app.go.set()
        assert busy.recv(4096).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(("limit", "most"), [(100, 50), (1024, 524), (20_000, 19_500), (-1, 1_000_000)])
def test_connections_leave_file_descriptors_to_others(monkeypatch: pytest.MonkeyPatch, limit: int, most: int) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (limit, limit))
    assert connection.most_connections() == most


@pytest.mark.parametrize("workers", [1, 2])
def test_the_service_listens_with_it(monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    given: dict[str, Any] = {}
    monkeypatch.setattr("uvicorn.run", lambda *_, **named: given.update(named))
    monkeypatch.setattr("ankare.service.app.create_app", lambda _: MagicMock())
    monkeypatch.setattr("ankare.service.watch.process_log.set_up_logging", lambda _: None)
    monkeypatch.setattr("ankare.cli.serve._tell_when", lambda *_: None)
    monkeypatch.setattr("os.environ", {})
    with suppress(SystemExit):
        serve._run(Settings(workers=workers))
    assert given["http"] is Connection
