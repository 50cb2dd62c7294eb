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
    """How prominent a heading without a number is: by size, as a bold label, of a box, of a box's column, in a cell."""

    SIZE, LABEL, BOX, COLUMN, INNER = 1, 2, 3, 4, 5


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
    prose = _large_prose(lines)
    for position, line in enumerate(lines):
        below = lines[position + 1] if position + 1 < len(lines) else None
        rank = None if position in prose else heading_rank(line, below, flow.framed, setting)
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


def _large_prose(lines: list[Line]) -> set[int]:
    """Positions of lines in stretches of one style that are too long, or too much of a sentence, to be a heading."""
    out: set[int] = set()
    start = 0
    for position in range(1, len(lines) + 1):
        if position < len(lines) and _same_stretch(lines[position - 1], lines[position]):
            continue
        stretch = lines[start:position]
        words = sum(len(line.text.split()) for line in stretch)
        sentence = stretch[-1].text.rstrip().endswith((".", "!", ";")) and words > 4
        if len(stretch) > 1 and (len(stretch) > 3 or words > 22 or sentence):
            out.update(range(start, position))
        start = position
    return out


def _same_stretch(above: Line, line: Line) -> bool:
    alike = abs(above.size - line.size) < 0.6 and above.bold == line.bold
    return alike and line.y0 - above.y1 < 0.45 * line.height and not NUMBERED.match(line.text)


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
    if split_marker(text)[0] and not (large and line.bold and text[0].isalnum()):
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
    labelled = any(_is_labelled(row) for row in grid.rows)
    position = 0
    while position < len(grid.rows):
        row = grid.rows[position]
        below = grid.rows[position + 1] if position + 1 < len(grid.rows) else None
        if below and _names_columns(row, below):
            for label, cell in zip(row, below, strict=True):
                if label.lines:
                    out.append(Draft(BlockKind.HEADING, label.lines, rank=Rank.COLUMN))
                out += _inner(drafts_of(cell.content, setting, tables))
            position += 2
            continue
        header = _is_header(grid, position)
        if below and _is_caption(row, below) and any(_is_complex(cell) for after in grid.rows for cell in after):
            filled = [cell for cell in row if cell.lines]
            out.append(Draft(BlockKind.HEADING, filled[0].lines, rank=Rank.BOX))
            out += [draft for cell in filled[1:] for draft in _one_row([cell], False, number)]
        elif labelled and not header and _has_label(row):
            out += _labelled(row, setting, tables)
        else:
            out += _row_drafts(row, header, len(grid.rows), setting, tables, number)
        position += 1
    return out


def _holds_list(cell: GridCell) -> bool:
    return sum(1 for line in cell.lines if split_marker(line.text)[0]) >= 2


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
    if (
        not filled
        or len(filled) > 2
        or any(_is_complex(cell) for cell in filled)
        or len(filled[0].lines) > 2
        or not filled[0].lines[0].bold
    ):
        return False
    return [(cell.column, cell.columns) for cell in row] != [(cell.column, cell.columns) for cell in below]


def _has_label(row: list[GridCell]) -> bool:
    filled = [cell for cell in row if cell.lines]
    first = filled[0] if filled else None
    return len(filled) > 1 and first is not None and len(first.lines) <= 3 and not _is_complex(first)


def _is_labelled(row: list[GridCell]) -> bool:
    """Is this a row of a short entry and lists that belong to it?"""
    return _has_label(row) and any(_holds_list(cell) for cell in row)


def _labelled(row: list[GridCell], setting: Setting, tables: Callable[[], int]) -> list[Draft]:
    filled = [cell for cell in row if cell.lines]
    out = [Draft(BlockKind.HEADING, filled[0].lines, rank=Rank.BOX)]
    for cell in filled[1:]:
        out += _inner(drafts_of(cell.content, setting, tables))
    return out


def _inner(drafts: list[Draft]) -> list[Draft]:
    """The drafts of a cell that has a heading of its own: theirs stand below it."""
    for draft in drafts:
        if draft.kind is BlockKind.HEADING and draft.rank:
            draft.rank = Rank.INNER
    return drafts


def _row_drafts(
    row: list[GridCell], header: bool, rows: int, setting: Setting, tables: Callable[[], int], number: int
) -> list[Draft]:
    filled = [cell for cell in row if cell.lines]
    if not filled:
        return []
    first = filled[0]
    item = bool(split_marker(first.lines[0].text)[0])
    alone = len(filled) == 1 and (item or len(first.content) > 1 or rows == 1 or len(row) == 1)
    if alone or any(_is_complex(cell) for cell in filled):
        return [draft for cell in filled for draft in drafts_of(cell.content, setting, tables)]
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
