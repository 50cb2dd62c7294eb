"""Is the bootstrap that of the books: paired, like scipy's on the same draws, and the same on every machine?"""

from __future__ import annotations

import itertools
import random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ankare.evaluation.statistics import resample
from ankare.evaluation.statistics.resample import (
    RESAMPLES,
    Interval,
    Method,
    NoInterval,
    difference_of_f1,
    drawn_statistics,
    f1,
    interval_of,
    interval_of_mean,
    mean_of_column,
    t_quantile,
)

SETS = {
    "even": np.random.default_rng(1).normal(0.1, 1, 40),
    "skewed": np.random.default_rng(2).lognormal(0, 1, 25),
    "between 0 and 1": np.random.default_rng(3).beta(2, 5, 60) - 0.2,
    "few": np.array([1, -2, 3, 7, 0.5]) / 8,  # sums of eighths are exact, so that scipy sees the ties too
}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("method", Method)
def test_the_interval_is_scipys_on_the_same_draws(name: str, method: Method) -> None:
    values = SETS[name]
    drawn = SimpleNamespace(bootstrap_distribution=drawn_statistics(values[:, None], mean_of_column))
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=0, method=method.value, bootstrap_result=drawn, confidence_level=0.95
    ).confidence_interval
    ours = interval_of_mean(values, method=method, widened=False)
    assert isinstance(ours, Interval)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=1e-9)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("method", Method)
def test_the_interval_is_scipys_on_its_own_draws_within_chance(name: str, method: Method) -> None:
    values = SETS[name]
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=RESAMPLES, method=method.value, rng=np.random.default_rng(9)
    ).confidence_interval
    ours = interval_of_mean(values, method=method, widened=False)
    assert isinstance(ours, Interval)
    width = theirs.high - theirs.low
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.04 * width)


@pytest.mark.parametrize("method", Method)
def test_the_paired_interval_of_two_f1_is_scipys(method: Method) -> None:
    own = random.Random(5)
    rows = [[float(own.random() < 0.4) for _ in range(3)] for _ in range(50)]
    before, after, truth = (np.array(column) for column in zip(*rows, strict=True))

    def f1_of(said: np.ndarray, right: np.ndarray, axis: int = -1) -> np.ndarray:
        hits = 2 * (said * right).sum(axis=axis)
        return hits / (hits + (said * (1 - right)).sum(axis=axis) + ((1 - said) * right).sum(axis=axis))

    def difference(a: np.ndarray, b: np.ndarray, right: np.ndarray, axis: int = -1) -> np.ndarray:
        return f1_of(b, right, axis) - f1_of(a, right, axis)

    theirs = stats.bootstrap(
        (before, after, truth), difference, paired=True, vectorized=True, n_resamples=RESAMPLES,
        method=method.value, rng=np.random.default_rng(9),
    ).confidence_interval  # fmt: skip
    columns = np.concatenate(
        [np.stack([s * truth, s * (1 - truth), (1 - s) * truth], axis=1) for s in (before, after)], axis=1
    )
    ours = interval_of(columns, difference_of_f1, method=method, widened=False)
    assert isinstance(ours, Interval)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)
    assert float(difference_of_f1(columns.mean(axis=0)[None])[0]) == pytest.approx(
        float(difference(before, after, truth))
    )


def not_paired(before: np.ndarray, after: np.ndarray) -> tuple[float, float]:
    """The saboteur: each side is drawn for itself."""
    sides = [drawn_statistics(side[:, None], mean_of_column, seed) for seed, side in enumerate((before, after))]
    low, high = np.quantile(sides[1] - sides[0], [0.025, 0.975])
    return float(low), float(high)


def test_what_is_hard_for_both_runs_does_not_widen_the_interval_and_a_bootstrap_that_is_not_paired_is_noticed() -> None:
    """Questions differ by far more than the runs do, and the second run is a little better on nearly each of them."""
    own = np.random.default_rng(4)
    before = own.uniform(0, 1, 50)
    after = before + own.normal(0.03, 0.02, 50)
    ours = interval_of_mean(after - before)
    assert isinstance(ours, Interval)
    assert ours.low > 0
    low, high = not_paired(before, after)
    assert low < 0 < high
    assert high - low > 5 * (ours.high - ours.low)


