"""How do the lines of a column become headings, paragraphs and list items?"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from statistics import median

from ankare.domain.document import BlockKind
from ankare.ingest.pdf.draft import Draft
from ankare.ingest.pdf.headings import Setting, breaks_early, heading_rank, stretches
from ankare.ingest.pdf.joins import plain
from ankare.ingest.pdf.layout import Flow, Grid
from ankare.ingest.pdf.lines import Line, split_marker
from ankare.ingest.pdf.tables import grid_drafts


def drafts_of(content: list[Flow | Grid], setting: Setting, tables: Callable[[], int]) -> list[Draft]:
    """The drafts of a page or cell in reading order. `tables` gives the next table number."""
    out: list[Draft] = []
    for part in content:
        if isinstance(part, Flow):
            out += _flow_drafts(part, setting)
        else:
            out += grid_drafts(part, lambda inner: drafts_of(inner, setting, tables), tables())
    return out


def _flow_drafts(flow: Flow, setting: Setting) -> list[Draft]:
    lines = [line for line in flow.lines if plain(line.text)]
    if not lines:
        return []
    out: list[Draft] = []
    right = max(line.x1 for line in lines)
    pitch = _pitch(lines)
    position = 0
    for stretch in stretches(lines, right):
        position += len(stretch)
        below = lines[position] if position < len(lines) else None
        rank = heading_rank(stretch, below, flow.framed, setting)
        if rank is not None:
            out.append(Draft(BlockKind.HEADING, stretch, rank=rank, fresh=not out))
            continue
        for line in stretch:
            _take(out, line, right, pitch)
    return out


def _take(out: list[Draft], line: Line, right: float, pitch: float) -> None:
    """Add a line of text: a new item, more of the last draft, or a new paragraph."""
    last = out[-1] if out else None
    marker, _ = split_marker(line.text)
    if marker and not (last and _is_wrapped_number(last, line, marker, right)):
        out.append(Draft(BlockKind.ITEM, [line], marker=marker, fresh=not out))
    elif last and last.kind is not BlockKind.HEADING and _continues(last, line, right, pitch):
        last.lines.append(line)
    else:
        out.append(Draft(BlockKind.PARAGRAPH, [line], fresh=not out))


def _pitch(lines: list[Line]) -> float:
    """The usual distance from line to line, as a multiple of the line height."""
    steps = [
        (b.y0 - a.y0) / max(a.height, 1.0) for a, b in pairwise(lines) if abs(a.size - b.size) < 0.6 and b.y0 > a.y0
    ]
    tight = [step for step in steps if step < 1.9]
    return median(tight) if len(tight) >= 2 and min(tight) > 0.7 * median(tight) else min(tight, default=1.2)


def _is_wrapped_number(last: Draft, line: Line, marker: str, right: float) -> bool:
    """Does a line that begins with a number go on with the sentence above ("... on the / 12. of May")?"""
    number = marker.strip("().:")
    if last.kind is BlockKind.HEADING or not number.isdigit():
        return False
    above = last.last
    runs_on = above.text[-1:].isalpha() and line.y0 - above.y1 < 0.5 * line.height
    unlikely = int(number) > 40 or (last.kind is BlockKind.PARAGRAPH and int(number) > 1)
    return runs_on and unlikely and not breaks_early(above, line, right)


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
    wanted = breaks_early(above, line, right)
    if last.kind is BlockKind.ITEM:
        hanging = line.x0 >= last.first.x0 + 0.15 * line.size
        return lower or not wanted or (hanging and line.x0 >= last.first.text_x - 1)
    if wanted and not lower:
        return False
    indented = line.x0 > above.x0 + 0.8 * line.size and line.x1 > right - 3 * line.size
    return not (indented and above.text.endswith((".", "!", "?", ":")))
