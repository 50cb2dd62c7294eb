"""What did a run get for a question, when it may have been asked several times and may have left its path?

Repeats are averaged within their question first: a question that was asked five times is still one question. By path, only
answers that took the way that was asked for count; as served, all do, for the user got them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ankare.evaluation.measures.abstention_measures import CORRECT
from ankare.evaluation.scored import Measure, Outcome, Scored, ScoredRun

ABSTENTION_F1 = "abstention_f1"
"""Of refusing as a search for what the material does not hold; a ratio over all questions, so no question has one."""


class Basis(StrEnum):
    """Which answers count?"""

    PATH = "path"
    SERVED = "served"


@dataclass(frozen=True, slots=True)
class CaseValue:
    """One question's mean over its `repeats` that count, and their variance (n - 1; None for one)."""

    mean: float
    repeats: int
    variance: float | None = None


def values_of(run: ScoredRun, measure: Measure, basis: Basis = Basis.PATH) -> dict[str, CaseValue]:
    """What each question got, by its id, in the order of the run; a question without a usable answer is not in it.

    A value that is no number is none.
    """
    held: dict[str, list[float]] = {}
    for row in run.rows:
        value = row.values.get(measure.name)
        if value is not None and math.isfinite(value) and counts(row, measure, basis):
            held.setdefault(row.case_id, []).append(value)
    return {case_id: _of_repeats(values) for case_id, values in held.items()}


def counts(row: Scored, measure: Measure, basis: Basis) -> bool:
    """Does this answer count for a measure?"""
    return basis is Basis.SERVED or not measure.of_path or not row.aside


def _of_repeats(values: Sequence[float]) -> CaseValue:
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return CaseValue(mean, 1)
    return CaseValue(mean, len(values), math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


def mean_of(values: Iterable[CaseValue]) -> float | None:
    """The mean over questions, None without one."""
    held = [value.mean for value in values]
    return math.fsum(held) / len(held) if held else None


def noise_of(values: Iterable[CaseValue]) -> float | None:
    """By how much one question's answers differ from each other: the pooled standard deviation of the repeats, in the unit of
    the measure; None where nothing was asked twice."""
    spread = [(value.variance, value.repeats - 1) for value in values if value.variance is not None]
    if not spread:
        return None
    return math.sqrt(math.fsum(variance * degrees for variance, degrees in spread) / sum(d for _, d in spread))


def asides_of(run: ScoredRun) -> dict[str, tuple[str, ...]]:
    """Why answers do not count for the path, by question, the most frequent reason first; only questions that have such."""
    found: dict[str, Counter[str]] = {}
    for row in run.rows:
        if row.aside:
            found.setdefault(row.case_id, Counter())[row.aside] += 1
    return {case_id: tuple(reason for reason, _ in reasons.most_common()) for case_id, reasons in found.items()}


def off_path(run: ScoredRun) -> frozenset[str]:
    """The questions of which no answer took the path."""
    return frozenset(row.case_id for row in run.rows) - {row.case_id for row in run.rows if not row.aside}


def unusable(run: ScoredRun) -> dict[str, tuple[str, ...]]:
    """The questions with a value that is no number, by measure."""
    found: dict[str, dict[str, None]] = {}
    for row in run.rows:
        for name, value in row.values.items():
            if not math.isfinite(value):
                found.setdefault(name, {})[row.case_id] = None
    return {name: tuple(cases) for name, cases in found.items()}


def only(run: ScoredRun, keep: Callable[[str], bool]) -> ScoredRun:
    """The run with these questions alone."""
    return ScoredRun(run.conditions, tuple(row for row in run.rows if keep(row.case_id)), run.suite)


def refusal_counts(run: ScoredRun) -> Mapping[str, NDArray[np.float64]]:
    """For each question of which somebody has said whether it can be answered: how often it was rightly not answered,
    needlessly not answered, and answered though it cannot be (as `abstention_of` counts): means over repeats, shape (3,)."""
    held: dict[str, list[tuple[float, float, float]]] = {}
    for row in run.rows:
        correct = row.values.get(CORRECT, math.nan)
        if math.isfinite(correct):
            refused = row.outcome is not Outcome.ANSWERED
            triple = (refused * correct, refused * (1 - correct), (not refused) * (1 - correct))
            held.setdefault(row.case_id, []).append(triple)
    return {case_id: np.array(rows, dtype=np.float64).mean(axis=0) for case_id, rows in held.items()}
