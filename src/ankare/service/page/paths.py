"""What if an address below `/` can be no file at all?

Gradio asks the disk for whatever stands behind `/assets/` and its like, and what a disk cannot even be asked for would be a
fault with a traceback. It is a 404, and any other fault of Gradio's is told as a problem.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ankare.service.problem import problem, problem_of

MOST_BYTES = 2000
MOST_OF_A_NAME = 255
"""Names that are longer, in bytes, no file system knows."""
OTHERS = ("/api/", "/v1/", "/mcp", "/page/", "/gradio_api/")
"""Addresses that are no files, of routes that say themselves what is wrong; the guard says it for Gradio's calls."""


class PagePaths:
    """Layer around the page: answers for addresses that can be no file."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http" or scope["path"].startswith(OTHERS):
            await self._app(scope, receive, send)
        elif is_no_file(scope["path"]):
            await problem(404, "There is no such file.")(scope, receive, send)
        else:
            await self._told(scope, receive, send)

    async def _told(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A fault before anything was sent is told as a problem; Gradio's own app would send a text, then raise."""
        fault: list[Message] = []
        begun = False

        async def send_on(message: Message) -> None:
            nonlocal begun
            if fault or (not begun and _is_plain_fault(message)):
                fault.append(message)
                return
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, send_on)
        except Exception as error:
            if begun:
                raise
            await problem_of(error)(scope, receive, send)
            return
        for message in fault:
            await send(message)


def is_no_file(path: str) -> bool:
    """Is it an address that no file can have: too long, or with a sign that no name has?"""
    raw = path.encode("utf-8", "surrogateescape")
    return len(raw) > MOST_BYTES or b"\0" in raw or any(len(name) > MOST_OF_A_NAME for name in raw.split(b"/"))


def _is_plain_fault(message: Message) -> bool:
    return bool(message["type"] == "http.response.start" and message["status"] == 500)
