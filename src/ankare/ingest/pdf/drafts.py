"""How do the lines of a page become headings, paragraphs, list items and rows?"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from ankare.domain.document import BlockKind
from ankare.ingest.pdf.artefacts import title_key
from ankare.ingest.pdf.joins import plain
from ankare.ingest.pdf.layout import Flow, Grid, GridCell
from ankare.ingest.pdf.lines import NUMBERED, Line, split_marker

MAX_HEADING = 120
_ENDS = (".", ",", ";", "!")
_LETTER = re.compile(r"[^\W\d_]")


class Rank:
    """How prominent a heading without a number is: by its size, as a bold label, as the title or a column of a box."""

    SIZE, LABEL, BOX, COLUMN = 1, 2, 3, 4


@dataclass(slots=True)
class Draft:
    """A block to be: its lines (or cells of lines), before levels, groups and offsets are settled."""

    kind: BlockKind
    lines: list[Line] = field(default_factory=list)
    cells: list[list[Line]] = field(default_factory=list)
    marker: str = ""
    rank: int = 0
    header: bool = False
    table: int = 0
    fresh: bool = False

    @property
    def first(self) -> Line:
        """Its first line."""
        return self.lines[0] if self.lines else next(line for cell in self.cells for line in cell)

    @property
    def last(self) -> Line:
        """Its last line."""
        return self.lines[-1] if self.lines else [line for cell in self.cells for line in cell][-1]


@dataclass(slots=True)
class Setting:
    """What is usual in the document: `body` size in points, whether bold tells anything, titles in contents or outline."""

    body: float
    bold_tells: bool
    titles: set[str]


def drafts_of(content: list[Flow | Grid], setting: Setting, tables: Callable[[], int]) -> list[Draft]:
    """The page's drafts in reading order. `tables` gives the next table number."""
    out: list[Draft] = []
    for part in content:
        out += _flow_drafts(part, setting) if isinstance(part, Flow) else grid_drafts(part, setting, tables)
    return out


def _flow_drafts(flow: Flow, setting: Setting) -> list[Draft]:
    out: list[Draft] = []
    lines = [line for line in flow.lines if plain(line.text)]
    if not lines:
        return out
    right = max(line.x1 for line in lines)
    pitch = _pitch(lines)
    for position, line in enumerate(lines):
        below = lines[position + 1] if position + 1 < len(lines) else None
        rank = heading_rank(line, below, flow.framed, setting)
        last = out[-1] if out else None
        if rank is not None:
            if last and last.kind is BlockKind.HEADING and _one_heading(last, line, rank):
                last.lines.append(line)
            else:
                out.append(Draft(BlockKind.HEADING, [line], rank=rank))
            continue
        marker, _ = split_marker(line.text)
        if marker and not (last and _is_wrapped_number(last, line, marker)):
            out.append(Draft(BlockKind.ITEM, [line], marker=marker))
        elif last and last.kind is not BlockKind.HEADING and _continues(last, line, right, pitch):
            last.lines.append(line)
        else:
            out.append(Draft(BlockKind.PARAGRAPH, [line], fresh=last is None))
    return out


def _pitch(lines: list[Line]) -> float:
    """The usual distance from line to line, as a multiple of the line height."""
    steps = [
        (b.y0 - a.y0) / max(a.height, 1.0) for a, b in pairwise(lines) if abs(a.size - b.size) < 0.6 and b.y0 > a.y0
    ]
    tight = [step for step in steps if step < 1.9]
    return median(tight) if len(tight) >= 2 and min(tight) > 0.7 * median(tight) else min(tight, default=1.2)


def heading_rank(line: Line, below: Line | None, framed: bool, setting: Setting) -> int | None:
    """0 for a numbered heading, a `Rank` for another, None for text."""
    text = line.text.strip()
    if len(text) > MAX_HEADING or not _LETTER.search(text) or text[-1] in _ENDS:
        return None
    large = line.size >= setting.body + max(1.0, 0.09 * setting.body)
    bold = line.bold and setting.bold_tells
    number = NUMBERED.match(text)
    if number and number.end() < len(text):
        rest = text[number.end() :].lstrip(". ")
        named = title_key(text) in setting.titles
        upper = rest[:1].isupper()
        if upper and (large or bold or named) and (not framed or named or large):
            return 0
        if not rest[:1].isalpha():
            return None
    if split_marker(text)[0] and not (large and line.bold):
        return None
    if large and (not framed or below is not None) and len(text) > 1:
        return Rank.SIZE
    if bold and below is not None and not below.bold and len(text) <= 90 and below.y0 - line.y1 < 2.5 * line.height:
        return Rank.LABEL
    if title_key(text) in setting.titles and bold and not framed:
        return Rank.LABEL
    return None


