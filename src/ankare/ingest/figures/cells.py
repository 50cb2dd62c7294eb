"""What stands in a cell of a table, whatever file it lies in, and how is a cell named?"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeAlias

from ankare.ingest.sheet_parts import LAST_COLUMN
from ankare.messages.remarks import remark


class Missing(Enum):
    """What a cell lacks. Its value is the code of the remark that says it."""

    CACHED = "formula_uncached"
    UNIT = "unit_missing_report"


@dataclass(frozen=True, slots=True)
class Percent:
    """A number that its cell shows as a percent: 0.12 is 12 %."""

    value: int | float


@dataclass(frozen=True, slots=True)
class ErrorValue:
    """What a formula gives that cannot be worked out: `#REF!`."""

    code: str


@dataclass(frozen=True, slots=True)
class Merged:
    """A cell that is merged with others: the value that all of them show, and which they are."""

    value: Cell
    cells: str


Cell: TypeAlias = "str | int | float | bool | datetime.date | datetime.time | datetime.timedelta | Percent | ErrorValue | Merged | Missing | None"  # noqa: E501
Row: TypeAlias = "tuple[int, Sequence[Cell]]"
"""The number of a row, from 1, and its cells from the first column on."""


class Grid(Protocol):
    """A table as it lies in its file."""

    @property
    def name(self) -> str:
        """The sheet, empty for a file that is one table."""

    def rows(self) -> Iterator[Row]:
        """The rows that hold something, from the top. Raises FactFileError where the file cannot be read on."""

    def place(self, row: int, column: int) -> str:
        """How a cell is named as a source: row from 1, column from 0."""


def text_of(cell: Cell) -> str:
    """A cell as a name or a code, white space as one space; empty for an empty cell. Raises ValueError with the reason for a
    cell that holds no text or number."""
    if isinstance(cell, str):
        return " ".join(cell.split())
    if cell is None:
        return ""
    if isinstance(cell, Merged):
        return text_of(cell.value)
    if isinstance(cell, bool | Percent | ErrorValue | Missing | datetime.date | datetime.time | datetime.timedelta):
        raise ValueError(reason(cell))
    return str(int(cell)) if isinstance(cell, int) or cell.is_integer() else repr(cell)


def reason(cell: Cell) -> str:
    """Why a cell is neither a text nor a number: a remark."""
    if isinstance(cell, Missing):
        return remark(cell.value)
    if isinstance(cell, ErrorValue):
        return remark("error_value", code=cell.code)
    if isinstance(cell, bool):
        return remark("a_boolean", text=str(cell).upper())
    if isinstance(cell, Percent):
        return remark("a_percent")
    if isinstance(cell, Merged):
        return remark("merged", cells=cell.cells)
    return remark("a_date", text=str(cell))


def letters(column: int) -> str:
    """The letters of a column: 0 is A, 26 is AA."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def column_of(name: str) -> int | None:
    """The column that letters name, from 0; None for what names none."""
    if not name.isascii() or not name.isalpha() or len(name) > len("XFD"):
        return None
    column = 0
    for letter in name.upper():
        column = column * 26 + ord(letter) - 64
    return column - 1 if column <= LAST_COLUMN else None
