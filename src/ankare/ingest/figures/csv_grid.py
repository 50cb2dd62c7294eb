"""Which rows does a CSV file hold, and what makes it unreadable?

UTF-8 with or without a mark at its start; commas, semicolons or tabs, whichever the first line is divided by. A row is
named by the line of the file on which it begins, whatever line breaks stand inside quotes.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ankare.errors import FactFileError
from ankare.ingest.facts import names_fact_columns
from ankare.ingest.figures.cells import Row, letters
from ankare.messages.remarks import remark

DELIMITERS = ";\t,"
_LOOKED_AT = 50
_TELLS_DELIMITER = re.compile(r"sep=([,;\t])[ \t,;]*(?:\r\n|\r|\n)", re.IGNORECASE)
"""A first line that some programs write and read."""


@dataclass(frozen=True, slots=True)
class CsvGrid:
    """A CSV file as a table. `by_cell`: a place is a cell ("C12"), else a row ("row 12")."""

    text: str
    delimiter: str
    by_cell: bool = False
    name: str = ""

    def rows(self) -> Iterator[Row]:
        """The rows that hold something. Raises FactFileError for broken quotes, with the row."""
        stream = io.StringIO(self.text, newline="")
        if told := _TELLS_DELIMITER.match(self.text):
            stream.seek(told.end())
        skipped = 1 if told else 0
        reader = csv.reader(stream, delimiter=self.delimiter, strict=True)
        line = 1 + skipped
        try:
            for cells in reader:
                values = [None if not cell or cell.isspace() else cell for cell in cells]
                if any(values):
                    yield line, values
                line = reader.line_num + 1 + skipped
        except csv.Error as error:
            broken = remark("csv_broken", row=str(line), error=str(error))
            raise FactFileError(broken, remark("do_quotes")) from error

    def place(self, row: int, column: int) -> str:
        """A row, or a cell."""
        return f"{letters(column)}{row}" if self.by_cell else f"row {row}"


def open_csv(data: bytes, *, by_cell: bool = False) -> CsvGrid:
    """The table in these bytes. Raises FactFileError for what is not UTF-8 text."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FactFileError(remark("csv_utf16"), remark("do_csv_utf8"))
    if (at := data.find(b"\0")) >= 0:
        raise FactFileError(remark("csv_nul", row=_line(data, at)), remark("do_csv_again"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        wrong = remark("csv_not_utf8", row=_line(data, error.start), byte=f"{data[error.start]:02X}")
        raise FactFileError(wrong, remark("do_csv_utf8")) from error
    return CsvGrid(text, _delimiter(text), by_cell)


def _line(data: bytes, at: int) -> str:
    return str(data.count(b"\n", 0, at) + 1)


def _delimiter(text: str) -> str:
    """The one that makes the first line name the fact columns, else the one that divides most lines into equally many cells."""
    if told := _TELLS_DELIMITER.match(text):
        return told[1]
    first = {delimiter: _first_rows(text, delimiter) for delimiter in DELIMITERS}
    for delimiter, rows in first.items():
        if rows and names_fact_columns(rows[0]):
            return delimiter
    # Of equals the first, the comma last, because it also stands in numbers.
    return max(DELIMITERS, key=lambda delimiter: _regular([len(row) for row in first[delimiter]]))


def _first_rows(text: str, delimiter: str) -> list[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        return list(islice((cells for cells in reader if any(cells)), _LOOKED_AT))
    except csv.Error:
        return []


def _regular(widths: list[int]) -> int:
    """How many lines have the most usual number of cells, where that is more than one."""
    usual = max(widths, key=lambda width: (widths.count(width), width), default=1)
    return widths.count(usual) if usual > 1 else 0
