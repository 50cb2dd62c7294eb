"""How are many values spread? One row per series over a common axis, with the median marked."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import median

from ankare.plot.bars import NAME_SHARE
from ankare.plot.drawing import GAP, across, box, colour, line, svg, text
from ankare.plot.letters import LINE, SIZE, broken, named, width_of
from ankare.plot.ticks import Scale, scale_for
from ankare.plot.values import Axis, Chart, Series, numbers

ROW = 58.0
BINS = 30
SPACE = 14.0
RADIUS = 2.6
Drawing = Callable[[int, Sequence[float], Scale, float, float], list[str]]
"""Draws the values of a series above a line, `most` being the largest share of any stretch."""


def histogram(chart: Chart, series: Sequence[Series], axis: Axis) -> str:
    """How many values lie in each of 30 equal stretches of the axis; rows have the same scale for shares of their series."""
    return _rows(chart, series, axis, _counted)


def strip(chart: Chart, series: Sequence[Series], axis: Axis) -> str:
    """Each value as a dot, piled up where they are alike: for up to some hundred values in a row."""
    return _rows(chart, series, axis, _piled)


def _rows(chart: Chart, series: Sequence[Series], axis: Axis, drawing: Drawing) -> str:
    names = [broken(named(one.name), chart.width * NAME_SHARE) for one in series]
    left = max((width_of(words) for lines in names for words in lines), default=0.0) + GAP
    rows = [sorted(numbers(one.values)) for one in series]
    everything = [value for row in rows for value in row]
    axis = axis.settled(everything)
    scale = scale_for(everything, axis, left + RADIUS, chart.width - SPACE)
    most = max((max(_bins(row, scale)) / len(row) for row in rows if row), default=1.0)
    drawn, told = [], []
    for n, row in enumerate(rows):
        bottom = LINE + ROW + n * (ROW + SPACE + LINE)
        drawn += _name(names[n], left, bottom)
        drawn.append(line("plot-base", left, bottom, chart.width - SPACE, bottom))
        if row:
            middle = axis.shown(median(row))
            told.append(
                f"{named(series[n].name)}: {len(row)} ({axis.shown(row[0])} – {middle} – {axis.shown(row[-1])})"
            )
            drawn += drawing(n, row, scale, bottom, most)
            drawn += _median(scale.at(median(row)), middle, bottom, left, chart.width)
    end = LINE + ROW + max(len(rows) - 1, 0) * (ROW + SPACE + LINE)
    return svg(chart, end + 2 * LINE + 6, [*across(scale, axis, LINE, end, chart.width), *drawn], told)


def _counted(n: int, row: Sequence[float], scale: Scale, bottom: float, most: float) -> list[str]:
    width = (scale.end - scale.start) / BINS
    tall = [(place, count / len(row) / most * ROW) for place, count in enumerate(_bins(row, scale)) if count]
    kind = f"plot-fill {colour(n)}"
    return [box(kind, scale.start + width * place + 0.5, bottom - high, width - 1, high) for place, high in tall]


def _piled(n: int, row: Sequence[float], scale: Scale, bottom: float, most: float) -> list[str]:
    """Piles as far apart as a dot is wide; in a high one the dots lie closer."""
    piles: dict[int, int] = {}
    for value in row:
        pile = round((scale.at(value) - scale.start) / (2 * RADIUS))
        piles[pile] = piles.get(pile, 0) + 1
    step = min(2 * RADIUS, (ROW - 2 * RADIUS) / max(max(piles.values()) - 1, 1))
    kind = f"plot-point {colour(n)}"
    return [
        f'<circle class="{kind}" cx="{scale.start + 2 * RADIUS * pile:.1f}" cy="{bottom - RADIUS - step * place:.1f}" '
        f'r="{RADIUS}"/>'
        for pile, count in piles.items()
        for place in range(count)
    ]


def _bins(row: Sequence[float], scale: Scale) -> list[int]:
    counts = [0] * BINS
    for value in row:
        share = (scale.at(value) - scale.start) / (scale.end - scale.start)
        counts[min(max(math.floor(share * BINS), 0), BINS - 1)] += 1
    return counts


def _median(x: float, words: str, bottom: float, left: float, right: float) -> list[str]:
    half = width_of(words) / 2
    at = min(max(x, left + half), right - half)
    return [
        line("plot-median", x, bottom - ROW - 2, x, bottom),
        text("plot-value", at, bottom - ROW - 5, words, "middle"),
    ]


def _name(lines: Sequence[str], left: float, bottom: float) -> list[str]:
    first = bottom - ROW / 2 - LINE * len(lines) / 2 + SIZE * 0.9
    return [text("plot-name", left - GAP, first + LINE * n, words, "end") for n, words in enumerate(lines)]
