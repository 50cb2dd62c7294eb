"""What does every response carry, and which addresses exist at all?

Gradio brings many routes (uploads, file and proxy access, editors). Only those that its page needs are let through;
everything else that is not ours is a 404.
"""

from __future__ import annotations

import asyncio
import re
import time

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ankare.service.door.address import settle
from ankare.service.door.admin import is_admin_path
from ankare.service.door.bounds import Body, Bounds, timed_out
from ankare.service.door.headers import Headers
from ankare.service.library.addresses import ADMIN_METHODS, admin_route
from ankare.service.problem import OVERLOADED, problem, problem_of
from ankare.service.watch.measures import Measures

CLIENT_GONE = 499
"""As nginx calls it."""
METHODS = {
    "/api/ask": ("POST",),
    "/api/search": ("POST",),
    "/api/understand": ("POST",),
    "/api/feedback": ("POST",),
    "/api/admin/feedback": ("GET",),
    "/v1/chat/completions": ("POST",),
    "/v1/models": ("GET",),
    "/mcp": ("POST",),
    "/page/ask": ("POST",),
    "/login": ("GET", "HEAD", "POST"),
    "/logout": ("POST",),
    "/health": ("GET", "HEAD"),
    "/ready": ("GET", "HEAD"),
    "/metrics": ("GET", "HEAD"),
    "/openapi.json": ("GET", "HEAD"),
    **ADMIN_METHODS,
}
PAGE_INTERFACE = "/gradio_api/"
"""Gradio's own routes. Our handlers behind them tell every error in their answer: where Gradio fails, the call was wrong."""
_PAGE = re.compile(
    r"/(?:config|theme\.css|favicon\.ico|manifest\.json|robots\.txt|(?:assets|static|svelte|page)/.+"
    r"|gradio_api/(?:info|app_id|theme\.css|startup-events|(?:queue|call|run|heartbeat)/.+))?"
)


class Guard:
    """Outermost layer: known addresses and methods only, bounds, headers, measures, and a problem for any error."""

    def __init__(
        self, app: ASGIApp, measures: Measures, frame_ancestors: str = "'self'", bounds: Bounds | None = None
    ) -> None:
        self._app = app
        self._measures = measures
        self._headers = Headers(frame_ancestors)
        self._bounds = bounds or Bounds()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "websocket":  # nobody needs one, and no other layer looks at them
            await send({"type": "websocket.close"})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        settle(scope, self._bounds.trusted)
        started = time.perf_counter()
        route = route_of(scope["path"])
        status = 500

        async def send_guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                self._headers.complete(message, scope)
            await send(message)

        await self._serve(route, scope, receive, send_guarded)
        self._measures.requests.labels(route, str(status)).inc()
        self._measures.latency.labels(route).observe(time.perf_counter() - started)

    async def _serve(self, route: str, scope: Scope, receive: Receive, send: Send) -> None:
        if route == "unknown":
            await problem(404, "There is no such address.")(scope, receive, send)
            return
        allowed = METHODS.get(route, ())
        if allowed and scope["method"] not in allowed:
            answer = problem(405, f"{route} takes {' or '.join(allowed)}.")
            answer.headers["Allow"] = ", ".join(allowed)
            await answer(scope, receive, send)
            return
        body = Body(self._bounds, route, scope, receive)
        reply = _Reply(send, body, scope["path"].startswith(PAGE_INTERFACE))
        limit = asyncio.timeout(self._bounds.seconds_of(route, scope))
        try:
            body.refuse_too_large()
            async with limit:
                await self._app(scope, body.receive, reply.send)
        except ClientDisconnect:
            if not reply.started:  # nobody is left to answer; this is for the measures
                await Response(status_code=CLIENT_GONE)(scope, receive, send)
            return
        except Exception as error:
            if reply.started:
                raise
            reply.problem = reply.problem or problem_of(timed_out() if limit.expired() else error)
        if reply.problem is not None:
            if body.fault is not None:  # what is still to come of the body is not waited for
                reply.problem.headers["Connection"] = "close"
            await reply.problem(scope, receive, send)


class _Reply:
    """What the layers inside answer. A problem that is known better here goes out in its place."""

    def __init__(self, send: Send, body: Body, of_page: bool) -> None:
        self._send = send
        self._body = body
        self._of_page = of_page
        self.started = False
        self.problem: Response | None = None

    async def send(self, message: Message) -> None:
        """Hand on a message, or keep it back."""
        if message["type"] == "http.response.start" and not self.started:
            self.problem = self._better(message["status"])
        if self.problem is None:
            self.started = True
            await self._send(message)

    def _better(self, status: int) -> Response | None:
        if self._body.fault is not None:  # the page's parser calls every broken body a 400
            return problem_of(self._body.fault)
        if self._of_page and status == 503:  # the one that Gradio has: its queue is full
            return problem(503, "Too many questions wait right now. Try again.", retry_after=1, code=OVERLOADED)
        if self._of_page and status >= 500:
            return problem(400, "The page's own interface does not know this call.")
        return None


def route_of(path: str) -> str:
    """The name under which a path is measured: few of them, whatever callers send."""
    if path in METHODS:
        return path
    if is_admin_path(path):
        return admin_route(path)
    if path.startswith("/sources/"):
        return "/sources/pages" if "/pages/" in path else "/sources"
    if path.startswith("/v1/models/"):
        return "/v1/models"
    return "/" if _PAGE.fullmatch(path) else "unknown"
