"""Where is a long section cut?

Dynamic programming over the places where a cut is allowed: each part costs by how far its size is from the target, each
cut by what it tears apart (nothing between paragraphs, more inside a list or a paragraph). The cheapest cutting wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ankare.domain.document import Block, BlockKind, UnitKind

TARGET_LOW = 100
TARGET_HIGH = 220
LIMIT = 320
PAGE_PART_WORDS = 40
"""A section is cut at a page break when both sides have at least this many words."""

WHOLE_LIST_WORDS = 120
"""A list or table of at most this size is not cut at a page break."""

FURTHEST = 4 * LIMIT
"""What must stay together (ten thousand headings in a row, a table of nothing but header rows) is cut here all the same."""

_TORN = 1000.0
_PER_PART = 20.0
_BEYOND_LIMIT = 10.0
_KINDS = {
    BlockKind.HEADING: UnitKind.SENTENCE,
    BlockKind.PARAGRAPH: UnitKind.SENTENCE,
    BlockKind.ITEM: UnitKind.ITEM,
    BlockKind.ROW: UnitKind.ROW,
}


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch that is never cut: `block.text[start:end]`. `first`: it begins its block."""

    block: Block
    start: int
    end: int
    first: bool
    words: int
    first_page: int
    last_page: int

    @property
    def kind(self) -> UnitKind:
        """What it becomes in a chunk."""
        return _KINDS[self.block.kind]


def pack(units: Sequence[Unit]) -> list[Sequence[Unit]]:
    """Cut a section's units into parts, in order; nothing is lost or doubled."""
    return [part for run in _at_pages(units) for part in _by_size(run)]


def _at_pages(units: Sequence[Unit]) -> list[Sequence[Unit]]:
    """Cut at page breaks where both sides are big enough."""
    groups = _group_words(units)
    left, right = 0, sum(unit.words for unit in units)
    runs: list[Sequence[Unit]] = []
    begin = 0
    for at, unit in enumerate(units):
        turns = at > 0 and unit.first_page > units[at - 1].first_page
        if turns and min(left, right) >= PAGE_PART_WORDS and _may_turn(units[at - 1], unit, groups):
            runs.append(units[begin:at])
            begin, left = at, 0
        left += unit.words
        right -= unit.words
    if units:
        runs.append(units[begin:])
    return runs


def _by_size(units: Sequence[Unit]) -> list[Sequence[Unit]]:
    if sum(unit.words for unit in units) <= TARGET_HIGH:
        return [units]
    best: list[float] = [0.0]
    back: list[int] = [0]
    cuts = [0.0, *(_cut_cost(before, after) for before, after in pairwise(units))]
    for end in range(1, len(units) + 1):
        cost, start = _best_start(units, cuts, end, best)
        best.append(cost)
        back.append(start)
    parts: list[Sequence[Unit]] = []
    end = len(units)
    while end > 0:
        parts.append(units[back[end] : end])
        end = back[end]
    return parts[::-1]


def _best_start(units: Sequence[Unit], cuts: Sequence[float], end: int, best: Sequence[float]) -> tuple[float, int]:
    """The cheapest way to end a part before unit `end`: its cost so far and where that part starts."""
    found, where = float("inf"), end - 1
    words = 0
    for start in range(end - 1, -1, -1):
        words += units[start].words
        if cuts[start] < float("inf"):
            cost = best[start] + cuts[start] + _size_cost(words)
            if cost < found:
                found, where = cost, start
        if words > LIMIT and found < float("inf"):  # a longer part is only ever the last resort
            break
        if words > FURTHEST:
            return best[start] + _TORN + _size_cost(words), start
    return found, where


def _size_cost(words: int) -> float:
    if words < TARGET_LOW:
        return _PER_PART + 0.6 * (TARGET_LOW - words)
    if words <= TARGET_HIGH:
        return _PER_PART
    if words <= LIMIT:
        return _PER_PART + 0.8 * (words - TARGET_HIGH)
    return _PER_PART + 0.8 * (LIMIT - TARGET_HIGH) + _BEYOND_LIMIT * (words - LIMIT)


def _cut_cost(before: Unit, after: Unit) -> float:
    """What a cut between two neighbours tears apart; infinite where it must not be."""
    if _bound(before, after):
        return float("inf")
    if before.block is after.block:
        return 50.0
    if before.block.group == after.block.group and after.block.group > 0:
        return 60.0 + 20.0 * after.block.level if after.kind is UnitKind.ITEM else 40.0
    return 0.0


def _bound(before: Unit, after: Unit) -> bool:
    """Must these two stay together: a heading or lead-in and what follows it, a header row and the first row?"""
    if before.block.kind is BlockKind.HEADING or before.block.header:
        return True
    starts_group = after.block.group != before.block.group and after.first
    return starts_group and before.kind is UnitKind.SENTENCE and after.kind is not UnitKind.SENTENCE


def _may_turn(before: Unit, after: Unit, groups: dict[int, int]) -> bool:
    if _bound(before, after):
        return False
    group = after.block.group
    return group == 0 or group != before.block.group or groups[group] > WHOLE_LIST_WORDS


def _group_words(units: Sequence[Unit]) -> dict[int, int]:
    words: dict[int, int] = {}
    for unit in units:
        words[unit.block.group] = words.get(unit.block.group, 0) + unit.words
    return words
