"""How large are values beside each other? Bars across, columns upright, and parts of a whole."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ankare.plot.drawing import GAP, across, box, colour, key, svg, text, tick_room, upright
from ankare.plot.letters import LINE, SIZE, broken, named, width_of
from ankare.plot.ticks import Scale, scale_for
from ankare.plot.values import Axis, Chart, Series, all_numbers, number, numbers, of_place

BAR = 16.0
BETWEEN = 12.0
DEPTH = 190.0
NAME_SHARE = 0.36
"""At most this share of the width is for the names at the left."""
THIN = 5.0
LABEL = LINE + 14
WORD = 110.0
"""A longer word of a name below an axis is cut."""


def bars(chart: Chart, places: Sequence[str], series: Sequence[Series], axis: Axis) -> str:
    """One group of bars per place, one bar per series, from the top down. Good for long names and for few values."""
    names = [broken(named(place), chart.width * NAME_SHARE) for place in places]
    left = _name_room(names)
    values = all_numbers(series, len(places))
    axis = axis.settled(values)
    room = max((width_of(axis.shown(value)) for value in values), default=0.0) + GAP
    legend, top = key([one.name for one in series], chart.width, 0)
    scale = scale_for(values, axis, left, chart.width - room, zero=True)
    drawn, told, y = list(legend), [], top + 4
    for place, lines in enumerate(names):
        height = max(BAR * max(len(series), 1), LINE * len(lines))
        drawn += _name(lines, left, y + height / 2)
        y_bar = y + (height - BAR * len(series)) / 2
        for n, one in enumerate(series):
            value = of_place(one, place)
            if value is not None:
                told.append(_said(named(places[place]), named(one.name), axis.shown(value)))
                drawn += _bar(n, value, scale, y_bar + BAR * n, axis, told[-1])
        y += height + BETWEEN
    return svg(chart, y + 2 * LINE, [*across(scale, axis, top, y - BETWEEN / 2, chart.width), *drawn], told)


def columns(chart: Chart, places: Sequence[str], series: Sequence[Series], axis: Axis) -> str:
    """Upright bars in the order of the places: for steps of time and other short names, thinned out where they would touch."""
    values = all_numbers(series, len(places))
    axis = axis.settled(values)
    legend, height = key([one.name for one in series], chart.width, 0)
    top = height + (LABEL if axis.label else GAP)
    scale = scale_for(values, axis, top + DEPTH, top, zero=True)
    left = tick_room(scale, axis)
    slot = (chart.width - left) / max(len(places), 1)
    width = min(48.0, slot * 0.76 / max(len(series), 1))
    drawn, told = [], []
    for place, name in enumerate(places):
        for n, one in enumerate(series):
            value = of_place(one, place)
            if value is not None:
                told.append(_said(named(name), named(one.name), axis.shown(value)))
                x = left + slot * (place + 0.5) + (n - len(series) / 2) * width
                drawn.append(_column(n, x, width, scale, value, told[-1]))
    below, room = names_below([named(place) for place in places], left, slot, top + DEPTH)
    grid = upright(scale, axis, left, chart.width, height)
    return svg(chart, top + DEPTH + room, [*legend, *grid, *drawn, *below], told)


def stacked(chart: Chart, places: Sequence[str], series: Sequence[Series], axis: Axis) -> str:
    """One bar per place, made of the parts of its series; the whole stands after it. Negative values are missing."""
    names = [broken(named(place), chart.width * NAME_SHARE) for place in places]
    left = _name_room(names)
    parts = [[max(of_place(one, place) or 0.0, 0.0) for one in series] for place in range(len(places))]
    sums = [sum(row) for row in parts]
    axis = axis.settled([value for row in parts for value in row])
    room = max((width_of(axis.shown(value)) for value in sums), default=0.0) + GAP
    legend, top = key([one.name for one in series], chart.width, 0)
    scale = scale_for(numbers(sums), axis, left, chart.width - room, zero=True)
    drawn, told, y = list(legend), [], top + 4
    for place, lines in enumerate(names):
        height = max(BAR + 6, LINE * len(lines))
        drawn += _name(lines, left, y + height / 2)
        for n, start, value in _from_left(parts[place]):
            told.append(_said(named(places[place]), named(series[n].name), axis.shown(value)))
            drawn += _part(n, start, value, scale, y + (height - BAR - 6) / 2, axis, told[-1])
        drawn.append(
            text("plot-value", scale.at(sums[place]) + GAP / 2, y + height / 2 + SIZE * 0.35, axis.shown(sums[place]))
        )
        y += height + BETWEEN
    return svg(chart, y + 2 * LINE, [*across(scale, axis, top, y - BETWEEN / 2, chart.width), *drawn], told)


def names_below(places: Sequence[str], left: float, slot: float, bottom: float) -> tuple[list[str], float]:
    """The names under an axis of places, every one, every second or so on, and the height that they take."""
    widest = max((width_of(word) for place in places for word in place.split(" ")), default=0.0)
    every = max(1, math.ceil((min(widest, WORD) + GAP) / slot))
    drawn: list[str] = []
    most, free = 0, float("-inf")
    for place in range(0, len(places), every):
        lines = broken(places[place], slot * every - GAP)
        most = max(most, len(lines))
        x = left + slot * (place + 0.5)
        half = max(map(width_of, lines), default=0.0) / 2
        x = min(max(x, half), left + slot * len(places) - half)
        if x - half < free:  # moved in from the end
            continue
        free = x + half + GAP / 2
        drawn += [text("plot-name", x, bottom + LINE * n + 2, words, "middle") for n, words in enumerate(lines, 1)]
    return drawn, LINE * most + 8


def _bar(n: int, value: float, scale: Scale, y: float, axis: Axis, told: str) -> list[str]:
    zero, tip = scale.at(max(0.0, scale.low)), scale.at(value)
    return [
        box(f"plot-fill {colour(n)}", min(zero, tip), y + 1, abs(tip - zero), BAR - 3, told),
        text("plot-value", max(zero, tip) + GAP / 2, y + BAR / 2 + SIZE * 0.35 - 0.5, axis.shown(value)),
    ]


def _column(n: int, x: float, width: float, scale: Scale, value: float, told: str) -> str:
    zero, tip = scale.at(max(0.0, scale.low)), scale.at(value)
    space = 1.0 if width > THIN else 0.0
    return box(f"plot-fill {colour(n)}", x + space, min(zero, tip), width - 2 * space, abs(zero - tip), told)


def _part(n: int, start: float, value: float, scale: Scale, y: float, axis: Axis, told: str) -> list[str]:
    x, end = scale.at(start), scale.at(start + value)
    words = axis.shown(value)
    fits = width_of(words) + 6 <= end - x - 1
    inside = text("plot-inside", (x + end - 1) / 2, y + BAR / 2 + 3 + SIZE * 0.35, words, "middle") if fits else ""
    return [box(f"plot-fill {colour(n)}", x, y, end - x - 1, BAR + 6, told), inside]


def _from_left(parts: Sequence[float]) -> list[tuple[int, float, float]]:
    """Each part that there is: its series, where it begins, its size."""
    starts = [sum(parts[:n]) for n in range(len(parts))]
    return [(n, starts[n], value) for n, value in enumerate(parts) if number(value) and value > 0]


def _name_room(names: Sequence[Sequence[str]]) -> float:
    return max((width_of(words) for lines in names for words in lines), default=0.0) + GAP


def _name(lines: Sequence[str], left: float, middle: float) -> list[str]:
    first = middle - LINE * len(lines) / 2 + SIZE * 0.9
    return [text("plot-name", left - GAP, first + LINE * n, words, "end") for n, words in enumerate(lines)]


def _said(place: str, series: str, value: str) -> str:
    return f"{', '.join(filter(None, (place, series)))}: {value}"
