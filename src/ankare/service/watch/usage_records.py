"""What does a line of the usage log say, and how is it read, whichever ankare wrote it?

Older lines hold the question and name the refusal's reason as the outcome; half lines and lines of others are passed over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import Any

from ankare.service.watch.json_lines import parts

USAGE = "usage.jsonl"
ANSWERED, REFUSED, ASKED_BACK, FAILED = "answered", "refused", "clarification", "error"
OUTCOMES = (ANSWERED, REFUSED, ASKED_BACK, FAILED)
LOOK_UP = "figures"
"""The name under which look-ups of figures by a model are told."""


MOST = 1e15
"""No figure of a record is larger; one that is was not written by us."""


@dataclass(frozen=True, slots=True)
class AgentUse:
    """One call of a model: who was asked, how it ended, what it took. Tokens are None where the service told none.

    Look-ups of figures are told together: `calls` says how many, `silent` how many of them told no tokens.
    """

    agent: str
    role: str = ""
    model: str = ""
    status: str = ""
    reason: str | None = None
    fault: str | None = None
    ms: float = 0.0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    calls: int = 1
    silent: int = 0


@dataclass(frozen=True, slots=True)
class UsageRecord:
    """One question; where `count` says more, as many that there was no place for.

    `outcome`: one of `OUTCOMES`; `reason`: of the refusal, of what was asked back, or the error's code.

    `question_key`: a keyed hash of the question, the same for the same question; `question`, `missing` (words that the
    material does not hold) and `answer` are None where the log keeps no texts. `steps_ms`: milliseconds by step.
    `sources`: how many the answer cites. `fallback_reason`: why a model has no part in an answer that it was to have one in.
    `mode`, `review_status`, `final_status`: how the chain ran, what its reviewer said, what became of it; "" in older lines.
    """

    time: str
    outcome: str
    reason: str | None = None
    answer_id: str = ""
    channel: str = ""
    key: str = ""
    question_key: str = ""
    question_chars: int = 0
    question_type: str = ""
    language: str = ""
    route: str = ""
    origin: str = ""
    partial: bool = False
    sources: int = 0
    top_score: float | None = None
    relevance_reason: str | None = None
    coverage: float | None = None
    probability: float | None = None
    steps_ms: Mapping[str, float] = field(default_factory=dict)
    ms: float = 0.0
    index_version: str = ""
    revision: str = ""
    agents: tuple[AgentUse, ...] = ()
    fallback_reason: str | None = None
    mode: str = ""
    review_status: str = ""
    final_status: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None
    count: int = 1
    question: str | None = None
    missing: tuple[str, ...] | None = None
    answer: str | None = None


def read_usage(folder: Path) -> Iterator[UsageRecord]:
    """The records of a folder of logs, the oldest first. Raises OSError where a file cannot be read."""
    for file in opened(folder / USAGE):
        with file:
            yield from filter(None, map(record_of, file))


def record_of(line: bytes) -> UsageRecord | None:
    """The record that a line holds; None for half a line, and for one that is no record."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict) or not isinstance(told.get("time"), str) or not isinstance(told.get("outcome"), str):
        return None
    return _record(told)


def opened(path: Path) -> Sequence[BufferedReader]:
    """The files, the oldest first, all open before the first is read: one that is set aside meanwhile is not missed."""
    newest = path.open("rb") if path.is_file() else None
    older = [old.open("rb") for old in parts(path) if newest is None or not _same(old, newest)]
    return [*older, *([newest] if newest else [])]


def _same(path: Path, file: BufferedReader) -> bool:
    return os.path.samestat(path.stat(), os.fstat(file.fileno()))


def _record(told: Mapping[str, Any]) -> UsageRecord:
    outcome = _text(told["outcome"])
    older = outcome not in OUTCOMES
    tokens = _mapping(told.get("llm_usage"))
    return UsageRecord(
        time=_text(told["time"]),
        outcome=REFUSED if older else outcome,
        reason=outcome if older else _text_or_none(told.get("reason")),
        **_each(_text, told, *_TEXTS),
        question_chars=_count(told.get("question_chars")) or len(_text(told.get("question"))),
        partial=told.get("partial") is True,
        sources=_count(told.get("sources")) or 0,
        **_each(_number, told, "top_score", "coverage", "probability"),
        relevance_reason=_text_or_none(told.get("relevance_reason")),
        steps_ms=_steps(told.get("steps_ms")),
        ms=_number(told.get("ms")) or 0.0,
        agents=_agents(told),
        fallback_reason=_text_or_none(_mapping(told.get("agentic")).get("fallback_reason")),
        **_each(_text, _mapping(told.get("agentic")), "mode", "review_status", "final_status"),
        **_each(_count, tokens, "prompt_tokens", "completion_tokens", "total_tokens"),
        count=_count(told.get("count")) or 1,
        question=_text_or_none(told.get("question")),
        missing=_words(told.get("missing")),
        answer=_text_or_none(told.get("answer")),
    )


_TEXTS = (
    "answer_id",
    "channel",
    "key",
    "question_key",
    "question_type",
    "language",
    "route",
    "origin",
    "index_version",
    "revision",
)


def _agents(told: Mapping[str, Any]) -> tuple[AgentUse, ...]:
    calls = _mapping(told.get("agentic")).get("agents")
    found = tuple(_agent(call) for call in calls if isinstance(call, dict)) if isinstance(calls, list) else ()
    look_up = _mapping(_mapping(told.get("llm_usage")).get("agents")).get(LOOK_UP)
    return (*found, _look_up(look_up)) if isinstance(look_up, dict) else found


def _look_up(used: Mapping[str, Any]) -> AgentUse:
    return AgentUse(
        LOOK_UP,
        **_each(_count, used, "prompt_tokens", "completion_tokens"),
        calls=_count(used.get("calls")) or 1,
        silent=_count(used.get("calls_without_usage")) or 0,
    )


def _agent(call: Mapping[str, Any]) -> AgentUse:
    used = _mapping(call.get("usage"))
    return AgentUse(
        **_each(_text, call, "agent", "role", "model", "status"),
        reason=_text_or_none(call.get("reason")),
        fault=_text_or_none(call.get("fault")),
        ms=_number(call.get("ms")) or 0.0,
        **_each(_count, used, "prompt_tokens", "completion_tokens"),
    )


def _each(read: Callable[[object], object], told: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: read(told.get(name)) for name in names}


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _steps(value: object) -> dict[str, float]:
    read = ((_text(name), _number(ms)) for name, ms in _mapping(value).items())
    return {name: ms for name, ms in read if ms is not None}


def _text(value: object) -> str:
    return _text_or_none(value) or ""


def _text_or_none(value: object) -> str | None:
    """A half of a character, which no answer or file can hold, becomes a question mark."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else None


def _words(value: object) -> tuple[str, ...] | None:
    return tuple(_text(word) for word in value if isinstance(word, str)) if isinstance(value, list) else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not -MOST < value < MOST:
        return None
    return float(value)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST else None
