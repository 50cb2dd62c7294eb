"""How far do several raters of the same answers agree, beyond what chance would give?

Krippendorff's alpha: 1 where they always agree, 0 where they agree as often as values drawn from one urn would, below 0 where
they contradict each other. Any number of raters, ratings may be missing (K. Krippendorff, "Computing Krippendorff's
Alpha-Reliability", University of Pennsylvania 2011). A judge held against a score is two raters as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ankare.evaluation.statistics.resample import Interval, interval_of

Floats = NDArray[np.float64]

MOST_VALUES = 30
"""Different values that the levels other than the interval one are reckoned for: their work grows with the square."""
RELIABLE, TENTATIVE = 0.8, 0.667
"""From where conclusions may rest on the ratings, and from where tentative ones may (Krippendorff 2004, "Content Analysis",
p. 241)."""


class Level(StrEnum):
    """What the distance between two values means: unlike or not, so many ranks apart, so much apart, so much in proportion."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"


class Strength(StrEnum):
    """What may be built on ratings that agree so far."""

    RELIABLE = "reliable"
    TENTATIVE = "tentative"
    UNRELIABLE = "unreliable"
    CHANCE = "chance"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Alpha with its 95 % interval. `value` None: there is nothing to compare, or no value but one was ever given.

    `units`: things that at least two raters have rated, `values`: ratings of these, `raters`: who gave any of them.
    """

    level: Level
    value: float | None
    low: float | None = None
    high: float | None = None
    units: int = 0
    values: int = 0
    raters: int = 0

    @property
    def strength(self) -> Strength:
        """What the value means, as a word."""
        if self.value is None:
            return Strength.UNKNOWN
        if self.value >= RELIABLE:
            return Strength.RELIABLE
        if self.value >= TENTATIVE:
            return Strength.TENTATIVE
        return Strength.UNRELIABLE if self.value > 0 else Strength.CHANCE


def agreement(ratings: Sequence[Sequence[float | None]], level: Level = Level.ORDINAL) -> Agreement:
    """Alpha of `ratings[rater][unit]`, None for a rating that is missing, with an interval of the bootstrap.

    The bootstrap draws units: what one rater says of one answer goes with what the others say of it.
    Raises ValueError for rows of different lengths, and for more than MOST_VALUES values at another level than the interval.
    """
    table, raters = _pairable(ratings)
    units = table.shape[1]
    told = int(np.isfinite(table).sum())
    if units == 0:
        return Agreement(level, None)
    parts = _parts(table, level)
    value = float(_alphas(parts.means[None, :], parts, level)[0])
    if not np.isfinite(value):
        return Agreement(level, None, None, None, units, told, raters)
    found = interval_of(parts.columns, lambda means: _alphas(means, parts, level))
    low, high = (found.low, found.high) if isinstance(found, Interval) else (None, None)
    return Agreement(level, value, low, high, units, told, raters)


def alpha(ratings: Sequence[Sequence[float | None]], level: Level = Level.ORDINAL) -> float | None:
    """The value alone."""
    table, _ = _pairable(ratings)
    if table.shape[1] == 0:
        return None
    parts = _parts(table, level)
    value = float(_alphas(parts.means[None, :], parts, level)[0])
    return value if np.isfinite(value) else None


@dataclass(frozen=True, slots=True)
class _Parts:
    """What each unit adds to the sums that alpha is made of, (units, columns): a matrix of so many values, or moments.

    `distances` belong to the values and do not change with a draw."""

    columns: Floats
    distances: Floats | None = None
    size: int = 0

    @property
    def means(self) -> Floats:
        """Of each column."""
        return np.asarray(self.columns.mean(axis=0), dtype=np.float64)


def _pairable(ratings: Sequence[Sequence[float | None]]) -> tuple[Floats, int]:
    """(raters, units) with NaN for what is missing, of the units that have two values; and how many raters gave any."""
    if len({len(row) for row in ratings}) > 1:
        raise ValueError("every rater has a place for every unit")
    rows = [[np.nan if value is None else float(value) for value in row] for row in ratings]
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(rows[0]) if rows else 0)
    table = table[:, np.isfinite(table).sum(axis=0) >= 2]
    return table, int(np.isfinite(table).any(axis=1).sum())


def _parts(table: Floats, level: Level) -> _Parts:
    if level is Level.INTERVAL:
        return _Parts(_moments(table))
    values = np.unique(table[np.isfinite(table)])
    if len(values) > MOST_VALUES:
        raise ValueError(f"{len(values)} different values; at most {MOST_VALUES} are taken at the level {level}")
    counts = (table[:, :, None] == values).sum(axis=0).astype(np.float64)
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(len(values))
    coincidences = pairs / (counts.sum(axis=1) - 1)[:, None, None]
    return _Parts(coincidences.reshape(len(counts), -1), _distances(values, level), len(values))


def _moments(table: Floats) -> Floats:
    """(units, 4): disagreement within, number of values, their sum, the sum of their squares.

    The squared differences of all pairs follow from the sums, so that no matrix of values is needed.
    """
    table = table - np.nanmean(table)  # nothing but differences counts, and small numbers lose less
    count = np.isfinite(table).sum(axis=0).astype(np.float64)
    total, squares = np.nansum(table, axis=0), np.nansum(table**2, axis=0)
    return np.stack([2 * (count * squares - total**2) / (count - 1), count, total, squares], axis=1)


def _distances(values: Floats, level: Level) -> Floats | None:
    """Squared distances of all pairs of values; None for ranks, which depend on how often each value was given."""
    if level is Level.NOMINAL:
        return 1 - np.eye(len(values))
    if level is Level.ORDINAL:
        return None
    sums, differences = values[:, None] + values, values[:, None] - values
    return np.divide(differences, sums, out=np.zeros_like(sums), where=sums != 0) ** 2


def _alphas(means: Floats, parts: _Parts, level: Level) -> Floats:
    """Alpha for each row of means over the units; NaN where all values are alike."""
    sums = means * len(parts.columns)
    if level is Level.INTERVAL:
        within, count, total, squares = sums.T
        observed, expected = within, 2 * (count * squares - total**2)
    else:
        matrices = sums.reshape(len(sums), parts.size, parts.size)
        given = matrices.sum(axis=2)
        count = given.sum(axis=1)
        distances = _rank_distances(given) if parts.distances is None else parts.distances
        observed = (matrices * distances).sum(axis=(1, 2))
        expected = (given[:, :, None] * given[:, None, :] * distances).sum(axis=(1, 2))
    spread = expected > 1e-12 * count**2
    share = np.divide((count - 1) * observed, expected, out=np.full_like(expected, np.nan), where=spread)
    return np.asarray(1 - share, dtype=np.float64)


def _rank_distances(given: Floats) -> Floats:
    """Squared distances in ranks, (draws, values, values): all ratings from one value to the other, the ends by half."""
    upto = given.cumsum(axis=1)
    middle = upto - given / 2
    return np.asarray((middle[:, :, None] - middle[:, None, :]) ** 2, dtype=np.float64)
