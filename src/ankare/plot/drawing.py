"""What do all drawings share: the frame that is read out, axes, marks, the key to the colours, the style sheet?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from ankare.plot.letters import LINE, SIZE, fitted, named, width_of
from ankare.plot.ticks import Scale
from ankare.plot.values import Axis, Chart

COLOURS = 8
"""From the ninth on series take the colours from the start again."""
MOST_TOLD = 60
GAP = 8.0
KEY = 11.0


@cache
def style_sheet() -> str:
    """The rules for every drawing. They follow `--plot-ink`, `--plot-soft`, `--plot-line`, `--plot-paper` and `--plot-face`."""
    return (files("ankare.plot") / "plot.css").read_text(encoding="utf-8")


def svg(chart: Chart, height: float, drawn: Iterable[str], told: Sequence[str]) -> str:
    """The drawing, named by the chart's title and told by its detail or by its values."""
    shown = "; ".join(told[:MOST_TOLD]) + (" …" if len(told) > MOST_TOLD else "")
    name = "".join(letter for letter in chart.name if letter.isalnum() or letter in "-_") or "plot"
    return (
        f'<svg class="plot" viewBox="0 0 {chart.width:g} {height:.0f}" width="{chart.width:g}" height="{height:.0f}" '
        f'role="img" aria-labelledby="{name}-t {name}-d"><title id="{name}-t">{quoted(chart.title)}</title>'
        f'<desc id="{name}-d">{quoted(chart.detail) if chart.detail else escape(shown)}</desc>{"".join(drawn)}</svg>'
    )


def quoted(words: str) -> str:
    """Words from anywhere as text of the drawing."""
    return escape(named(words))


def colour(number: int) -> str:
    """The class of a series."""
    return f"plot-{number % COLOURS}"


def text(kind: str, x: float, y: float, words: str, anchor: str = "start") -> str:
    """Words at a place; `y` is where their line stands."""
    placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}"{placed}>{escape(words)}</text>' if words else ""


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """A straight line."""
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def box(kind: str, x: float, y: float, width: float, height: float, told: str = "") -> str:
    """A rectangle; `told` is said when somebody points at it."""
    inside = f"><title>{quoted(told)}</title></rect>" if told else "/>"
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.8):.1f}" height="{max(height, 0.8):.1f}"{inside}'


def mark(number: int, x: float, y: float, told: str = "", size: float = 4.5) -> str:
    """The mark of a series: its colour and, for who cannot tell colours apart, its shape."""
    kind = f"plot-mark {colour(number)}"
    inside = f"><title>{quoted(told)}</title></path>" if told else "/>"
    r = size
    shapes = (
        f"M{-r:g} 0A{r:g} {r:g} 0 1 1 {r:g} 0A{r:g} {r:g} 0 1 1 {-r:g} 0Z",
        f"M{-r * 0.9:g} {-r * 0.9:g}H{r * 0.9:g}V{r * 0.9:g}H{-r * 0.9:g}Z",
        f"M0 {-r * 1.2:g}L{r * 1.1:g} {r * 0.8:g}H{-r * 1.1:g}Z",
        f"M0 {-r * 1.3:g}L{r * 1.3:g} 0L0 {r * 1.3:g}L{-r * 1.3:g} 0Z",
    )
    return f'<path class="{kind}" transform="translate({x:.1f} {y:.1f})" d="{shapes[number % len(shapes)]}"{inside}'


def across(scale: Scale, axis: Axis, top: float, bottom: float, right: float) -> Iterator[str]:
    """The axis below: upright lines, their numbers, and the label on the line under them. Takes 2 lines of
    height; nothing stands beyond `right`."""
    for value, x, words in _thinned(scale, axis):
        yield line("plot-zero" if not value and not scale.log else "plot-grid", x, top, x, bottom)
        half = width_of(words) / 2
        yield text("plot-tick", max(half, min(x, right - half)), bottom + LINE, words, "middle")
    yield text("plot-label", right, bottom + 2 * LINE, fitted(named(axis.label), right), "end")


def upright(scale: Scale, axis: Axis, left: float, right: float, top: float = 0.0) -> Iterator[str]:
    """The axis at the left: level lines with their numbers before them, and the label over them, from `top` on."""
    for value, places in scale.ticks:
        y = scale.at(value)
        yield line("plot-zero" if not value and not scale.log else "plot-grid", left, y, right, y)
        yield text("plot-tick", left - GAP, y + SIZE * 0.35, axis.write(value, places), "end")
    yield text("plot-label", 0, top + SIZE, fitted(named(axis.label), right))


def tick_room(scale: Scale, axis: Axis) -> float:
    """How much the numbers of an upright axis take."""
    return max((width_of(axis.write(value, places)) for value, places in scale.ticks), default=0.0) + GAP


def key(
    names: Sequence[str], width: float, top: float, *, marks: bool = False, series: Sequence[int] = ()
) -> tuple[list[str], float]:
    """Which colour is which, in as many lines as it takes, and the height of them; nothing for a single name. `series`: whose
    colours they are, by default those of their places."""
    if len(names) < 2:
        return [], 0.0
    drawn, x, y = [], 0.0, top
    for number, name in zip(series or range(len(names)), names, strict=True):
        words = fitted(named(name), width - KEY - 6)
        if x and x + KEY + 6 + width_of(words) > width:
            x, y = 0.0, y + LINE + 2
        middle = y + LINE / 2
        shape = (
            mark(number, x + KEY / 2, middle) if marks else box(f"plot-fill {colour(number)}", x, middle - 5, KEY, 10)
        )
        drawn += [shape, text("plot-key", x + KEY + 6, middle + SIZE * 0.35, words)]
        x += KEY + 6 + width_of(words) + 16
    return drawn, y - top + LINE + 8


def _thinned(scale: Scale, axis: Axis) -> list[tuple[float, float, str]]:
    """Ticks whose numbers do not touch."""
    kept: list[tuple[float, float, str]] = []
    free = float("-inf")
    for value, places in scale.ticks:
        words = axis.write(value, places)
        x, half = scale.at(value), width_of(words) / 2
        if x - half >= free:
            kept.append((value, x, words))
            free = x + half + GAP / 2
    return kept
