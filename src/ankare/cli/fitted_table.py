"""How does a table stand in a terminal so that nothing of it is cut off?

As a table where each column has room for its numbers and its longest word; else row by row, with a line for each column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ankare.cli.shown import shown

if TYPE_CHECKING:
    from rich.console import RenderableType

GAP = 2
"""Signs between two columns."""
LONG_WORD = 20
"""Signs of a word that a column has at least room for; a longer one goes on in the next line."""
NARROW = 16
"""Signs that a column of texts has at least, where it holds any that are as long: a ribbon of single words is not read."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of texts under a head, with as many cells each as the head. `numbers`: the columns that stand to the right."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[bool, ...]


def fitted(grid: Grid, width: int) -> Iterator[RenderableType]:
    """What shows all of a grid in so many signs: a table, or its rows one by one where the table would not fit."""
    from rich.text import Text

    if grid.title:
        yield Text(f"\n{shown(grid.title)}", style="italic")
    widths = column_widths(grid, width)
    yield from _table(grid, widths) if widths else _stacked(grid)


def column_widths(grid: Grid, width: int) -> tuple[int, ...]:
    """The width of each column, so that all of them and what lies between fit; empty where they cannot."""
    room = width - GAP * (len(grid.head) - 1)
    columns = [[row[place] for row in grid.rows] for place in range(len(grid.head))]
    wanted = [_longest((name, *cells)) for name, cells in zip(grid.head, columns, strict=True)]
    least = [
        max(_longest_word([name]), _longest(cells) if number else _least_of_texts(cells))
        for name, cells, number in zip(grid.head, columns, grid.numbers, strict=True)
    ]
    if sum(least) > room:
        return ()
    spare, missing = room - sum(least), sum(wanted) - sum(least)
    given = [
        spare * (most - few) // missing if missing > spare else most - few
        for few, most in zip(least, wanted, strict=True)
    ]
    return tuple(few + more for few, more in zip(least, given, strict=True))


def _least_of_texts(cells: Sequence[str]) -> int:
    return max(min(_longest_word(cells), LONG_WORD), min(_longest(cells), NARROW))


def _longest(cells: Sequence[str]) -> int:
    from rich.cells import cell_len

    return max(map(cell_len, cells), default=0)


def _longest_word(cells: Sequence[str]) -> int:
    return _longest([word for cell in cells for word in cell.split()])


def _table(grid: Grid, widths: Sequence[int]) -> Iterator[RenderableType]:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    told = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for name, number, wide in zip(grid.head, grid.numbers, widths, strict=True):
        told.add_column(
            Text(shown(name)), justify="right" if number else "left", overflow="fold", width=wide, vertical="top"
        )
    for row in grid.rows:
        told.add_row(*(Text(shown(cell), no_wrap=number) for cell, number in zip(row, grid.numbers, strict=True)))
    yield told


def _stacked(grid: Grid) -> Iterator[RenderableType]:
    from rich.padding import Padding
    from rich.text import Text

    for first, *others in grid.rows:
        yield Text(shown(f"{grid.head[0]}: {first}"), style="bold")
        for name, cell in zip(grid.head[1:], others, strict=True):
            if cell:
                yield Padding(Text(shown(f"{name}: {cell}")), (0, 0, 0, GAP), expand=False)
