"""What stands in the cells of a sheet, row by row?

The XML of the sheet is read as a stream (ECMA-376, part 1, 18.3); what it refers to, texts and number formats, openpyxl has
read. openpyxl's own stream takes several times as long, and does not tell a formula that nobody has worked out from an empty
cell.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from ankare.errors import FactFileError
from ankare.ingest.figures.cells import Cell, ErrorValue, Missing, Percent, Row, column_of
from ankare.messages.remarks import remark

MAX_CELLS = 20_000_000
"""A sheet whose few cells stand far apart would fill the memory with what lies between them."""

_DIGITS = "0123456789"
_LITERAL = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')


def sheet_rows(book: Any, sheet: Any) -> Iterator[Row]:
    """The rows of a sheet that are there, empty ones too. Raises FactFileError, and what lxml raises for broken XML."""
    from lxml import etree

    styles = _Styles(book)
    number = passed = 0
    with book._archive.open(sheet._worksheet_path) as stream:
        for _event, node in etree.iterparse(stream, events=("end",), tag="{*}row", resolve_entities=False):
            number = int(node.get("r", number + 1))
            cells = _cells(node, sheet._shared_strings, styles)
            passed += len(cells)
            if passed > MAX_CELLS:
                raise FactFileError(remark("cells_far_apart", sheet=sheet.title), remark("do_delete_far"))
            yield number, cells
            _forget(node)


def _cells(row: Any, texts: Any, styles: _Styles) -> list[Cell]:
    cells: list[Cell] = []
    for cell in row.iterchildren("{*}c"):
        column = _column(cell.get("r", "").rstrip(_DIGITS))
        at = len(cells) if column is None else column
        if at >= len(cells):
            cells.extend([None] * (at + 1 - len(cells)))
        cells[at] = _value(cell, texts, styles)
    return cells


def _value(cell: Any, texts: Any, styles: _Styles) -> Cell:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return _text(_inline(cell))
    value: str | None = None
    formula = False
    for part in cell.iterchildren("{*}v", "{*}f"):
        if part.tag.endswith("}f"):
            formula = True
        else:
            value = part.text
    if not value:
        return Missing.CACHED if formula and kind != "str" else None
    if kind == "n":
        return styles.number(value, cell.get("s", "0"))
    if kind == "s":
        return _text(texts[int(value)])
    if kind == "e":
        return ErrorValue(value)
    if kind == "b":
        return value.strip() not in ("0", "false")
    return _iso_date(value) if kind == "d" else _text(value)


def _text(text: str) -> str | None:
    return text if text and not text.isspace() else None


def _inline(cell: Any) -> str:
    """The text of a cell that holds it itself, without the reading aids of East Asian scripts."""
    parts = [part for part in cell.iter("{*}t") if not part.getparent().tag.endswith("}rPh")]
    return "".join(part.text or "" for part in parts)


def _iso_date(text: str) -> Cell:
    from openpyxl.utils.datetime import from_ISO8601

    found: Cell = from_ISO8601(text)
    return found


class _Styles:
    """What the number format of a style makes of a number: a date, a percent, or nothing else."""

    def __init__(self, book: Any) -> None:
        self._book = book
        self._percents: dict[str, bool] = {}

    def number(self, text: str, style: str) -> Cell:
        number = int(text) if text.lstrip("-").isdigit() else float(text)
        if int(style) in self._book._date_formats:
            return self._date(number, int(style))
        if style not in self._percents:
            self._percents[style] = _scales(self._format(int(style)))
        return Percent(number) if self._percents[style] else number

    def _date(self, number: int | float, style: int) -> Cell:
        from openpyxl.utils.datetime import from_excel

        try:
            found: datetime.date = from_excel(
                number, self._book.epoch, timedelta=style in self._book._timedelta_formats
            )
        except (OverflowError, ValueError):
            return ErrorValue("#VALUE!")
        return found

    def _format(self, style: int) -> str:
        from openpyxl.styles.numbers import BUILTIN_FORMATS, BUILTIN_FORMATS_MAX_SIZE

        number = self._book._cell_styles[style].numFmtId
        if number < BUILTIN_FORMATS_MAX_SIZE:
            return str(BUILTIN_FORMATS.get(number, ""))
        return str(self._book._number_formats[number - BUILTIN_FORMATS_MAX_SIZE])


@cache
def _scales(number_format: str) -> bool:
    """Does this format show 0.12 as 12 %? A percent sign in quotes or after a backslash only stands there."""
    return "%" in _LITERAL.sub("", number_format)


@cache
def _column(letters: str) -> int | None:
    return column_of(letters.replace("$", ""))


def _forget(node: Any) -> None:
    """Free what has been read of the sheet."""
    node.clear()
    while node.getprevious() is not None:
        del node.getparent()[0]
