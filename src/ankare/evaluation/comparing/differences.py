"""Is one run better than another in a measure, by more than chance?

    questions that both have -> differences -> mean, interval (bootstrap), p (sign test) -> a verdict in one word

The interval decides, since it weighs how much is lost or won. It is believed only where there are `LEAST_QUESTIONS` of them and
`LEAST_DECIDED` that are no ties: below that, all of them falling the same way is nothing that a coin would not do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ankare.evaluation.measures.values import (
    ABSTENTION_F1,
    Basis,
    CaseValue,
    mean_of,
    noise_of,
    refusal_counts,
    values_of,
)
from ankare.evaluation.scored import Better, Family, Measure, ScoredRun
from ankare.evaluation.statistics.resample import (
    LEVEL,
    Interval,
    Method,
    NoInterval,
    difference_of_f1,
    f1,
    interval_of,
    interval_of_mean,
)
from ankare.evaluation.statistics.sign_test import holm, sign_test

LEADING = (
    "abstention_correct",
    "figure_exact",
    "faithfulness",
    "fact_recall",
    "fact_precision",
    "answer_relevance",
    "context_precision",
    "context_recall",
    "citation_precision",
    "citation_recall",
)
"""The measures by which a run is judged first, in this order."""
LEAST_QUESTIONS = 10
"""With fewer, the interval holds the true difference too seldom to be believed (see `docs/comparing-runs.md`)."""
LEAST_DECIDED = 6
"""With fewer, no outcome of the sign test reaches 5 %: 2 * (1/2)**5 > 0.05."""
MILLISECONDS = "ms"
TIMES_APART = 1.2
"""Times are called better or worse from this factor on: the questions of a run are slow and fast together, which no interval
over questions knows (see `docs/comparing-runs.md`)."""
F1_MEASURE = Measure(ABSTENTION_F1, Family.ABSTENTION, of_path=False)
_TIE = 1e-9
"""Below this, relative to the larger value (at least 1), two values are the same: sums in another order."""


class Verdict(StrEnum):
    """What a comparison says of a measure."""

    WORSE = "worse"
    BETTER = "better"
    DIFFERENT = "different"  # of a measure of which neither way is up, or of times that are not far apart
    NO_DIFFERENCE = "no_difference"
    TOO_FEW = "too_few"


CLEAR = (Verdict.BETTER, Verdict.WORSE, Verdict.DIFFERENT)
"""The verdicts that say that there is a difference."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One measure of another run against the base, over the `n` questions that both have.

    `difference`: other less base, in the unit of the measure. `wins`, `losses`: questions in which the other is better or worse
    (higher or lower, where neither way is up). `p`: of the sign test, None where all are ties; `p_holm`: corrected for how many
    measures were looked at. `noise`: how much one question's answers differ from each other, None where nothing was repeated;
    `within_noise`: is the difference smaller than that?
    """

    measure: str
    better: Better
    unit: str
    basis: Basis
    base: float
    other: float
    difference: float
    interval: Interval | NoInterval
    n: int
    wins: int
    ties: int
    losses: int
    p: float | None
    verdict: Verdict
    p_holm: float | None = None
    noise: float | None = None
    spread: float = 0.0
    """The standard deviation of the questions' differences (n - 1)."""
    one_sided: int = 0
    """Questions that one run has a value for and the other has not."""

    @property
    def within_noise(self) -> bool:
        """Is there a difference, but one smaller than one question's answers differ from each other?"""
        return self.noise is not None and 0 < abs(self.difference) < self.noise

    @property
    def gain(self) -> float:
        """The difference, positive where the other run is better."""
        return -self.difference if self.better is Better.LOWER else self.difference


@dataclass(frozen=True, slots=True)
class Reading:
    """How an interval is made: its level, its method."""

    level: float = LEVEL
    method: Method = Method.PERCENTILE


def differences(
    base: ScoredRun,
    other: ScoredRun,
    measures: Iterable[Measure],
    basis: Basis = Basis.PATH,
    reading: Reading | None = None,
) -> tuple[Difference, ...]:
    """Every measure that some question of both runs has, regressions first; p is corrected for all of them together."""
    how = reading or Reading()
    found = [difference_in_abstention(base, other, basis, how)]
    found += [
        difference_in(measure, values_of(base, measure, basis), values_of(other, measure, basis), basis, how)
        for measure in measures
    ]
    return in_order(_corrected([one for one in found if one is not None]))


