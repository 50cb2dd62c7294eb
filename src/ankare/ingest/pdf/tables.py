"""How does a table become rows, and a box of lists headings with their items?"""

from __future__ import annotations

from collections.abc import Callable

from ankare.domain.document import BlockKind
from ankare.ingest.pdf.draft import Draft
from ankare.ingest.pdf.headings import Rank
from ankare.ingest.pdf.layout import Flow, Grid, GridCell
from ankare.ingest.pdf.lines import split_marker

Inner = Callable[[list[Flow | Grid]], list[Draft]]


def grid_drafts(grid: Grid, inner: Inner, number: int) -> list[Draft]:
    """A table as rows, or a box that holds lists as headings with their items.

    `inner` gives the drafts of a cell's content; `number` is the table's.
    """
    out: list[Draft] = []
    labelled = any(_is_labelled(row) for row in grid.rows)
    boxed = any(_is_complex(cell) or _is_bulleted(cell) for row in grid.rows for cell in row)
    captioned = False
    position = 0
    while position < len(grid.rows):
        row = grid.rows[position]
        below = grid.rows[position + 1] if position + 1 < len(grid.rows) else None
        header = _is_header(grid, position)
        position += 1
        if below and _names_columns(row, below):
            out += _columns(row, below, inner)
            position += 1
        elif below and not captioned and _is_caption(row, below) and (boxed or len(below) == 1):
            captioned = True
            filled = [cell for cell in row if cell.lines]
            out.append(Draft(BlockKind.HEADING, filled[0].lines, rank=Rank.BOX))
            out += _one_row(filled[1:], False, number) if filled[1:] else []
        elif labelled and not header and _has_label(row):
            out += _labelled(row, inner)
        else:
            drafts = _row_drafts(row, header, len(grid.rows), inner, number)
            out += _inner(drafts) if captioned else drafts
    return out


def _columns(row: list[GridCell], below: list[GridCell], inner: Inner) -> list[Draft]:
    """Each column's label as a heading, and what stands below it."""
    out: list[Draft] = []
    for label, cell in zip(row, below, strict=True):
        if label.lines:
            out.append(Draft(BlockKind.HEADING, label.lines, rank=Rank.COLUMN))
        out += _inner(inner(cell.content))
    return out


def _holds_list(cell: GridCell) -> bool:
    return sum(1 for line in cell.lines if split_marker(line.text)[0]) >= 2


def _is_bulleted(cell: GridCell) -> bool:
    """Does a cell begin with a bullet or dash?"""
    marker = split_marker(cell.lines[0].text)[0] if cell.lines else ""
    return bool(marker) and not marker[0].isalnum()


def _is_complex(cell: GridCell) -> bool:
    """Does a cell hold a list or a drawing, rather than an entry?"""
    return _holds_list(cell) or len(cell.content) >= 3


def _names_columns(row: list[GridCell], below: list[GridCell]) -> bool:
    """Does this row name the lists in the columns below it?"""
    if [(cell.column, cell.columns) for cell in row] != [(cell.column, cell.columns) for cell in below]:
        return False
    if [bool(cell.lines) for cell in row] != [bool(cell.lines) for cell in below]:
        return False
    filled = [cell for cell in below if cell.lines]
    short = all(len(cell.lines) <= 2 and not _is_complex(cell) for cell in row)
    marked = [any(split_marker(line.text)[0] for line in cell.lines) or _is_complex(cell) for cell in filled]
    long = [sum(len(line.text.split()) for line in cell.lines) >= 8 for cell in filled]
    some = any(_is_complex(cell) for cell in filled) or (len(filled) > 1 and all(marked))
    return short and some and all(a or b for a, b in zip(marked, long, strict=True))


def _is_caption(row: list[GridCell], below: list[GridCell]) -> bool:
    """Is this row the title of the box: bold, short, and divided otherwise than the next?"""
    filled = [cell for cell in row if cell.lines]
    if not filled or any(_is_complex(cell) for cell in filled) or len(filled[0].lines) > 2:
        return False
    if not all(line.bold for line in filled[0].lines) or row[0] is not filled[0]:
        return False
    if len(row) == len(below) == 1:
        return bool(below[0].lines) and not all(line.bold for line in below[0].lines)
    divided = [(cell.column, cell.columns) for cell in row] != [(cell.column, cell.columns) for cell in below]
    return divided and (len(filled) <= 2 or (len(below) == 1 and len(below[0].lines) > 1))


def _has_label(row: list[GridCell]) -> bool:
    filled = [cell for cell in row if cell.lines]
    first = filled[0] if filled else None
    if len(filled) < 2 or first is None or len(first.lines) > 3:
        return False
    return not any(split_marker(line.text)[0] for line in first.lines)


def _is_labelled(row: list[GridCell]) -> bool:
    """Is this a row of a short entry and lists that belong to it?"""
    return _has_label(row) and any(_holds_list(cell) for cell in row)


def _labelled(row: list[GridCell], inner: Inner) -> list[Draft]:
    filled = [cell for cell in row if cell.lines]
    out = [Draft(BlockKind.HEADING, filled[0].lines, rank=Rank.BOX)]
    for cell in filled[1:]:
        out += _inner(inner(cell.content))
    return out


def _inner(drafts: list[Draft]) -> list[Draft]:
    """The drafts of a cell that has a heading of its own: theirs stand below it."""
    for draft in drafts:
        if draft.kind is BlockKind.HEADING and draft.rank:
            draft.rank = Rank.INNER
    return drafts


def _row_drafts(row: list[GridCell], header: bool, rows: int, inner: Inner, number: int) -> list[Draft]:
    filled = [cell for cell in row if cell.lines]
    if not filled:
        return []
    first = filled[0]
    item = bool(split_marker(first.lines[0].text)[0])
    alone = len(filled) == 1 and (item or len(first.content) > 1 or rows == 1 or len(row) == 1)
    if alone or any(_is_complex(cell) for cell in filled):
        return [draft for cell in filled for draft in inner(cell.content)]
    return _one_row(filled, header, number)


def _one_row(cells: list[GridCell], header: bool, number: int) -> list[Draft]:
    return [Draft(BlockKind.ROW, cells=[cell.lines for cell in cells], header=header, table=number)]


def _is_header(grid: Grid, position: int) -> bool:
    """The first row names the columns if all its cells are bold, or other rows follow and it is of words only."""
    if position or len(grid.rows) < 2:
        return False
    lines = [line for cell in grid.rows[0] for line in cell.lines]
    later = [line for row in grid.rows[1:] for cell in row for line in cell.lines]
    if len([cell for cell in grid.rows[0] if cell.lines]) < 2:
        return False
    if all(line.bold for line in lines):
        return True
    words = not any(sign.isdigit() for line in lines for sign in line.text)
    figures = sum(any(sign.isdigit() for sign in line.text) for line in later)
    return words and bool(later) and figures * 2 >= len(later)
