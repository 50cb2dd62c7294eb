"""Numbers on an axis are round, few, and around everything that is drawn."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ankare.plot.letters import ELLIPSIS, broken, fitted, named, width_of
from ankare.plot.ticks import nice_step, scale_for
from ankare.plot.values import Axis

WITHIN = st.floats(-1e9, 1e9, allow_nan=False)


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ((0.0, 1.0), (0.0, 0.5, 1.0)),
        ((0.0, 97.0), (0.0, 50.0, 100.0)),
        ((0.0, 4.0), (0.0, 1.0, 2.0, 3.0, 4.0)),
        ((-0.12, 0.19), (-0.2, -0.1, 0.0, 0.1, 0.2)),
    ],
)
def test_ticks_stand_at_round_numbers(values: tuple[float, ...], ticks: tuple[float, ...]) -> None:
    assert tuple(tick for tick, _ in scale_for(values, Axis(), 0, 100).ticks) == pytest.approx(ticks)


@given(st.lists(WITHIN, min_size=1, max_size=6))
def test_a_scale_holds_all_values_between_round_numbers(values: list[float]) -> None:
    scale = scale_for(values, Axis(), 0, 100)
    assume(max(values) - min(values) > 1e-6 * max(map(abs, values), default=1.0) + 1e-9)
    dust = 1e-8 * (max(values) - min(values))
    assert scale.low - dust <= min(values)
    assert max(values) <= scale.high + dust
    assert 2 <= len(scale.ticks) <= 7
    step = scale.ticks[1][0] - scale.ticks[0][0]
    lead = step / 10 ** math.floor(math.log10(step) + 1e-9)
    assert min(abs(lead - n) for n in (1, 2, 5, 10)) < 1e-3


@given(st.lists(st.floats(1e-3, 1e9), min_size=1, max_size=6))
def test_a_logarithmic_scale_does_too(values: list[float]) -> None:
    scale = scale_for(values, Axis(log=True), 0, 100)
    assert scale.low <= min(values) * (1 + 1e-6)
    assert max(values) <= scale.high * (1 + 1e-6)
    assert 2 <= len(scale.ticks) <= 7
    assert all(0 <= scale.at(tick) <= 100 for tick, _ in scale.ticks)


@given(WITHIN, WITHIN)
def test_a_larger_value_never_stands_lower(one: float, other: float) -> None:
    scale = scale_for([one, other], Axis(), 0, 100)
    low, high = sorted((one, other))
    assert scale.at(low) <= scale.at(high)


def test_decades_are_equally_far_apart_on_a_logarithmic_scale() -> None:
    scale = scale_for([1, 1000], Axis(log=True), 0, 90)
    assert [scale.at(value) for value in (1, 10, 100, 1000)] == pytest.approx([0, 30, 60, 90])


def test_steps_are_one_two_or_five() -> None:
    assert [nice_step(span, 4) for span in (1, 3, 7, 12, 40)] == [0.5, 1, 2, 5, 10]


# --- how wide texts are


@pytest.mark.parametrize("text", ["Källtrohet", "WWWWWWWW", "iiiiiiiiiiii", "摘要与引用", "🙂🙂🙂", "ﷺ" * 20])
@pytest.mark.parametrize("width", [5.0, 40.0, 120.0])
def test_a_fitted_text_fits(text: str, width: float) -> None:
    cut = fitted(text, width)
    assert width_of(cut) <= width or cut == ELLIPSIS
    assert cut == text or cut.endswith(ELLIPSIS)


def test_a_text_is_broken_between_words_and_cut_at_the_end() -> None:
    assert broken("beslut och tid", 200) == ["beslut och tid"]
    assert broken("svag eller tvetydig fråga", 110) == ["svag eller", "tvetydig fråga"]
    assert broken("ett två tre fyra fem sex sju", 60)[-1].endswith(ELLIPSIS)
    assert broken("", 60) == [""]


def test_what_cannot_be_seen_is_no_part_of_a_name() -> None:
    assert named("\u202eab\u2066\x00c\nd") == "ab c d".replace("ab c", "ab  c")
