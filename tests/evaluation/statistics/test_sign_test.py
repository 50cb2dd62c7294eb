"""Is the sign test exact, and are many looks corrected for?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ankare.evaluation.statistics.sign_test import holm, sign_test


@given(st.integers(0, 400), st.integers(0, 400))
def test_it_is_scipys_binomial_test(wins: int, losses: int) -> None:
    if not wins + losses:
        assert sign_test(wins, losses) is None
    else:
        assert sign_test(wins, losses) == pytest.approx(stats.binomtest(wins, wins + losses, 0.5).pvalue, rel=1e-9)


@pytest.mark.parametrize(
    ("wins", "losses", "p"), [(5, 0, 2 / 32), (6, 0, 2 / 64), (1, 7, 2 * 9 / 256), (3, 3, 1.0), (0, 0, None)]
)
def test_by_hand(wins: int, losses: int, p: float | None) -> None:
    assert sign_test(wins, losses) == p


def test_hundreds_of_questions_are_no_overflow() -> None:
    assert sign_test(3000, 2000) == pytest.approx(stats.binomtest(3000, 5000, 0.5).pvalue, rel=1e-6)


def test_holms_own_way_by_hand() -> None:
    """0.01 times four, 0.02 times three, 0.03 times two, 0.04 once; none is smaller than the one before."""
    assert holm({"c": 0.03, "a": 0.01, "d": 0.04, "b": 0.02}) == pytest.approx(
        {"c": 0.06, "a": 0.04, "d": 0.06, "b": 0.06}
    )


@given(st.dictionaries(st.text(min_size=1, max_size=3), st.floats(0, 1), max_size=8))
def test_a_correction_never_makes_a_p_smaller_and_keeps_their_order(raw: dict[str, float]) -> None:
    found = holm(raw)
    assert list(found) == list(raw)
    assert all(raw[name] <= found[name] <= 1 for name in raw)
    ranked = sorted(raw, key=lambda name: raw[name])
    assert [found[name] for name in ranked] == sorted(found.values())
