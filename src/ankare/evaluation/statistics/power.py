"""How many questions does it take to see a difference?

A difference is seen when the interval leaves 0 out. How often that happens depends on how large it is, on how much the
questions' differences spread, and on how many questions there are (Cohen, Statistical Power Analysis, 1988, chapter 2; the
sample size of a paired test of means).
"""

from __future__ import annotations

import math
from statistics import NormalDist

from ankare.evaluation.statistics.resample import LEVEL, t_quantile

POWER = 0.8
"""In what share of suites a difference of this size is to be seen."""
MOST = 1_000_000
_NORMAL = NormalDist()


def questions_needed(difference: float, spread: float, *, power: float = POWER, level: float = LEVEL) -> int:
    """The fewest questions with which a difference is seen in this share of suites, at most `MOST`.

    n = ((t + z) spread / difference)**2 with t the quantile of Student's t for n - 1 degrees. `spread`: the standard deviation
    of the questions' differences, in the unit of `difference`. Raises ValueError for a difference of 0.
    """
    if not difference:
        raise ValueError("no number of questions shows a difference of 0")
    wanted, ratio = _NORMAL.inv_cdf(power), spread / abs(difference)
    n = max(2, math.ceil(min(MOST, (_NORMAL.inv_cdf((1 + level) / 2) + wanted) ** 2 * ratio**2)))
    while n < MOST and n < ((t_quantile((1 + level) / 2, n - 1) + wanted) * ratio) ** 2:
        n += 1
    return n


def smallest_seen(questions: int, spread: float, *, power: float = POWER, level: float = LEVEL) -> float:
    """The smallest difference that so many questions show in this share of suites. Raises ValueError for fewer than two."""
    if questions < 2:
        raise ValueError("one question shows no difference")
    return (t_quantile((1 + level) / 2, questions - 1) + _NORMAL.inv_cdf(power)) * spread / math.sqrt(questions)
