"""Which lines are a heading, and how prominent a one?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ankare.ingest.pdf.artefacts import title_key
from ankare.ingest.pdf.joins import WIDE
from ankare.ingest.pdf.lines import NUMBERED, Line, split_marker

MAX_HEADING = 140
MAX_LINES, MAX_WORDS = 3, 22
_ENDS = (".", ",", ";", "!", "。", "，", "；", "！")
_LETTER = re.compile(r"[^\W\d_]")


class Rank:
    """How prominent a heading without a number is: by size, as a bold label, of a box, of a box's column, in a cell."""

    NUMBER, SIZE, LABEL, BOX, COLUMN, INNER = 0, 1, 2, 3, 4, 5


@dataclass(slots=True)
class Setting:
    """What is usual in the document: `body` size in points, whether bold tells anything, titles in contents or outline."""

    body: float
    bold_tells: bool
    titles: set[str]


def stretches(lines: list[Line], right: float) -> list[list[Line]]:
    """The lines in groups that could be one heading: one style, close together, no break that was wanted."""
    out: list[list[Line]] = []
    for line in lines:
        if out and _same_stretch(out[-1][-1], line, right):
            out[-1].append(line)
        else:
            out.append([line])
    return out


def _same_stretch(above: Line, line: Line, right: float) -> bool:
    alike = abs(above.size - line.size) < 0.6 and above.bold == line.bold
    near = -0.3 * line.height < line.y0 - above.y1 < 0.45 * line.height and line.y0 > above.y0 + 2
    if not (alike and near) or NUMBERED.match(line.text) or above.text.endswith((":", "?")):
        return False
    return line.text[:1].islower() or not breaks_early(above, line, right)


def breaks_early(above: Line, line: Line, right: float) -> bool:
    """Would the first word of `line` have fitted on the line above? Then the break was wanted."""
    first = line.text[:1] if WIDE.match(line.text) else line.text.split()[0]
    wide = len(first) * (line.x1 - line.x0) / max(len(line.text), 1)
    return above.x1 + wide + 0.3 * line.size < right - 0.4 * line.size


def heading_rank(stretch: list[Line], below: Line | None, framed: bool, setting: Setting) -> int | None:
    """The `Rank` of a stretch of lines as a heading, None for text. `below` is the line after it in the same column."""
    text = " ".join(line.text for line in stretch).strip()
    words = len(text.split())
    if len(text) > MAX_HEADING or len(stretch) > MAX_LINES or words > MAX_WORDS:
        return None
    if not _LETTER.search(text) or text[-1] in _ENDS:
        return None
    first = stretch[0]
    large = first.size >= setting.body + max(1.0, 0.09 * setting.body)
    bold = all(line.bold for line in stretch) and setting.bold_tells
    number = NUMBERED.match(text)
    if number and number.end() < len(text):
        return _numbered_rank(text[number.end() :].lstrip(". "), text, framed, large, bold, setting)
    if split_marker(text)[0]:
        return None
    if large and (not framed or below is not None) and len(text) > 1:
        return Rank.SIZE
    if bold and below is not None and _labels(stretch[-1], below):
        return Rank.LABEL
    return Rank.LABEL if bold and not framed and title_key(text) in setting.titles else None


def _numbered_rank(rest: str, text: str, framed: bool, large: bool, bold: bool, setting: Setting) -> int | None:
    # Scripts without capitals count as well.
    if not rest[:1].isalpha() or rest[:1].islower():
        return None
    named = title_key(text) in setting.titles
    if not (large or bold or named):
        return None
    return Rank.INNER if framed and not large else Rank.NUMBER


def _labels(last: Line, below: Line) -> bool:
    """Does plain text follow right under a bold line?"""
    beside = min(last.x1, below.x1) > max(last.x0, below.x0) - 2 * last.size
    return not below.bold and beside and 0.4 * last.height < below.y0 - last.y0 < 3.5 * last.height
