"""What does a PDF say? `read_pdf` opens it, reads page by page, and settles what only the whole document can tell."""

from __future__ import annotations

import ctypes
import os
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from ankare.domain.document import Block, BlockKind, Extraction
from ankare.errors import DocumentError
from ankare.ingest.pdf.artefacts import (
    BOTTOM_BAND,
    TOP_BAND,
    Contents,
    PageText,
    drop_contents,
    drop_furniture,
    title_key,
)
from ankare.ingest.pdf.assemble import blocks_of
from ankare.ingest.pdf.draft import Draft
from ankare.ingest.pdf.form_cycles import draws_itself
from ankare.ingest.pdf.fragments import fragments_of
from ankare.ingest.pdf.glyphs import Page, read_page
from ankare.ingest.pdf.headings import Setting
from ankare.ingest.pdf.hidden import split_hidden
from ankare.ingest.pdf.layout import page_content
from ankare.ingest.pdf.paragraphs import drafts_of
from ankare.ingest.pdf.pdfium import pdfium
from ankare.ingest.pdf.regions import Region, regions_of
from ankare.ingest.pdf.title import title_of
from ankare.messages.remarks import remark

MAX_OUTLINE = 20_000
PICTURE_SHARE = 0.25


def read_pdf(path: Path, *, is_word: Callable[[str], bool], language: str = "", name: str = "") -> Extraction:
    """The blocks of a PDF in reading order, each line with its page and rectangle.

    `is_word` tells whether a word in lower case is in the lexicon; it decides about hyphens at line ends and words that
    were set in parts. `language` is a hint and may be empty. `name`: what the file is called where `path` is but a copy
    of it; title and messages go by it. A page that cannot be read is a warning.

    Raises DocumentError for a file that is empty, damaged, encrypted, without pages, without end, or no PDF at all.
    """
    del language
    known: dict[str, bool] = {}

    def check(word: str) -> bool:
        found = known.get(word)
        if found is None:
            found = known[word] = is_word(word)
        return found

    name = name or path.name
    document = _open(path, name)
    if draws_itself(path):
        pdfium().raw.FPDF_CloseDocument(document)
        raise DocumentError(remark("pdf_draws_itself", name=name), remark("do_export_again"))
    try:
        return _read(document, name, check)
    finally:
        pdfium().raw.FPDF_CloseDocument(document)


def count_pages(path: Path) -> int:
    """How many pages the file says it has, 0 where it cannot be opened. No page is read."""
    try:
        document = _open(path, path.name)
    except DocumentError:
        return 0
    try:
        return max(0, int(pdfium().raw.FPDF_GetPageCount(document)))
    finally:
        pdfium().raw.FPDF_CloseDocument(document)


def _read(document: Any, name: str, is_word: Callable[[str], bool]) -> Extraction:
    total = pdfium().raw.FPDF_GetPageCount(document)
    if total <= 0:
        raise DocumentError(remark("pdf_no_pages", name=name), remark("do_export_again"))
    pages: list[PageText] = []
    regions: list[list[Region]] = []
    hidden: list[str] = []
    warnings: list[str] = []
    for index in range(total):
        try:
            page = read_page(document, index)
            visible, unseen = split_hidden(page, fragments_of(page, is_word))
            regions.append(regions_of(page, visible) if visible else [])
            grids = [region for region in regions[-1] if region.cells]
            pages.append(PageText(index + 1, page.width, page.height, visible, grids, _is_pictured(page)))
            hidden += [f"p. {index + 1}: {text}" for text in unseen]
        except (ValueError, ArithmeticError, LookupError, OSError) as error:
            warnings.append(remark("page_unreadable", number=str(index + 1), error=str(error)))
            pages.append(PageText(index + 1, 1.0, 1.0, []))
            regions.append([])
    edges = _edges(pages[0])
    drop_furniture(pages)
    outline = dict(_outline(document))
    contents = drop_contents(pages)
    drafts = _drafts(pages, regions, contents, outline)
    blocks = blocks_of(drafts, {page.number: (page.width, page.height) for page in pages}, outline, is_word)
    title = title_of(_metadata(document, b"Title"), name, blocks, edges)
    return Extraction(
        source_type="pdf",
        title=title,
        blocks=tuple(blocks),
        page_count=total,
        pages_without_text=_without_text(pages, blocks, contents),
        hidden_text=tuple(hidden),
        warnings=tuple(warnings),
    )