def _one_heading(last: Draft, line: Line, rank: int) -> bool:
    """Is this line the next one of a heading that takes several?"""
    above = last.last
    same = abs(above.size - line.size) < 0.6 and above.bold == line.bold
    near = line.y0 - above.y1 < 0.45 * line.height and line.page == above.page
    number = NUMBERED.match(line.text)
    return (
        same and near and rank != 0 and not (number and number.end() < len(line.text)) and not above.text.endswith(":")
    )


def _is_wrapped_number(last: Draft, line: Line, marker: str) -> bool:
    """Does a line that begins like "2013." or "-" go on with the sentence above?"""
    if last.kind is BlockKind.HEADING or last.cells:
        return False
    above = last.last
    odd = len(marker) > 2 and marker[:-1].isdigit() and int(marker.strip("().:")) > 40
    return odd and above.text[-1:].isalpha() and line.y0 - above.y1 < 0.5 * line.height


def _continues(last: Draft, line: Line, right: float, pitch: float) -> bool:
    above = last.last
    if abs(above.size - line.size) > 0.8 or above.angle != line.angle:
        return False
    step = (line.y0 - above.y0) / max(above.height, 1.0)
    if step > max(1.3 * pitch, pitch + 0.25) or step < 0.2:
        return False
    lower = line.text[:1].islower()
    if above.bold != line.bold and not lower:
        return False
    first_word = line.text.split()[0]
    wide = len(first_word) * (line.x1 - line.x0) / max(len(line.text), 1)
    forced = above.x1 + wide + 0.3 * line.size < right - 0.4 * line.size
    if last.kind is BlockKind.ITEM:
        hanging = line.x0 >= last.first.x0 + 0.15 * line.size
        return lower or not forced or (hanging and line.x0 >= last.first.text_x - 1)
    if forced and not lower:
        return False
    indented = line.x0 > above.x0 + 0.8 * line.size and line.x1 > right - 3 * line.size
    return not (indented and above.text.endswith((".", "!", "?", ":")))


def grid_drafts(grid: Grid, setting: Setting, tables: Callable[[], int]) -> list[Draft]:
    """A table as rows, or a box that holds lists as headings with their items."""
    number = tables()
    out: list[Draft] = []
    boxed = any(_holds_list(cell) for row in grid.rows for cell in row)
    position = 0
    while position < len(grid.rows):
        row = grid.rows[position]
        below = grid.rows[position + 1] if position + 1 < len(grid.rows) else None
        if boxed and below and _labels(row, below):
            for label, cell in zip(row, below, strict=True):
                out += _labelled(label, cell, setting, tables)
            position += 2
            continue
        out += _row_drafts(grid, position, boxed, setting, tables, number)
        position += 1
    return out


def _holds_list(cell: GridCell) -> bool:
    return sum(1 for line in cell.lines if split_marker(line.text)[0]) >= 2


def _labels(row: list[GridCell], below: list[GridCell]) -> bool:
    """Does this row name the lists in the columns below it?"""
    same = [(cell.column, cell.columns) for cell in row] == [(cell.column, cell.columns) for cell in below]
    short = all(len(cell.lines) <= 2 and not _holds_list(cell) for cell in row)
    lists = sum(any(split_marker(line.text)[0] for line in cell.lines) for cell in below)
    return (
        same
        and short
        and lists >= max(1, len([cell for cell in below if cell.lines]) - 1)
        and len([cell for cell in below if cell.lines]) == len([cell for cell in row if cell.lines])
    )


def _labelled(label: GridCell, cell: GridCell, setting: Setting, tables: Callable[[], int]) -> list[Draft]:
    out = [Draft(BlockKind.HEADING, label.lines, rank=Rank.COLUMN)] if label.lines else []
    return out + drafts_of(cell.content, setting, tables)


def _row_drafts(
    grid: Grid, position: int, boxed: bool, setting: Setting, tables: Callable[[], int], number: int
) -> list[Draft]:
    row = grid.rows[position]
    filled = [cell for cell in row if cell.lines]
    if not filled:
        return []
    lists = [cell for cell in filled if _holds_list(cell) or len(cell.content) > 1]
    if boxed and position == 0 and _is_caption(filled) and len(grid.rows) > 1:
        out = [Draft(BlockKind.HEADING, filled[0].lines, rank=Rank.BOX)]
        return out + [draft for cell in filled[1:] for draft in _one_row([cell], False, number)]
    if len(filled) == 1 and (lists or len(grid.rows) == 1 or len(row) == 1):
        return drafts_of(filled[0].content, setting, tables)
    if lists and len(filled) - len(lists) <= 1 and all(len(cell.lines) <= 3 for cell in filled if cell not in lists):
        out = []
        for cell in filled:
            if cell in lists:
                out += drafts_of(cell.content, setting, tables)
            else:
                out.append(Draft(BlockKind.HEADING, cell.lines, rank=Rank.COLUMN))
        return out
    return _one_row(filled, _is_header(grid, position), number)


def _is_caption(filled: list[GridCell]) -> bool:
    return len(filled) <= 2 and len(filled[0].lines) <= 2 and filled[0].lines[0].bold


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
