"""How long, and how large, may the head of a request be, and how many connections may be open?

The server's own parser takes a head of any length, however slowly it comes, and connections that never send one: they would
keep memory and file descriptors for ever. Here a connection for which nobody works has so many seconds to become a request,
what the parser swallows without handing it on has a bound, and of too many connections those go that have waited longest.
"""

from __future__ import annotations

import asyncio
import resource
import time
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ankare.service.door.bounds import is_endless

HEAD_SECONDS = 20.0
HEAD_BYTES = 65_536
"""Of one head, and of what stands between and behind the parts of a body. Nginx takes half as much."""
KEPT_BACK = 500
"""File descriptors that connections leave to everything else, or half of all where there are few."""
TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 25\r\n"
    b"connection: close\r\n\r\nThe header is too large.\n"
)


def most_connections() -> int:
    """How many connections this process may have open, as the system lets it."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 1_000_000 if limit == resource.RLIM_INFINITY else max(limit - KEPT_BACK, limit // 2)


class Connection(HttpToolsProtocol):
    """One connection of a client, bounded as long as it is no request that somebody works on."""

    head_seconds = HEAD_SECONDS
    head_bytes = HEAD_BYTES

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._swallowed = 0
        self._waits_since = time.monotonic()  # the loop's own time may count whole milliseconds, and many come in one
        self._limit: asyncio.TimerHandle | None = None

    @property
    def idle(self) -> bool:
        """Does nobody work for this connection?"""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, if there is room."""
        super().connection_made(transport)
        self._note_time()
        self._make_room(most_connections())

    def data_received(self, data: bytes) -> None:
        """Hand a piece to the parser, and judge what it makes of it."""
        self._swallowed += len(data)
        super().data_received(data)
        if self._swallowed > self.head_bytes and not self.transport.is_closing():
            self._refuse()
        self._note_time()

    def on_headers_complete(self) -> None:
        """A head is whole."""
        self._swallowed = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of a body was handed on; how large that may be, the guard knows."""
        self._swallowed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is whole."""
        self._swallowed = 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """An answer has gone out; the next request may come."""
        self._waits_since = time.monotonic()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """The end."""
        super().connection_lost(exc)
        self._forget_time()

    def _note_time(self) -> None:
        """Time runs from the first moment at which nobody works here until a head is whole."""
        if not self.idle:
            self._forget_time()
        elif self._limit is None and not self.transport.is_closing():
            self._limit = self.loop.call_later(self.head_seconds, self._end_if_idle)

    def _forget_time(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def _end_if_idle(self) -> None:
        self._limit = None
        if self.idle:
            self.transport.close()

    def _refuse(self) -> None:
        if self.idle:
            self.transport.write(TOO_LONG)
        self.transport.close()

    def _make_room(self, most: int) -> None:
        """Close a tenth of the connections that have waited longest; where nobody waits, this one."""
        if len(self.connections) <= most:
            return
        others = [one for one in self.connections if isinstance(one, Connection) and one is not self]
        spare = sorted((one for one in others if one.may_go), key=lambda one: one._waits_since)
        for one in spare[: 1 + len(spare) // 10] or [self]:
            one.transport.close()

    @property
    def may_go(self) -> bool:
        """Is nothing lost when it ends?"""
        return self.idle or is_endless({"path": self.cycle.scope["path"]})
