"""How sure are differences? Dots with whiskers beside a line at zero (a forest plot)."""

from __future__ import annotations

from collections.abc import Sequence

from ankare.plot.drawing import GAP, across, line, quoted, svg, text
from ankare.plot.letters import LINE, SIZE, broken, fitted, named, width_of
from ankare.plot.ticks import Scale, scale_for
from ankare.plot.values import Axis, Chart, Interval, number, numbers

KINDS = ("good", "bad")
ROOM = 10.0
NAME_SHARE = 0.3
VALUE_SHARE = 0.44
HEADING = 24.0


def intervals(chart: Chart, rows: Sequence[Interval], axis: Axis) -> str:
    """One row per interval, its name at the left and its figures at the right. The axis always holds zero.

    A dot is filled where its interval lies on one side of zero, and hollow where it does not.
    """
    names = [broken(named(row.name), chart.width * NAME_SHARE) for row in rows]
    ends = numbers(value for row in rows for value in (row.low, row.value, row.high))
    axis = axis.settled(ends)
    shown = [fitted(_shown(row, axis), chart.width * VALUE_SHARE) for row in rows]
    left = max((width_of(words) for lines in names for words in lines), default=0.0) + GAP
    right = chart.width - max(map(width_of, shown), default=0.0) - 2 * GAP
    scale = scale_for(ends, axis, left, right, zero=True)
    drawn, told, y, group = [], [], 4.0, ""
    for row, lines, words in zip(rows, names, shown, strict=True):
        if row.group != group:
            group = row.group
            drawn.append(text("plot-group", 0, y + SIZE + 4, fitted(named(group), chart.width)))
            y += HEADING
        height = max(LINE + ROOM, LINE * len(lines) + ROOM / 2)
        middle = y + height / 2
        first = middle - LINE * len(lines) / 2 + SIZE * 0.9
        drawn += [text("plot-name", left - GAP, first + LINE * n, part, "end") for n, part in enumerate(lines)]
        drawn.append(text("plot-value", chart.width, middle + SIZE * 0.35, words, "end"))
        told.append(f"{named(row.name)}: {_shown(row, axis)}")
        drawn += _interval(row, scale, middle, told[-1])
        y += height
    return svg(chart, y + 2 * LINE + 4, [*across(scale, axis, 4, y, chart.width), *drawn], told)


def _interval(row: Interval, scale: Scale, y: float, told: str) -> list[str]:
    value, low, high = number(row.value), number(row.low), number(row.high)
    if value is None:
        return []
    kind = row.kind if row.kind in KINDS else "even"
    whisker = []
    if low is not None and high is not None:
        x1, x2 = scale.at(low), scale.at(high)
        whisker = [line(f"plot-whisker plot-{kind}", x1, y, x2, y)]
        whisker += [line(f"plot-whisker plot-{kind}", x, y - 4, x, y + 4) for x in (x1, x2)]
    hollow = "" if low is not None and high is not None and (low > 0 or high < 0) else " plot-hollow"
    dot = f'<circle class="plot-dot plot-{kind}{hollow}" cx="{scale.at(value):.1f}" cy="{y:.1f}" r="5">'
    return [*whisker, f"{dot}<title>{quoted(told)}</title></circle>"]


def _shown(row: Interval, axis: Axis) -> str:
    value, low, high = number(row.value), number(row.low), number(row.high)
    if row.shown or value is None:
        return named(row.shown)
    return axis.shown(value) + (
        f" [{axis.shown(low)}; {axis.shown(high)}]" if low is not None and high is not None else ""
    )
