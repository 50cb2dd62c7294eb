"""`ankare smoke --base-url URL`: does a deployment work, from its health to its page?"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from ankare.errors import SettingsError

TIMEOUT_SECONDS = 30
STARTING_SECONDS = 10
"""So long a process of the deployment may still be opening its index before that counts as a failure."""
FIELDS = ("question", "answer_markdown", "answered", "sources", "claims", "retrieval", "agentic_pipeline", "timing_ms")


@dataclass(frozen=True, slots=True)
class Answered:
    """A response of the deployment."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class SmokeError(Exception):
    """A check that failed, and how."""


def smoke(
    base_url: Annotated[str, typer.Option(help="Where the deployment answers.")] = "http://127.0.0.1:7860",
    question: Annotated[str, typer.Option(help="A question that its documents answer.")] = "",
) -> None:
    """Check a running deployment. Exit code 1 if anything fails."""
    if not base_url.startswith(("http://", "https://")):
        raise SettingsError(f"--base-url must begin with http:// or https://, not {base_url!r}.")
    failed = 0
    for name, check in _Deployment(base_url.rstrip("/"), question).checks():
        started = time.perf_counter()
        try:
            found, state = check(), "ok"
        except (SmokeError, OSError, ValueError, KeyError, TypeError) as error:
            found, state = f"{error}" or type(error).__name__, "FAILED"
            failed += 1
        typer.echo(f"{state:<7}{name:<10}{(time.perf_counter() - started) * 1000:7.1f} ms  {found}")
    raise typer.Exit(1 if failed else 0)


class _Deployment:
    def __init__(self, base_url: str, question: str) -> None:
        self._base = base_url
        self._question = question

    def checks(self) -> list[tuple[str, Callable[[], str]]]:
        """The checks by name, the most basic first."""
        return [
            ("health", self._health),
            ("ready", self._ready),
            ("ask", self._ask),
            ("bad input", self._bad_input),
            ("search", self._search),
            ("page", self._page),
            ("openapi", self._openapi),
            ("metrics", self._metrics),
        ]

    def _health(self) -> str:
        body = self._get("/health").json()
        return f"version {body['version']}, revision {body['revision'] or '-'}"

    def _ready(self) -> str:
        """Waits for a process that has just been started: where several share the port, each opens the index itself."""
        until = time.monotonic() + STARTING_SECONDS
        answer = self._call("/ready")
        while answer.status == 503 and time.monotonic() < until:
            time.sleep(0.2)
            answer = self._call("/ready")
        body = _succeeded("/ready", answer).json()
        return f"index {body['index_version']}, {body['chunks']} chunks"

    def _ask(self) -> str:
        """An answer must show its sources and they must be there; a refusal must have none."""
        body = self._post("/api/ask", {"question": self._question or "Vad handlar dokumenten om?"}).json()
        missing = [name for name in FIELDS if name not in body]
        _require(not missing, f"the answer lacks {', '.join(missing)}")
        _require(bool(body["sources"]) == body["answered"], "sources and answered do not agree")
        _require(body["answered"] or not self._question, f"refused: {body['answer_markdown']}")
        for source in body["sources"][:1]:
            if source["url"].startswith("/"):
                self._get(source["url"].split("#")[0])
            if source["page_image"]:
                picture = self._get(source["page_image"])
                _require(picture.body.startswith(b"\x89PNG"), "the page picture is no PNG")
        return f"answered {body['answered']}, {len(body['sources'])} sources"

    def _bad_input(self) -> str:
        for path, body in (
            ("/api/ask", {"question": " "}),
            ("/api/ask?enable_agentic_rag=perhaps", {"question": "a?"}),
        ):
            status = self._call(path, json.dumps(body).encode()).status
            _require(status == 400, f"{path} gave {status} for bad input instead of 400")
        return "told apart with 400"

    def _search(self) -> str:
        return (
            f"{len(self._post('/api/search', {'query': self._question or 'dokument', 'top_k': 3}).json()['hits'])} hits"
        )

    def _page(self) -> str:
        page = self._get("/")
        _require(b"gradio" in page.body, "the page on / is not the user's page")
        _require("content-security-policy" in page.headers, "the page has no content security policy")
        return f"{len(page.body)} bytes"

    def _openapi(self) -> str:
        return f"{len(self._get('/openapi.json').json()['paths'])} paths"

    def _metrics(self) -> str:
        _require(b"ankare_requests_total" in self._get("/metrics").body, "no measure of requests")
        return "requests are counted"

    def _get(self, path: str) -> Answered:
        return _succeeded(path, self._call(path))

    def _post(self, path: str, body: object) -> Answered:
        return _succeeded(path, self._call(path, json.dumps(body).encode()))

    def _call(self, path: str, body: bytes | None = None) -> Answered:
        import urllib.error
        import urllib.request

        request = urllib.request.Request(  # noqa: S310 - the scheme has been checked
            self._base + path, data=body, headers={"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310
                return Answered(answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read())
        except urllib.error.HTTPError as error:
            return Answered(error.code, {}, error.read())


def _succeeded(path: str, answer: Answered) -> Answered:
    _require(answer.status == 200, f"{path} gave {answer.status}: {answer.body[:200].decode('utf-8', 'replace')}")
    return answer


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise SmokeError(otherwise)
