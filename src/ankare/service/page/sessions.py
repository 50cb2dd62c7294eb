"""Whose is a session of Gradio's queue? That of the reader who named it, and of nobody else who knows or guesses the name.

A program that calls Gradio's queue chooses the name of its session, and fetches answers by that name. By itself Gradio hands
them to whoever says the same name, also to a reader who may not read what stands in them. Here each session goes by a name
made of who asks and what was said, with a key of this process: the same word is another session to another reader.

Who names a session that there is not, or not any more, is told so in an event, and the stream ends in order. By itself Gradio
breaks the connection, and what breaks is logged as a fault of the service: anybody could fill its log.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import gradio as gr
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ankare.service.caller import caller_of

FETCH = "/gradio_api/queue/data"
HEARTBEAT = "/gradio_api/heartbeat/"
NAMED = "session_hash"
NOT_FOUND = 404


class SessionNames:
    """The names under which the queue of one process knows sessions."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def of(self, scope: MutableMapping[str, Any], name: str) -> str:
        """The name of the session that the caller of a request calls `name`."""
        caller = caller_of(scope)
        whose = (caller.name, sorted(caller.access.labels), caller.access.everything, name)
        return hmac.new(self._key, repr(whose).encode(), "sha256").hexdigest()


def keep_apart(blocks: gr.Blocks, names: SessionNames) -> None:
    """Put each call that names a session into that of its caller. The queue of the blocks must be there already."""
    push = blocks._queue.push

    async def push_own(body: Any, request: Any, username: str | None = None) -> Any:
        if body.session_hash is not None:
            body.session_hash = names.of(request.scope, body.session_hash)
        return await push(body=body, request=request, username=username)

    blocks._queue.push = push_own  # type: ignore[method-assign]


class OwnSessions:
    """Layer around the page: whoever fetches from a session, or keeps it alive, says the name that it has for its caller."""

    def __init__(self, app: ASGIApp, names: SessionNames) -> None:
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "http":
            path = str(scope["path"])
            if path == FETCH:
                scope = {**scope, "query_string": self._renamed(scope)}
            elif path.startswith(HEARTBEAT):
                own = HEARTBEAT + self._names.of(scope, path.removeprefix(HEARTBEAT))
                scope = {**scope, "path": own, "raw_path": quote(own).encode()}
        await _to_its_end(self._app, scope, receive, send)

    def _renamed(self, scope: Scope) -> bytes:
        given = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        own = [(name, self._names.of(scope, value) if name == NAMED else value) for name, value in given]
        return urlencode(own).encode()


async def _to_its_end(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a connection; a stream that ends because there is no such session has told it, and ends as any other."""
    begun = False

    async def send_noted(message: Message) -> None:
        nonlocal begun
        begun = True
        await send(message)

    try:
        await app(scope, receive, send_noted)
    except RuntimeError as error:  # how Starlette tells of an error that comes too late to be an answer
        if not begun or not isinstance(error.__cause__, HTTPException) or error.__cause__.status_code != NOT_FOUND:
            raise
        await send({"type": "http.response.body", "body": b"", "more_body": False})
