"""What becomes of a comparison when answers that the base gave are lost to failures and refusals?

A question without an answer has no value, and so would not count against whoever gave none. As served it does: the user got
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ankare.evaluation.measures.abstention_measures import CORRECT
from ankare.evaluation.scored import Outcome, Scored, ScoredRun

NOTHING = ("fact_recall", "answer_relevance")
"""Measures of which an answer that is not there has none: 0."""
BOUNDED = ("faithfulness", "context_precision", "context_recall")
"""Measures of which nobody knows what the answer would have had: at least 0 (Manski 1990)."""


def lost_answers(base: ScoredRun, other: ScoredRun) -> dict[str, float]:
    """The questions that the base answered and the other run did not, each with the share of its answers that are lost.

    What was rightly left unanswered is not lost.
    """
    answered = {row.case_id for row in base.rows if row.outcome is Outcome.ANSWERED}
    held: dict[str, list[bool]] = {}
    for row in other.rows:
        if row.case_id in answered:
            held.setdefault(row.case_id, []).append(is_lost(row))
    return {case_id: sum(lost) / len(lost) for case_id, lost in held.items() if any(lost)}


def is_lost(row: Scored) -> bool:
    """Did a question that can be answered get no answer?"""
    rightly = row.answerable is False or row.values.get(CORRECT) == 1.0
    return row.outcome is not Outcome.ANSWERED and not rightly


def with_losses(base: ScoredRun, other: ScoredRun, lost: Iterable[str]) -> ScoredRun:
    """The other run with a 0 for each lost answer, in the measures that the base has of its question."""
    gone, had = frozenset(lost), _measured(base)
    rows = (
        replace(row, values=_charged(row, had.get(row.case_id, frozenset())))
        if row.case_id in gone and is_lost(row)
        else row
        for row in other.rows
    )
    return replace(other, rows=tuple(rows))


def _measured(run: ScoredRun) -> dict[str, set[str]]:
    held: dict[str, set[str]] = {}
    for row in run.rows:
        held.setdefault(row.case_id, set()).update(row.values)
    return held


def _charged(row: Scored, had: Iterable[str]) -> Mapping[str, float]:
    wanted = frozenset(had)
    bound = {name: 0.0 for name in BOUNDED if name in wanted}
    return bound | dict(row.values) | {name: 0.0 for name in NOTHING if name in wanted}
