"""Every drawing can be read out, holds no number that is none, and lets nothing out of its labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from ankare.plot import (
    Axis,
    Chart,
    Dot,
    Interval,
    Series,
    bars,
    columns,
    histogram,
    intervals,
    lines,
    scatter,
    stacked,
    strip,
)
from ankare.plot.letters import SIZE, width_of

CHART = Chart("c1", "Kvalitet", width=420)
Values = Sequence[float | None]
Drawing = Callable[[Sequence[str], Values, Axis], str]


def of_series(draw: Callable[..., str]) -> Drawing:
    return lambda names, values, axis: draw(
        CHART, names, [Series("Utan modell", tuple(values)), Series("Kedja", tuple(reversed(values)))], axis
    )


def of_rows(draw: Callable[..., str]) -> Drawing:
    return lambda names, values, axis: draw(CHART, [Series(name, tuple(values)) for name in names], axis)


def dots(names: Sequence[str], values: Values, axis: Axis) -> str:
    found = [Dot(name, value, value, value, value) for name, value in zip(names, values, strict=False)]
    return scatter(CHART, found, axis, axis)


def whiskers(names: Sequence[str], values: Values, axis: Axis) -> str:
    found = [Interval(name, value, value, value, group=name) for name, value in zip(names, values, strict=False)]
    return intervals(CHART, found, axis)


DRAWINGS: dict[str, Drawing] = {
    "bars": of_series(bars),
    "columns": of_series(columns),
    "lines": of_series(lines),
    "stacked": of_series(stacked),
    "histogram": of_rows(histogram),
    "strip": of_rows(strip),
    "scatter": dots,
    "intervals": whiskers,
}
NAMES = ("definition", "ansvar", "beslut och tid")
VALUES = (0.25, 0.5, 0.875)
every = pytest.mark.parametrize("draw", DRAWINGS.values(), ids=DRAWINGS)


def parsed(svg: str) -> Any:
    """The drawing as the XML that it has to be."""
    return etree.fromstring(svg.encode("utf-8"), etree.XMLParser(resolve_entities=False))


def swedish(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}".replace(".", ",")


@every
def test_a_drawing_is_named_and_told_to_who_cannot_see_it(draw: Drawing) -> None:
    svg = parsed(draw(NAMES, VALUES, Axis("andel", swedish, decimals=3)))
    title, told = svg[0], svg[1]
    assert svg.get("role") == "img"
    assert svg.get("aria-labelledby") == f"{title.get('id')} {told.get('id')}"
    assert title.text == "Kvalitet"
    assert "0,875" in (told.text or "")


@every
def test_numbers_are_written_as_their_reader_does(draw: Drawing) -> None:
    said = "".join(parsed(draw(NAMES, VALUES, Axis("andel", swedish, decimals=2))).itertext())
    assert "0,88" in said
    assert not re.search(r"\d\.\d", said)


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "]]><!--",
    "\u202egnp.exe\u2066\x00\x1b[31m",
    "\ud800 halv",
    "a" * 100_000,
    "&lt;&#0;",
    "",
)


@every
@pytest.mark.parametrize("label", HOSTILE, ids=range(len(HOSTILE)))
def test_a_label_stays_text_and_takes_no_more_than_its_room(draw: Drawing, label: str) -> None:
    svg = draw((label, "b"), (1.0, 2.0), Axis(label))
    drawn = parsed(svg)
    assert {one.tag.rsplit("}")[-1] for one in drawn.iter()} <= {
        "svg", "title", "desc", "text", "line", "rect", "path", "circle",
    }  # fmt: skip
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x1f]", svg)
    assert len(svg) < 30_000
    assert all(name not in one.attrib for one in drawn.iter() for name in ("onload", "onerror", "href", "style"))


@every
@pytest.mark.parametrize(
    "values",
    [
        (),
        (None, None),
        (float("nan"), 1.0),
        (float("inf"), float("-inf")),
        (1e308, -1e308),
        (5.0, 5.0),
        (0.0, 0.0),
        (1e-300, 0.0),
        (-3.0, 2.0),
        (1e14, 1e-9),
    ],
)
@pytest.mark.parametrize("log", [False, True])
def test_whatever_the_values_every_coordinate_is_a_number(draw: Drawing, values: Values, *, log: bool) -> None:
    svg = draw(("a", "b"), values, Axis("ms", log=log))
    parsed(svg)
    assert not re.search(r"\b(?:nan|inf|None)\b", svg, re.I)
    for x in re.findall(r'\b(?:x|y|cx|cy|x1|x2|y1|y2|width|height)="([^"]*)"', svg):
        assert -50 < float(x) < 5000


@given(
    values=st.lists(st.one_of(st.none(), st.floats(allow_nan=True, allow_infinity=True)), max_size=8),
    name=st.sampled_from(list(DRAWINGS)),
    log=st.booleans(),
)
def test_no_values_break_a_drawing(values: list[float | None], name: str, *, log: bool) -> None:
    svg = DRAWINGS[name](["ett", "två"][: max(1, len(values))], values, Axis("", log=log))
    parsed(svg)
    assert "nan" not in svg


def test_a_missing_value_is_a_gap_and_no_zero() -> None:
    whole = lines(CHART, ("a", "b", "c"), [Series("x", (1.0, 2.0, 3.0))], Axis())
    broken = lines(CHART, ("a", "b", "c"), [Series("x", (1.0, None, 3.0))], Axis())
    assert whole.count('class="plot-line') == 1
    assert broken.count('class="plot-line') == 2
    assert bars(CHART, ("a", "b"), [Series("x", (1.0, None))], Axis()).count("<rect") == 1


def test_an_interval_is_filled_only_where_it_leaves_out_zero() -> None:
    def dot(low: float, high: float) -> bool:
        return "plot-hollow" not in intervals(CHART, [Interval("x", (low + high) / 2, low, high)], Axis())

    assert [dot(0.1, 0.3), dot(-0.3, -0.1), dot(-0.1, 0.3), dot(0.0, 0.3)] == [True, True, False, False]


def test_the_parts_of_a_stack_are_as_wide_as_their_values() -> None:
    svg = parsed(stacked(CHART, ("a",), [Series("x", (10.0,)), Series("y", (30.0,))], Axis()))
    widths = [
        float(one.get("width", "")) + 1 for one in svg.iter("rect") if one.get("class", "").startswith("plot-fill")
    ]
    small, large = widths[-2:]
    assert large / small == pytest.approx(3, rel=0.02)


# --- no text lies on another

LONG = "Påståenden med hållbar källhänvisning i underlaget"
SETS: dict[str, tuple[Sequence[str], Values]] = {
    "few": (NAMES, VALUES),
    "many": ([f"2026-01-{day:02d}" for day in range(1, 32)], [float(day * 37 % 500) for day in range(31)]),
    "long": ([f"{LONG} {n}" for n in range(6)], [0.1, 0.1, 0.1, 0.9, 0.9, 0.9]),
    "large": (("ett", "två", "tre"), (123_456_789.0, 98_765_432.0, 1.0)),
    "wide": (("摘要与引用的正确性", "回答", "拒答"), (1.0, 2.0, 3.0)),
}


@every
@pytest.mark.parametrize("which", SETS)
@pytest.mark.parametrize("log", [False, True])
def test_no_text_lies_on_another(draw: Drawing, which: str, *, log: bool) -> None:
    names, values = SETS[which]
    assert overlaps(draw(names, values, Axis("millisekunder", swedish, log=log))) == []


def test_the_saboteur_is_caught() -> None:
    svg = bars(CHART, NAMES, [Series("x", VALUES)], Axis())
    doubled = re.sub(r'(<text class="plot-name"[^>]*>[^<]*</text>)', r"\1\1", svg)
    assert overlaps(doubled) != []


def overlaps(svg: str) -> list[tuple[str, str]]:
    """The texts that lie on each other, by the widths that the drawing itself goes by."""
    placed = []
    for one in parsed(svg).iter("text"):
        words, x, y = one.text or "", float(one.get("x", "")), float(one.get("y", ""))
        width = width_of(words) * 0.9  # the widths are on the wide side
        left = {"start": x, "middle": x - width / 2, "end": x - width}[one.get("text-anchor", "start")]
        placed.append((left, left + width, y - SIZE * 0.75, y, words))
    return [
        (a[4], b[4]) for a, b in combinations(placed, 2) if a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]
    ]
