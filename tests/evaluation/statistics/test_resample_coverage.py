"""Does a 95 % interval hold the true mean in about 95 of 100 sets of questions?

Measured on sets like those of an evaluation: scores cut off at 0 and 1, right-or-wrong where most questions tie, and times. The
default (percentile, widened) has to be near, and nearer than the plain one with few questions: that is why it is the default.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from ankare.evaluation.statistics import resample
from ankare.evaluation.statistics.resample import Interval, Method, interval_of_mean

SETS = 500
Draw = Callable[[np.random.Generator, int], np.ndarray]


def cut_off(own: np.random.Generator, n: int) -> np.ndarray:
    level = np.clip(own.normal(0.85, 0.2, n), 0, 1)
    before, after = (np.clip(level + own.normal(0, 0.15, n), 0, 1) for _ in range(2))
    return after - before


def mostly_ties(own: np.random.Generator, n: int) -> np.ndarray:
    return own.choice([1.0, -1.0, 0.0], n, p=[0.1, 0.1, 0.8])


def won_more(own: np.random.Generator, n: int) -> np.ndarray:
    return own.choice([1.0, -1.0, 0.0], n, p=[0.3, 0.1, 0.6])


def even(own: np.random.Generator, n: int) -> np.ndarray:
    return own.normal(0, 1, n)


KINDS: dict[str, tuple[Draw, float]] = {
    "cut off": (cut_off, 0.0),
    "mostly ties": (mostly_ties, 0.0),
    "won more": (won_more, 0.2),
    "even": (even, 0.0),
}


def held(kind: str, n: int, *, method: Method = Method.PERCENTILE, widened: bool = True) -> float:
    """In what share of the sets the interval holds the true mean."""
    draw, true = KINDS[kind]
    own = np.random.default_rng(7)
    found = [interval_of_mean(draw(own, n), method=method, widened=widened, seed=place) for place in range(SETS)]
    return float(np.mean([isinstance(one, Interval) and not one.without(true) for one in found]))


@pytest.fixture(autouse=True)
def fewer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resample, "RESAMPLES", 1000)


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 30, 70])
@pytest.mark.parametrize("kind", KINDS)
def test_the_default_holds_the_true_mean_in_about_95_of_100_sets(kind: str, n: int) -> None:
    assert 0.92 <= held(kind, n) <= 0.995


@pytest.mark.slow
def test_without_the_widening_few_questions_promise_too_much() -> None:
    assert held("even", 10, widened=False) < 0.92 < held("even", 10)


@pytest.mark.slow
def test_where_most_questions_tie_bca_holds_less_than_the_percentile_interval() -> None:
    assert held("mostly ties", 20, method=Method.BCA) < held("mostly ties", 20) - 0.01
