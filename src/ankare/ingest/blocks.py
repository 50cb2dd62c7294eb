"""How do readers of formats without layout put their blocks together?"""

from __future__ import annotations

import re
from dataclasses import replace

from ankare.domain.document import Block, BlockKind, Extraction, Piece
from ankare.errors import DocumentError
from ankare.messages.remarks import remark

_SPACE = re.compile(r"\s+")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ud800-\udfff]"
)
"""Control signs, soft hyphens, zero-width signs, signs that turn the direction of writing, lone surrogates."""

MAX_BLOCKS = 250_000
"""More than six times the paragraphs of 2,000 pages, and every row of the largest table that is read."""

MAX_SIGNS = 30_000_000
"""Ten thousand pages."""

MAX_LEVEL = 20
"""How deep a list item can stand; each level is two spaces before it wherever it is shown."""

_SHOWN = 60
CELL_JOINT = " | "


class BlockList:
    """Collects blocks of one document page by page; text comes out with single spaces and without invisible signs."""

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._rest: list[str] = []
        self._signs = 0
        self.hidden: list[str] = []
        self.page = 1
        self._groups = 0
        self._left_out: set[int] = set()

    @property
    def blocks(self) -> list[Block]:
        """What was added until now."""
        self._join_rest()
        return self._blocks

    def new_group(self) -> int:
        """A number for the next list or table."""
        self._groups += 1
        return self._groups

    def add(
        self, kind: BlockKind, text: str, *, level: int = 0, marker: str = "", group: int = 0, header: bool = False
    ) -> None:
        """Add a block; one without text is no block. Raises DocumentError where the document has far too much of either."""
        text = clean(text)
        if text:
            self._count(text.replace(CELL_JOINT, "") if kind is BlockKind.ROW else text)  # cells far apart are no text
            pieces = (Piece(0, len(text), self.page, None),)
            self.blocks.append(Block(kind, text, pieces, min(level, MAX_LEVEL), marker, group, header))
            if len(self._blocks) > MAX_BLOCKS:
                raise DocumentError(remark("many_blocks", most=MAX_BLOCKS), remark("do_split"))

    def extend(self, text: str) -> None:
        """Add text to the last block: a later paragraph of a list item is part of the item. Raises DocumentError like `add`."""
        text = clean(text)
        if text and self._blocks:
            self._count(text)
            self._rest.append(text)

    def _join_rest(self) -> None:
        """All at once: an item of a hundred thousand paragraphs would else be copied as often."""
        if self._rest:
            last = self._blocks[-1]
            joined = " ".join((last.text, *self._rest))
            self._blocks[-1] = replace(last, text=joined, pieces=(Piece(0, len(joined), self.page, None),))
            self._rest = []

    def _count(self, text: str) -> None:
        self._signs += len(text)
        if self._signs > MAX_SIGNS:
            raise DocumentError(remark("many_signs", most=MAX_SIGNS), remark("do_split"))

    def add_row(self, cells: list[str], group: int, *, header: bool = False) -> None:
        """Add a table row; empty cells keep their place, empty cells at the end do not."""
        cleaned = [clean(cell) for cell in cells]
        while cleaned and not cleaned[-1]:
            cleaned.pop()
        self.add(BlockKind.ROW, CELL_JOINT.join(cleaned), group=group, header=header)

    def hide(self, text: str) -> None:
        """Note text that a reader of the page would not see."""
        text = clean(text)
        if text:
            self.hidden.append(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")

    def leave_out(self, page: int) -> None:
        """Note that a page (a slide, a sheet) is hidden: it is not one without text."""
        self._left_out.add(page)

    def extraction(self, source_type: str, title: str, *, pages: int = 1, warnings: tuple[str, ...] = ()) -> Extraction:
        """What was read. Pages on which no block stands are told as pages without text, hidden ones aside."""
        seen = self._left_out | {piece.page for block in self.blocks for piece in block.pieces}
        return Extraction(
            source_type=source_type,
            title=clean(title),
            blocks=tuple(self.blocks),
            page_count=pages,
            pages_without_text=tuple(page for page in range(1, pages + 1) if page not in seen),
            hidden_text=tuple(self.hidden),
            warnings=warnings,
        )

    def title(self, otherwise: str) -> str:
        """The first heading, if it is among the first blocks and of the highest level, else the given name."""
        for block in self.blocks[:3]:
            if block.kind is BlockKind.HEADING and block.level <= 1:
                return block.text
        return otherwise


def clean(text: str) -> str:
    """A text in one line: single spaces, and no sign that a reader would not see."""
    return _SPACE.sub(" ", _INVISIBLE.sub("", text)).strip()
