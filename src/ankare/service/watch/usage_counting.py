"""How are a million records counted in a small, fixed amount of memory?

All of it is deterministic. What is exact as long as there is little, and a bound or a sample beyond that, says so itself.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping
from typing import Generic, TypeVar

Held = TypeVar("Held")
OTHER = "other"
MOST_NAME = 80
"""Characters of a name that are kept; ours are short."""


class Tally:
    """Counts by name, of at most `most` names; further ones are counted together as "other"."""

    def __init__(self, most: int = 60) -> None:
        self._most = most
        self._counts: Counter[str] = Counter()

    def add(self, name: str, count: int = 1) -> str:
        """Count, and tell under which name."""
        name = clean(name)
        if name not in self._counts and len(self._counts) >= self._most:
            name = OTHER
        self._counts[name] += count
        return name

    def counts(self) -> tuple[tuple[str, int], ...]:
        """Names with their counts, the largest first."""
        return tuple(sorted(self._counts.items(), key=lambda item: (-item[1], item[0])))


class Quantiles:
    """Quantiles of numbers to within one per cent of their value (DDSketch: Masson, Rim and Lee, "DDSketch: a fast and
    fully-mergeable quantile sketch with relative-error guarantees", PVLDB 12(12), 2019)."""

    ACCURACY = 0.01
    LEAST, LARGEST = 1e-3, 1e12
    """Smaller and larger numbers count as these: at most 1750 counters, whatever is added."""
    _GAMMA = (1 + ACCURACY) / (1 - ACCURACY)
    _LOG = math.log(_GAMMA)

    def __init__(self) -> None:
        self._counters: dict[int, int] = {}
        self.count = 0

    def add(self, value: float, count: int = 1) -> None:
        """Count a number, zero or larger."""
        place = math.ceil(math.log(min(max(value, self.LEAST), self.LARGEST)) / self._LOG)
        self._counters[place] = self._counters.get(place, 0) + count
        self.count += count

    def at(self, share: float) -> float | None:
        """The number below which this share lies (the lower one of two, as `numpy.quantile(..., method="lower")`), rounded to
        three digits; None where there are none."""
        if not self.count:
            return None
        rank, seen = math.floor(share * (self.count - 1)), 0
        for place in sorted(self._counters):
            seen += self._counters[place]
            if seen > rank:
                break
        return float(f"{2 * self._GAMMA**place / (self._GAMMA + 1):.3g}")


class Frequent(Generic[Held]):
    """What occurs often, of ever so many things: counts of at most `2 * most` of them (Misra and Gries, "Finding repeated
    elements", 1982, thinned out all at once as in Agarwal et al., "Mergeable summaries", 2012).

    `missed`: a count may be too small by this much; 0, and all counts exact, as long as nothing had to be left out.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._counts: dict[str, int] = {}
        self._held: dict[str, Held] = {}
        self.missed = 0

    def add(self, key: str, count: int = 1) -> int:
        """Count a thing; gives its count."""
        found = self._counts[key] = self._counts.get(key, 0) + count
        if len(self._counts) > 2 * self._most:
            self._thin_out()
        return found

    def held(self, key: str) -> Held | None:
        """What was kept beside a thing."""
        return self._held.get(key)

    def hold(self, key: str, what: Held) -> None:
        """Keep something beside a thing that is counted."""
        if key in self._counts:
            self._held[key] = what

    def counts(self, least: int = 1) -> tuple[tuple[str, int], ...]:
        """Things with their counts, the most frequent first."""
        found = [(key, count) for key, count in self._counts.items() if count >= least]
        return tuple(sorted(found, key=lambda item: (-item[1], item[0])))

    def _thin_out(self) -> None:
        least = sorted(self._counts.values(), reverse=True)[self._most]
        self.missed += least
        self._counts = {key: count - least for key, count in self._counts.items() if count > least}
        self._held = {key: what for key, what in self._held.items() if key in self._counts}


class DistinctSample(Generic[Held]):
    """A fair sample of different things, each with all that was seen of it (Gibbons, "Distinct sampling for highly-accurate
    answers to distinct values queries", VLDB 2001). A hash of its name decides whether a thing is in it, not chance and not the
    order: as long as there are at most `most`, all are.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: dict[str, Held] = {}
        self._halvings = 0

    @property
    def share(self) -> float:
        """How much of all different things is in the sample: 1, 1/2, 1/4, ..."""
        return 0.5**self._halvings

    def get(self, key: str) -> Held | None:
        """What is held of a thing."""
        return self._found.get(key)

    def put(self, key: str, what: Held) -> None:
        """Hold something of a thing, where it is in the sample."""
        if not self._wanted(key):
            return
        self._found[key] = what
        while len(self._found) > self._most:
            self._halvings += 1
            self._found = {key: held for key, held in self._found.items() if self._wanted(key)}

    def items(self) -> Mapping[str, Held]:
        """What is in the sample."""
        return self._found

    def _wanted(self, key: str) -> bool:
        if not self._halvings:
            return True
        drawn = int.from_bytes(hashlib.blake2b(key.encode("utf-8", "replace"), digest_size=8).digest(), "big")
        return drawn >> (64 - self._halvings) == 0


def clean(name: str) -> str:
    """A name from a log on one short line, without control characters."""
    if name.isprintable() and len(name) <= MOST_NAME:
        return name
    return "".join(sign if sign.isprintable() else " " for sign in name[:MOST_NAME]).strip()


def shortened(text: str, most: int) -> str:
    """A text from a log on one line of so many characters."""
    whole = " ".join("".join(s if s.isprintable() else " " for s in text[: 4 * most]).split())
    return whole if len(whole) <= most else whole[: most - 1].rstrip() + "…"
