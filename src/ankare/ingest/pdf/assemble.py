"""How do drafts become blocks: text with offsets, levels, groups, paragraphs that run over a page break?"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ankare.domain.document import Block, BlockKind, Box, Piece
from ankare.ingest.pdf.artefacts import title_key
from ankare.ingest.pdf.draft import Draft
from ankare.ingest.pdf.fragments import HYPHEN
from ankare.ingest.pdf.headings import Rank
from ankare.ingest.pdf.joins import join, plain
from ankare.ingest.pdf.lines import NUMBERED, Line, split_marker

CELL = " | "
MAX_LEVEL = 9
MAX_HEADINGS = 2
Size = tuple[float, float]


def blocks_of(
    drafts: list[Draft], sizes: dict[int, Size], levels: dict[str, int], is_word: Callable[[str], bool]
) -> list[Block]:
    """The blocks of a document. `sizes`: page -> width and height; `levels`: outline title key -> level."""
    merged = _over_pages(_without_labels(drafts))
    out: list[Block] = []
    nesting = _Nesting()
    depths: list[float] = []
    group, last_table = 0, 0
    above: Draft | None = None
    for draft in merged:
        text, pieces = _text(draft, sizes, is_word)
        if not text:
            continue
        level, here = 0, 0
        if draft.kind is BlockKind.HEADING:
            level = nesting.level(draft, levels)
        elif draft.kind is BlockKind.ITEM:
            if above is None or above.kind is not BlockKind.ITEM or _another_list(above, draft):
                group += 1
                depths = []
            level, here = _depth(depths, draft.first.x0), group
        elif draft.kind is BlockKind.ROW:
            if draft.table != last_table:
                group += 1
                last_table = draft.table
            here = group
        above = draft
        if draft.kind is not BlockKind.ROW:
            last_table = 0
        out.append(Block(draft.kind, text, pieces, level, draft.marker, here, draft.header))
    return out


def _another_list(above: Draft, item: Draft) -> bool:
    """Does an item in another column or box of the same page begin a list of its own?"""
    end, start = above.last, item.first
    below = -2 < start.y0 - end.y1 < 3 * end.height and abs(start.x0 - above.first.x0) < 40
    return item.fresh and start.page == end.page and not below


def _without_labels(drafts: list[Draft]) -> list[Draft]:
    """Headings that follow upon each other with nothing below are the labels of a drawing: text, not headings."""
    run: list[Draft] = []
    for draft in [*drafts, None]:
        if draft and draft.kind is BlockKind.HEADING and draft.rank and (not run or _alike(run[-1], draft)):
            run.append(draft)
            continue
        # The last one may head what follows.
        if len(run) > MAX_HEADINGS:
            for label in run if draft is None or draft.kind is BlockKind.HEADING else run[:-1]:
                label.kind = BlockKind.PARAGRAPH
        run = [draft] if draft and draft.kind is BlockKind.HEADING and draft.rank else []
    return drafts


def _alike(a: Draft, b: Draft) -> bool:
    return a.rank == b.rank and abs(a.first.size - b.first.size) < 0.6 and a.first.page == b.first.page


def _over_pages(drafts: Iterable[Draft]) -> list[Draft]:
    """Drafts with the halves of paragraphs and items joined that a page or column break had parted."""
    out: list[Draft] = []
    tables: dict[int, int] = {}
    header: Draft | None = None
    for draft in drafts:
        if header and draft.header and _table_goes_on(out[-1], header, draft):
            # The header that is printed again on the next page: its rows belong to the same table.
            tables[draft.table] = tables.get(header.table, header.table)
            continue
        draft.table = tables.get(draft.table, draft.table)
        header = draft if draft.header else header
        if out and draft.kind is BlockKind.PARAGRAPH and draft.fresh and _goes_on(out[-1], draft):
            out[-1] = Draft(out[-1].kind, out[-1].lines + draft.lines, marker=out[-1].marker, fresh=out[-1].fresh)
        else:
            out.append(draft)
    return out


def _table_goes_on(above: Draft, header: Draft, again: Draft) -> bool:
    """Does a table begin a page with the header of the one that ended the page before?"""
    same = [[line.text for line in cell] for cell in header.cells] == [
        [line.text for line in cell] for cell in again.cells
    ]
    follows = above.kind is BlockKind.ROW and above.table == header.table
    return same and follows and again.first.page == above.last.page + 1


def _goes_on(above: Draft, below: Draft) -> bool:
    if above.kind not in (BlockKind.PARAGRAPH, BlockKind.ITEM):
        return False
    end, start = above.last, below.first
    if abs(end.size - start.size) > 0.6 or end.bold != start.bold:
        return False
    in_line = abs(start.x0 - end.x0) < 4 or abs(start.x0 + start.x1 - end.x0 - end.x1) < 8
    directly_below = start.page == end.page and in_line and -2 < start.y0 - end.y1 < 0.4 * end.height
    if start.page - end.page != 1 and not directly_below:
        return False
    hyphen = end.text.endswith((HYPHEN, "-")) and end.text[-2:-1].isalpha()
    return start.text[:1].islower() and (hyphen or not end.text.endswith((".", "!", "?", ":", ";")))


def _text(draft: Draft, sizes: dict[int, Size], is_word: Callable[[str], bool]) -> tuple[str, tuple[Piece, ...]]:
    text, pieces = "", []
    cells = draft.cells or [draft.lines]
    for cell in cells:
        rows = [(line, plain(line.text)) for line in cell]
        rows = [(line, words) for line, words in rows if words]
        if rows and text:
            text += CELL
        for position, (line, words) in enumerate(rows):
            if position == 0 and (draft.marker or (draft.cells and not split_marker(words)[0][:1].isalnum())):
                words = split_marker(words)[1]
            start = len(text)
            nearest = rows[position + 1][1] if position + 1 < len(rows) else ""
            text += join(words, nearest, is_word) if nearest else words.replace(HYPHEN, "-")
            if text[start:].strip():
                pieces.append(Piece(start, len(text), line.page, _box(line, sizes[line.page])))
    return text, _closed(pieces, len(text))


def _closed(pieces: list[Piece], length: int) -> tuple[Piece, ...]:
    """Pieces that leave no character out: cell marks between two belong to the first."""
    ends = [*(piece.start for piece in pieces[1:]), length]
    return tuple(Piece(piece.start, end, piece.page, piece.box) for piece, end in zip(pieces, ends, strict=False))


def _box(line: Line, size: Size) -> Box:
    """The line's rectangle on the page as displayed, within the page."""
    x0, y0, x1, y1 = line.x0, line.y0, line.x1, line.y1
    if line.angle == 90:
        x0, y0, x1, y1 = -y1, x0, -y0, x1
    elif line.angle == 180:
        x0, y0, x1, y1 = -x1, -y1, -x0, -y0
    elif line.angle == 270:
        x0, y0, x1, y1 = y0, -x1, y1, -x0
    wide, high = size
    return Box(
        round(min(max(x0, 0), wide), 2), round(min(max(y0, 0), high), 2),
        round(min(max(x1, 0), wide), 2), round(min(max(y1, 0), high), 2),
    )  # fmt: skip


