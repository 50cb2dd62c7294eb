"""What does the page say of itself before it has started: its title, its language, and what a link preview shows?

Gradio writes one title for all browsers, and in its template names itself as the maker and a picture on another host as
the preview. Here the page that it serves is set right, in the browser's language.
"""

from __future__ import annotations

import json
import re
from html import escape as quoted
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ankare.messages import languages, messages, preferred_language

PAGE_LANGUAGE = "sv"
"""The page's language where the browser asks for none that we have."""
_ADVERTISED = re.compile(r"""<meta\s+(?:property|name)="(?:og|twitter):[^"]*"\s+content="[^"]*"\s*/?>\s*""")
_HTML_LANGUAGE = re.compile(r'(<html\s+lang=")[^"]*')
_CHARSET = re.compile(r"<meta charset=[^>]*>")


class PageShell:
    """Layer around the page: rewrites the document at `/`, and nothing else."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http" or scope["path"] != "/":
            await self._app(scope, receive, send)
            return
        accepted = _header(scope, b"accept-language")
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
            if message.get("more_body"):
                return
            told = preferred_language(accepted, languages()) or PAGE_LANGUAGE
            await _send_page(start, bytes(body), told, send)

        await self._app({**scope, "headers": plain}, receive, send_rewritten)


def rewritten(page: str, language: str) -> str:
    """The page with its title, language and description in `language`, and without anybody else's preview."""
    texts = messages(language)
    title, description = quoted(texts["page.title"]), quoted(texts["page.description"])
    ours = (
        f'<title>{title}</title><meta name="description" content="{description}" />'
        f'<meta property="og:title" content="{title}" /><meta property="og:type" content="website" />'
        f'<meta property="og:description" content="{description}" />'
    )
    page = _ADVERTISED.sub("", page)
    page = _HTML_LANGUAGE.sub(lambda m: m[1] + language, page, count=1)
    page = _CHARSET.sub(lambda m: m[0] + ours, page, count=1)
    # Gradio sets the window's title once more from its own configuration.
    default = messages(PAGE_LANGUAGE)["page.title"]
    return page.replace(_configured(default), _configured(texts["page.title"]))


async def _send_page(start: dict[str, Any], body: bytes, language: str, send: Send) -> None:
    kept = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
    if body and any(name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in kept):
        body = rewritten(body.decode("utf-8", "replace"), language).encode()
    length = [] if not body else [(b"content-length", str(len(body)).encode())]
    headers = [*kept, *length, (b"vary", b"Accept-Language")]
    await send({**start, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _configured(title: str) -> str:
    return f'"title":{json.dumps(title, ensure_ascii=False)},'


def _header(scope: Scope, name: bytes) -> str:
    found: bytes = next((value for key, value in scope["headers"] if key.lower() == name), b"")
    return found.decode("latin-1")
