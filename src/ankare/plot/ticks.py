"""Where do the round numbers of an axis stand, and where does a value?

Steps of 1, 2 and 5 times a power of ten; on a logarithmic axis the same numbers, thinned out to whole powers where it is long.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ankare.plot.values import Axis

LEAST = 1e-12
"""A smaller number is none on an axis."""
THREE = 3


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to points of the drawing. `start`, `end`: where `low` and `high` stand. `ticks`: with their decimals."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[tuple[float, int], ...]
    log: bool = False

    def at(self, value: float) -> float:
        """Where a value stands; one beyond an end stands at the end."""
        held = min(max(value, self.low), self.high)
        low, high, held = (
            (math.log10(self.low), math.log10(self.high), math.log10(held)) if self.log else (self.low, self.high, held)
        )
        return self.start + (held - low) / (high - low) * (self.end - self.start)


def scale_for(
    values: Sequence[float], axis: Axis, start: float, end: float, *, zero: bool = False, most: int = 5
) -> Scale:
    """The scale that holds the values, with about `most` ticks. `zero`: does a linear one have to hold zero?"""
    if axis.log:
        return _log_scale([value for value in values if value > LEAST], axis, start, end, most)
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    low, high = _apart(low if axis.low is None else axis.low, high if axis.high is None else axis.high)
    step = nice_step(high - low, most - 1)
    first = math.floor(low / step + 1e-9) if axis.low is None else math.ceil(low / step - 1e-9)
    last = math.ceil(high / step - 1e-9) if axis.high is None else math.floor(high / step + 1e-9)
    places = decimals(step)
    ticks = tuple((round(step * n, places), places) for n in range(first, last + 1))
    low, high = (ticks[0][0] if axis.low is None else low), (ticks[-1][0] if axis.high is None else high)
    return Scale(low, high, start, end, ticks)


def nice_step(span: float, parts: int) -> float:
    """The smallest of 1, 2, 5 times a power of ten that covers the span in at most so many steps."""
    power = 10.0 ** math.floor(math.log10(span / parts))
    return next((power * n for n in (1, 2, 5) if power * n * parts >= span * (1 - 1e-9)), power * 10)


def decimals(step: float) -> int:
    """How many decimals the multiples of a step need."""
    return next((n for n in range(13) if abs(round(step, n) - step) < step / 1000), 13)


def _apart(low: float, high: float) -> tuple[float, float]:
    """The ends, moved apart where all values are alike."""
    size = max(abs(low), abs(high))
    if high - low > max(size * 1e-9, LEAST):
        return low, high
    return (low - size / 2, high + size / 2) if size > LEAST else (0.0, 1.0)


def _log_scale(values: Sequence[float], axis: Axis, start: float, end: float, most: int) -> Scale:
    low = max(axis.low or min(values, default=1.0), LEAST)
    high = max(axis.high or max(values, default=10.0), low)
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    fine = [n * 10.0**power for power in powers for n in (1, 2, 5)]
    first = max((n for n, tick in enumerate(fine) if tick <= low * (1 + 1e-9)), default=0)
    last = next((n for n, tick in enumerate(fine) if tick >= high * (1 - 1e-9)), len(fine) - 1)
    last = max(last, first + 1)
    shown = fine[first : last + 1]
    if len(shown) > most + 1:
        whole = [tick for n, tick in enumerate(fine) if first <= n <= last and n % 3 == 0]
        few = len(whole) < THREE
        shown = sorted({fine[first], *whole, fine[last]}) if few else whole[:: math.ceil(len(whole) / most)]
    return Scale(fine[first], fine[last], start, end, tuple((tick, decimals(tick)) for tick in shown), log=True)