def _depth(depths: list[float], x: float) -> int:
    while depths and x < depths[-1] - 5:
        depths.pop()
    if not depths or x > depths[-1] + 5:
        depths.append(x)
    return len(depths) - 1


class _Nesting:
    """Which heading stands under which: numbers first, then size, then labels."""

    def __init__(self) -> None:
        self.open: list[tuple[int, int, float, int]] = []

    def level(self, draft: Draft, levels: dict[str, int]) -> int:
        """The level of the next heading."""
        text = " ".join(line.text for line in draft.lines)
        number = NUMBERED.match(text)
        size = draft.first.size
        if draft.rank == 0 and number:
            level = number.group(1).count(".") + 1
            self.open = [entry for entry in self.open if entry[0] == 0 and entry[3] < level]
            self.open.append((0, level, size, level))
            return min(level, MAX_LEVEL)
        while self.open and not _above(self.open[-1], draft.rank, size):
            self.open.pop()
        level = self.open[-1][3] + 1 if self.open else 1
        known = levels.get(title_key(text))
        if known and draft.rank <= Rank.LABEL:
            level = known
        self.open.append((draft.rank, 0, size, level))
        return min(level, MAX_LEVEL)


def _above(entry: tuple[int, int, float, int], rank: int, size: float) -> bool:
    """Does the open heading stand above one of this rank and size?"""
    if entry[0] == Rank.NUMBER:
        return rank >= Rank.BOX or size <= entry[2] + 1.5
    if entry[0] == rank == Rank.SIZE:
        return size < entry[2] - 0.6
    return entry[0] < rank
