"""What is a document once it has been read, and what is the unit that we search and cite?

A reader turns a file into an `Extraction`: blocks in reading order, each with the place of every piece of its text. The
chunker turns blocks into `Chunk`s: one section or a coherent part of a long one, with the page and rectangles of each
sentence, so that a citation can be shown on the page.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page, in points (1/72 inch) from the top left corner of the page as displayed (x right, y down)."""

    x0: float
    y0: float
    x1: float
    y1: float


class BlockKind(StrEnum):
    """What a block of text is on its page."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Piece:
    """The place of `block.text[start:end]`: one line's worth of it. `box` is None where the format has no layout."""

    start: int
    end: int
    page: int
    box: Box | None


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, paragraph, list item or table row in reading order.

    `level`: heading level (1 is highest) or list depth (0 is outermost). `marker`: the list marker as read ("•", "1.",
    "b)"), not part of `text`. `group`: items of one list and rows of one table share a number > 0; 0 is no group.
    `header`: this row names the table's columns. A row's cells are joined with " | " in `text`.
    """

    kind: BlockKind
    text: str
    pieces: tuple[Piece, ...]
    level: int = 0
    marker: str = ""
    group: int = 0
    header: bool = False


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a reader got out of one file. Pages count from 1; a format without pages has one page."""

    source_type: str
    title: str
    blocks: tuple[Block, ...]
    page_count: int
    pages_without_text: tuple[int, ...] = ()
    hidden_text: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class UnitKind(StrEnum):
    """What a sentence of a chunk is: running text, a list item or a table row."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Place:
    """Where on which page something stands."""

    page: int
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """The smallest thing that is quoted: `chunk.text[start:end]`, without a list marker.

    `group`, `marker`, `level` and `header` as in `Block`. `places` has one entry per page that the sentence touches.
    `terms` are its index terms, in order (see `ankare.language`).
    """

    start: int
    end: int
    kind: UnitKind
    places: tuple[Place, ...]
    marker: str = ""
    group: int = 0
    level: int = 0
    header: bool = False
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A section, or a coherent part of a long one: what is searched, judged and cited.

    `id` is the same for the same content in the same place, on every machine and run. `source` is the path below the
    documents folder, with forward slashes. `section` is the heading path, outermost first, without the title.
    """

    id: str
    document_id: str
    source: str
    source_type: str
    title: str
    section: tuple[str, ...]
    pages: tuple[int, ...]
    text: str
    language: str
    ordinal: int
    sentences: tuple[Sentence, ...]

    def sentence_text(self, sentence: Sentence) -> str:
        """The text of one of this chunk's sentences."""
        return self.text[sentence.start : sentence.end]


@dataclass(frozen=True, slots=True)
class Document:
    """One ingested file as the manifest keeps it. `sha256` is of the file's bytes; `id` is derived from `source` alone.

    `access`: the label that a reader must carry (`ankare.domain.access`), "" for everyone.
    """

    id: str
    source: str
    source_type: str
    sha256: str
    title: str
    language: str
    page_count: int
    pages_without_text: tuple[int, ...] = ()
    version: str = ""
    valid_from: str = ""
    supersedes: tuple[str, ...] = ()
    chunk_ids: tuple[str, ...] = field(default=(), repr=False)
    access: str = ""
