"""Which tables does a workbook hold, and what stands in their cells?

Hidden sheets are left out and told; hidden rows and columns are read like others, and told. Merged cells all
have the value that they show, marked as merged.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ankare.errors import FactFileError
from ankare.ingest.figures.cells import Cell, Merged, Row, letters
from ankare.ingest.figures.sheet_rows import sheet_rows
from ankare.ingest.sheet_parts import SheetParts, sheet_parts
from ankare.messages.remarks import remark

MAX_MERGED = 500_000


@contextmanager
def open_workbook(path: Path) -> Iterator[list[XlsxGrid]]:
    """The sheets of a workbook, hidden ones too, while it is open. Raises FactFileError for a damaged one."""
    import openpyxl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl tells of parts that carry no figures
        try:
            book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        except Exception as error:  # the library raises whatever the broken XML leads it to
            raise FactFileError(remark("workbook_damaged", error=repr(error)), remark("do_resave")) from error
        try:
            yield [XlsxGrid(sheet.title, book, sheet, sheet.sheet_state != "visible") for sheet in book.worksheets]
        finally:
            book.close()


@dataclass(slots=True)
class XlsxGrid:
    """A sheet as a table. `notes`: what its owner should know, `parts`: what is hidden, once it has been read."""

    name: str
    book: Any = field(repr=False)
    sheet: Any = field(repr=False)
    hidden: bool = False
    notes: list[str] = field(default_factory=list)
    parts: SheetParts = field(default_factory=SheetParts)

    def rows(self) -> Iterator[Row]:
        """The rows that hold something. Raises FactFileError for a sheet that cannot be read to its end."""
        try:
            parts = self.parts = sheet_parts(self.book, self.sheet)
            if parts.hidden_rows or parts.hidden_columns:
                self.notes.append(remark("hidden_parts_read", sheet=self.name))
            rows = sheet_rows(self.book, self.sheet)
            for number, cells in self._with_merged(rows, parts) if parts.merged else rows:
                if any(cell is not None for cell in cells):
                    yield number, cells
        except (FactFileError, GeneratorExit, MemoryError):
            raise
        except Exception as error:
            damaged = remark("sheet_damaged", sheet=self.name, error=repr(error))
            raise FactFileError(damaged, remark("do_resave")) from error

    def place(self, row: int, column: int) -> str:
        """A cell: "Blad1!C7"."""
        return f"{self.name}!{letters(column)}{row}"

    def _with_merged(self, rows: Iterator[Row], parts: SheetParts) -> Iterator[Row]:
        merged = self._merged(parts)
        values: dict[str, Cell] = {}
        by_row: dict[int, list[int]] = {}
        for row, column in merged:
            by_row.setdefault(row, []).append(column)
        for number, cells in rows:
            shown = list(cells)
            for column in sorted(by_row.pop(number, ())):
                shown.extend([None] * (column - len(shown)))
                name = merged[number, column]
                value = values.setdefault(name, shown[column - 1])
                shown[column - 1] = None if value is None else Merged(value, name)
            yield number, shown

    def _merged(self, parts: SheetParts) -> dict[tuple[int, int], str]:
        """Merged cells (row, column, from 1) to the name of their range; the first cell of a range has its value."""
        merged: dict[tuple[int, int], str] = {}
        for area in parts.merged:
            rows = range(area.first_row, area.last_row + 1)
            columns = range(area.first_column, area.last_column + 1)
            if len(merged) + len(rows) * len(columns) > MAX_MERGED:
                raise FactFileError(remark("sheet_merged", sheet=self.name, most=MAX_MERGED), remark("do_unmerge"))
            first, last = self.place(rows[0], columns[0] - 1), f"{letters(columns[-1] - 1)}{rows[-1]}"
            merged.update(((row, column), f"{first}:{last}") for row in rows for column in columns)
        return merged
