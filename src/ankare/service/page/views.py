"""What does a mark in an answer show when it is pointed at: which page with what marked, which passage, which cell?

A view is told to the browser as data and as HTML around escaped text. The marks in the answer name it by its place in the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape as quoted
from pathlib import Path
from urllib.parse import quote

from ankare.cite.blocks import pages_of, places_of
from ankare.cite.escape import plain
from ankare.cite.figures import FactSource
from ankare.cite.links import PAGED, SLIDES
from ankare.cite.markdown import Rendered, Source
from ankare.cite.pages import page_height
from ankare.domain.answer import Citation, Claim
from ankare.domain.fact import Fact
from ankare.errors import AnkareError
from ankare.messages import messages
from ankare.messages.places import said_locator
from ankare.service.api.sources import MAX_MARKS, marked_boxes
from ankare.service.page.excerpt import excerpts_html
from ankare.service.page.passage import passages_html
from ankare.service.shelf import Shelf

View = dict[str, object]
Fields = tuple[tuple[str, str], ...]
"""What is stored about a figure: names and values for a reader."""


class Views:
    """The views of one answer, each once. Its marks are named in its own language, what a view tells in the page's."""

    def __init__(self, rendered: Rendered, shelf: Shelf, language: str, page_language: str) -> None:
        self._shelf = shelf
        self._texts = messages(language)
        self._told_in = messages(page_language)
        self._page_language = page_language
        self._sources = {(source.chunk.document_id, source.page): source for source in rendered.sources}
        self._places: dict[object, int] = {}
        self.told: list[View] = []

    def marks(self, claims: Sequence[Claim]) -> str:
        """The marks after a stretch of the answer, one for each page that it stands on; each shows its own sentences."""
        found = {source.number: source for c in claims for source in map(self._sources.get, places_of(c)) if source}
        citations = [citation for claim in claims for citation in claim.citations]
        return "".join(self._mark(found[number], citations) for number in sorted(found))

    def of_source(self, source: Source) -> int:
        """The view of everything that is cited on a page."""
        return self._view(source, source.citations)

    def of_cell(self, source: FactSource, facts: Sequence[Fact], figures: Sequence[Fields]) -> int:
        """The view of a figure's place: the figures that were read there, what is to be told of each, and their tables."""
        if (key := (source.number, tuple(figures))) not in self._places:
            view = self._cell(source, facts, figures)
            self._places[key] = self._kept(view)
        return self._places[key]

    def button(self, number: int, view: int, label: str) -> str:
        """A mark, as HTML."""
        name = quoted(self._texts["page.citation"].format(number=number, label=plain(label)))
        return f'<button type="button" class="ak-cite" data-view="{view}" aria-label="{name}">{number}</button>'

    def _mark(self, source: Source, citations: Sequence[Citation]) -> str:
        here = [c for c in citations if c.chunk.document_id == source.chunk.document_id and source.page in pages_of(c)]
        return self.button(source.number, self._view(source, here), source.label)

    def _view(self, source: Source, citations: Sequence[Citation]) -> int:
        spans = tuple(dict.fromkeys((c.chunk.id, c.start, c.end) for c in citations))
        if (key := (source.number, spans)) not in self._places:
            paged = source.chunk.source_type in PAGED
            view = self._page(source, citations, spans) if paged else self._passage(source, citations)
            self._places[key] = self._kept(view)
        return self._places[key]

    def _kept(self, view: View) -> int:
        self.told.append(view)
        return len(self.told) - 1

    def _common(self, source: Source) -> View:
        chunk = source.chunk
        return {
            "number": source.number,
            "title": plain(chunk.title) or plain(chunk.source),
            "label": source.label,
            "section": plain(" › ".join(chunk.section)),
            "href": source.url,
        }

    def _page(self, source: Source, citations: Sequence[Citation], spans: Sequence[tuple[str, int, int]]) -> View:
        document = source.chunk.document_id
        claim = ",".join(f"{quote(name, safe='')}:{start}-{end}" for name, start, end in spans[:MAX_MARKS])
        return {
            **self._common(source),
            "kind": "page",
            "page": source.page,
            "pages": self._page_count(document, source.page),
            "pictures": f"/sources/{quote(document, safe='')}/pages/",
            "claim": claim,
            "y": round(self._relative_y(document, source.page, citations), 4),
        }

    def _passage(self, source: Source, citations: Sequence[Citation]) -> View:
        slide = source.chunk.source_type in SLIDES
        place = self._told_in["cite.slide"].format(page=source.page) if slide else ""
        return {
            **self._common(source),
            "kind": "text",
            "place": place,
            "html": passages_html(citations, self._told_in["page.table"]),
        }

    def _cell(self, source: FactSource, facts: Sequence[Fact], figures: Sequence[Fields]) -> View:
        locator = said_locator(source.locator, self._told_in)
        tables = excerpts_html(filter(None, map(self._shelf.excerpt, facts)), self._told_in, self._page_language)
        return {
            "number": source.number,
            "title": plain(source.doc),
            "label": source.label,
            "section": plain(locator),
            "href": "",
            "kind": "cell",
            "html": tables + "".join(map(_listed, figures)),
        }

    def _page_count(self, document: str, least: int) -> int:
        try:
            return max(self._shelf.document(document).page_count, least)
        except (KeyError, AnkareError):
            return least

    def _relative_y(self, document: str, page: int, citations: Sequence[Citation]) -> float:
        """Where on the page the first mark begins, 0 (top) to 1; 0 where that is not known."""
        boxes = [box for c in citations for box in marked_boxes(c.chunk, c.start, c.end, page)]
        if not boxes:
            return 0.0
        try:
            height = _height(self._shelf.original(document), self._shelf.document(document).sha256, page)
        except (KeyError, OSError, AnkareError):
            return 0.0
        return min(1.0, max(0.0, min(box.y0 for box in boxes) / height))


def _listed(fields: Fields) -> str:
    told = "".join(
        f"<div><dt>{quoted(name)}</dt><dd>{quoted(plain(value))}</dd></div>" for name, value in fields if value
    )
    return f'<dl class="ak-cell">{told}</dl>'


@lru_cache(4096)
def _height(original: Path, sha256: str, page: int) -> float:
    """A page's height; a document that has changed has another hash."""
    return max(1.0, page_height(original, page))