def difference_in(
    measure: Measure,
    base: Mapping[str, CaseValue],
    other: Mapping[str, CaseValue],
    basis: Basis = Basis.PATH,
    reading: Reading | None = None,
) -> Difference | None:
    """One measure over the questions that both have; None where there are none."""
    shared = [case_id for case_id in base if case_id in other]
    if not shared:
        return None
    how = reading or Reading()
    before, after = ([run[case_id] for case_id in shared] for run in (base, other))
    left, right = (np.array([value.mean for value in values], dtype=np.float64) for values in (before, after))
    moved = _without_dust(right - left, left, right)
    gains = -moved if measure.better is Better.LOWER else moved
    interval = interval_of_mean(moved, level=how.level, method=how.method)
    levels = mean_of(before) or 0.0, mean_of(after) or 0.0
    noise = noise_of([*before, *after])
    found = _told(measure, basis, levels, interval, gains)
    if measure.unit == MILLISECONDS and found.verdict in (Verdict.BETTER, Verdict.WORSE) and not lasting(left, right):
        found = replace(found, verdict=Verdict.DIFFERENT)
    return replace(found, noise=noise, one_sided=len(base.keys() ^ other.keys()))


def lasting(before: NDArray[np.float64], after: NDArray[np.float64]) -> bool:
    """Is a difference in times of questions so large that load and warm caches do not explain it alone?

    The mean has to be `TIMES_APART` times as long on one side, and the typical question (the median of the ratios) too, so that
    one slow question does not make it.
    """
    measured = (before > 0) & (after > 0)
    if not measured.any():
        return False
    typical = float(np.median(np.log(after[measured]) - np.log(before[measured])))
    in_mean, apart = math.log(after.mean()) - math.log(before.mean()), math.log(TIMES_APART)
    return min(typical, in_mean) >= apart or max(typical, in_mean) <= -apart


def difference_in_abstention(
    base: ScoredRun, other: ScoredRun, basis: Basis = Basis.PATH, reading: Reading | None = None
) -> Difference | None:
    """F1 of refusing, over the questions of which somebody has said whether they can be answered. None where either run has
    none: nothing was to be refused, and nothing was. A question is won where it was wrongly handled less often."""
    how = reading or Reading()
    before, after = refusal_counts(base), refusal_counts(other)
    shared = [case_id for case_id in before if case_id in after]
    if not shared:
        return None
    columns = np.array([np.concatenate([before[case_id], after[case_id]]) for case_id in shared])
    means = columns.mean(axis=0)[None, :]
    levels = float(f1(means[:, 0:3])[0]), float(f1(means[:, 3:6])[0])
    if not np.isfinite(levels).all():
        return None
    gains = columns[:, 1:3].sum(axis=1) - columns[:, 4:6].sum(axis=1)
    interval = interval_of(columns, difference_of_f1, level=how.level, method=how.method)
    return _told(F1_MEASURE, basis, levels, interval, gains)


def _without_dust(moved: NDArray[np.float64], *sides: NDArray[np.float64]) -> NDArray[np.float64]:
    scale = np.maximum(1.0, np.maximum(*(np.abs(side) for side in sides)))
    return np.where(np.abs(moved) <= _TIE * scale, 0.0, moved)


def _told(
    measure: Measure,
    basis: Basis,
    levels: tuple[float, float],
    interval: Interval | NoInterval,
    gains: NDArray[np.float64],
) -> Difference:
    """The difference between two levels. `gains`: of each question, positive where the other run is better."""
    wins, losses = int((gains > 0).sum()), int((gains < 0).sum())
    difference = levels[1] - levels[0]
    return Difference(
        measure=measure.name,
        better=measure.better,
        unit=measure.unit,
        basis=basis,
        base=levels[0],
        other=levels[1],
        difference=difference,
        interval=interval,
        n=len(gains),
        wins=wins,
        ties=len(gains) - wins - losses,
        losses=losses,
        p=sign_test(wins, losses),
        verdict=verdict_of(measure.better, difference, interval, len(gains), wins + losses),
        spread=float(gains.std(ddof=1)) if len(gains) > 1 else 0.0,
    )


def verdict_of(better: Better, difference: float, interval: Interval | NoInterval, n: int, decided: int) -> Verdict:
    """What an interval says, with so many questions, of which so many are no ties."""
    if n < LEAST_QUESTIONS or isinstance(interval, NoInterval):
        return Verdict.TOO_FEW
    if decided < LEAST_DECIDED or not interval.without(0.0):
        return Verdict.NO_DIFFERENCE
    if better is Better.NEITHER:
        return Verdict.DIFFERENT
    return Verdict.BETTER if (difference > 0) == (better is Better.HIGHER) else Verdict.WORSE


def _corrected(found: Sequence[Difference]) -> list[Difference]:
    adjusted = holm({one.measure: one.p for one in found if one.p is not None})
    return [replace(one, p_holm=adjusted.get(one.measure)) for one in found]


def in_order(found: Iterable[Difference]) -> tuple[Difference, ...]:
    """What got worse first, then what got better; among these the leading measures first, in their order, then as they came."""
    verdicts = list(Verdict)
    return tuple(sorted(found, key=lambda one: (verdicts.index(one.verdict), rank(one.measure))))


def rank(measure: str) -> int:
    """The place of a measure among the leading ones; after them, where it is none."""
    return LEADING.index(measure) if measure in LEADING else len(LEADING)
