"""What stands in a workbook, as text? A sheet is a page with its name as heading, a row one line of cells.

Hidden sheets, rows and columns are left out and reported.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ankare.domain.document import BlockKind, Extraction
from ankare.errors import DocumentError
from ankare.ingest.blocks import BlockList, clean
from ankare.ingest.sheet_parts import LAST_ROW, SheetParts, hidden_parts
from ankare.messages.remarks import remark

MAX_ROWS = 200_000
MAX_CELLS = 20_000_000
"""A sheet whose few cells stand far apart makes any reader go through all that lies between them."""


def read_xlsx(path: Path) -> Extraction:
    """Read an XLSX file. Raises DocumentError for more than `MAX_ROWS` rows, and what openpyxl raises for a broken one."""
    import openpyxl

    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    try:
        found = BlockList()
        warnings: list[str] = []
        sheets = book.worksheets
        rows = 0
        for number, sheet in enumerate(sheets, 1):
            found.page = number
            if sheet.sheet_state != "visible":
                warnings.append(remark("sheet_hidden", sheet=sheet.title))
                found.leave_out(number)
                continue
            hidden = hidden_parts(book, sheet)
            if hidden.hidden_rows or hidden.hidden_columns:
                warnings.append(remark("hidden_parts_out", sheet=sheet.title))
            rows += _read_sheet(sheet, hidden, found, MAX_ROWS - rows)
        title = clean(book.properties.title or "") or path.stem
        return found.extraction("xlsx", title, pages=len(sheets), warnings=tuple(warnings))
    finally:
        book.close()


def _read_sheet(sheet: Any, hidden: SheetParts, found: BlockList, limit: int) -> int:
    """Read a sheet; an empty row ends a table, and the next one has a header of its own. Gives how many rows it took."""
    found.add(BlockKind.HEADING, sheet.title, level=1)
    sheet.reset_dimensions()
    group = 0
    filled, passed = 0, 0
    for number, cells in enumerate(sheet.iter_rows(), 1):
        passed += len(cells)
        if passed > MAX_CELLS or number > LAST_ROW:
            raise DocumentError(remark("book_far_apart"), remark("do_delete_far"))
        if number in hidden.hidden_rows:
            continue
        values = [_text(cell) for at, cell in enumerate(cells, 1) if at not in hidden.hidden_columns]
        if not any(values):
            group = 0
            continue
        filled += 1
        if filled > limit:
            raise DocumentError(remark("book_rows", most=MAX_ROWS), remark("do_split"))
        header = group == 0 and _names_columns(cells)
        group = group or found.new_group()
        found.add_row(values, group, header=header)
    return filled


def _names_columns(cells: Iterable[Any]) -> bool:
    """A header row: at least two cells, and only texts."""
    values = [cell.value for cell in cells if cell.value not in (None, "")]
    return len(values) > 1 and all(isinstance(value, str) for value in values)


def _text(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time()
        return value.date().isoformat() if midnight else value.isoformat(" ", "minutes")
    if isinstance(value, int | float):
        if "%" in (cell.number_format or ""):
            return f"{round(value * 100, 6):g} %"
        return repr(int(value)) if float(value).is_integer() else repr(value)
    return str(value)
