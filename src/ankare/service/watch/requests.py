"""What is seen of every request from outside: its id, one line in the process log, how many are under way, and its span?

Outermost layer. Neither the query string nor a text of the caller goes anywhere: a line names the route, not the address.
"""

from __future__ import annotations

import logging
import os
import time
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ankare._version import __version__
from ankare.domain.tracing import Span, traced_by
from ankare.service.caller import caller_of
from ankare.service.door.guard import route_of
from ankare.service.watch.measures import Measures
from ankare.service.watch.process_log import FIELDS
from ankare.service.watch.request_id import HEADER, RequestMark, marked, request_id_of
from ankare.service.watch.slip import Slip, with_slip
from ankare.service.watch.spans import RequestTracer

LOG = logging.getLogger("ankare.access")
REVISION_HEADER = b"x-ankare-revision"
FAULT, TOO_MANY = 500, 429
REFUSED = {401: "no_key", 403: "not_allowed"}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT")
OTHER_METHOD = "_OTHER"
QUIET = ("/health", "/ready", "/metrics")
"""Routes that machines ask every few seconds: they are told at debug level."""


CHANNEL_OF = {"/api/ask": "api", "/v1/chat/completions": "chat", "/mcp": "mcp", "/page/ask": "page"}
"""The routes that bring a question."""


class Watch:
    """Gives each request its id and tells how it went."""

    def __init__(
        self, app: ASGIApp, measures: Measures, revision: str = "", tracer: RequestTracer | None = None
    ) -> None:
        self._app = app
        self._measures = measures
        self._revision = revision.encode("latin-1", "replace")
        self._tracer = tracer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._live(scope, receive, send)
            return
        seen = _Seen(scope, request_id_of(scope["headers"]))
        with traced_by(self._tracer), self._span(seen) as told:
            trace = self._tracer.trace_id() if self._tracer is not None else ""
            slip = Slip(CHANNEL_OF.get(scope["path"], ""), lambda: caller_of(scope).name)
            with marked(RequestMark(seen.id, trace)), with_slip(slip), self._measures.in_flight.track_inprogress():
                try:
                    await self._app(scope, receive, self._sender(seen, send))
                finally:
                    told.note(seen.attributes())
                    seen.count(self._measures)
                    seen.log()

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Anything that is not a request: the life of the process, which is told at both ends."""
        told = {FIELDS: {"version": __version__, "revision": self._revision.decode("latin-1"), "pid": os.getpid()}}
        alive = scope["type"] == "lifespan"
        if alive:
            LOG.info("the process starts", extra=told)
        await self._app(scope, receive, send)
        if alive:
            LOG.info("the process ends", extra=told)

    def _span(self, seen: _Seen) -> AbstractContextManager[Span]:
        if self._tracer is None:
            return nullcontext(_UNSEEN)
        return self._tracer.request(f"{seen.method} {seen.route}", seen.scope["headers"], seen.asked())

    def _sender(self, seen: _Seen, send: Send) -> Send:
        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                seen.status = message["status"]
                message.setdefault("headers", []).extend(
                    [(HEADER, seen.id.encode("ascii")), (REVISION_HEADER, self._revision)]
                )
            elif message["type"] == "http.response.body":
                seen.bytes += len(message.get("body", b""))
            await send(message)

        return noting


@dataclass
class _Seen:
    """One request as it is told."""

    scope: Scope
    id: str
    status: int = FAULT
    bytes: int = 0
    started: float = field(default_factory=time.perf_counter)

    @property
    def route(self) -> str:
        """One of few, whatever the caller asked for."""
        return route_of(self.scope["path"])

    @property
    def method(self) -> str:
        """One that is known, or `OTHER_METHOD`."""
        return self.scope["method"] if self.scope["method"] in METHODS else OTHER_METHOD

    def asked(self) -> dict[str, str | int | None]:
        """What is known before it is answered, by the semantic conventions for HTTP servers."""
        host, port = self.scope.get("server") or ("", None)
        return {
            "http.request.method": self.method,
            "http.route": self.route,
            "url.path": self.route,
            "url.scheme": self.scope.get("scheme", "http"),
            "server.address": host,
            "server.port": port,
            "ankare.request_id": self.id,
        }

    def attributes(self) -> dict[str, str | int | None]:
        """How it ended."""
        return {
            "http.response.status_code": self.status,
            "error.type": str(self.status) if self.status >= FAULT else None,
            "ankare.key": caller_of(self.scope).name or None,
        }

    def count(self, measures: Measures) -> None:
        """Who was turned away, and why."""
        if self.status == TOO_MANY:
            measures.rate_limited("key" if caller_of(self.scope).name else "address")
        elif self.status in REFUSED:
            measures.key_refused(REFUSED[self.status])

    def log(self) -> None:
        """Its line in the process log."""
        level = logging.DEBUG if self.route in QUIET and self.status != FAULT else logging.INFO
        if not LOG.isEnabledFor(level):
            return
        told = {
            "method": self.method,
            "route": self.route,
            "status": self.status,
            "ms": round((time.perf_counter() - self.started) * 1000, 3),
            "bytes": self.bytes,
            "key": caller_of(self.scope).name,
        }
        LOG.log(level, "request", extra={FIELDS: told})


class _Unseen:
    """The span of a request that nobody traces."""

    def note(self, attributes: object) -> None:
        """Nobody wants to know."""


_UNSEEN = _Unseen()
