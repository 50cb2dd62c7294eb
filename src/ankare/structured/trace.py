"""What may be recorded of a question? Codes, counts and times; never a text of question, answer, fact or chunk."""

from __future__ import annotations

import logging
import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ankare.llm.protocol import Usage
from ankare.structured.query_tools import QueryResult

LOG = logging.getLogger("ankare.trace")
_HOW_IT_WENT = (
    "route",
    "language",
    "clarification_mode",
    "tool_status_counts",
    "fabrication_guard_triggered",
    "provider_error",
    "model_calls",
    "prompt_tokens",
    "completion_tokens",
    "seconds",
)


@dataclass(frozen=True, slots=True)
class Trace:
    """One record per question. What is unknown (token usage) is None here and absent from `to_json`, never zero."""

    request_id: str
    route: str = ""
    language: str = ""
    metrics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    periods: tuple[str, ...] = ()
    channel: str = ""
    external_entity: str | None = None
    clarification_mode: str = ""
    tool_status_counts: tuple[tuple[str, int], ...] = ()
    fabrication_guard_triggered: bool = False
    provider_error: str | None = None
    seconds: float = 0.0
    chunks: tuple[tuple[str, float], ...] = ()
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    model_calls: int = 0
    refused_calls: int = 0

    def to_json(self) -> dict[str, Any]:
        """The record as plain JSON values."""
        record = {name: value for name, value in asdict(self).items() if value is not None}
        record["tool_status_counts"] = dict(self.tool_status_counts)
        record["chunks"] = [{"id": chunk, "score": score} for chunk, score in self.chunks]
        return record


def new_request_id() -> str:
    """An id that says nothing about the question or the caller."""
    return uuid.uuid4().hex


def status_counts(results: Iterable[QueryResult]) -> tuple[tuple[str, int], ...]:
    """How many results of each state."""
    return tuple(sorted(Counter(result.status for result in results).items()))


def tokens(usage: Sequence[Usage | None], name: str) -> int | None:
    """The sum of a kind of tokens over calls; None where any call did not tell."""
    counts = [getattr(one, name) if one is not None else None for one in usage]
    told = [count for count in counts if isinstance(count, int)]
    return sum(told) if told and len(told) == len(counts) else None


def emit(trace: Trace) -> None:
    """Hand the record to the logging of the process: attribute `trace` of one INFO record, of which lines show `told`."""
    if LOG.isEnabledFor(logging.INFO):
        LOG.info("question", extra={"trace": trace.to_json(), "told": _told(trace)})


def _told(trace: Trace) -> dict[str, Any]:
    """How the question went. What it was about (metric, entity, period) stands in no log line that nobody asked for."""
    record = trace.to_json()
    return {name: record[name] for name in _HOW_IT_WENT if name in record}
