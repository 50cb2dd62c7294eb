"""In which measures did a run get worse, beyond what chance or a tolerance lets by?

Without a model nothing is chance: a mean that fell, fell. With one, several measures are looked at at once, and each interval
is made wider for it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ankare.evaluation.captured import AnswerPath
from ankare.evaluation.comparing.compare import Pair
from ankare.evaluation.comparing.differences import LEADING, Difference, Verdict, difference_in
from ankare.evaluation.comparing.standing import FAILED, ON_PATH, Standing
from ankare.evaluation.measures.values import CaseValue
from ankare.evaluation.scored import Better
from ankare.evaluation.statistics.resample import LEVEL, Interval, interval_of_mean

TOLERANCE = 0.02
"""By how much a mean may be worse where nothing is chance: of scores of 0 to 1."""
_DUST = 1e-9


def difference_of(pair: Pair, name: str, base: Standing, other: Standing) -> Difference | None:
    """How a measure differs, the share on the path and that of failures among them."""
    if name not in (ON_PATH.name, FAILED.name) or name not in base.levels or name not in other.levels:
        return pair.measure(name)
    return difference_in(base.levels[name].measure, _values(pair, base, name), _values(pair, other, name))


def _values(pair: Pair, standing: Standing, name: str) -> dict[str, CaseValue]:
    gone = frozenset(pair.gone)
    return {case_id: CaseValue(mean, 1) for case_id, mean in standing.levels[name].cases.items() if case_id not in gone}


def fell(one: Difference, base: Standing, other: Standing, tolerance: float = TOLERANCE) -> bool:
    """Did the mean of a score fall by more than the tolerance over the questions of both, where no model had a part? What
    failed is no chance with a model either."""
    sure = base.path is other.path is AnswerPath.CONTROL or one.measure == FAILED.name
    return sure and not one.unit and one.better is not Better.NEITHER and -one.gain > tolerance + _DUST


def surely_worse(pair: Pair, looked_at: Sequence[str], base: Standing, other: Standing) -> frozenset[str]:
    """The measures of which the verdict "worse" holds.

    Without a model each stands for itself. With one, so many intervals are looked at that one of them is wrong by chance: they
    are made as wide as Holm's procedure asks (1979; step by step, each time for those that are not worse yet).
    """
    found = {name: one for name in looked_at if (one := difference_of(pair, name, base, other)) is not None}
    worse = {name for name, one in found.items() if one.verdict is Verdict.WORSE}
    if base.path is other.path is AnswerPath.CONTROL:
        return frozenset(worse)
    held: set[str] = set()
    while more := {name for name in worse - held if _below(pair, name, base, other, len(found) - len(held))}:
        held |= more
    return frozenset(held)


def _below(pair: Pair, name: str, base: Standing, other: Standing, looks: int) -> bool:
    """Does the interval for so many looks leave 0 out? Of a ratio over all questions, that of one look tells."""
    if name not in LEADING and name not in (ON_PATH.name, FAILED.name):
        return True
    before, after = (_values(pair, side, name) for side in (base, other))
    moved = np.array([after[case_id].mean - old.mean for case_id, old in before.items() if case_id in after])
    found = interval_of_mean(moved, level=1 - (1 - LEVEL) / looks)
    return isinstance(found, Interval) and found.without(0.0)
