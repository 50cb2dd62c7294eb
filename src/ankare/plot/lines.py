"""How do values change from one place to the next, such as over time?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ankare.plot.bars import DEPTH, LABEL, names_below
from ankare.plot.drawing import GAP, colour, key, mark, svg, tick_room, upright
from ankare.plot.letters import named
from ankare.plot.ticks import scale_for
from ankare.plot.values import Axis, Chart, Series, all_numbers, of_place

MOST_MARKS = 40
"""With more places only the ends of a stretch and lone values have a mark."""

Point = tuple[float, float]


def lines(chart: Chart, places: Sequence[str], series: Sequence[Series], axis: Axis) -> str:
    """One line per series over places at equal distances; a missing value is a gap. A linear axis holds zero."""
    values = all_numbers(series, len(places))
    axis = axis.settled(values)
    legend, height = key([one.name for one in series], chart.width, 0, marks=True)
    top = height + (LABEL if axis.label else GAP)
    scale = scale_for(values, axis, top + DEPTH, top, zero=True)
    left = tick_room(scale, axis)
    slot = (chart.width - left) / max(len(places), 1)
    drawn: list[str] = []
    told: list[str] = []
    for n, one in enumerate(series):
        for stretch in _stretches(one, places):
            at = [(left + slot * (place + 0.5), scale.at(value)) for place, value in stretch]
            said = [f"{named(one.name)}, {named(places[place])}: {axis.shown(value)}" for place, value in stretch]
            told += said
            drawn += _stretch(n, at, said, marks=len(places) <= MOST_MARKS)
    below, room = names_below([named(place) for place in places], left, slot, top + DEPTH)
    grid = upright(scale, axis, left, chart.width, height)
    return svg(chart, top + DEPTH + room, [*legend, *grid, *drawn, *below], told)


def _stretches(series: Series, places: Sequence[str]) -> Iterator[list[tuple[int, float]]]:
    """Values without a gap between them."""
    stretch: list[tuple[int, float]] = []
    for place in range(len(places)):
        value = of_place(series, place)
        if value is None:
            if stretch:
                yield stretch
            stretch = []
        else:
            stretch.append((place, value))
    if stretch:
        yield stretch


def _stretch(n: int, at: Sequence[Point], said: Sequence[str], *, marks: bool) -> Iterator[str]:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in at)
    yield f'<path class="plot-line {colour(n)}" d="M{path}"/>'
    for place, (x, y) in enumerate(at):
        if marks or place in (0, len(at) - 1):
            yield mark(n, x, y, said[place], 3.4)
