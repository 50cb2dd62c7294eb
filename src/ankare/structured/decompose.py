"""Can one question be asked as a few smaller ones, without asking anything else?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ankare.structured.intent import ParsedIntent

MAX_SUB_QUESTIONS = 4


class QueryDecomposer(Protocol):
    """Splits a question. What it returns is checked against the question itself and never trusted."""

    def decompose(self, question: str) -> list[str]:
        """The smaller questions; the question itself where it is one already."""


def sub_intents(
    intent: ParsedIntent,
    decomposer: QueryDecomposer | None,
    parse: Callable[[str], ParsedIntent],
    allowed: Callable[[str], bool],
) -> tuple[ParsedIntent, ...]:
    """The parsed sub-questions, at most four; the question's own intent alone where anything about the split is wrong.

    Wrong is: an error, no or too many sub-questions, one that is no text, one that `allowed` (the security gate) refuses, one
    without a metric, and one that names a slot which the question does not name.
    """
    if decomposer is None:
        return (intent,)
    try:
        parts = decomposer.decompose(intent.raw_question)
        if not isinstance(parts, list | tuple) or not 1 < len(parts) <= MAX_SUB_QUESTIONS:
            return (intent,)
        if not all(isinstance(part, str) and part.strip() and allowed(part) for part in parts):
            return (intent,)
        parsed = tuple(parse(part) for part in parts)
    except Exception:  # whatever a replaceable part does, the question itself can still be answered
        return (intent,)
    return parsed if all(_asks_within(part, intent) for part in parsed) else (intent,)


def _asks_within(part: ParsedIntent, whole: ParsedIntent) -> bool:
    return (
        part.metric is not None
        and set(part.metrics) <= set(whole.metrics)
        and set(part.entities) <= set(whole.entities)
        and set(part.periods) <= set(whole.periods)
        and set(part.channels) <= set(whole.channels)
        and part.unreadable_period is None
    )
