"""How much may a request send, and how long may it take?

A body is stopped as soon as it is too large, before it is read where it says so itself, and when it comes too slowly. A route
that takes more (uploads) has a bound of its own, and is judged by each piece: it may take long as long as it moves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.types import Message, Receive, Scope

from ankare.service.door.address import Networks, header
from ankare.service.problem import TIMED_OUT, TOO_SLOW, ProblemError

HEARTBEAT = "/gradio_api/heartbeat/"
SLACK_SECONDS = 5.0
"""What a request gets beyond its time: whoever waits for the work tells the end of it better, also in a stream."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of a service. `larger`: bytes for the body by route, for routes that take more than `body_bytes`.
    `trusted`: proxies that are believed where a request comes from."""

    body_bytes: int = 100_000
    body_seconds: float = 20.0
    request_seconds: float = 120.0
    larger: Mapping[str, int] = field(default_factory=dict)
    trusted: Networks = ()

    def seconds_of(self, route: str, scope: Scope) -> float | None:
        """How long a request may take; None for what is a connection rather than a request, and for uploads."""
        return None if route in self.larger or is_endless(scope) else self.request_seconds + SLACK_SECONDS


def timed_out() -> ProblemError:
    """What is told of a request that took too long."""
    return ProblemError(504, "The answer took longer than this service waits. Nothing of it is kept.", code=TIMED_OUT)


def is_endless(scope: Scope) -> bool:
    """Is this a stream that only says that somebody is there? Nothing is lost when it ends."""
    return bool(scope["path"].startswith(HEARTBEAT))


class Body:
    """The body of one request, bounded. `receive` raises ProblemError (413, 408); `fault` is what it raised."""

    def __init__(self, bounds: Bounds, route: str, scope: Scope, receive: Receive) -> None:
        self._receive = receive
        self._most = bounds.larger.get(route, bounds.body_bytes)
        self._seconds = bounds.body_seconds
        self._by_piece = route in bounds.larger
        self._deadline: float | None = None
        self._read = 0
        self._whole = False
        self.fault: ProblemError | None = None
        self._told = header(scope, b"content-length")

    def refuse_too_large(self) -> None:
        """Raises ProblemError (413) for a body that says itself that it is too large; nothing has been read then."""
        if self._told.isdecimal() and (len(self._told) > 18 or int(self._told) > self._most):
            raise self._too_large()

    async def receive(self) -> Message:
        """The next message."""
        if self._whole:  # what comes now is that the client goes away, whenever that is
            return await self._receive()
        loop = asyncio.get_running_loop()
        if self._deadline is None or self._by_piece:
            self._deadline = loop.time() + self._seconds
        try:
            async with asyncio.timeout_at(self._deadline) as waiting:
                message = await self._receive()
        except TimeoutError:
            if not waiting.expired():
                raise
            self.fault = ProblemError(408, f"The request was not sent within {self._seconds:g} seconds.", code=TOO_SLOW)
            raise self.fault from None
        self._read += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._read > self._most:
            raise self._too_large()
        return message

    def _too_large(self) -> ProblemError:
        self.fault = ProblemError(413, f"The body is too large: {self._most} bytes are the most.")
        return self.fault
