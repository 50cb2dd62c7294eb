"""A deployment that works, as far as a caller can see, and can be broken in one place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ssl import SSLContext
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

REVISION = "8f14e45fceea167a5a36dedd4bea2543c1a2b3d4"
POLICY = {"Content-Security-Policy": "default-src 'self'"}
PAGE = b"""<html><head><title>ankare</title><link rel="stylesheet" href="/theme.css">
<script type="module" src="./assets/index.js"></script></head><body>gradio</body></html>"""
SOURCE = {
    "source": "plan.pdf",
    "title": "Plan",
    "pages": [1],
    "url": "/sources/d1#page=1",
    "page_image": "/sources/d1/1",
}
ANSWER: dict[str, Any] = {
    "question": "Vem?",
    "answer_markdown": "Ledaren [1].",
    "answered": True,
    "sources": [SOURCE],
    "claims": [],
    "retrieval": {},
    "agentic_pipeline": None,
    "timing_ms": {},
}
SAID = {"choices": [{"message": {"role": "assistant", "content": "Ledaren."}}]}


@dataclass(frozen=True)
class Said:
    """What the deployment says to a call."""

    body: bytes | Mapping[str, Any] = b""
    status: int = 200
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)

    def bytes(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


Answers = Mapping[str, Said]
WHOLE: Answers = {
    "/health": Said({"status": "ok", "version": "1.0", "revision": REVISION}),
    "/ready": Said({"index_version": "v1", "chunks": 12}),
    "/api/ask": Said(ANSWER),
    "/sources/d1": Said(b"%PDF-", kind="application/pdf"),
    "/sources/d1/1": Said(b"\x89PNG", kind="image/png"),
    "/api/search": Said({"hits": [{"source": "plan.pdf"}]}),
    "/": Said(PAGE, kind="text/html", headers=POLICY),
    "/assets/index.js": Said(b"1", kind="text/javascript"),
    "/theme.css": Said(b"a{}", kind="text/css"),
    "/openapi.json": Said({"paths": {"/api/ask": {}, "/v1/chat/completions": {}}}),
    "/v1/models": Said({"data": [{"id": "ankare"}]}),
    "/v1/chat/completions": Said(SAID),
    "/metrics": Said(b"ankare_requests_total 1", kind="text/plain"),
    "bad input": Said({"detail": "no"}, 400),
}


def broken(path: str, **changes: Any) -> Answers:
    """A deployment that says something else to one call."""
    return {**WHOLE, path: replace(WHOLE[path], **changes)}


def answering(**changes: Any) -> Answers:
    """A deployment whose answers have other fields; None takes a field away."""
    return broken("/api/ask", body={name: value for name, value in {**ANSWER, **changes}.items() if value is not ...})


@dataclass
class Running:
    """A deployment that runs. What it says may be changed while it does."""

    base_url: str
    answers: Answers
    keys: list[str | None] = field(default_factory=list)


@contextmanager
def deployed(answers: Answers, tls: SSLContext | None = None) -> Iterator[Running]:
    """A server on a free port of this machine that gives these answers. `tls`: with which certificate, None for http."""
    running = Running("", answers)
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(running)) as server:
        running.base_url = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}"
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield running
        finally:
            server.shutdown()


def _handler(running: Running) -> Callable[..., BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._say(running.answers.get(urlsplit(self.path).path, Said({"detail": "unknown"}, 404)))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            bad = body.get("question") == " " or "perhaps" in self.path
            self._say(running.answers["bad input" if bad else urlsplit(self.path).path])

        def _say(self, said: Said) -> None:
            running.keys.append(self.headers.get("Authorization"))
            self.send_response(said.status)
            for name, value in {"Content-Type": said.kind, **said.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(said.bytes())))
            self.end_headers()
            self.wfile.write(said.bytes())

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            """Nothing is logged."""

    return Handler
