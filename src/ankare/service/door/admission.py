"""Is a request let in: whose is it, is it not too soon, and is there a place for it? All of this before its body is read."""

from __future__ import annotations

from urllib.parse import quote

from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ankare.service.caller import set_caller
from ankare.service.door.address import header
from ankare.service.door.admin import METRICS_PATH
from ankare.service.door.identity import (
    LOGIN,
    LOGOUT,
    OPERATION,
    Doorman,
    Visitor,
    cookie_name,
    is_static,
    sent_cookie,
)
from ankare.service.door.origin import refuse_foreign
from ankare.service.door.rates import Rates
from ankare.service.problem import RATE_LIMITED, ProblemError, problem_of
from ankare.service.turnstile import Turnstile

LOOKING_COST = 0.1
"""What a GET counts of a request: an answer brings up to a dozen page pictures with it."""
COMPUTING = frozenset({"/api/ask", "/api/search", "/api/understand", "/v1/chat/completions", "/mcp"})
"""Needs a place at the turnstile. The page does too, and tells by itself that there is none."""
ON_PAGES = ("/", "/library")


class Admission:
    """Layer inside the guard: no request passes it without a caller."""

    def __init__(
        self,
        app: ASGIApp,
        doorman: Doorman,
        rates: Rates,
        per_minute: int,
        turnstile: Turnstile,
    ) -> None:
        """`per_minute`: requests of a key or an address, 0 for no limit."""
        self._app = app
        self._doorman = doorman
        self._rates = rates
        self._per_minute = per_minute
        self._turnstile = turnstile

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            refuse_foreign(scope)
            visitor = self._doorman.visitor(scope)
            set_caller(scope, visitor.caller)
            self._slow_down(scope, visitor)
            if scope["path"] in COMPUTING:
                self._turnstile.require_place()
        except ProblemError as error:
            await _refusal(scope, error)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _slow_down(self, scope: Scope, visitor: Visitor) -> None:
        rate = self._per_minute if visitor.rate is None else visitor.rate
        path = scope["path"]
        if not rate or path in OPERATION or path in (LOGIN, LOGOUT) or is_static(path):
            return
        cost = LOOKING_COST if scope["method"] in ("GET", "HEAD") else 1.0
        if wait := self._rates.take(visitor.counted_as, rate, cost):
            raise ProblemError(429, f"{rate} requests a minute are allowed.", retry_after=wait, code=RATE_LIMITED)


def _refusal(scope: Scope, error: ProblemError) -> Response:
    """The problem, or for a person with a browser the way to where a key can be given."""
    looked_at = scope["path"] in ON_PAGES or "text/html" in header(scope, b"accept")
    page = scope["method"] in ("GET", "HEAD") and looked_at and scope["path"] != METRICS_PATH
    answer = problem_of(error)
    if error.status == 401 and page:
        query = scope["query_string"].decode("latin-1")
        asked = quote(scope["path"]) + (f"?{query}" if query else "")
        answer = RedirectResponse(f"{LOGIN}?next={quote(asked, safe='')}", status_code=303)
    if error.status == 401 and sent_cookie(scope):
        answer.delete_cookie(cookie_name(scope), secure=scope["scheme"] == "https", httponly=True, samesite="strict")
    return answer
