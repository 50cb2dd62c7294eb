"""What is the document at `/`: Gradio's page with our own parts around it, in the reader's language, under a strict policy?

Gradio writes one title for all browsers, and in its template names itself as the maker and a picture on another host as
the preview. Here the document is set right: head, heading, languages and examples stand in it before any script has run, and
each script that Gradio writes into it carries the response's nonce, so that no other script in the text of the page can run.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping
from typing import Any

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ankare.messages import messages
from ankare.service.caller import caller_of
from ankare.service.desk import Desk
from ankare.service.door.headers import POLICY_HEADER, content_policy
from ankare.service.page.language import PAGE_LANGUAGE, page_language
from ankare.service.page.start import Start, start_of

_ADVERTISED = re.compile(r"""<meta\s+(?:property|name)="(?:og|twitter):[^"]*"\s+content="[^"]*"\s*/?>\s*""")
_TITLE = re.compile(r"<title>[^<]*</title>\s*")
_HTML_LANGUAGE = re.compile(r'(<html\s+lang=")[^"]*')
_CHARSET = re.compile(r"<meta charset=[^>]*>")
_SCRIPT = re.compile(r"<script(?=[\s>])")
_GRADIO = re.compile(r"<gradio-app\b.*?</gradio-app>", re.DOTALL)
_CONFIGURED = ("page.title", "page.question", "page.placeholder", "page.ask")
"""The texts that Gradio shows, written into its configuration."""


class PageShell:
    """Layer around the page: rewrites the document at `/`, and nothing else."""

    def __init__(self, app: ASGIApp, desk: Desk) -> None:
        self._app = app
        self._desk = desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http" or scope["path"] != "/":
            await self._app(scope, receive, send)
            return
        # Uncompressed, so that it can be read here.
        plain = [pair for pair in scope["headers"] if pair[0].lower() != b"accept-encoding"]
        start: dict[str, Any] = {}
        body = bytearray()

        async def send_rewritten(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
                return
            if message["type"] != "http.response.body":
                return  # a test client's extensions
            body.extend(message.get("body", b""))
            if not message.get("more_body"):
                await self._send_page(scope, start, bytes(body), send)

        await self._app({**scope, "headers": plain}, receive, send_rewritten)

    async def _send_page(self, scope: Scope, start: dict[str, Any], body: bytes, send: Send) -> None:
        dropped = (b"content-length", b"cache-control", b"etag")
        headers = [(name, value) for name, value in start["headers"] if name.lower() not in dropped]
        if body and any(name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in headers):
            request = Request(scope)
            language = page_language(request.query_params, request.cookies, request.headers)
            parts = await run_sync(start_of, self._desk, caller_of(scope), language, dict(request.query_params))
            nonce = secrets.token_urlsafe(18)
            body = rewritten(body.decode("utf-8", "replace"), language, parts, nonce).encode()
            told = content_policy(self._desk.settings.frame_ancestors, nonce)
            headers.append((POLICY_HEADER, told.encode()))
        headers.append((b"cache-control", b"no-store"))  # a nonce serves once
        headers.append((b"vary", b"Accept-Language, Cookie"))
        if body:
            headers.append((b"content-length", str(len(body)).encode()))
        await send({**start, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def rewritten(page: str, language: str, parts: Start, nonce: str) -> str:
    """The document in `language` with our parts in it, a nonce on Gradio's scripts, and nobody else's preview."""
    page = _TITLE.sub("", _ADVERTISED.sub("", page))
    page = _in_language(page, messages(PAGE_LANGUAGE), messages(language))
    page = _HTML_LANGUAGE.sub(lambda m: m[1] + language, page, count=1)
    page = _SCRIPT.sub(f'<script nonce="{nonce}"', page)
    page = _CHARSET.sub(lambda m: m[0] + parts.head, page, count=1)
    return _GRADIO.sub(lambda m: parts.before + m[0] + parts.after, page, count=1)


def _in_language(page: str, written: Mapping[str, str], told: Mapping[str, str]) -> str:
    """Gradio's own texts, in its configuration, which it writes in one language."""
    for key in _CONFIGURED:
        page = page.replace(f":{_quoted(written[key])}", f":{_quoted(told[key])}")
    return page


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
