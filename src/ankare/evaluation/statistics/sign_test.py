"""Did one run win more questions than chance would let it?

The exact sign test (Arbuthnot 1710; Dixon and Mood 1946): were both runs alike, each question that they do not tie on would be
a fair coin. It asks how often, not by how much, and so stands beside the interval of the mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb


def sign_test(wins: int, losses: int) -> float | None:
    """The two-sided p of so many wins and losses; ties are left out before. None where there is neither.

    2 P(X <= min(wins, losses)), X binomial with one half, at most 1; in whole numbers, so exact for any count.
    """
    decided = wins + losses
    if not decided:
        return None
    tail = sum(comb(decided, few) for few in range(min(wins, losses) + 1))
    return min(1.0, 2 * tail / int(2**decided))


def holm(raw: Mapping[str, float]) -> dict[str, float]:
    """Each p made larger for how many were looked at, so that one false alarm among all of them is as rare as p says (Holm, A
    Simple Sequentially Rejective Multiple Test Procedure, 1979). In the order that was given."""
    adjusted: dict[str, float] = {}
    largest = 0.0
    for place, name in enumerate(sorted(raw, key=lambda name: raw[name])):
        largest = max(largest, min(1.0, (len(raw) - place) * raw[name]))
        adjusted[name] = largest
    return {name: adjusted[name] for name in raw}
