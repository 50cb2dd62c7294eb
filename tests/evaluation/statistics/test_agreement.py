"""Is alpha what its inventor reckons, and what its definition gives pair by pair? Are ranks compared as others compare them?"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ankare.evaluation.statistics import agreement as module
from ankare.evaluation.statistics.agreement import Level, Strength, agreement, alpha
from ankare.evaluation.statistics.rank_correlation import correlation

Ratings = Sequence[Sequence[float | None]]
_: None = None

# Krippendorff 2011: part A (two observers, two values), B (nominal, five values), C (four observers, missing values).
TWO_VALUES: Ratings = ((0, 1, 0, 0, 0, 0, 0, 0, 1, 0), (1, 1, 1, 0, 0, 1, 0, 0, 0, 0))
FIVE_VALUES: Ratings = ((1, 1, 2, 2, 4, 3, 3, 3, 5, 4, 4, 1), (2, 1, 2, 2, 2, 3, 3, 3, 5, 4, 4, 4))
FOUR_OBSERVERS: Ratings = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3),
    (_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _),
)


@pytest.mark.parametrize(
    ("ratings", "level", "published"),
    [
        (TWO_VALUES, Level.NOMINAL, 0.095),
        (FIVE_VALUES, Level.NOMINAL, 0.692),
        (FOUR_OBSERVERS, Level.NOMINAL, 0.743),
        (FOUR_OBSERVERS, Level.ORDINAL, 0.815),
        (FOUR_OBSERVERS, Level.INTERVAL, 0.849),
        (FOUR_OBSERVERS, Level.RATIO, 0.797),
    ],
)
def test_the_worked_examples_come_out_as_published(ratings: Ratings, level: Level, published: float) -> None:
    assert alpha(ratings, level) == pytest.approx(published, abs=0.0005)


def by_definition(ratings: Sequence[Sequence[float | None]], level: Level) -> float:
    """1 - observed / expected disagreement, pair by pair, as Krippendorff (2011) defines it; slow and plain."""
    units = [[value for value in unit if value is not None] for unit in zip(*ratings, strict=True)]
    paired = [unit for unit in units if len(unit) > 1]
    values = [value for unit in paired for value in unit]

    def apart(a: float, b: float) -> float:
        if level is Level.NOMINAL:
            return float(a != b)
        if level is Level.INTERVAL:
            return (a - b) ** 2
        if level is Level.RATIO:
            return ((a - b) / (a + b)) ** 2
        low, high = sorted((a, b))
        between = sum(low <= value <= high for value in values)
        return (between - (values.count(low) + values.count(high)) / 2) ** 2 if low != high else 0.0

    observed = sum(sum(apart(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in paired) / len(
        values
    )
    expected = sum(apart(a, b) for a, b in permutations(values, 2)) / (len(values) * (len(values) - 1))
    return 1 - observed / expected


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("seed", range(12))
def test_the_definition_taken_pair_by_pair_finds_the_same(level: Level, seed: int) -> None:
    chance = random.Random(seed)
    raters, units, values = (
        chance.randint(2, 6),
        chance.randint(4, 20),
        chance.choice([(1, 2, 3, 4, 5), (1, 2), (1, 3, 9)]),
    )
    ratings: list[list[float | None]] = []
    for _rater in range(raters):
        ratings.append([chance.choice(values) if chance.random() > 0.3 else None for _unit in range(units)])
    ratings[0][:2], ratings[1][:2] = values[:2], [values[0], values[-1]]
    assert alpha(ratings, level) == pytest.approx(by_definition(ratings, level), abs=1e-9)


def test_an_interval_of_many_values_is_as_of_few() -> None:
    chance = random.Random(7)
    one = [chance.random() for _unit in range(120)]
    two = [min(1.0, max(0.0, value + chance.gauss(0, 0.1))) for value in one]
    found = agreement((one, two), Level.INTERVAL)
    assert found.value == pytest.approx(by_definition((one, two), Level.INTERVAL), abs=1e-9)
    with pytest.raises(ValueError, match="different values"):
        alpha((one, two), Level.ORDINAL)


def test_the_interval_holds_the_value_and_narrows_with_more_units() -> None:
    few, many = agreement(FOUR_OBSERVERS), agreement([list(row) * 20 for row in FOUR_OBSERVERS])
    for found in (few, many):
        assert found.low is not None and found.high is not None and found.value is not None
        assert found.low <= found.value <= found.high
    assert few.units == 11  # the twelfth was rated by one alone
    assert (few.raters, few.values) == (4, 40)
    assert many.high - many.low < (few.high - few.low) / 2  # type: ignore[operator]


def test_the_interval_is_the_same_each_time() -> None:
    assert agreement(FOUR_OBSERVERS) == agreement(FOUR_OBSERVERS)


@pytest.mark.parametrize(
    ("ratings", "value", "strength"),
    [
        (((1, 2, 3, 4, 5), (1, 2, 3, 4, 5)), 1.0, Strength.RELIABLE),
        (((1, 2, 3, 4, 5), (1, 2, 3, 5, 4)), None, Strength.RELIABLE),
        (((1, 5, 1, 5, 3), (5, 1, 5, 1, 3)), None, Strength.CHANCE),
        (((4, 4, 4), (4, 4, 4)), None, Strength.UNKNOWN),
        (((4, _, 4), (_, 2, _)), None, Strength.UNKNOWN),
        (((1, 2, 3),), None, Strength.UNKNOWN),
        ((), None, Strength.UNKNOWN),
        (((), ()), None, Strength.UNKNOWN),
    ],
)
def test_what_the_value_means(ratings: Ratings, value: float | None, strength: Strength) -> None:
    found = agreement(ratings, Level.ORDINAL)
    assert found.strength is strength
    if value is not None:
        assert found.value == value


def test_a_table_with_holes_in_its_rows_is_refused() -> None:
    with pytest.raises(ValueError, match="every rater"):
        alpha(((1, 2), (1,)))


@given(st.lists(st.lists(st.one_of(st.none(), st.integers(1, 5)), min_size=6, max_size=6), min_size=2, max_size=5))
def test_the_order_of_raters_and_units_makes_no_difference(ratings: list[list[int | None]]) -> None:
    turned = [list(reversed(row)) for row in reversed(ratings)]
    for level in Level:
        one, other = alpha(ratings, level), alpha(turned, level)
        assert (one is None) == (other is None)
        if one is not None:
            assert one == pytest.approx(other)
            assert one <= 1 + 1e-9


def test_a_wrong_denominator_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The saboteur: pairs that are not weighed by the number of ratings of their unit."""
    right = module._parts

    def wrong(table: np.ndarray, level: Level) -> object:
        parts = right(table, level)
        counts = np.isfinite(table).sum(axis=0) - 1
        return module._Parts(parts.columns * counts[:, None], parts.distances, parts.size)

    monkeypatch.setattr(module, "_parts", wrong)
    assert alpha(FOUR_OBSERVERS, Level.NOMINAL) != pytest.approx(0.743, abs=0.0005)


# --- ranks


@pytest.mark.parametrize("seed", range(8))
def test_rank_correlations_are_those_of_scipy(seed: int) -> None:
    chance = random.Random(seed)
    x = [chance.randint(1, 5) for _pair in range(40)]
    y = [value + chance.choice((-1, 0, 0, 1)) for value in x] if seed % 2 else [chance.random() for _pair in x]
    found = correlation(x, y)
    assert found.spearman == pytest.approx(stats.spearmanr(x, y).statistic)
    assert found.kendall == pytest.approx(stats.kendalltau(x, y).statistic)
    assert found.n == 40
    assert found.low is not None and found.high is not None and found.spearman is not None
    assert found.low <= found.spearman <= found.high


def test_what_does_not_vary_has_no_correlation() -> None:
    assert correlation([3, 3, 3, 3], [1, 2, 3, 4]).spearman is None
    assert correlation([1, 2], [1, 2]).spearman is None
    assert correlation([], []).n == 0
    with pytest.raises(ValueError, match="both"):
        correlation([1], [])
