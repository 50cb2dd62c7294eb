"""In which order does a reader take the lines and boxes of a page?

A page is cut into bands across; consecutive bands that share a gutter are columns, and each column is read to its end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Protocol


class Placed(Protocol):
    """Anything with a rectangle."""

    x0: float
    y0: float
    x1: float
    y1: float


Gap = tuple[float, float]
Band = list[Placed]
MAX_DEPTH = 12
MIN_ROWS = 3


@dataclass(slots=True)
class Aligned:
    """Rows of cells that stand in line without rules: each cell a list of items."""

    rows: list[list[list[Placed]]]


Run = list[Placed] | Aligned
IsTable = Callable[[list[list[list[Placed]]]], bool]


def arrange(items: list[Placed], gutter: float, is_table: IsTable) -> list[Run]:
    """Runs in reading order: lists of items of one column, or aligned rows that `is_table` accepts.

    `gutter`: how wide a gap between columns is at least, in points.
    """
    out: list[Run] = []
    _arrange(items, gutter, is_table, out, 0)
    return out


def _arrange(items: list[Placed], gutter: float, is_table: IsTable, out: list[Run], depth: int) -> None:
    if len(items) <= 1 or depth > MAX_DEPTH:
        if items:
            out.append(sorted(items, key=lambda item: (item.y0, item.x0)))
        return
    bands = _bands(items)
    gaps = [_gaps(band, gutter) for band in bands]
    plain: list[Placed] = []
    start = 0
    while start < len(bands):
        if not gaps[start]:
            plain += _by_row(bands[start])
            start += 1
            continue
        end, common = _shared(bands, gaps, start)
        if plain:
            out.append(plain)
            plain = []
        _columns(bands[start:end], common, gutter, is_table, out, depth)
        start = end
    if plain:
        out.append(plain)


def _columns(
    bands: list[Band], common: list[Gap], gutter: float, is_table: IsTable, out: list[Run], depth: int
) -> None:
    cuts = [(low + high) / 2 for low, high in common]
    if len(bands) >= MIN_ROWS:
        rows = [_cells(band, cuts) for band in bands]
        if is_table(rows):
            out.append(Aligned(rows))
            return
    for column in _cells([item for band in bands for item in band], cuts):
        if column:
            _arrange(column, gutter, is_table, out, depth + 1)


def _cells(items: list[Placed], cuts: list[float]) -> list[list[Placed]]:
    cells: list[list[Placed]] = [[] for _ in range(len(cuts) + 1)]
    for item in items:
        middle = (item.x0 + item.x1) / 2
        cells[sum(1 for cut in cuts if middle > cut)].append(item)
    return cells


def _bands(items: list[Placed]) -> list[Band]:
    """Groups of items that overlap vertically, top to bottom. Slight overlaps of neighbouring lines do not count."""
    bands: list[Band] = []
    bottom = float("-inf")
    for item in sorted(items, key=lambda item: (item.y0 + item.y1 if item.y1 - item.y0 < 40 else 2 * item.y0, item.x0)):
        slack = 0.3 * min(item.y1 - item.y0, 14.0)
        if bands and item.y0 + slack < bottom:
            bands[-1].append(item)
            bottom = max(bottom, item.y1 - slack)
        else:
            bands.append([item])
            bottom = item.y1 - slack
    return bands


def _by_row(band: Band) -> list[Placed]:
    return band if len(band) == 1 else sorted(band, key=lambda item: (round(item.y0 / 4), item.x0))


def _gaps(band: Band, gutter: float) -> list[Gap]:
    """The empty stretches between the items of a band, left to right."""
    if len(band) == 1:
        return []
    out: list[Gap] = []
    edge = float("-inf")
    for item in sorted(band, key=lambda item: item.x0):
        if item.x0 - edge >= gutter and edge > float("-inf"):
            out.append((edge, item.x0))
        edge = max(edge, item.x1)
    return out


def _shared(bands: list[Band], gaps: list[list[Gap]], start: int) -> tuple[int, list[Gap]]:
    """How far the bands from `start` on share a gutter, and which gutters they share."""
    common, end = gaps[start], start + 1
    low = max(item.y1 for item in bands[start])
    tail = end
    while tail < len(bands):
        band = bands[tail]
        pitch = median(item.y1 - item.y0 for item in band)
        if gaps[tail]:
            narrowed = [(max(a, c), min(b, d)) for a, b in common for c, d in gaps[tail] if min(b, d) - max(a, c) >= 4]
            if not narrowed:
                break
            common, end = narrowed, tail + 1
        else:
            left = min(item.x0 for item in band)
            right = max(item.x1 for item in band)
            near = min(item.y0 for item in band) - low < 1.2 * min(pitch, 30)
            if not near or any(left < (a + b) / 2 < right for a, b in common):
                break
            narrowed = [(max(a, right), b) if right <= (a + b) / 2 else (a, min(b, left)) for a, b in common]
            if any(b - a < 4 for a, b in narrowed):
                break
            # A last stretch on the left only may be running text again, unless it goes on close below; on the right it
            # can only be the column.
            if left >= common[0][1] - 2 or (end == tail and _goes_on(band, bands[start:end], pitch)):
                common, end = narrowed, tail + 1
        low = max(low, *(item.y1 for item in band))
        tail += 1
    return end, common


def _goes_on(band: Band, above: list[Band], pitch: float) -> bool:
    """Does a line on the left go on with a left column of several lines: close below its last, in line with it?"""
    column = [min(row, key=lambda item: item.x0) for row in above]
    left, top = min(item.x0 for item in band), min(item.y0 for item in band)
    return len(column) >= MIN_ROWS and abs(left - column[-1].x0) < 4 and top - column[-1].y1 < 0.6 * pitch
