"""Between which bounds does a mean over questions lie, given that other questions might have been asked?

The bootstrap (Efron and Tibshirani, An Introduction to the Bootstrap, 1993) draws the questions anew, with replacement, and
looks at how far the statistic moves. Two runs are compared by what they differ in, question by question, so that a question
that is hard for both says nothing: the pairs are drawn, never each side alone.

    statistic(mean of the columns over the questions), drawn 10,000 times -> the interval

A column is what one question adds: one for a mean, six for a difference between two F1. Nothing depends on the order of the
questions, on numpy's version or on the machine: the numbers come of the raw stream of PCG64, which numpy keeps as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]
"""From means of columns, one row for each draw, to one number for each; NaN where the draw has none."""

RESAMPLES = 10_000
SEED = 19_930_515
LEVEL = 0.95
BLOCK_BYTES = 16_000_000
"""What the values of one block of draws may take."""
MOST_UNDEFINED = 0.05
"""The share of draws without a statistic from which on there is no interval."""
_NORMAL = NormalDist()
_NEAR = 1e-12
"""Two sums of the same numbers in another order differ by less, relative to the spread."""


class Method(StrEnum):
    """How an interval is read off the draws."""

    PERCENTILE = "percentile"
    BCA = "bca"


class NoInterval(StrEnum):
    """Why there is none."""

    TOO_FEW = "too_few"  # fewer than two questions
    UNDEFINED = "undefined"  # the statistic, or too many draws of it, is no number


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`. `level`: in what share of such studies it would hold the true value. `flat`: the questions do not
    differ at all, so it is one point, and tells nothing of questions that were not asked."""

    low: float
    high: float
    level: float
    method: Method
    flat: bool = False

    def without(self, value: float = 0.0) -> bool:
        """Does it leave this value out? A bound that is equal but for the order of a sum does not."""
        return not self.low - _NEAR <= value <= self.high + _NEAR


def interval_of_mean(
    values: Floats, *, method: Method = Method.PERCENTILE, level: float = LEVEL, widened: bool = True, seed: int = SEED
) -> Interval | NoInterval:
    """The interval of the mean of `values`, shape (questions,): for two runs, each question's difference.

    The percentile interval is the default: on scores between 0 and 1, with many questions alike, it holds what it promises as
    well as BCa, and never leaves the range of what was drawn (`tests/evaluation/statistics/test_resample_coverage.py`).
    `widened`: see `interval_of`. Raises ValueError for values that are no numbers.
    """
    return interval_of(values[:, None], mean_of_column, method=method, level=level, widened=widened, seed=seed)


def interval_of(
    columns: Floats,
    statistic: Statistic,
    *,
    method: Method = Method.PERCENTILE,
    level: float = LEVEL,
    widened: bool = True,
    seed: int = SEED,
) -> Interval | NoInterval:
    """The interval of a statistic of the means of `columns`, shape (questions, columns).

    `widened`: with few questions the bootstrap's spread is too small by (n-1)/n, and normal tails are too thin; both are put
    right by drawing the bounds further out, at Phi(-sqrt(n/(n-1)) t) in place of alpha/2 (Hesterberg, What Teachers Should
    Know about the Bootstrap, 2015, section 5.3). Raises ValueError for values that are no numbers.
    """
    if not np.isfinite(columns).all():
        raise ValueError("a value is no number")
    if len(columns) < 2:
        return NoInterval.TOO_FEW
    observed = float(statistic(columns.mean(axis=0)[None, :])[0])
    if not np.isfinite(observed):
        return NoInterval.UNDEFINED
    if (columns == columns[0]).all():
        return Interval(observed, observed, level, method, flat=True)
    drawn = drawn_statistics(columns, statistic, seed)
    held = drawn[np.isfinite(drawn)]
    if len(held) < (1 - MOST_UNDEFINED) * len(drawn):
        return NoInterval.UNDEFINED
    tail = _tail(level, len(columns)) if widened else (1 - level) / 2
    tails = (tail, 1 - tail)
    if method is Method.BCA:
        tails = _corrected(tails, held, observed, _left_out(columns, statistic))
    low, high = np.quantile(held, tails)
    return Interval(float(low), float(high), level, method)


def mean_of_column(means: Floats) -> Floats:
    """The statistic that is the mean itself."""
    return means[:, 0]


def difference_of_f1(means: Floats) -> Floats:
    """F1 of the other run less that of the base. Columns: true positives, false positives and misses of the base, then of the
    other. NaN where one of them has none of the three: nothing was to be found, and nothing was claimed."""
    return f1(means[:, 3:6]) - f1(means[:, 0:3])


