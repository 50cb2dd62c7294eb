"""What does every response carry, and which addresses exist at all?

Gradio brings many routes (uploads, file and proxy access, editors). Only those that its page needs are let through;
everything else that is not ours is a 404.
"""

from __future__ import annotations

import re
import time

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ankare.service.measures import Measures
from ankare.service.problem import ProblemError, problem, problem_of

MAX_BODY_BYTES = 100_000
CLIENT_GONE = 499
"""As nginx calls it."""
# Gradio's page starts from scripts written into the page and sets styles on elements; nothing may come from elsewhere.
CONTENT_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors ",
    )
)
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
POLICY_HEADER = b"content-security-policy"
METHODS = {
    "/api/ask": ("POST",),
    "/api/search": ("POST",),
    "/api/understand": ("POST",),
    "/api/feedback": ("POST",),
    "/api/admin/feedback": ("GET",),
    "/v1/chat/completions": ("POST",),
    "/v1/models": ("GET", "HEAD"),
    "/mcp": ("POST",),
    "/health": ("GET", "HEAD"),
    "/ready": ("GET", "HEAD"),
    "/metrics": ("GET", "HEAD"),
    "/openapi.json": ("GET", "HEAD"),
}
PAGE_INTERFACE = "/gradio_api/"
"""Gradio's own routes. Our handlers behind them tell every error in their answer: where Gradio fails, the call was wrong."""
_PAGE = re.compile(
    r"/(?:config|theme\.css|favicon\.ico|manifest\.json|robots\.txt|(?:assets|static|svelte)/.+"
    r"|gradio_api/(?:info|app_id|theme\.css|startup-events|(?:queue|call|run|heartbeat)/.+))?"
)


class Guard:
    """Outermost layer: known addresses and methods only, security headers, measures, and a problem for any error."""

    def __init__(self, app: ASGIApp, measures: Measures, frame_ancestors: str = "'self'") -> None:
        self._app = app
        self._measures = measures
        self._policy = (CONTENT_POLICY + frame_ancestors).encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        route = route_of(scope["path"])
        status = 500

        async def send_guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                self._add_headers(message)
            await send(message)

        await self._serve(route, scope, receive, send_guarded)
        self._measures.requests.labels(route, str(status)).inc()
        self._measures.latency.labels(route).observe(time.perf_counter() - started)

    def _add_headers(self, message: Message) -> None:
        headers = message.setdefault("headers", [])
        present = {name.lower() for name, _ in headers}
        headers.extend(pair for pair in HEADERS if pair[0] not in present)
        if POLICY_HEADER not in present:
            headers.append((POLICY_HEADER, self._policy))

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
        started, misused = False, False
        of_page = scope["path"].startswith(PAGE_INTERFACE)

        async def send_noting(message: Message) -> None:
            nonlocal started, misused
            if of_page and message["type"] == "http.response.start" and message["status"] >= 500:
                misused = True
            if not misused:
                started = True
                await send(message)

        try:
            await self._app(scope, bounded(receive), send_noting)
        except ClientDisconnect:
            if not started:  # nobody is left to answer; this is for the measures
                await Response(status_code=CLIENT_GONE)(scope, receive, send)
            return
        except Exception as error:
            if not misused:
                if started:
                    raise
                await problem_of(error)(scope, receive, send)
        if misused:
            await problem(400, "The page's own interface does not know this call.")(scope, receive, send)


def bounded(receive: Receive) -> Receive:
    """`receive` that raises ProblemError (400) as soon as a body is larger than any request needs."""
    size = 0

    async def receive_bounded() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > MAX_BODY_BYTES:
            raise ProblemError(400, f"The body is too large: {MAX_BODY_BYTES} bytes are the most.")
        return message

    return receive_bounded


def route_of(path: str) -> str:
    """The name under which a path is measured: few of them, whatever callers send."""
    if path in METHODS:
        return path
    if path.startswith("/sources/"):
        return "/sources/pages" if "/pages/" in path else "/sources"
    if path.startswith("/v1/models/"):
        return "/v1/models"
    return "/" if _PAGE.fullmatch(path) else "unknown"
