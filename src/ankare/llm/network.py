"""How long may each step on a connection take, and who ends it when nobody waits any more?

Every step gets what is left of the exchange that it belongs to. When the call is cancelled, the connection is shut down under
whoever reads, writes or shakes hands on it; that wakes them. What nothing can wake is left behind: looking up a name, and
connecting.

Needs the packages of the extra `llm`.
"""

from __future__ import annotations

import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, TypeVar

import httpcore2

from ankare.domain.cancel import current_token

CONNECT_SECONDS = 5.0
"""For one address; a call that is short of time has less."""
_deadline: ContextVar[float] = ContextVar("deadline")
_T = TypeVar("_T")


@contextmanager
def exchange(seconds: float) -> Iterator[None]:
    """While this lasts, everything on the network of this context has to be done in so many seconds."""
    before = _deadline.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.reset(before)


def left() -> float:
    """Seconds that are left of the exchange. Raises ReadTimeout when none are, and CallCancelledError."""
    current_token().check()
    seconds = _deadline.get() - time.monotonic()
    if seconds <= 0:
        raise httpcore2.ReadTimeout("no time left")
    return seconds


class Backend(httpcore2.NetworkBackend):
    """The network, on a deadline."""

    def __init__(self) -> None:
        self._network = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect to the first address of the host that answers."""

        def connect(address: str) -> httpcore2.NetworkStream:
            seconds = min(CONNECT_SECONDS, left())
            return in_time(
                lambda: self._network.connect_tcp(address, port, seconds, local_address, socket_options),
                too_late=lambda stream: stream.close(),
            )

        failed: Exception = httpcore2.ConnectError("no address")
        for address in _addresses(host, port):
            try:
                return _Stream(connect(address))
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failed = error
        raise failed


def _addresses(host: str, port: int) -> list[str]:
    try:
        return [str(ipaddress.ip_address(host))]
    except ValueError:
        pass

    def look_up() -> list[str]:
        try:
            return [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        except (OSError, UnicodeError):
            return []

    return list(dict.fromkeys(in_time(look_up)))


def in_time(work: Callable[[], _T], too_late: Callable[[_T], object] = lambda result: None) -> _T:
    """What `work` gives, or raises, in a thread of its own.

    It is left behind when time is up (raises ConnectTimeout) or the call is cancelled (CallCancelledError); `too_late` then
    gets what it gives.
    """
    token, over, seconds = current_token(), threading.Event(), left()
    done: Future[_T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # whatever it is, it is the caller's to see
            done.set_exception(error)
        over.set()

    threading.Thread(target=run, name="ankare-connect", daemon=True).start()
    with token.on_cancel(over.set):
        over.wait(seconds)
    if done.done() and not token.cancelled:
        return done.result()
    done.add_done_callback(lambda late: None if late.exception() else too_late(late.result()))
    token.check()
    raise httpcore2.ConnectTimeout("not connected in time")


class _Stream(httpcore2.NetworkStream):
    """A connection whose every step gets what is left of the exchange that uses it."""

    _SLICE = 65_536

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with self._woken_when_cancelled():
            return self._stream.read(max_bytes, left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with self._woken_when_cancelled():
            for start in range(0, len(buffer), self._SLICE):
                self._stream.write(buffer[start : start + self._SLICE], left())

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        with self._woken_when_cancelled():
            return _Stream(self._stream.start_tls(ssl_context, server_hostname, left()))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    @contextmanager
    def _woken_when_cancelled(self) -> Iterator[None]:
        """Shut the connection down when the token is set. Raises CallCancelledError then, whatever came of the step."""
        token = current_token()
        used = self._stream.get_extra_info("socket")
        # a handle of its own: a TLS handshake takes the first one away
        with (
            socket.fromfd(used.fileno(), used.family, used.type) as handle,
            token.on_cancel(lambda: _shut_down(handle)),
        ):
            try:
                yield
            finally:
                token.check()


def _shut_down(handle: socket.socket) -> None:
    with suppress(OSError):
        handle.shutdown(socket.SHUT_RDWR)
