"""What must hold of a deployment that works? One check per promise, each with what it found."""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import Callable
from typing import Any

from ankare.cli.smoke_call import Answered, Caller, SmokeError, require, succeeded
from ankare.ingest.report import counted

STARTING_SECONDS = 10
"""So long a process of the deployment may still be opening its index before that counts as a failure."""
FIELDS = ("question", "answer_markdown", "answered", "sources", "claims", "retrieval", "agentic_pipeline", "timing_ms")
SOURCE_FIELDS = ("source", "title", "pages", "url")
ANY_QUESTION = "Vad handlar dokumenten om?"
LEAST_REVISION = 7
"""Shorter beginnings of a commit's name are no name."""
MOST_FILES = 40
_TITLE = re.compile(rb"<title>([^<]*\S[^<]*)</title>")
_FILES = re.compile(r"""<(?:script|link)\b[^>]*?\b(?:src|href)="((?:\./|/)?[^":]+\.(?:js|css))\"""")
_FAILURE = re.compile(rb"Internal Server Error|Traceback \(most recent call last\)|<title>\s*(?:Error|5\d\d)\b")


class NotCheckedError(Exception):
    """What was there is well, but what the check is for could not be looked at: why, and what to do."""


class Deployment:
    """The checks. `question`: one that its documents answer, "" for not knowing any. `revision`: the one that has to run."""

    def __init__(self, caller: Caller, question: str = "", revision: str = "") -> None:
        self._caller = caller
        self._question = question
        self._revision = revision

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
            ("chat", self._chat),
            ("metrics", self._metrics),
        ]

    def arrived(self) -> str:
        """ "" once the right revision runs and can answer, else what is missing."""
        try:
            self._health()
            succeeded("/ready", self._caller.call("/ready"))
        except (SmokeError, KeyError, TypeError, AttributeError) as error:
            return str(error) or type(error).__name__
        return ""

    def _health(self) -> str:
        body = self._caller.get("/health").json()
        require(body["status"] == "ok", f"the status is {body['status']!r}")
        found = str(body["revision"] or "")
        require(same_revision(found, self._revision), f"revision {found or '-'} runs, not {self._revision}")
        return f"version {body['version']}, revision {found or '-'}"

    def _ready(self) -> str:
        """Waits for a process that has just been started: where several share the port, each opens the index itself."""
        until = time.monotonic() + STARTING_SECONDS
        answer = self._caller.call("/ready")
        while answer.status == 503 and time.monotonic() < until:
            time.sleep(0.2)
            answer = self._caller.call("/ready")
        body = succeeded("/ready", answer).json()
        return f"index {body['index_version']}, {body['chunks']} chunks"

    def _ask(self) -> str:
        """An answer must show its sources and they must be there; a refusal must have none."""
        body = self._caller.post("/api/ask", {"question": self._question or ANY_QUESTION}).json()
        missing = [name for name in FIELDS if name not in body]
        require(not missing, f"the answer lacks {', '.join(missing)}")
        require(bool(str(body["answer_markdown"]).strip()), "the answer is empty")
        require(bool(body["sources"]) == body["answered"], "sources and answered do not agree")
        require(body["answered"] or not self._question, f"refused: {body['answer_markdown']}")
        shown = sum(self._shows(source) for source in body["sources"][:3])
        if not body["answered"]:
            raise NotCheckedError("refused or asked back, so no answer was checked; give one it can: --question '...'")
        return f"answered, {counted(len(body['sources']), 'source')}, {counted(shown, 'page picture')}"

    def _shows(self, source: dict[str, Any]) -> bool:
        """Is the document there, and the picture of its page, where it has one? True for a picture."""
        missing = [name for name in SOURCE_FIELDS if name not in source]
        require(not missing, f"a source lacks {', '.join(missing)}")
        url = source["url"] or ""  # a figure's table is no document of the index
        if url.startswith("/"):
            self._caller.get(url.split("#")[0])
        if not source.get("page_image"):
            return False
        picture = self._caller.get(source["page_image"])
        require(picture.body.startswith(b"\x89PNG"), "the page picture is no PNG")
        return True

    def _bad_input(self) -> str:
        for path, body in (
            ("/api/ask", {"question": " "}),
            ("/api/ask?enable_agentic_rag=perhaps", {"question": "a?"}),
        ):
            status = self._caller.call(path, json.dumps(body).encode()).status
            require(status == 400, f"{path} gave {status} for bad input instead of 400")
        return "told apart with 400"

    def _search(self) -> str:
        hits = self._caller.post("/api/search", {"query": self._question or "dokument", "top_k": 3}).json()["hits"]
        require(bool(hits) or not self._question, "no hits")
        return counted(len(hits), "hit")

    def _page(self) -> str:
        """The page is ours, without an error in it, and so are the scripts and styles that it names."""
        page = self._caller.get("/")
        title = _TITLE.search(page.body)
        require(b"gradio" in page.body, "the page on / is not the user's page")
        if title is None:
            raise SmokeError("the page has no title")
        require(not _FAILURE.search(page.body), "the page shows an error")
        require("content-security-policy" in page.headers, "the page has no content security policy")
        files = self._files_of(page)
        return f"«{html.unescape(title[1].decode('utf-8', 'replace')).strip()}», {len(files)} scripts and styles"

    def _files_of(self, page: Answered) -> list[str]:
        found = {html.unescape(name) for name in _FILES.findall(page.body.decode("utf-8", "replace"))}
        require(bool(found), "the page names no script")
        for name in sorted(found)[:MOST_FILES]:
            answer = self._caller.get("/" + name.removeprefix(".").removeprefix("/"))
            kind = answer.headers.get("content-type", "")
            require("javascript" in kind or "css" in kind, f"{name} is {kind or 'of no type'}")
        return sorted(found)

    def _openapi(self) -> str:
        paths = self._caller.get("/openapi.json").json()["paths"]
        require("/api/ask" in paths, "/api/ask is not described")
        return counted(len(paths), "path")

    def _chat(self) -> str:
        """Chat clients: the models are listed, and the first one answers."""
        if "/v1/chat/completions" not in self._caller.get("/openapi.json").json()["paths"]:
            return "not offered"
        model = self._caller.get("/v1/models").json()["data"][0]["id"]
        asked = {"role": "user", "content": self._question or ANY_QUESTION}
        body = self._caller.post("/v1/chat/completions", {"model": model, "messages": [asked]}).json()
        said = body["choices"][0]["message"]["content"]
        require(isinstance(said, str) and bool(said.strip()), "the answer for chat clients is empty")
        return f"model {model}, {len(said)} characters"

    def _metrics(self) -> str:
        """A deployment may keep its measures to itself."""
        answer = self._caller.call("/metrics")
        if answer.status in (401, 403):
            return "not shown to this caller"
        require(b"ankare_requests_total" in succeeded("/metrics", answer).body, "no measure of requests")
        return "requests are counted"


def same_revision(found: str, wanted: str) -> bool:
    """Is it the wanted revision, or is one a beginning of the other's name? Nothing wanted: any."""
    if not wanted or found == wanted:
        return True
    shorter, longer = sorted((found.lower(), wanted.lower()), key=len)
    return len(shorter) >= LEAST_REVISION and longer.startswith(shorter)
