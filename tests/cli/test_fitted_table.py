"""Nothing of a table is cut off, however narrow the terminal."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from ankare.cli.fitted_table import GAP, LONG_WORD, Grid, column_widths, fitted

KINDS = Grid(
    "Väg in",
    ("Väg in", "Frågor", "Besvarade", "Utan svar", "Motfrågor", "Fel", "Besvarade\u00a0%"),
    (
        ("webbsidan", "1\u00a0200", "1\u00a0200", "0", "0", "0", "100\u00a0%"),
        ("förvaltningsgemensamma-intranätet", "7", "7", "0", "0", "0", "100\u00a0%"),
    ),
    (False, *[True] * 6),
)
LISTED = Grid(
    "", ("Tid", "Kommentar"), (("2026-01-01 10:00", "Sista steget saknas i svaret om beställning."),), (False,) * 2
)


def shown(grid: Grid, width: int) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width)
    for part in fitted(grid, width):
        console.print(part)
    return out.getvalue()


def lost(grid: Grid, told: str) -> list[str]:
    """What of a grid does not stand in what is shown: whole numbers, and every word that a line has room for."""
    words = told.replace("\u00a0", " ").split()
    lines = [" ".join(line.split()) for line in told.replace("\u00a0", " ").splitlines()]
    wanted = [word for cell in (*grid.head, *(cell for row in grid.rows for cell in row)) for word in cell.split()]
    missing = [word for word in wanted if len(word) <= LONG_WORD and not any(word in one for one in words)]
    numbers = [cell for row in grid.rows for cell, number in zip(row, grid.numbers, strict=True) if number]
    return missing + [one for one in numbers if not any(one.replace("\u00a0", " ") in line for line in lines)]


@pytest.mark.parametrize("width", [30, 40, 60, 80, 120])
@pytest.mark.parametrize("grid", [KINDS, LISTED])
def test_every_word_and_number_stands_there_and_no_line_is_too_long(grid: Grid, width: int) -> None:
    told = shown(grid, width)
    assert lost(grid, told) == []
    assert max(map(cell_len, told.splitlines())) <= width


def test_a_table_that_does_not_fit_becomes_rows() -> None:
    assert column_widths(KINDS, 60) == ()
    assert "  Besvarade %: 100 %" in shown(KINDS, 60).replace("\u00a0", " ")
    assert column_widths(KINDS, 120)


def test_a_table_as_rich_squeezes_it_would_be_noticed() -> None:
    """What this was written for: rich cuts off where columns do not fit."""
    out = io.StringIO()
    told = Table()
    for name, number in zip(KINDS.head, KINDS.numbers, strict=True):
        told.add_column(name, justify="right" if number else "left")
    for row in KINDS.rows:
        told.add_row(*row)
    Console(file=out, width=60).print(told)
    assert lost(KINDS, out.getvalue())


texts = st.text("abcåäö123 中文\u00a0%", max_size=30)


@given(
    st.integers(1, 5).flatmap(
        lambda n: st.tuples(
            st.lists(texts, min_size=n, max_size=n),
            st.lists(st.booleans(), min_size=n, max_size=n),
            st.lists(st.lists(texts, min_size=n, max_size=n), max_size=4),
        )
    ),
    st.integers(10, 150),
)
def test_widths_always_fit_and_hold_numbers_whole(
    made: tuple[list[str], list[bool], list[list[str]]], width: int
) -> None:
    head, numbers, rows = made
    widths = column_widths(Grid("", tuple(head), tuple(map(tuple, rows)), tuple(numbers)), width)
    if widths:
        assert sum(widths) + GAP * (len(head) - 1) <= width
        for place, number in enumerate(numbers):
            assert not number or all(cell_len(row[place]) <= widths[place] for row in rows)