def _is_pictured(page: Page) -> bool:
    covered = sum((image.x1 - image.x0) * (image.y1 - image.y0) for image in page.images)
    return covered >= PICTURE_SHARE * page.width * page.height


def _without_text(pages: list[PageText], blocks: list[Block], contents: Contents) -> tuple[int, ...]:
    """Pages that say nothing as text: none at all, or but a heading above a picture that holds the rest."""
    headed = {piece.page for block in blocks for piece in block.pieces}
    said = {piece.page for block in blocks if block.kind is not BlockKind.HEADING for piece in block.pieces}
    return tuple(
        page.number
        for page in pages
        if page.number not in said | contents.pages and (page.pictured or page.number not in headed)
    )


def _edges(page: PageText) -> list[str]:
    """The texts near the top and bottom of a page, left to right by row."""
    top, bottom = TOP_BAND * page.height, (1 - BOTTOM_BAND) * page.height
    band = [fragment for fragment in page.fragments if fragment.y1 <= top or fragment.y0 >= bottom]
    return [fragment.text for fragment in sorted(band, key=lambda item: (round(item.y0 / 4), item.x0))]


def _drafts(
    pages: list[PageText], regions: list[list[Region]], contents: Contents, outline: dict[str, int]
) -> list[Draft]:
    setting = _setting(pages, contents.titles | set(outline))
    numbers = count(1)
    out: list[Draft] = []
    for page, framed in zip(pages, regions, strict=True):
        content = page_content(page.fragments, framed, page.width, page.height)
        out += drafts_of(content, setting, lambda: next(numbers))
    return out


def _setting(pages: list[PageText], titles: set[str]) -> Setting:
    sizes: Counter[float] = Counter()
    bold = total = 0
    for page in pages:
        for fragment in page.fragments:
            length = len(fragment.text)
            sizes[round(fragment.size * 2) / 2] += length
            total += length
            bold += length if fragment.bold else 0
    body = max(sizes, key=lambda size: (sizes[size], -size)) if sizes else 10.0
    return Setting(body, bold * 10 <= total * 6, titles)


def _open(path: Path, name: str) -> Any:
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(1024)
    except OSError as error:
        closed = remark("pdf_closed", name=name, error=str(error.strerror))
        raise DocumentError(closed, remark("do_check_there")) from error
    if size == 0:
        raise DocumentError(remark("pdf_empty", name=name), remark("do_copy_again"))
    raw = pdfium().raw
    _initialise(raw)
    document = raw.FPDF_LoadDocument(os.fsencode(path), None)
    if document:
        return document
    code = raw.FPDF_GetLastError()
    if code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
        raise DocumentError(remark("pdf_encrypted", name=name), remark("do_copy_no_password"))
    if b"%PDF-" not in head:
        raise DocumentError(remark("not_pdf", name=name), remark("do_real_ending"))
    raise DocumentError(remark("pdf_damaged", name=name), remark("do_copy_again"))


def _initialise(raw: Any) -> None:
    """pypdfium2 initialises pdfium when it is imported as a whole; the raw bindings alone do not."""
    import pypdfium2

    del pypdfium2, raw


def _metadata(document: Any, key: bytes) -> str:
    raw = pdfium().raw
    length = raw.FPDF_GetMetaText(document, key, None, 0)
    if length <= 2 or length > 10_000:
        return ""
    buffer = ctypes.create_string_buffer(length)
    raw.FPDF_GetMetaText(document, key, buffer, length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace").replace("\0", "")


def _outline(document: Any) -> Iterator[tuple[str, int]]:
    """(title key, level) of the bookmarks, in order; level 1 is outermost. Cycles and very long outlines are cut."""
    raw = pdfium().raw
    seen: set[int] = set()
    stack = [(raw.FPDFBookmark_GetFirstChild(document, None), 1)]
    while stack and len(seen) < MAX_OUTLINE:
        mark, level = stack.pop()
        if not mark:
            continue
        where = ctypes.cast(mark, ctypes.c_void_p).value or 0
        if where in seen:
            continue
        seen.add(where)
        length = raw.FPDFBookmark_GetTitle(mark, None, 0)
        if 2 < length < 2000:
            buffer = ctypes.create_string_buffer(length)
            raw.FPDFBookmark_GetTitle(mark, buffer, length)
            title = title_key(buffer.raw[: length - 2].decode("utf-16-le", "replace"))
            if title:
                yield title, level
        stack.append((raw.FPDFBookmark_GetNextSibling(document, mark), level))
        stack.append((raw.FPDFBookmark_GetFirstChild(document, mark), level + 1))