def f1(counts: Floats) -> Floats:
    """2 TP / (2 TP + FP + FN) of rows of true positives, false positives and misses (van Rijsbergen 1979); NaN for 0/0."""
    hits, rest = 2 * counts[:, 0], counts[:, 1] + counts[:, 2]
    whole = hits + rest
    score: Floats = np.divide(hits, whole, out=np.full(len(whole), np.nan), where=whole > 0)
    return score


# --- drawing


def drawn_statistics(columns: Floats, statistic: Statistic, seed: int = SEED) -> Floats:
    """The statistic of each draw, shape (RESAMPLES,), in bounded memory. The order of the questions makes no difference."""
    ordered = columns[np.lexsort(columns.T[::-1])]
    blocks = (statistic(ordered[places].mean(axis=1)) for places in draws(len(ordered), columns.shape[1], seed))
    return np.concatenate(list(blocks))


def draws(questions: int, columns: int = 1, seed: int = SEED) -> Iterator[NDArray[np.int64]]:
    """The places that are drawn, in blocks of shape (draws, questions), RESAMPLES rows in all."""
    source = np.random.PCG64(seed)
    most = max(1, BLOCK_BYTES // (8 * questions * columns))
    for start in range(0, RESAMPLES, most):
        rows = min(most, RESAMPLES - start)
        raw = source.random_raw(rows * questions) >> np.uint64(32)
        yield ((raw * np.uint64(questions)) >> np.uint64(32)).astype(np.int64).reshape(rows, questions)


# --- reading the bounds off the draws


def _tail(level: float, questions: int) -> float:
    """The share of draws beyond each bound, for so many questions."""
    degrees = questions - 1
    return _NORMAL.cdf(-((questions / degrees) ** 0.5) * t_quantile((1 + level) / 2, degrees))


def t_quantile(share: float, degrees: int) -> float:
    """The quantile of Student's t: closed for 1 and 2 degrees, else by Hill (Algorithm 396, CACM 1970), to five digits or
    better. `share`: above 0.5."""
    tails = 2 * (1 - share)
    if degrees == 1:
        return float(1 / np.tan(tails * np.pi / 2))
    if degrees == 2:
        return float((2 / (tails * (2 - tails)) - 2) ** 0.5)
    a = 1 / (degrees - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * (a * np.pi / 2) ** 0.5 * degrees
    y = float((d * tails) ** (2 / degrees))
    if y > 0.05 + a:
        x = _NORMAL.inv_cdf(tails / 2)
        y = x * x
        if degrees < 5:
            c += 0.3 * (degrees - 4.5) * (x + 0.6)
        c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
        y = float(np.expm1(a * y * y))
    else:
        inner = 1 / (((degrees + 6) / (degrees * y) - 0.089 * d - 0.822) * (degrees + 2) * 3) + 0.5 / (degrees + 4)
        y = float((inner * y - 1) * (degrees + 1) / (degrees + 2) + 1 / y)
    return float((degrees * y) ** 0.5)


def _corrected(tails: tuple[float, float], held: Floats, observed: float, left_out: Floats) -> tuple[float, float]:
    """The tails of BCa: moved for the bias of the draws and for how the spread goes with the value (Efron and Tibshirani
    1993, 14.3). Left as they are where all draws lie on one side, or no question makes a difference."""
    bias, speed = _bias(held, observed), _acceleration(left_out)
    if not (np.isfinite(bias) and np.isfinite(speed)):
        return tails
    moved = [bias + _NORMAL.inv_cdf(tail) for tail in tails]
    low, high = (_NORMAL.cdf(bias + z / (1 - speed * z)) for z in moved)
    return low, high


def _bias(held: Floats, observed: float) -> float:
    """How far the draws' median lies from what was observed, in standard deviations; draws equal to it count half."""
    near = _NEAR * max(1.0, float(np.abs(held).max()))
    below = float((held < observed - near).sum())
    level = float((np.abs(held - observed) <= near).sum())
    share = (below + level / 2) / len(held)
    return _NORMAL.inv_cdf(share) if 0 < share < 1 else float("nan")


def _left_out(columns: Floats, statistic: Statistic) -> Floats:
    """The statistic without each question in turn (the jackknife)."""
    return statistic((columns.sum(axis=0) - columns) / (len(columns) - 1))


def _acceleration(left_out: Floats) -> float:
    away = left_out.mean() - left_out
    spread = float((away**2).sum())
    return float((away**3).sum()) / (6 * spread**1.5) if spread > 0 else float("nan")
