"""A model that always has something to say, made of nothing but what it was sent; and what it was sent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ankare.engine import Engine
from ankare.llm.protocol import SLOTS_MARK
from tests.access.seen import seen
from tests.access.world import Reader, Service, serving
from tests.model_server import USAGE, Behaviour, Line, ModelServer, Seen, model_server, reply, says

WORDINGS = ("{}", "{} uppköp", "{} hemlig tidplan", "{} konvertibler", "{} backup styrgruppen")
"""What it would have searched, also words that only secret documents hold."""
_QUESTION = re.compile(r"<question key=.*?>\n(.*?)\n</question", re.DOTALL)
_EVIDENCE = re.compile(r'<(c\d+) key="[0-9a-f]+">[^\n]*\n(.*?)(?=\n\n<)', re.DOTALL)
_CONNECTION = {"host", "content-length"}
_TIME = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")


@dataclass(frozen=True)
class Asked:
    """A reader before a service whose model is recorded."""

    service: Service
    server: ModelServer
    reader: Reader

    def of(self, *labels: str) -> Asked:
        """The same for a reader of these labels."""
        return replace(self, reader=self.service.reader(*labels))

    @property
    def engine(self) -> Engine:
        """What answers."""
        return self.service.client.app.state.desk.engine()  # type: ignore[attr-defined, no-any-return]

    def ask(self, question: str, **flags: bool) -> tuple[list[object], list[object]]:
        """What the reader sees, and what the model's provider does."""
        before = len(self.server.seen)
        body = {"question": question, "debug_mode": True, "reference_date": "2026-01-15", **flags}
        answer = seen(self.reader.open("POST", "/api/ask", json=body))
        return answer, [sent(request) for request in self.server.seen[before:]]


@contextmanager
def with_a_model(home: Path, **chosen: Any) -> Iterator[Asked]:
    """A service over a home whose model is on the loopback, and a reader."""
    with model_server() as server:
        server.keep = True
        server.does(speaks)
        address = {"llm_base_url": f"{server.url}/v1", "llm_model": "a-model", "llm_api_key": "sk-test"}
        with serving(home, **{**address, **chosen}) as service:
            yield Asked(service, server, service.reader())


def sent(request: Seen) -> list[object]:
    """A request as the provider gets it, byte for byte, but for its own address and the times when figures were read in."""
    headers = {name: value for name, value in request.headers.items() if name not in _CONNECTION}
    return [request.method, request.target, headers, _TIME.sub(b"TIME", request.body)]


def speaks(line: Line) -> None:
    """The behaviour that suits what is asked."""
    body = line.request.json
    _behaviour(body, line.request.prompt)(line)


def _behaviour(body: dict[str, Any], prompt: str) -> Behaviour:
    if body.get("tools"):
        return _looks_up(body["messages"])
    form = str(body.get("response_format"))
    known: tuple[tuple[str, Callable[[str], object]], ...] = (
        ("retrieval_queries", _rewrite),
        ("verdict", _review),
        ("answer", _answer),
    )
    speak = next(speak for name, speak in known if name in form)
    return says(json.dumps(speak(prompt), ensure_ascii=False), usage=USAGE)


def _rewrite(prompt: str) -> object:
    question = _found(_QUESTION, prompt)
    first = question.rstrip("?").rpartition(" ")[2]
    queries = [{"query": wording.format(first), "purpose": "synonym"} for wording in WORDINGS]
    said: dict[str, object] = {"original_question": question, "retrieval_queries": queries, "must_keep_focus": [first]}
    return {**said, "semantic_terms": [], "negative_constraints": [], "confidence": 0.9}


def _review(prompt: str) -> object:
    """Turns down every other draft, so that a correction is asked for."""
    good = len(_found(_QUESTION, prompt)) % 2 == 0
    flags = {"answers_original_question": True, "drift_from_original_question": False, "metadata_leakage": False}
    told = {"unsupported_claims": [], "minor_revision": "", "review_notes": "" if good else "Fel."}
    return {"verdict": "approve" if good else "reject", "grounded_in_sources": good, **flags, **told}


def _answer(prompt: str) -> object:
    """The first sentence of each of the first passages."""
    passages = _EVIDENCE.findall(prompt)[:2]
    answer = " ".join(text.strip().splitlines()[-1] for _alias, text in passages) or "Underlaget ger inget svar."
    evidence = [{"chunk_id": alias, "claim_supported": answer} for alias, _text in passages]
    return {"answer": answer, "answer_scope": "direct", "evidence_used": evidence, "unsupported_or_uncertain": []}


def _looks_up(messages: list[dict[str, Any]]) -> Behaviour:
    if messages[-1]["role"] == "tool":
        return says("Klart.", usage=USAGE)
    slots = next(line for line in messages[0]["content"].splitlines() if line.startswith(SLOTS_MARK))
    function = {"name": "query_metric", "arguments": slots.removeprefix(SLOTS_MARK)}
    turn = {"role": "assistant", "content": "", "tool_calls": [{"id": "t1", "type": "function", "function": function}]}
    choice = {"index": 0, "message": turn, "finish_reason": "tool_calls"}
    return reply(200, {"id": "msg_1", "model": "a-model", "choices": [choice], "usage": USAGE})


def _found(pattern: re.Pattern[str], prompt: str) -> str:
    match = pattern.search(prompt)
    return match[1] if match else ""
