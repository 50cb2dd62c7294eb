"""What does a reader see through the other doors: streams, chats, MCP, the page, Gradio's call, feedback, operation?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any
from urllib.parse import quote

from ankare.service.library.addresses import ADMIN_METHODS
from tests.access.seen import counted, plain, seen
from tests.access.world import Reader

DAY = "2026-01-15"
METRICS_TOKEN = "a-token-for-the-measures"  # noqa: S105
EVENTS = {"Accept": "text/event-stream"}
SPOKEN = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
SUBMIT = "/gradio_api/call/submit"
BEFORE = "Vad var omsättningen i Kina 2023?"
CHATS: tuple[tuple[str, ...], ...] = (
    (BEFORE, "och 2024?"),
    (BEFORE, "och vinsten?"),
    (BEFORE, "och i koncernen första kvartalet 2024?", "och i Kina?"),
    ("Vad är Projekt Nordstjärnan?", "när avslutas det?"),
    ("Vad gäller för semester?", "och för uppköpet av Zirkonbolaget?"),
    ("Vad kostar uppköpet?", "Vad är hovrätten?", "och hur ofta?"),
)
"""Questions of which each is read after the one before it."""
FIGURES: tuple[dict[str, str], ...] = (
    {"metric": "REVENUE", "entity": "Kina", "period": "2023"},
    {"metric": "REVENUE", "entity": "Kina", "period": "2024"},
    {"metric": "omsättning", "period": "2024Q1"},
    {"metric": "vinst", "entity": "ACME_CN", "period": "2025H1"},
    {"metric": "PROFIT", "entity": "Kina", "period": "2024"},
    {"metric": "PROFIT", "period": "2023"},
    {"metric": "REVENUE", "entity": "Zirkonbolaget", "period": "2023"},
    {"metric": "uppköp", "period": "2023"},
    {"metric": "REVENUE", "entity": "Kina", "period": "nyss"},
    {"metric": "REVENUE", "entity": "Kina", "period": "2023", "channel": "butik"},
)
STANDING = (
    "/openapi.json", "/v1/models", "/v1/models/ankare", "/v1/models/secret", "/config", "/gradio_api/info", "/",
    "/gradio_api/queue/status", "/?lang=en&debug=true", "/login", "/favicon.ico", "/manifest.json", "/robots.txt",
    "/nothing", "/mcp", "/api/ask", "/problems/no-index", "/health", "/ready",
)  # fmt: skip
"""What is the same for everybody, or is not there."""


def streamed(reader: Reader, question: str) -> list[object]:
    """/api/ask and /v1/chat/completions piece by piece."""
    chat = {"model": "ankare", "stream": True, "stream_options": {"include_usage": True}, "debug_mode": True}
    return [
        _post(reader, "/api/ask", {"question": question, "debug_mode": True, "reference_date": DAY}, EVENTS),
        _post(reader, "/v1/chat/completions", {**chat, "messages": _said([question])}),
    ]


def on_the_page(reader: Reader, question: str) -> list[object]:
    """What the page's script gets, in two of its languages, and what a program that uses Gradio's call gets."""
    flags = (f"debug=true&reference_date={DAY}&lang=sv", "lang=en")
    return [
        *(_post(reader, f"/page/ask?{given}", {"question": question}) for given in flags),
        submitted(reader, question),
    ]


def submitted(reader: Reader, question: object) -> list[object]:
    """The answer to Gradio's call."""
    called = reader.open("POST", SUBMIT, json={"data": [question]})
    return [seen(called), seen(reader.open("GET", f"{SUBMIT}/{called.json()['event_id']}"))]


def chatted(reader: Reader, chats: Sequence[Sequence[str]] = CHATS) -> list[object]:
    """Conversations, and each of their questions read after the one before it."""
    asked = [{"previous": before, "question": text} for chat in chats for before, text in pairwise(chat)]
    bodies = [{"model": "ankare", "messages": _said(chat), "debug_mode": True, "reference_date": DAY} for chat in chats]
    return [
        *(_post(reader, "/api/understand", {**body, "reference_date": DAY}) for body in asked),
        *(_post(reader, "/v1/chat/completions", body) for body in bodies),
    ]


