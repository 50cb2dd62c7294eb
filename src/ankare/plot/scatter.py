"""How do two measures of the same things go together?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ankare.plot.bars import DEPTH, LABEL
from ankare.plot.drawing import GAP, across, colour, key, line, mark, svg, text, tick_room, upright
from ankare.plot.letters import LINE, SIZE, fitted, named, width_of
from ankare.plot.ticks import Scale, scale_for
from ankare.plot.values import Axis, Chart, Dot, number, numbers

NAME = 150.0
"""A name beside its dot is at most this wide."""
CLOSE = 9.0


@dataclass(frozen=True, slots=True)
class _Room:
    """A rectangle that something stands in."""

    left: float
    top: float
    right: float
    bottom: float

    def touches(self, other: _Room) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


@dataclass(frozen=True, slots=True)
class _Placed:
    """A dot that can be drawn: its series, its place, and the ends of its whisker."""

    n: int
    x: float
    y: float
    top: float
    bottom: float

    @property
    def room(self) -> _Room:
        return _Room(self.x - 6, min(self.y - 6, self.top), self.x + 6, max(self.y + 6, self.bottom))


def scatter(chart: Chart, dots: Sequence[Dot], across_axis: Axis, upright_axis: Axis) -> str:
    """Dots with their names beside them where there is room for all, else in a key; names never touch anything."""
    shown = [(dot, x, y) for dot in dots if (x := number(dot.x)) is not None and (y := number(dot.y)) is not None]
    heights = numbers(value for dot, _, y in shown for value in (y, dot.low, dot.high))
    top = LABEL
    upright_scale = scale_for(heights, upright_axis, top + DEPTH, top)
    left = tick_room(upright_scale, upright_axis)
    across_axis, upright_axis = across_axis.settled([x for _, x, _ in shown]), upright_axis.settled(heights)
    scale = scale_for([x for _, x, _ in shown], across_axis, left + CLOSE, chart.width - CLOSE)
    told = [f"{named(dot.name)}: {across_axis.shown(x)}; {upright_axis.shown(y)}" for dot, x, y in shown]
    placed = [_placed(n, dot, scale.at(x), upright_scale) for n, (dot, x, _) in enumerate(shown)]
    bottom = top + DEPTH
    names, keyed = _names(placed, [named(dot.name) for dot, _, _ in shown], left, chart.width, (top, bottom))
    legend, height = key(
        [dot.name for dot, _, _ in shown] if keyed else [],
        chart.width,
        bottom + 2 * LINE + 8,
        marks=True,
        series=[dot.n for dot in placed],
    )
    drawn = [
        *upright(upright_scale, upright_axis, left, chart.width),
        *across(scale, across_axis, top, bottom, chart.width),
        *(part for dot, said in zip(placed, told, strict=True) for part in _dot(dot, said)),
        *([] if keyed else names),
        *legend,
    ]
    return svg(chart, bottom + 2 * LINE + 6 + height, drawn, told)


def _placed(place: int, dot: Dot, x: float, scale: Scale) -> _Placed:
    ends = [scale.at(value) for value in numbers((dot.high, dot.y, dot.low))]
    n = place if dot.series is None else dot.series
    return _Placed(n, x, scale.at(dot.y or 0.0), min(ends), max(ends))


def _dot(dot: _Placed, told: str) -> list[str]:
    whisker = line(f"plot-whisker {colour(dot.n)}", dot.x, dot.top, dot.x, dot.bottom) if dot.bottom > dot.top else ""
    return [whisker, mark(dot.n, dot.x, dot.y, told, 5)]


def _names(
    dots: Sequence[_Placed], names: Sequence[str], left: float, right: float, ends: tuple[float, float]
) -> tuple[list[str], bool]:
    """A name beside each dot, and whether there was no room for one of them."""
    taken = [dot.room for dot in dots]
    drawn = []
    for dot, name in zip(dots, names, strict=True):
        words = fitted(name, NAME)
        found = next((place for place in _places(dot, width_of(words)) if _free(place, taken, left, right, ends)), None)
        if found is None:
            return [], True
        taken.append(found)
        drawn.append(text("plot-name", found.left, found.bottom - 4, words))
    return drawn, False


def _places(dot: _Placed, width: float) -> list[_Room]:
    """Where a name may stand, the best first: right, left, over, under."""
    beside, over, under = dot.y - SIZE * 0.65, dot.top - GAP - LINE, dot.bottom + GAP
    return [
        _Room(dot.x + CLOSE, beside, dot.x + CLOSE + width, beside + LINE),
        _Room(dot.x - CLOSE - width, beside, dot.x - CLOSE, beside + LINE),
        _Room(dot.x - width / 2, over, dot.x + width / 2, over + LINE),
        _Room(dot.x - width / 2, under, dot.x + width / 2, under + LINE),
    ]


def _free(room: _Room, taken: Sequence[_Room], left: float, right: float, ends: tuple[float, float]) -> bool:
    inside = left < room.left and room.right < right and ends[0] - 2 <= room.top and room.bottom <= ends[1]
    return inside and not any(room.touches(other) for other in taken)
