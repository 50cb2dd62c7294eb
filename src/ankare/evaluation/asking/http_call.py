"""How is a server asked that may say anything, for ever, or nothing at all?

With the standard library alone. One deadline holds for the whole exchange, however slowly bytes come; so many bytes are taken
at most; certificates are checked; redirects are not followed, so that a key goes nowhere else.
"""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Timer
from typing import Any
from urllib.parse import urlsplit

from ankare.evaluation.asking.hidden import bytes_without_secrets, without_secrets
from ankare.evaluation.asking.response_values import decoded

MOST_BYTES = 20_000_000
CONNECT_SECONDS = 15.0
_PIECE = 65_536


class CallError(Exception):
    """Nothing that could be read came back."""


class UnreachableError(CallError):
    """Nobody listens there, there is no host of the name, or its certificate does not hold."""


class TooSlowError(CallError):
    """It took longer than there was time."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a server said. Names of headers in lower case. `secrets`: what its texts are told without."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def json(self) -> Any:
        """The body as JSON without secrets, in which what is no number is null. Raises CallError."""
        try:
            return without_secrets(decoded(self.body), self.secrets)
        except (ValueError, RecursionError) as error:
            raise CallError(f"no JSON ({type(error).__name__})") from error


class HttpCaller:
    """Calls one server. `key`: sent as a bearer token with `post`, "" for none. Safe for many threads: each call has a
    connection of its own."""

    def __init__(self, base_url: str, key: str = "") -> None:
        parts = urlsplit(base_url)
        self._host, self._port, self._base = parts.hostname or "", parts.port, parts.path.rstrip("/")
        self._context = ssl.create_default_context() if parts.scheme == "https" else None
        self._key = key
        self._secrets = (key,) if key else ()

    def get(self, path: str, seconds: float) -> Answered:
        """A page that needs no key. Raises CallError."""
        return self._call("GET", path, None, {}, seconds)

    def post(self, path: str, body: object, seconds: float) -> Answered:
        """Send JSON, with the key. Raises CallError."""
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        return self._call("POST", path, json.dumps(body).encode(), headers, seconds)

    def _call(self, method: str, path: str, body: bytes | None, headers: dict[str, str], seconds: float) -> Answered:
        headers |= {"User-Agent": "ankare-eval", "Accept": "application/json", "Connection": "close"}
        deadline = _Deadline(seconds)
        try:
            with self._connected(deadline) as connection:
                connection.request(method, self._base + path, body, headers)
                response = connection.getresponse()
                told = {name.lower(): value for name, value in response.headers.items()}
                taken = bytes_without_secrets(_read(response, deadline), self._secrets)
            return Answered(response.status, without_secrets(told, self._secrets), taken, self._secrets)
        except (OSError, http.client.HTTPException, ValueError) as error:
            if deadline.over or isinstance(error, TimeoutError):
                raise TooSlowError(f"no answer in {seconds:g} s") from error
            raise CallError(f"the connection broke off ({type(error).__name__})") from error

    @contextmanager
    def _connected(self, deadline: _Deadline) -> Iterator[http.client.HTTPConnection]:
        kind = http.client.HTTPConnection if self._context is None else http.client.HTTPSConnection
        connection = kind(self._host, self._port, timeout=min(CONNECT_SECONDS, deadline.left()))
        try:
            try:
                plain = socket.create_connection((self._host, connection.port), timeout=connection.timeout)
                connection.sock = plain
                if self._context is not None:
                    connection.sock = self._context.wrap_socket(plain, server_hostname=self._host)
            except (OSError, UnicodeError) as error:
                raise UnreachableError(_why(error)) from error
            with deadline.watching(connection.sock):
                yield connection
        finally:
            connection.close()


def _why(error: OSError | UnicodeError) -> str:
    if isinstance(error, ssl.SSLError):
        return f"no trusted connection: {error.reason or type(error).__name__}"
    if isinstance(error, TimeoutError):
        return "it could not be connected to in time"
    return str(getattr(error, "strerror", None) or type(error).__name__)


def _read(response: http.client.HTTPResponse, deadline: _Deadline) -> bytes:
    """The whole body. Raises CallError for more than is taken, or for less than was said."""
    pieces, size = [], 0
    while piece := response.read1(_PIECE):
        size += len(piece)
        if size > MOST_BYTES:
            raise CallError(f"more than {MOST_BYTES} bytes")
        if deadline.over:
            break
        pieces.append(piece)
    if deadline.over:
        raise TimeoutError
    if response.length:
        raise CallError("the answer broke off")
    return b"".join(pieces)


class _Deadline:
    """The time of one exchange. When it is over, the connection is shut down under whoever reads from it."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        self._struck = Event()

    @property
    def over(self) -> bool:
        return self._struck.is_set() or self.left() <= 0

    def left(self) -> float:
        return self._until - time.monotonic()

    @contextmanager
    def watching(self, connection: socket.socket) -> Iterator[None]:
        def strike() -> None:
            self._struck.set()
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                return

        connection.settimeout(max(0.001, self.left()))
        timer = Timer(max(0.0, self.left()), strike)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
