"""How does an answer of ankare read as a chat completion?

Citations are told twice: in the Markdown of the message, with the list of sources at its end, and as annotations for
programs. Everything else that /api/ask tells stands in the field `ankare`.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from uuid import uuid4

from ankare.cite import escape
from ankare.cite.body import Json
from ankare.messages import messages
from ankare.service.desk import Served

_MARK = re.compile(r"(?<!\\)\[\[(\d{1,6})\]\]\(([^()\s]+)\)")
"""A numbered citation with its link. Brackets in texts of documents are escaped, so that nothing else reads like it."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """What was asked, and how it came to be. `ignored`: messages that would instruct a model."""

    question: str
    changed: bool = False
    taken_over: tuple[str, ...] = ()
    ignored: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """What all chunks of one completion share."""

    model: str
    id: str = field(default_factory=lambda: f"chatcmpl-{uuid4().hex}")
    created: int = field(default_factory=lambda: int(time.time()))

    def whole(self, served: Served, understanding: Understanding) -> Json:
        """The answer in one piece."""
        content = content_of(served, understanding)
        message = {
            "role": "assistant",
            "content": content,
            "refusal": None,
            "annotations": list(url_citations(content, served)),
        }
        return {
            **self._head("chat.completion"),
            "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
            "usage": usage_of(served.body),
            "ankare": extension(served.body, understanding),
        }

    def chunk(self, delta: Json, *, last: bool = False, **more: object) -> Json:
        """A piece of it."""
        choice = {"index": 0, "delta": delta, "finish_reason": "stop" if last else None, "logprobs": None}
        return {**self._head("chat.completion.chunk"), "choices": [choice], **more}

    def usage_chunk(self, served: Served) -> Json:
        """The tokens, after everything else."""
        return {**self._head("chat.completion.chunk"), "choices": [], "usage": usage_of(served.body)}

    def _head(self, kind: str) -> Json:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}


def content_of(served: Served, understanding: Understanding) -> str:
    """The answer as Markdown. A reader of a chat sees nothing else: where a follow-up was completed, the question that was
    asked stands first."""
    if not understanding.changed:
        return served.rendered.markdown
    told = messages(str(served.body["language"]))["cite.understood"]
    return f"*{told.format(question=escape.markdown(understanding.question))}*\n\n{served.rendered.markdown}"


def url_citations(content: str, served: Served) -> Iterator[Json]:
    """The citations in the text, in order. The place of a figure is a cell of a table, which has no address: it has none."""
    titles = {source.number: source.label for source in served.rendered.sources}
    for mark in _MARK.finditer(content):
        cited = {
            "start_index": mark.start(),
            "end_index": mark.end(),
            "url": mark[2],
            "title": titles.get(int(mark[1]), ""),
        }
        yield {"type": "url_citation", "url_citation": cited}


def usage_of(body: Mapping[str, object]) -> Json:
    """Tokens of the models that had a part in the answer: 0 where none had, and where its service told none."""
    told = body["llm_usage"]
    counts = told if isinstance(told, Mapping) else {}
    prompt, completion = (int(counts.get(name) or 0) for name in ("prompt_tokens", "completion_tokens"))
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def extension(body: Json, understanding: Understanding) -> Json:
    """The field `ankare`: the body of /api/ask, and how the chat was read."""
    return {
        **body,
        "understood": understanding.changed,
        "taken_over": list(understanding.taken_over),
        "instructions_ignored": understanding.ignored,
    }
