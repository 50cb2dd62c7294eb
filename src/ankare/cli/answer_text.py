"""How is an answer's Markdown shown in a terminal, so that no word of it is lost?

Rich's own tables shorten a word that is wider than its column ("Projektleda…"). An answer is word for word, so here a column
is as wide as its longest word; a table that has no room for that is shown row by row, each cell on a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Markdown, MarkdownElement, TableElement
from rich.table import Table
from rich.text import Text

BETWEEN = 3
"""Cells that a column takes beside its text."""
Row = list[Text]


class WholeTable(TableElement):
    """A table of an answer, every cell of it whole."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The table, its columns as wide as their words need, or its rows one by one."""
        head = [cell.content for cell in self.header.row.cells] if self.header and self.header.row else []
        rows = [[cell.content for cell in row.cells] for row in self.body.rows] if self.body else []
        needed = [max(map(_longest_word, column)) for column in zip(head, *rows, strict=True)]
        if sum(needed) + BETWEEN * len(needed) <= options.max_width:
            yield _side_by_side(head, rows, needed)
        else:
            yield from _row_by_row(head, rows)


class AnswerText(Markdown):
    """The Markdown of an answer. Lines are broken, nothing is left out."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**Markdown.elements, "table_open": WholeTable}


def _side_by_side(head: Row, rows: list[Row], widths: list[int]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name, width in zip(head, widths, strict=True):
        table.add_column(name, overflow="fold", min_width=width)
    for row in rows:
        table.add_row(*row)
    return table


def _row_by_row(head: Row, rows: list[Row]) -> Iterator[Table | Text]:
    for row in rows:
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(style="bold", overflow="fold", max_width=24)
        table.add_column(overflow="fold")
        for name, cell in zip(head, row, strict=True):
            if cell.plain:
                table.add_row(name, cell)
        yield table
        yield Text()


def _longest_word(text: Text) -> int:
    return max(map(cell_len, text.plain.split()), default=1)
