"""How do a document's blocks become the chunks that are searched, judged and cited?

A chunk is one section or a coherent part of a long one. It never ends inside a sentence or a table row, and never
between a sentence that leads into a list and the list's first item. Where a section runs over a page break and both
sides are big enough it is cut there, because search results are judged by page.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from ankare.domain.document import Block, BlockKind, Box, Chunk, Extraction, Place, Sentence, UnitKind
from ankare.ingest.packing import Unit, pack
from ankare.ingest.sections import count_words, join_small, sections
from ankare.language.protocol import Language

LONG_ITEM_WORDS = 80
"""A list item with more words than this is taken sentence by sentence; the later ones have no marker."""

DEFAULT_MARKER = "•"
INDENT = "  "


@dataclass(frozen=True, slots=True)
class ChunkOrigin:
    """What the chunks of one document have in common."""

    document_id: str
    source: str
    title: str
    language: str


def chunk_document(extraction: Extraction, origin: ChunkOrigin, language: Language) -> tuple[Chunk, ...]:
    """The chunks of a document in reading order.

    `chunk.text[s.start:s.end]` is each sentence; together with the headings they hold all text of the extraction. List
    items stand as "• text" or "1. text" lines with the marker outside the span, table rows as lines.
    """
    chunks: list[Chunk] = []
    seen: dict[str, int] = {}
    for section in join_small(sections(extraction.blocks, origin.title)):
        units = [unit for block in (*section.lines, *section.blocks) for unit in _units(block, language)]
        for part in pack(units):
            text, sentences = _compose(part)
            key = json.dumps([origin.source, section.path, text])
            seen[key] = seen.get(key, 0) + 1
            chunks.append(
                Chunk(
                    id=_digest(f"{key}{seen[key]}"),
                    document_id=origin.document_id,
                    source=origin.source,
                    source_type=extraction.source_type,
                    title=origin.title,
                    section=section.path,
                    pages=tuple(sorted({place.page for sentence in sentences for place in sentence.places})) or (1,),
                    text=text,
                    language=origin.language,
                    ordinal=len(chunks),
                    sentences=sentences,
                )
            )
    return tuple(chunks)


def document_id(source: str) -> str:
    """The id of the document at a source: the same on every machine."""
    return _digest(json.dumps(["document", source]))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _units(block: Block, language: Language) -> list[Unit]:
    text = block.text
    if not text.strip():
        return []
    if block.kind is BlockKind.PARAGRAPH or (block.kind is BlockKind.ITEM and count_words(text) > LONG_ITEM_WORDS):
        spans = language.sentences(text)
    else:
        start = len(text) - len(text.lstrip())
        spans = [(start, len(text.rstrip()))]
    return [_unit(block, start, end, first=at == 0) for at, (start, end) in enumerate(spans)]


def _unit(block: Block, start: int, end: int, *, first: bool) -> Unit:
    pages = [piece.page for piece in block.pieces if piece.start < end and piece.end > start]
    pages = pages or [piece.page for piece in block.pieces[-1:]] or [1]
    return Unit(
        block=block,
        start=start,
        end=end,
        first=first,
        words=count_words(block.text[start:end]),
        first_page=min(pages),
        last_page=max(pages),
    )


def _compose(units: Sequence[Unit]) -> tuple[str, tuple[Sentence, ...]]:
    parts: list[str] = []
    sentences: list[Sentence] = []
    at = 0
    before: Unit | None = None
    for unit in units:
        lead = _joint(before, unit) + _prefix(unit)
        # A line break inside a sentence is layout, except between a table's lines.
        body = unit.block.text[unit.start : unit.end].replace("\n", " ")
        parts += (lead, body)
        at += len(lead)
        sentences.append(_sentence(unit, at, at + len(body)))
        at += len(body)
        before = unit
    return "".join(parts), tuple(sentences)


def _joint(before: Unit | None, unit: Unit) -> str:
    if before is None:
        return ""
    if before.block is unit.block:
        return " "
    one_group = before.block.group == unit.block.group and unit.block.group > 0
    return "\n" if one_group or unit.kind is UnitKind.ITEM or before.block.kind is BlockKind.HEADING else "\n\n"


def _prefix(unit: Unit) -> str:
    if unit.kind is not UnitKind.ITEM or not unit.first:
        return ""
    return f"{INDENT * unit.block.level}{unit.block.marker or DEFAULT_MARKER} "


def _sentence(unit: Unit, start: int, end: int) -> Sentence:
    block = unit.block
    return Sentence(
        start=start,
        end=end,
        kind=unit.kind,
        places=_places(unit),
        marker=(block.marker or DEFAULT_MARKER) if unit.kind is UnitKind.ITEM and unit.first else "",
        group=block.group,
        level=block.level if unit.kind is UnitKind.ITEM else 0,
        header=block.header,
    )


def _places(unit: Unit) -> tuple[Place, ...]:
    boxes: dict[int, list[Box]] = {}
    for piece in unit.block.pieces:
        if piece.start < unit.end and piece.end > unit.start:
            on_page = boxes.setdefault(piece.page, [])
            if piece.box is not None:
                on_page.append(_part(piece.box, piece.start, piece.end, unit.start, unit.end))
    if not boxes:
        return (Place(unit.first_page, ()),)
    return tuple(Place(page, tuple(boxes[page])) for page in sorted(boxes))


def _part(box: Box, line_start: int, line_end: int, start: int, end: int) -> Box:
    """The part of a line's rectangle that a sentence takes, as if all signs were equally wide; to a tenth of a point."""
    length = max(1, line_end - line_start)
    width = box.x1 - box.x0
    x0 = box.x0 + width * max(0, start - line_start) / length
    x1 = box.x0 + width * min(length, end - line_start) / length
    return Box(round(x0, 1), round(box.y0, 1), round(x1, 1), round(box.y1, 1))
