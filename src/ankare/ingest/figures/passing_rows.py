"""What stood in the rows around each figure of a file? Noted as the rows pass on their way to become figures.

Of a workbook, hidden rows and columns are left out, but for those in which a figure stands.
"""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Iterable, Iterator, Sequence

from ankare.domain.fact import Fact, ReviewStatus
from ankare.facts.surroundings import MAX_BYTES, NEAR, KeptRow, Shown, TableRow, figure_key
from ankare.ingest.figures.cells import Cell, ErrorValue, Grid, Merged, Missing, Percent, Row
from ankare.ingest.figures.model import Spot
from ankare.ingest.figures.xlsx_grid import XlsxGrid
from ankare.ingest.sheet_parts import SheetParts

MAX_COLUMNS = 200
MAX_SIGNS = 120
"""Of a longer text the beginning is kept."""
_SHOWN_DIGITS = 15
_PERCENT = 100


class PassingRows:
    """The rows of one file, each once, in their order; of a very large file the first ones."""

    def __init__(self) -> None:
        self._rows: list[tuple[str, int, bytes]] = []
        self._seen: set[tuple[str, int]] = set()
        self._hidden: dict[str, Grid] = {}
        self._size = 0

    def of(self, grid: Grid, rows: Iterable[Row]) -> Iterator[Row]:
        """The same rows, noted."""
        self._hidden[grid.name] = grid
        for number, cells in rows:
            self._note(grid.name, number, cells)
            yield number, cells

    def around(self, figures: Sequence[tuple[Fact, Spot]]) -> Iterator[KeptRow]:
        """The rows of the figures, those near them, and their headings; none that gave a figure which is not approved."""
        barred = {(spot.sheet, spot.row) for fact, spot in figures if fact.review_status is not ReviewStatus.APPROVED}
        held: dict[tuple[str, int], tuple[dict[str, int], tuple[int, ...]]] = {}
        for fact, spot in figures:
            found, _ = held.setdefault((spot.sheet, spot.row), ({}, spot.headings))
            if spot.column < MAX_COLUMNS:
                found[figure_key(fact)] = spot.column
        wanted = self._near(held.keys()) | {(spot.sheet, row) for _, spot in figures for row in spot.headings}
        for sheet, number, data in self._rows:
            if (sheet, number) in wanted and (sheet, number) not in barred:
                found, headings = held.get((sheet, number), ({}, ()))
                hidden = self._hidden_in(sheet)
                if found or number not in hidden.hidden_rows:
                    cells = _visible(json.loads(data), hidden.hidden_columns, set(found.values()))
                    yield KeptRow(sheet, TableRow(number, cells), found, headings)

    def _note(self, sheet: str, number: int, cells: Sequence[Cell]) -> None:
        if self._size > MAX_BYTES or (sheet, number) in self._seen:
            return
        data = json.dumps([_shown(cell) for cell in cells[:MAX_COLUMNS]]).encode("ascii")
        self._size += len(data)
        self._seen.add((sheet, number))
        self._rows.append((sheet, number, data))

    def _near(self, own: Iterable[tuple[str, int]]) -> set[tuple[str, int]]:
        """The rows that stand near those of figures, and these."""
        kept = set(own)
        marked: set[int] = set()
        for at, (sheet, number, _) in enumerate(self._rows):
            if (sheet, number) in kept:
                marked.update(range(at - NEAR, at + NEAR + 1))
        return {row[:2] for at, row in enumerate(self._rows) if at in marked}

    def _hidden_in(self, sheet: str) -> SheetParts:
        grid = self._hidden.get(sheet)
        return grid.parts if isinstance(grid, XlsxGrid) else SheetParts()


def _visible(cells: list[Shown], hidden: frozenset[int], figures: set[int]) -> tuple[Shown, ...]:
    """The cells without those of hidden columns (counted from 1), figures excepted, and without empty ones at the end."""
    shown = ["" if at + 1 in hidden and at not in figures else cell for at, cell in enumerate(cells)]
    while shown and shown[-1] == "":
        shown.pop()
    return tuple(shown)


def _shown(cell: Cell) -> Shown:
    """A cell as a reader would see it; numbers stay numbers, to be written in the reader's language."""
    if isinstance(cell, Merged):
        return _shown(cell.value)
    if cell is None or isinstance(cell, Missing):
        return ""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, Percent):
        number = _number(cell.value * _PERCENT)
        return number if isinstance(number, str) else [number]
    if isinstance(cell, int | float):
        return _number(cell)
    if isinstance(cell, datetime.date | datetime.time | datetime.timedelta):
        return str(cell)
    text = cell.code if isinstance(cell, ErrorValue) else cell
    plain = " ".join(text.split())
    return plain if len(plain) <= MAX_SIGNS else f"{plain[:MAX_SIGNS]}…"


def _number(value: int | float) -> str | int | float:
    """A number in as many digits as a spreadsheet program shows; a text where it has none."""
    if isinstance(value, int):
        return value if abs(value) < 10**_SHOWN_DIGITS else str(value)
    return float(format(value, f".{_SHOWN_DIGITS}g")) if math.isfinite(value) else str(value)
