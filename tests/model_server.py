"""A model service on the loopback that does what a test says, also what no honest server would. It records each request.

    with model_server() as server:
        server.does(says('{"queries": []}'), refuses(429, retry_after="1"), stall)     # one behaviour a request
        provider = server.provider(timeout_seconds=2)                                   # OpenAIProvider on this server
        ...
        assert [seen.json["model"] for seen in server.seen] == ["a-model", "a-model", "a-model"]

The last behaviour is repeated. A behaviour is a function of a `Line` (the connection, with the request that came in):

    says(text)                     an honest reply in the chat-completions format, with usage
    says(text, usage=None)         without usage
    says(text, finish_reason="length", completion_tokens=200)   cut off at the cap
    answers(function)              says what the function makes of the request (`Seen`)
    reply(status, body, **headers) any status and body; header names with _ for -
    refuses(status, code="...", retry_after="1")                an error as services send it: 400, 401, 402, 403, 429, 500, 502
    no_schema(then)                400 where the request holds response_format, else `then`
    by_model({"a": ..., "b": ...}) another behaviour for each model that is asked for
    stall                          the request is taken and nothing is ever sent
    stall_in_headers, stall_in_body   a part is sent, then nothing
    drip(behaviour)                the honest reply, a byte every 50 ms
    drip_headers, drip_body, drip_error   a byte now and then, without an end
    reset, reset_in_body           the connection is reset, also in the middle of the reply
    hang_up, cut_off               it is closed before and in the middle of the reply
    bad_chunks, no_http            what is no HTTP
    huge(size), endless            more than anyone takes

Nothing here waits for a fixed time: `stall` and the drips go on until the client hangs up or the test is over.
`server.wait_until_asked(n)` returns when n requests have come in, `server.wait_until_left(n)` when n clients have hung up
on a server that was still at it; both raise AssertionError after a generous while. A test of a client that gives up must not
count on its request having come in: `until_asked(server)` gives it more and more time.
"""

from __future__ import annotations

import json
import select
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ankare.llm.openai_compatible import OpenAIProvider
from ankare.llm.retry import Clock, RetryPolicy
from ankare.llm.service import Link

HARD_STOP = struct.pack("ii", 1, 0)
"""SO_LINGER that makes close() send a reset."""
PATIENCE = 60.0
"""Longer than any test waits; only a test that fails gets there."""
PAUSE = 0.02
SLOWLY = 0.05
MODEL = "a-model"
USAGE = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
JSON = {"content-type": "application/json"}


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

    @property
    def prompt(self) -> str:
        """All that the model was told, in one text."""
        return "\n".join(str(message["content"]) for message in self.json["messages"])


@dataclass
class Line:
    """The connection that a behaviour talks on, and the request that it answers."""

    sock: socket.socket
    server: ModelServer
    request: Seen

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def reset(self) -> None:
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, HARD_STOP)
        self.sock.close()

    def stall(self) -> None:
        """Say nothing more until the client hangs up."""
        while not self._left(0.05):
            pass

    def drip(self, data: bytes, pause: float = PAUSE) -> None:
        """The bytes one by one, until the client hangs up."""
        for at in range(len(data)):
            if self._left(pause):
                return
            self.sock.sendall(data[at : at + 1])

    def drip_for_ever(self, data: bytes) -> None:
        while not self.over:
            self.drip(data)

    @property
    def over(self) -> bool:
        return self.server.stopped.is_set()

    def _left(self, seconds: float) -> bool:
        """Has the client hung up within these seconds, or is the test over?"""
        if self.over:
            return True
        readable, _, _ = select.select([self.sock], [], [], seconds)
        if readable and not self.sock.recv(1, socket.MSG_PEEK):
            raise ClientLeftError
        return self.over


class ClientLeftError(ConnectionError):
    """The client hung up on a server that was still at it."""


Behaviour = Callable[[Line], None]