def told_to_programs(reader: Reader, questions: Sequence[str], documents: Sequence[tuple[str, str]]) -> list[object]:
    """All that MCP gives: what there is to call, tools, and the text of each document."""
    asked = [("ask", {"question": question, "reference_date": DAY}) for question in questions]
    sought = [("search", {"query": question, "top_k": 20}) for question in questions]
    calls = [*asked, *sought, ("delete", {})]
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    return [
        _mcp(reader, "initialize", **hello),
        *(_mcp(reader, f"{what}/list") for what in ("tools", "resources", "resources/templates", "prompts")),
        *(_mcp(reader, "tools/call", name=name, arguments=arguments) for name, arguments in calls),
        *looked_up(reader, FIGURES),
        *(_mcp(reader, "resources/read", uri=f"ankare://sources/{document}") for document, _chunk in documents),
    ]


def looked_up(reader: Reader, figures: Sequence[Mapping[str, str]]) -> list[object]:
    """What MCP's look-up tells of figures by their names."""
    return [_mcp(reader, "tools/call", name="query_metric", arguments=dict(figure)) for figure in figures]


def standing(reader: Reader) -> list[object]:
    """What stands there without a question."""
    return [[path, seen(reader.open("GET", path))] for path in STANDING]


def measured(reader: Reader) -> list[object]:
    """What /metrics tells the reader, and what it counts for whoever has the token for it, which opens no label."""
    token = {"Authorization": f"Bearer {METRICS_TOKEN}"}
    found = reader.open("GET", "/metrics", headers=token)
    assert found.status_code == 200
    return [seen(reader.open("GET", "/metrics")), *(str(plain(line)) for line in counted(found.text))]


def turned_away(reader: Reader, documents: Sequence[tuple[str, str]]) -> list[object]:
    """What whoever may not see the library is told of it, and of its documents by their ids."""
    ways = [(way, path.format(id="x", name="x.md")) for path, methods in ADMIN_METHODS.items() for way in methods]
    named = [("DELETE", f"/api/admin/documents/{document}") for document, _chunk in documents]
    looked = [("GET", path) for path in ("/library", "/library/usage", "/api/admin/usage", "/api/admin/feedback")]
    return [[way, seen(reader.open(*way, follow_redirects=False))] for way in (*ways, *named, *looked)]


def thanked(reader: Reader, answers: Sequence[str]) -> list[object]:
    """What comes of feedback about these answers."""
    more: tuple[dict[str, Any], ...] = ({"rating": "up"}, {"rating": "down", "reason": "wrong", "comment": "Nej."})
    return [_post(reader, "/api/feedback", {"answer_id": answer, **said}) for answer in answers for said in more]


def fetched(reader: Reader, paths: Sequence[str]) -> list[object]:
    """What comes of asking for files of the machine."""
    ways = (
        "/gradio_api/file={}",
        "/gradio_api/file/{}",
        "/file={}",
        "/static/{}",
        "/page/{}",
        "/sources/{}",
        "/assets/{}",
    )
    return [seen(reader.open("GET", way.format(quote(path)))) for path in paths for way in ways]


def _mcp(reader: Reader, method: str, **params: object) -> list[object]:
    call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return seen(reader.open("POST", "/mcp", headers=SPOKEN, json=call))


def _post(reader: Reader, path: str, body: dict[str, Any], headers: dict[str, str] | None = None) -> list[object]:
    return seen(reader.open("POST", path, headers=headers, json=body))


def _said(questions: Sequence[str]) -> list[dict[str, str]]:
    said = [{"role": "user", "content": question} for question in questions]
    between = {"role": "assistant", "content": "Jaha."}
    return [turn for question in said for turn in (question, between)][:-1]
