"""How do figures that are compared look side by side? Bars or a line as SVG, drawn here and shown as they are.

Heights are rounded to a tenth of a point; the figures themselves are written out exactly beside them, and in the table that
stands with the plot. Colours come from the style sheet, so that the plot fits light and dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape as quoted

from ankare.language.numbers import format_decimal

WIDTH, DEPTH = 360.0, 186.0
LEFT, RIGHT, TOP, LINE = 52.0, 10.0, 28.0, 13.0
MOST_SERIES, MOST_PLACES = 4, 24
LINE_FROM = 6
"""From so many places on a line is drawn in place of bars."""
ROOM_FOR_VALUE = 46.0
CHAR = 6.2
"""The width of a letter, on the wide side."""


@dataclass(frozen=True, slots=True)
class Point:
    """A figure of a plot: where it stands on the axis, to which series it belongs, and how it is written."""

    place: str
    series: str
    value: Decimal
    shown: str


def plot_svg(points: Sequence[Point], *, name: str, title: str, unit: str, language: str) -> str:
    """The plot; "" where there is too little or too much to compare. `name` is unique in the document that it is shown in."""
    places = list(dict.fromkeys(point.place for point in points))
    series = list(dict.fromkeys(point.series for point in points))
    if not 2 <= len(points) <= MOST_PLACES * MOST_SERIES or len(series) > MOST_SERIES or len(places) > MOST_PLACES:
        return ""
    if len(places) < 2:  # entities of one period: each is a place of its own
        points = [Point(point.series, "", point.value, point.shown) for point in points]
        places, series = series, [""]
    axis = _Axis(points, places)
    told = quoted("; ".join(" ".join(filter(None, (p.series, f"{p.place}: {p.shown}"))) for p in points))
    drawn = _lines(points, series, axis) if len(places) >= LINE_FROM else _bars(points, series, axis)
    legend = _legend(series) if len(series) > 1 else ""
    return (
        f'<figure class="ak-plot"><svg viewBox="0 0 {WIDTH:g} {axis.height:g}" role="img" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{quoted(title)}</title><desc id="{name}-d">{told}</desc>'
        f"{''.join(_grid(axis, unit, language))}{''.join(drawn)}{''.join(_place_names(axis))}</svg>{legend}</figure>"
    )


class _Axis:
    """Turns values and places into points of the drawing."""

    def __init__(self, points: Sequence[Point], places: Sequence[str]) -> None:
        self.places = places
        low, high = min(0.0, *(float(p.value) for p in points)), max(0.0, *(float(p.value) for p in points))
        self.step = nice_step((high - low) or 1.0)
        self.low = math.floor(low / self.step) * self.step
        self.high = max(math.ceil(high / self.step) * self.step, self.low + self.step)
        self.slot = (WIDTH - LEFT - RIGHT) / len(places)
        self.every = math.ceil(54 / self.slot)
        self.names = [_broken(place, self.slot * self.every) for place in places[:: self.every]]
        self.height = DEPTH + LINE * max(map(len, self.names)) + 6

    def y(self, value: float) -> float:
        """From the top."""
        return TOP + (self.high - value) / (self.high - self.low) * (DEPTH - TOP)

    def x(self, place: str) -> float:
        """The middle of a place."""
        return LEFT + self.slot * (self.places.index(place) + 0.5)

    def ticks(self) -> list[float]:
        """The values with a line across."""
        return [self.low + self.step * n for n in range(round((self.high - self.low) / self.step) + 1)]


def nice_step(span: float) -> float:
    """A round distance between lines, so that at most five of them cover the span."""
    power = 10.0 ** math.floor(math.log10(span / 4))
    return next((power * n for n in (1, 2, 2.5, 5) if power * n >= span / 4), power * 10)


def decimals(step: float) -> int:
    """How many decimals the multiples of a step need."""
    return next((n for n in range(12) if abs(round(step, n) - step) < step / 1000), 12)


def _grid(axis: _Axis, unit: str, language: str) -> Iterator[str]:
    yield f'<text class="ak-unit" x="0" y="{LINE - 3:g}">{quoted(unit)}</text>'
    places = decimals(axis.step)
    for tick in axis.ticks():
        y = axis.y(tick)
        kind = "ak-zero" if abs(tick) < axis.step / 2 else "ak-grid"
        number = format_decimal(Decimal(f"{tick:.{places}f}"), language)
        yield f'<line class="{kind}" x1="{LEFT:g}" x2="{WIDTH - RIGHT:g}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text class="ak-tick" x="{LEFT - 6:g}" y="{y + 4:.1f}" text-anchor="end">{quoted(number)}</text>'


def _bars(points: Sequence[Point], series: Sequence[str], axis: _Axis) -> Iterator[str]:
    width = min(64.0, axis.slot * 0.72 / len(series))
    for point in points:
        number = series.index(point.series)
        left = axis.x(point.place) + (number - len(series) / 2) * width
        zero, tip = axis.y(0.0), axis.y(float(point.value))
        height = max(abs(zero - tip), 0.8)
        yield (
            f'<rect class="ak-bar ak-s{number}" x="{left + 1:.1f}" y="{min(zero, tip):.1f}" '
            f'width="{width - 2:.1f}" height="{height:.1f}" rx="1.5"/>'
        )
        if len(series) == 1 or width > ROOM_FOR_VALUE:
            y = tip - 5 if point.value >= 0 else tip + LINE
            yield _text("ak-value", left + width / 2, y, _figure_of(point.shown))


def _figure_of(shown: str) -> str:
    """The number of a quantity without its unit, which the axis tells."""
    kept = [part for part in shown.split("\u00a0") if any(character.isdigit() for character in part)]
    return "\u00a0".join(kept)


def _lines(points: Sequence[Point], series: Sequence[str], axis: _Axis) -> Iterator[str]:
    for number, one in enumerate(series):
        mine = [point for point in points if point.series == one]
        at = [(axis.x(point.place), axis.y(float(point.value))) for point in mine]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        yield f'<polyline class="ak-line ak-s{number}" points="{path}"/>'
        yield from (f'<circle class="ak-dot ak-s{number}" cx="{x:.1f}" cy="{y:.1f}" r="2.6"/>' for x, y in at)
        if len(series) == 1:
            told = {mine[0], mine[-1], max(mine, key=lambda point: point.value)}
            for point, (x, y) in zip(mine, at, strict=True):
                if point in told:
                    yield _text("ak-value", min(max(x, LEFT + 14), WIDTH - 22), y - 7, _figure_of(point.shown))


def _place_names(axis: _Axis) -> Iterator[str]:
    """The names below, broken into lines; where they stand too close only every second or third is told."""
    for place, lines in zip(axis.places[:: axis.every], axis.names, strict=True):
        for line, words in enumerate(lines, start=1):
            yield _text("ak-place", axis.x(place), DEPTH + LINE * line + 2, words)


def _broken(text: str, width: float) -> list[str]:
    """At most three lines."""
    lines: list[str] = []
    for word in text.split():
        if lines and (len(lines[-1]) + 1 + len(word)) * CHAR <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines if len(lines) <= 3 else [*lines[:2], " ".join(lines[2:])[: max(4, int(width / CHAR) - 1)] + "…"]


def _text(kind: str, x: float, y: float, words: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{quoted(words)}</text>'


def _legend(series: Sequence[str]) -> str:
    keys = "".join(f'<li><span class="ak-key ak-s{n}"></span>{quoted(name)}</li>' for n, name in enumerate(series))
    return f'<figcaption><ul class="ak-legend">{keys}</ul></figcaption>'