def says(
    text: str,
    *,
    usage: Mapping[str, Any] | None = USAGE,
    finish_reason: str = "stop",
    completion_tokens: int | None = None,
    model: str = MODEL,
) -> Behaviour:
    """The model says this. `usage` None leaves it out; `completion_tokens` puts its own count in."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish_reason}
    body: dict[str, Any] = {"id": "msg_1", "model": model, "choices": [choice]}
    if usage is not None:
        told = dict(usage)
        if completion_tokens is not None:
            told |= {"completion_tokens": completion_tokens, "total_tokens": told["prompt_tokens"] + completion_tokens}
        body["usage"] = told
    return reply(200, body)


def answers(speak: Callable[[Seen], str]) -> Behaviour:
    """The model says what this function makes of the request."""
    return lambda line: says(speak(line.request))(line)


def reply(status: int = 200, body: bytes | str | object = b"", *, keep: bool = False, **headers: str) -> Behaviour:
    """An honest reply; `body` that is no text is sent as JSON. Header names with _ for -."""
    data = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
    named = JSON | {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda line: line.send(head(status, named | {"content-length": str(len(data))}, keep=keep) + data)


def refuses(status: int, *, code: str = "error", message: str = "Not now.", **headers: str) -> Behaviour:
    """An error as services in the chat-completions format send it."""
    return reply(status, {"error": {"code": code, "type": code, "message": message}}, keep=False, **headers)


def no_schema(then: Behaviour, status: int = 400) -> Behaviour:
    """A service that knows no `response_format`, and does `then` for a request without one."""
    refused = refuses(status, code="invalid_request_error", message="response_format is not supported")
    return lambda line: (refused if "response_format" in line.request.json else then)(line)


def by_model(behaviours: Mapping[str, Behaviour]) -> Behaviour:
    """What each model does, by its name."""
    return lambda line: behaviours[line.request.json["model"]](line)


def head(status: int, headers: Mapping[str, str], *, keep: bool = False) -> bytes:
    lines = [f"HTTP/1.1 {status} Said", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, f"connection: {'keep-alive' if keep else 'close'}", "", ""]).encode("latin-1")


def stall(line: Line) -> None:
    line.stall()


def stall_in_headers(line: Line) -> None:
    line.send(b"HTTP/1.1 200 OK\r\nx-slow: ")
    line.stall()


def stall_in_body(line: Line) -> None:
    line.send(head(200, JSON | {"content-length": "5000"}) + b'{"choices": [')
    line.stall()


def drip(behaviour: Behaviour, pause: float = SLOWLY) -> Behaviour:
    """What the behaviour sends, byte by byte."""

    def slowly(line: Line) -> None:
        line.send = lambda data: line.drip(data, pause)  # type: ignore[method-assign]
        behaviour(line)

    return slowly


def drip_headers(line: Line) -> None:
    line.send(b"HTTP/1.1 200 OK\r\nx-slow: ")
    line.drip_for_ever(b"a")


def drip_body(line: Line) -> None:
    line.send(head(200, JSON | {"content-length": "1000000"}) + b'{"id": "')
    line.drip_for_ever(b"a")


def drip_error(line: Line) -> None:
    line.send(head(401, JSON | {"content-length": "1000000"}) + b'{"error": "')
    line.drip_for_ever(b"a")


def reset(line: Line) -> None:
    line.reset()


def reset_in_body(line: Line) -> None:
    line.send(head(200, JSON | {"content-length": "5000"}) + b'{"choices": [')
    line.reset()


def hang_up(line: Line) -> None:
    line.sock.shutdown(socket.SHUT_RDWR)


def cut_off(line: Line) -> None:
    line.send(head(200, JSON | {"content-length": "5000"}) + b'{"choices": [')


def bad_chunks(line: Line) -> None:
    line.send(head(200, JSON | {"transfer-encoding": "chunked"}) + b"zz\r\nnot a chunk\r\n")


def no_http(line: Line) -> None:
    line.send(b"SSH-2.0-OpenSSH_9.6\r\n")


def huge(size: int = 10_000_000) -> Behaviour:
    """An honest reply with a text of so many bytes."""
    return says("a" * size)


def endless(line: Line) -> None:
    """More than anyone takes, without saying how much it will be."""
    line.send(head(200, JSON))
    while not line.over:
        line.send(b" " * 65_536)


@dataclass
class ModelServer:
    """Where it listens and what it was asked. The last behaviour is repeated. `keep`: it takes more requests a connection."""

    url: str
    seen: list[Seen] = field(default_factory=list)
    behaviours: list[Behaviour] = field(default_factory=list)
    connections: int = 0
    keep: bool = False
    stopped: threading.Event = field(default_factory=threading.Event)
    left: int = 0
    _news: threading.Condition = field(default_factory=threading.Condition)

    def does(self, *behaviours: Behaviour) -> None:
        with self._news:
            self.behaviours[:] = behaviours

    def provider(
        self, *, model: str = MODEL, key: str = "sk-Test", timeout_seconds: float = 30.0, clock: Clock | None = None
    ) -> OpenAIProvider:
        """A provider for this server. `clock` None: waits between attempts take no time."""
        link = Link("", None, RetryPolicy(), clock or Clock(sleep=lambda seconds: None))
        return OpenAIProvider(f"{self.url}/v1", key, model, timeout_seconds=timeout_seconds, link=link)

    def wait_until_asked(self, requests: int = 1) -> None:
        """Return when so many requests have come in."""
        self._wait(lambda: len(self.seen) >= requests, f"request {requests} never came")

    def wait_until_left(self, clients: int = 1) -> None:
        """Return when so many clients have hung up before they had their reply."""
        self._wait(lambda: self.left >= clients, f"client {clients} never hung up")

    def next(self, request: Seen) -> Behaviour:
        """What is to be done with this request, which is taken down."""
        with self._news:
            self.seen.append(request)
            self._news.notify_all()
            return self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]

    def client_left(self) -> None:
        with self._news:
            self.left += 1
            self._news.notify_all()

    def _wait(self, done: Callable[[], bool], otherwise: str) -> None:
        with self._news:
            assert self._news.wait_for(done, PATIENCE), otherwise


def until_asked(server: ModelServer) -> Iterator[float]:
    """Times for a client to give up in, longer and longer until one was long enough for its request to come in."""
    seconds = 0.2
    while not server.seen and seconds < PATIENCE:
        yield seconds
        seconds *= 3


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """A server while this lasts. Afterwards nothing of it is left: no thread, no socket."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = ModelServer(f"http://127.0.0.1:{listener.getsockname()[1]}")
        threads: list[threading.Thread] = []

        def accept() -> None:
            while not server.stopped.is_set():
                try:
                    sock, _ = listener.accept()
                except OSError:
                    return
                server.connections += 1
                thread = threading.Thread(target=_serve, args=(server, sock), daemon=True)
                threads.append(thread)
                thread.start()

        accepting = threading.Thread(target=accept, daemon=True)
        accepting.start()
        try:
            yield server
        finally:
            server.stopped.set()
            listener.shutdown(socket.SHUT_RDWR)
            accepting.join(5)
            for thread in threads:
                thread.join(5)


def _serve(server: ModelServer, sock: socket.socket) -> None:
    sock.settimeout(5)
    try:
        with sock, sock.makefile("rb") as stream:
            while not server.stopped.is_set() and (request := _request(stream)) is not None:
                server.next(request)(Line(sock, server, request))
                if not server.keep:
                    return
    except (ClientLeftError, BrokenPipeError, ConnectionResetError):
        server.client_left()
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
