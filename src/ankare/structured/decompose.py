"""Can one question be asked as a few smaller ones, without asking anything else?"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from ankare.language.packs import named_lists
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
        return _clauses(intent, parse, allowed)
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


def _clauses(
    intent: ParsedIntent, parse: Callable[[str], ParsedIntent], allowed: Callable[[str], bool]
) -> tuple[ParsedIntent, ...]:
    """Two questions in one, where every clause names a metric and a time of its own: "revenue 2023 and profit 2024"."""
    if len(intent.metrics) < 2 or len(intent.periods) < 2:
        return (intent,)
    words = named_lists(intent.language, "asking")["joining"]
    edge = "" if intent.language == "zh" else r"\b"
    parts = re.split(rf"[,;，；]|{edge}(?:{'|'.join(words)}){edge}", intent.raw_question, flags=re.IGNORECASE)
    if not 1 < len(parts) <= MAX_SUB_QUESTIONS or not all(map(allowed, parts)):
        return (intent,)
    parsed = tuple(parse(part) for part in parts)
    of_their_own = all(len(part.metrics) == len(part.periods) == 1 and not part.qualifier for part in parsed)
    return parsed if of_their_own and all(_asks_within(part, intent) for part in parsed) else (intent,)


def _asks_within(part: ParsedIntent, whole: ParsedIntent) -> bool:
    return (
        part.metric is not None
        and set(part.metrics) <= set(whole.metrics)
        and set(part.entities) <= set(whole.entities)
        and set(part.periods) <= set(whole.periods)
        and set(part.channels) <= set(whole.channels)
        and part.unreadable_period is None
    )