@pytest.mark.parametrize(
    ("values", "low", "high"), [([0.0] * 12, 0.0, 0.0), ([0.25] * 5, 0.25, 0.25)], ids=["none differs", "all alike"]
)
@pytest.mark.parametrize("method", Method)
def test_questions_that_are_all_alike_give_one_point_that_is_marked(
    values: list[float], low: float, high: float, method: Method
) -> None:
    assert interval_of_mean(np.array(values), method=method) == Interval(low, high, 0.95, method, flat=True)


@pytest.mark.parametrize("values", [[], [0.3]])
def test_fewer_than_two_questions_have_no_interval(values: list[float]) -> None:
    assert interval_of_mean(np.array(values)) is NoInterval.TOO_FEW


def test_two_questions_have_a_wide_one() -> None:
    found = interval_of_mean(np.array([0.0, 1.0]))
    assert isinstance(found, Interval)
    assert (found.low, found.high) == (0.0, 1.0)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_what_is_no_number_is_no_value(bad: float) -> None:
    with pytest.raises(ValueError, match="no number"):
        interval_of_mean(np.array([0.1, bad, 0.2]))


def test_a_ratio_that_most_draws_do_not_have_has_no_interval() -> None:
    """One question in thirty was to be refused, and none was by either run: a third of the draws have 0/0."""
    columns = np.zeros((30, 6))
    columns[0] = [1, 0, 0, 1, 0, 0]
    assert interval_of(columns, difference_of_f1) is NoInterval.UNDEFINED
    assert np.isnan(f1(np.zeros((1, 3)))).all()


def test_the_bounds_are_these_on_every_machine() -> None:
    """Written down once. The draws come of the raw stream of PCG64, which numpy promises not to change."""
    assert next(resample.draws(7))[:2].tolist() == DRAWN
    found = interval_of_mean(SETS["few"])
    assert isinstance(found, Interval)
    assert (round(found.low, 12), round(found.high, 12)) == BOUNDS


DRAWN = [[1, 4, 6, 0, 1, 6, 0], [4, 2, 4, 2, 3, 5, 1]]
BOUNDS = (-0.1875, 0.775)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.floats(-1, 1, allow_nan=False, width=32), min_size=2, max_size=30), st.randoms())
def test_the_order_of_the_questions_makes_no_difference(values: list[float], chance: random.Random) -> None:
    mixed = values.copy()
    chance.shuffle(mixed)
    assert interval_of_mean(np.array(mixed)) == interval_of_mean(np.array(values))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.floats(-1, 1, allow_nan=False, width=32), min_size=2, max_size=30))
def test_the_percentile_interval_stays_among_the_values(values: list[float]) -> None:
    found = interval_of_mean(np.array(values))
    assert isinstance(found, Interval)
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


def test_blocks_change_nothing_and_bound_what_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = interval_of_mean(SETS["even"])
    monkeypatch.setattr(resample, "BLOCK_BYTES", 100_000)
    assert interval_of_mean(SETS["even"]) == whole
    assert all(block.nbytes <= 100_000 for block in itertools.islice(resample.draws(40), 3))


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 9, 29, 69, 999])
@pytest.mark.parametrize("share", [0.9, 0.975, 0.995])
def test_students_t_is_scipys(degrees: int, share: float) -> None:
    assert t_quantile(share, degrees) == pytest.approx(stats.t.ppf(share, degrees), rel=2e-5)


def test_the_wider_interval_of_an_even_sample_is_students() -> None:
    """What the widening is for: with ten questions the plain bootstrap is narrower than Student's interval by a sixth."""
    values = SETS["even"][:10]
    plain, wide = (interval_of_mean(values, widened=widened) for widened in (False, True))
    assert isinstance(plain, Interval)
    assert isinstance(wide, Interval)
    half = stats.t.ppf(0.975, 9) * values.std(ddof=1) / 10**0.5
    assert (plain.high - plain.low) / (2 * half) < 0.87
    assert (wide.high - wide.low) / (2 * half) == pytest.approx(1.0, abs=0.06)
