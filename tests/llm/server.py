"""A model service on the loopback that answers each request as a test says, also as no honest server would."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

HARD_STOP = struct.pack("ii", 1, 0)
"""SO_LINGER that makes close() send a reset."""

PATIENCE = 6.0
PAUSE = 0.02


@dataclass(frozen=True)
class Seen:
    """A request as it came in; header names in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Line:
    """The connection that a behaviour talks on."""

    sock: socket.socket
    stopped: threading.Event

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def reset(self) -> None:
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, HARD_STOP)
        self.sock.close()

    def stall(self) -> None:
        """Say nothing more for longer than any test waits."""
        self.stopped.wait(PATIENCE)

    def drip(self, data: bytes) -> None:
        """A byte now and then, for longer than any test waits."""
        for _ in range(int(PATIENCE / PAUSE)):
            if self.stopped.wait(PAUSE):
                return
            self.sock.sendall(data)


Behaviour = Callable[[Line], None]


def reply(status: int = 200, body: bytes | str | object = b"", *, keep: bool = False, **headers: str) -> Behaviour:
    """An honest reply; `body` that is no text is sent as JSON. Header names with _ for -."""
    data = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
    named = {"content-type": "application/json"} | {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda line: line.send(head(status, named | {"content-length": str(len(data))}, keep=keep) + data)


def head(status: int, headers: Mapping[str, str], *, keep: bool = False) -> bytes:
    lines = [f"HTTP/1.1 {status} Said", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, f"connection: {'keep-alive' if keep else 'close'}", "", ""]).encode("latin-1")


def reset(line: Line) -> None:
    line.reset()


def stall(line: Line) -> None:
    line.stall()


def hang_up(line: Line) -> None:
    line.sock.shutdown(socket.SHUT_RDWR)


def drip_headers(line: Line) -> None:
    line.send(b"HTTP/1.1 200 OK\r\nx-slow: ")
    line.drip(b"a")


def drip_body(line: Line) -> None:
    line.send(head(200, {"content-type": "application/json", "content-length": "1000000"}) + b'{"id": "')
    line.drip(b"a")


def drip_error(line: Line) -> None:
    line.send(head(401, {"content-type": "application/json", "content-length": "1000000"}) + b'{"error": "')
    line.drip(b"a")


def cut_off(line: Line) -> None:
    line.send(head(200, {"content-type": "application/json", "content-length": "5000"}) + b'{"choices": [')


def bad_chunks(line: Line) -> None:
    line.send(
        head(200, {"content-type": "application/json", "transfer-encoding": "chunked"}) + b"zz\r\nnot a chunk\r\n"
    )


def no_http(line: Line) -> None:
    line.send(b"SSH-2.0-OpenSSH_9.6\r\n")


def endless(line: Line) -> None:
    """More than anyone takes, without saying how much it will be."""
    line.send(head(200, {"content-type": "application/json"}))
    while not line.stopped.is_set():
        line.send(b" " * 65_536)


@dataclass
class ModelServer:
    """Where it listens and what it was asked. The last behaviour is repeated. `keep`: it takes more requests a connection."""

    url: str
    seen: list[Seen] = field(default_factory=list)
    behaviours: list[Behaviour] = field(default_factory=list)
    connections: int = 0
    keep: bool = False

    def does(self, *behaviours: Behaviour) -> None:
        self.behaviours[:] = behaviours

    def next(self) -> Behaviour:
        return self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]


@contextmanager
def model_server() -> Iterator[ModelServer]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = ModelServer(f"http://127.0.0.1:{listener.getsockname()[1]}")
        stopped = threading.Event()
        threads: list[threading.Thread] = []

        def accept() -> None:
            while not stopped.is_set():
                try:
                    sock, _ = listener.accept()
                except OSError:
                    return
                server.connections += 1
                thread = threading.Thread(target=_serve, args=(server, sock, stopped), daemon=True)
                threads.append(thread)
                thread.start()

        accepting = threading.Thread(target=accept, daemon=True)
        accepting.start()
        try:
            yield server
        finally:
            stopped.set()
            listener.shutdown(socket.SHUT_RDWR)
            accepting.join(5)
            for thread in threads:
                thread.join(5)


def _serve(server: ModelServer, sock: socket.socket, stopped: threading.Event) -> None:
    sock.settimeout(5)
    try:
        with sock, sock.makefile("rb") as stream:
            while not stopped.is_set() and (request := _request(stream)) is not None:
                server.seen.append(request)
                server.next()(Line(sock, stopped))
                if not server.keep:
                    return
    except (OSError, ValueError):
        return


def _request(stream: Any) -> Seen | None:
    first = stream.readline().decode("latin-1").split()
    if len(first) != 3 or not first[2].startswith("HTTP/"):
        return None
    headers: dict[str, str] = {}
    while line := stream.readline().decode("latin-1").strip():
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    return Seen(first[0], first[1], headers, stream.read(int(headers.get("content-length", "0"))))
