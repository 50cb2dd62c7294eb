"""Do two ways to measure put the same answers in the same order?

Spearman's rho (Pearson's correlation of ranks, ties at the middle of their places) and Kendall's tau-b, which counts pairs and
allows for ties (M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 1945).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from ankare.evaluation.statistics.resample import MOST_UNDEFINED, draws

Floats = NDArray[np.float64]

DRAWN = 2000
FEWEST = 3
"""Pairs below which no correlation is told."""
MOST = 5000
"""Pairs up to which Kendall's tau is counted; its work grows with the square."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """Over `n` pairs. None where there are too few, or where one of the two is the same throughout.

    `low`, `high`: 95 % interval of rho, percentiles of the bootstrap over pairs.
    """

    n: int
    spearman: float | None = None
    low: float | None = None
    high: float | None = None
    kendall: float | None = None


def correlation(first: Sequence[float], second: Sequence[float]) -> Correlation:
    """Of pairs `(first[i], second[i])`. Raises ValueError for different lengths."""
    if len(first) != len(second):
        raise ValueError("both have a value for each answer")
    x, y = np.array(first, dtype=np.float64), np.array(second, dtype=np.float64)
    n = len(x)
    if n < FEWEST:
        return Correlation(n)
    rho = spearman(x, y)
    low, high = _interval(x, y) if rho is not None else (None, None)
    return Correlation(n, rho, low, high, kendall(x, y) if n <= MOST else None)


def spearman(x: Floats, y: Floats) -> float | None:
    """Rho; None where one of the two does not vary."""
    a, b = _ranks(x), _ranks(y)
    a, b = a - a.mean(), b - b.mean()
    scale = float(np.sqrt((a @ a) * (b @ b)))
    return float(np.clip((a @ b) / scale, -1, 1)) if scale > 0 else None


def kendall(x: Floats, y: Floats) -> float | None:
    """Tau-b; None where one of the two does not vary."""
    a, b = np.sign(x[:, None] - x), np.sign(y[:, None] - y)
    scale = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum() / scale) if scale > 0 else None


def _ranks(values: Floats) -> Floats:
    """Places from 1; equal values share the middle of theirs."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    last = count.cumsum()
    return np.asarray((last - (count - 1) / 2)[place], dtype=np.float64)


def _interval(x: Floats, y: Floats) -> tuple[float, float] | tuple[None, None]:
    """A draw in which one of the two does not vary tells nothing; where many are such, there is no interval."""
    found = [spearman(x[draw], y[draw]) for draw in islice(chain.from_iterable(draws(len(x))), DRAWN)]
    held = [rho for rho in found if rho is not None]
    if len(held) < (1 - MOST_UNDEFINED) * len(found):
        return None, None
    low, high = np.percentile(held, [2.5, 97.5])
    return float(low), float(high)
