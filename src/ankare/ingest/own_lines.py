"""Does each line of a plain text stand for itself, and which of them are headings and items?

A text whose lines are filled up to a margin has breaks that mean nothing. One that was copied out of a web page or a word
processor has a line for each paragraph, heading and item, and nothing else that tells them apart: their length, how they
begin and end, and what stands around them has to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import pairwise

LONG_LINE = 35
LONGEST_MARGINED = 120
"""In characters. A text all of whose lines are shorter is read as one that fills a margin."""

NEARLY = 0.9
FILLED = 0.3
"""From this share of long lines that end at a margin on, all line breaks are the margin's."""

LONGEST_HEADING = 100
LONGEST_ITEM = 80
MOST_HEADINGS = 3
"""So many short lines may follow each other as headings; more are a list, an address or a table."""

FEWEST_ITEMS = 2
_CLOSES = ".!?:…。！？："
_ENDS = ".,;:!…。！：，；"
"""What no heading ends in; a question may be one."""
_COLUMNS = "   "
_MARKED = re.compile(r"[-*•–·▪◦‣●■◆►✓○]|\(?\d{1,3}[.)]\s|\(?[a-zåäö][.)]\s")


class LineKind(Enum):
    """What a line is, where each stands for itself."""

    TEXT = "text"
    LEAD = "lead"
    """It leads into what stands below it."""
    HEADING = "heading"
    ITEM = "item"
    REST = "rest"
    """It goes on from the line before."""


def stand_alone(lines: Sequence[str]) -> bool:
    """Was the text written a paragraph a line? Some line is long, and hardly any long line with another right below it is as
    full as the others and breaks off in a sentence, as lines do at a margin."""
    if all(len(line) < LONGEST_MARGINED for line in lines):
        return False
    breaks = [(a.rstrip(), b.split()[0]) for a, b in pairwise(lines) if len(a.strip()) >= LONG_LINE and b.strip()]
    if not breaks:
        return True
    full = sorted(len(line) for line, _next in breaks)[(len(breaks) - 1) * 9 // 10]
    filled = sum(len(line) + len(word) >= NEARLY * full and line[-1] not in _CLOSES for line, word in breaks)
    return filled < FILLED * len(breaks)


def line_kinds(lines: Sequence[str]) -> tuple[LineKind, ...]:
    """What each line is; blank ones are text. For texts whose lines stand for themselves."""
    kinds = [LineKind.TEXT] * len(lines)
    stripped = [line.strip() for line in lines]
    for at, line in enumerate(stripped):
        if line and kinds[at] is LineKind.TEXT and _leads_in(stripped, at):
            items = _items_after(stripped, at)
            kinds[at] = LineKind.LEAD if items else LineKind.TEXT
            for place in items:
                kinds[place] = LineKind.ITEM if len(items) >= FEWEST_ITEMS else LineKind.REST
    for at, kind in _headings(stripped, kinds):
        kinds[at] = kind
    return tuple(kinds)


def _leads_in(lines: Sequence[str], at: int) -> bool:
    """Does a list follow: does the line end in a colon, or break off before lines that begin with a small letter?"""
    following = _next(lines, at)
    if following is None:
        return False
    return lines[at].endswith((":", "：")) or (lines[at][-1] not in _ENDS + "?" and lines[following][0].islower())


def _items_after(lines: Sequence[str], at: int) -> list[int]:
    """The lines that follow each other as items after one that leads in."""
    colon = lines[at].endswith((":", "："))
    place = _next(lines, at)
    found: list[int] = []
    while place is not None and place < len(lines) and lines[place]:
        line = lines[place]
        short = colon and len(line) <= LONGEST_ITEM and line[-1] not in _CLOSES
        if not (line[0].islower() or short):
            break
        found.append(place)
        place += 1
    return found if len(found) >= FEWEST_ITEMS or found == [at + 1] else []


def _headings(lines: Sequence[str], kinds: Sequence[LineKind]) -> Iterator[tuple[int, LineKind]]:
    """Short lines that begin like a sentence and do not end like one, with a text below; and short lines below a question,
    which list what is asked for."""
    run: list[int] = []
    for at, line in enumerate(lines):
        if not line:
            continue
        if kinds[at] is LineKind.TEXT and _like_a_heading(line) and not (run and line.endswith("?")):
            run.append(at)
            continue
        asks = bool(run) and lines[run[0]].endswith(("?", "？"))
        told = run and (kinds[at] is LineKind.LEAD or line[-1] in _CLOSES or len(line) > len(lines[run[-1]]))
        if asks and len(run) > FEWEST_ITEMS:
            yield run[0], LineKind.HEADING
            yield from ((place, LineKind.ITEM) for place in run[1:])
        elif told and len(run) <= MOST_HEADINGS:
            yield from ((place, LineKind.HEADING) for place in run)
        run = [at] if kinds[at] is LineKind.TEXT and _like_a_heading(line) else []


def _like_a_heading(line: str) -> bool:
    if len(line) > LONGEST_HEADING or line[-1] in _ENDS or _COLUMNS in line or _MARKED.match(line):
        return False
    first = next((sign for sign in line if sign.isalnum()), "")
    return bool(first) and not first.islower() and any(sign.isalpha() for sign in line)


def _next(lines: Sequence[str], at: int) -> int | None:
    """The next line that is not blank, at most one blank line further down."""
    return next((place for place in (at + 1, at + 2) if place < len(lines) and lines[place]), None)
