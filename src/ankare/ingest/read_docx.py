"""What does a Word document say to a person who reads it?

Headings come from outline levels, list markers from the numbering definitions, as Word would count them. Left out: page
headers and footers, tables of contents, comments, deleted revisions, and hidden, tiny or white text; what is hidden is
reported. A document has no pages before it is laid out, so all of it stands on page 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ankare.domain.document import BlockKind, Extraction
from ankare.ingest.blocks import BlockList, clean
from ankare.ingest.docx_numbering import Number, Numbering
from ankare.ingest.docx_styles import Styles, flag, w

_TRANSPARENT = frozenset(map(w, ("ins", "smartTag", "hyperlink", "fldSimple", "customXml", "moveTo", "dir", "bdo")))
_DELETED = frozenset(map(w, ("del", "moveFrom")))
_MARKUP = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_TITLE = 1


def read_docx(path: Path) -> Extraction:
    """Read a DOCX file. Raises what python-docx raises for a broken one."""
    import docx

    document = docx.Document(str(path))
    reader = _Reader(document)
    reader.blocks(document.element.body)
    title = clean(document.core_properties.title or "") if not reader.found.blocks else ""
    return reader.found.extraction("docx", reader.title or title or reader.found.title(path.stem))


class _Reader:
    def __init__(self, document: Any) -> None:
        self.found = BlockList()
        self.styles = Styles(document)
        self.numbering = Numbering(document)
        self.notes = _notes(document)
        self.title = ""
        self.list = _OpenList(self.found)

    def blocks(self, parent: Any) -> None:
        for node in parent:
            if node.tag == w("p"):
                self.paragraph(node)
            elif node.tag == w("tbl"):
                self.list.close()
                self.table(node)
            elif node.tag == w("sdt"):
                if not _is_contents(node):
                    for content in node.iterchildren(w("sdtContent")):
                        self.blocks(content)
            elif node.tag in _TRANSPARENT:
                self.blocks(node)

    def paragraph(self, node: Any) -> None:
        style = self.styles.of_paragraph(node)
        if style.is_contents:
            return
        text = self.text(node, style)
        number = self.numbering.next(node, style)
        if not clean(text):
            pass
        elif style.is_title and not self.title and not self.found.blocks:
            self.title = clean(text)
            self.found.add(BlockKind.HEADING, text, level=_TITLE)
        elif style.outline:
            self.list.close()
            self.found.add(BlockKind.HEADING, text, level=style.outline, marker=number.marker if number else "")
        elif number is not None:
            group, level = self.list.place(number)
            self.found.add(BlockKind.ITEM, text, level=level, marker=number.marker, group=group)
        else:
            self.list.close()
            self.found.add(BlockKind.PARAGRAPH, text)
        for box in _text_boxes(node):
            self.blocks(box)
        for note in node.iter(w("footnoteReference"), w("endnoteReference")):
            self.footnote(note)

    def footnote(self, reference: Any) -> None:
        kind = "footnote" if reference.tag == w("footnoteReference") else "endnote"
        note = self.notes.pop((kind, reference.get(w("id"), "")), None)  # a note stands once, however often it is named
        if note is not None:
            for paragraph in note.iter(w("p")):
                self.found.add(BlockKind.PARAGRAPH, self.text(paragraph, self.styles.of_paragraph(paragraph)))

    def table(self, node: Any) -> None:
        rows = list(_rows(node))
        if _is_frame(rows):
            for row in rows:
                for cell in _cells(row):
                    self.blocks(cell)
            return
        group = self.found.new_group()
        for number, row in enumerate(rows):
            if flag(row.find(w("trPr")), "hidden"):
                self.found.hide("".join(part.text or "" for part in row.iter(w("t"))))
                continue
            named = flag(row.find(w("trPr")), "tblHeader")
            cells = [self.cell(cell) for cell in _cells(row)]
            self.found.add_row(cells, group, header=named or (number == 0 and len(rows) > 1))

    def cell(self, node: Any) -> str:
        parts = []
        for paragraph in node.iter(w("p")):
            style = self.styles.of_paragraph(paragraph)
            number = self.numbering.next(paragraph, style)
            text = clean(self.text(paragraph, style))
            parts.append(f"{number.marker} {text}" if number is not None and text else text)
        return " ".join(filter(None, parts))

    def text(self, node: Any, style: Any) -> str:
        """The visible text of a paragraph, without that of its text boxes."""
        parts: list[str] = []
        hidden: list[str] = []
        for run in self.runs(node):
            target = hidden if self.styles.hides(run, style) else parts
            target.append(_run_text(run))
        self.found.hide("".join(hidden))
        return "".join(parts)

    def runs(self, node: Any) -> Iterator[Any]:
        for child in node:
            if child.tag == w("r"):
                yield child
            elif child.tag in _TRANSPARENT:
                yield from self.runs(child)
            elif child.tag == w("sdt"):
                for content in child.iterchildren(w("sdtContent")):
                    yield from self.runs(content)
            elif child.tag in _DELETED:
                self.found.hide("".join(part.text or "" for part in child.iter(w("delText"), w("t"))))


class _OpenList:
    """The list that goes on until something else comes. A list of another definition that stands further in is part of it."""

    def __init__(self, found: BlockList) -> None:
        self._found = found
        self._group = 0
        self._base: dict[str, int] = {}
        self._last: tuple[int, int] = (0, 0)

    def close(self) -> None:
        """Something else than a list item came."""
        self._group = 0

    def place(self, number: Number) -> tuple[int, int]:
        """Group and level of the next item."""
        indent, level = self._last
        inner = self._group > 0 and number.list_id not in self._base and number.indent > indent
        if self._group == 0 or (number.list_id not in self._base and not inner):
            self._group = self._found.new_group()
            self._base = {number.list_id: 0}
        elif inner:
            self._base[number.list_id] = level + 1 - number.level
        self._last = (number.indent, self._base[number.list_id] + number.level)
        return self._group, self._last[1]


_SIGNS = {
    w("tab"): " ",
    w("br"): " ",
    w("cr"): " ",
    w("noBreakHyphen"): "-",
}


def _run_text(run: Any) -> str:
    parts = []
    for part in run:
        if part.tag == w("t"):
            parts.append(part.text or "")
        elif part.tag == w("sym"):
            parts.append(" ")
        else:
            parts.append(_SIGNS.get(part.tag, ""))
    return "".join(parts)


def _text_boxes(node: Any) -> Iterator[Any]:
    """The contents of text boxes in a paragraph; of two versions of the same box only the first."""
    for box in node.iter(w("txbxContent")):
        if not any(step.tag == f"{_MARKUP}Fallback" for step in box.iterancestors()):
            inner = next((step for step in box.iterancestors(w("txbxContent")) if node in step.iterancestors()), None)
            if inner is None:
                yield box


def _rows(table: Any) -> Iterator[Any]:
    for child in table:
        if child.tag == w("tr"):
            yield child
        elif child.tag in (w("sdt"), w("ins")):
            yield from child.iter(w("tr"))


def _cells(row: Any) -> Iterator[Any]:
    """The cells of a row; one that only continues a cell above is empty and stays so."""
    for child in row:
        if child.tag == w("tc"):
            yield child
        elif child.tag == w("sdt"):
            yield from child.iter(w("tc"))


def _is_frame(rows: list[Any]) -> bool:
    """A table that only frames text: one cell a row, or tables in it."""
    return all(len(list(_cells(row))) <= 1 for row in rows) or any(True for row in rows for _ in row.iter(w("tbl")))


def _is_contents(node: Any) -> bool:
    return any("contents" in part.get(w("val"), "").lower() for part in node.iter(w("docPartGallery")))


def _notes(document: Any) -> dict[tuple[str, str], Any]:
    from lxml import etree

    found: dict[tuple[str, str], Any] = {}
    for relation in document.part.rels.values():
        kind = relation.reltype.rsplit("/", 1)[-1].removesuffix("s")
        if kind in ("footnote", "endnote") and not relation.is_external:
            parser = etree.XMLParser(resolve_entities=False, no_network=True)
            for note in etree.fromstring(relation.target_part.blob, parser).iter(w(kind)):
                if note.get(w("type")) is None:
                    found[(kind, note.get(w("id"), ""))] = note
    return found
