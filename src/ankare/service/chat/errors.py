"""How do clients of the OpenAI form get told that a request cannot be answered?

Whoever refuses a request below /v1/ tells it as a problem document, like everywhere else; here, outermost, it becomes
`{"error": {"message", "type", "param", "code"}}`. Status and headers (Retry-After, WWW-Authenticate) stay.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ankare.service.problem import MEDIA_TYPE

AREA = "/v1/"
JSON_TYPE = "application/json"
_TYPES: Mapping[int, str] = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    499: "client_closed_request",
    503: "service_unavailable_error",
}
_CODES: Mapping[int, str] = {401: "invalid_api_key", 413: "request_too_large", 429: "rate_limit_exceeded"}


def openai_error(problem: Mapping[str, Any]) -> dict[str, object]:
    """The body of an error, from the fields of a problem document."""
    status = int(problem["status"])
    usual = "server_error" if status >= 500 else "invalid_request_error"
    return {
        "error": {
            "message": problem["detail"],
            "type": _TYPES.get(status, usual),
            "param": problem.get("field"),
            "code": str(problem["code"]).replace("-", "_") if problem.get("code") else _CODES.get(status),
        }
    }


class OpenAIErrors:
    """Outermost of all: problem documents of /v1/ leave in the form that its clients read."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http" or not scope["path"].startswith(AREA):
            await self._app(scope, receive, send)
            return
        held: Message | None = None
        read = b""

        async def send_translated(message: Message) -> None:
            nonlocal held, read
            if message["type"] == "http.response.start" and _tells_a_problem(message):
                held = message
                return
            if held is None:
                await send(message)
                return
            read += message.get("body", b"")
            if not message.get("more_body", False):
                started, held = held, None
                body = translated(read)
                headers = MutableHeaders(scope=started)
                headers["content-type"], headers["content-length"] = JSON_TYPE, str(len(body))
                await send(started)
                await send({"type": "http.response.body", "body": body})

        await self._app(scope, receive, send_translated)


def translated(problem: bytes) -> bytes:
    """A problem document as an error of the OpenAI form; nothing (the answer to HEAD) stays nothing."""
    return json.dumps(openai_error(json.loads(problem))).encode() if problem else b""


def _tells_a_problem(start: Message) -> bool:
    return any(name.lower() == b"content-type" and MEDIA_TYPE.encode() in value for name, value in start["headers"])
