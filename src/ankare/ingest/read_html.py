"""What does a web page say to a person who reads it?

Navigation, page headers and footers are left out; so is what no reader sees: hidden elements, comments, white text on
white, whether said in the element's own style or by a simple rule of the page's style sheet. Hidden text is reported.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ankare.domain.document import BlockKind, Extraction
from ankare.errors import DocumentError
from ankare.ingest.blocks import BlockList, clean
from ankare.ingest.html_visibility import Visibility
from ankare.messages.remarks import remark

_NEVER = frozenset(
    (
        *(
            "script",
            "style",
            "template",
            "noscript",
            "head",
            "iframe",
            "object",
            "embed",
            "svg",
            "canvas",
            "audio",
            "video",
        ),
        *("map", "button", "select", "textarea", "datalist", "input"),
    )
)
_FRAME = frozenset(("nav", "header", "footer", "aside", "menu"))
_FRAME_ROLES = frozenset(("navigation", "banner", "contentinfo", "search", "complementary"))
_CONTENT = frozenset(("main", "article", "section"))
_INLINE = frozenset(
    (
        *(
            "a",
            "abbr",
            "acronym",
            "b",
            "bdi",
            "bdo",
            "big",
            "cite",
            "code",
            "data",
            "del",
            "dfn",
            "em",
            "font",
            "i",
            "img",
        ),
        *("ins", "kbd", "label", "mark", "meter", "output", "progress", "q", "rp", "rt", "ruby", "s", "samp", "small"),
        *("span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
    )
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_MOST_NESTED = 10
"""Lists of terms in cells in lists of terms: each has its text in one line, which is made anew on every level."""

_META_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]+)", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"\A\s*<\?xml[^>]*encoding\s*=\s*[\"']([A-Za-z0-9_.:-]+)", re.IGNORECASE)
_NO_CHARSETS = frozenset(
    ("unicode_escape", "unicode-escape", "raw_unicode_escape", "raw-unicode-escape", "utf-7", "utf7")
)
"""Codecs that no browser knows and that would make other text of a page than what a reader sees."""
_XML_HEAD = re.compile(r"\A\s*<\?xml[^>]*\?>")


def read_html(data: bytes, name: str, charset: str = "") -> Extraction:
    """Read a page; `name` is the title where the page has none, `charset` what the server said. Raises DocumentError."""
    text = _XML_HEAD.sub("", decode_html(data, charset))
    if not text.strip():
        raise DocumentError(remark("page_empty"), remark("do_html"))
    found = BlockList()
    root = _add_blocks(text, found)
    title = clean(root.findtext(".//title") or "")
    return found.extraction("html", title or found.title(name))


def read_fragment(html: str, found: BlockList) -> None:
    """Add the blocks of a piece of HTML to a list of blocks. Raises DocumentError."""
    _add_blocks(f"<body>{html}</body>", found)


def _add_blocks(text: str, found: BlockList) -> Any:
    """Parse and walk HTML; gives its root. Raises DocumentError."""
    import lxml.html

    try:
        # Without huge_tree the parser drops what is nested more than 256 deep; with it, more than 2,048.
        parser = lxml.html.HTMLParser(huge_tree=True)
        root = lxml.html.document_fromstring(text, parser=parser)
    except (ValueError, lxml.etree.LxmlError) as error:
        raise DocumentError(remark("page_broken", error=str(error)), remark("do_html")) from error
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        raise DocumentError(remark("page_too_deep"), remark("do_text_or_pdf"))
    walk = _Walker(found, Visibility(root))
    try:
        with _deep_recursion():
            walk.element(root)
            walk.flush()
    except RecursionError as error:
        raise DocumentError(remark("page_too_deep"), remark("do_text_or_pdf")) from error
    return root


def decode_html(data: bytes, charset: str = "") -> str:
    """The text of a page: byte order mark, then the server's charset, the page's own, UTF-8, and Windows-1252 last."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    declared = _META_CHARSET.search(data[:4096]) or _XML_ENCODING.search(data[:4096])
    names = [charset, declared[1].decode("ascii") if declared else "", "utf-8"]
    if data.startswith(b"\xef\xbb\xbf"):
        names.insert(0, "utf-8-sig")
    for encoding in filter(None, names):
        # What calls itself Latin-1 on the web is Windows-1252 (WHATWG Encoding Standard, section 4.2).
        label = encoding.lower()
        actual = "cp1252" if label in ("iso-8859-1", "latin1", "latin-1", "us-ascii", "ascii") else label
        if actual in _NO_CHARSETS:
            continue
        try:
            return data.decode(actual)
        except (ValueError, LookupError):  # wrong bytes, or a name that no codec can have
            continue
    return data.decode("cp1252", "replace")


class _Walker:
    """Walks the tree; inline text gathers in `buffer` until a block element ends it."""

    def __init__(self, found: BlockList, visibility: Visibility, nested: int = 0) -> None:
        self.found = found
        self.visibility = visibility
        self.nested = nested
        self.buffer: list[str] = []
        self.item: tuple[int, str, int] | None = None
        self.item_begun = False
        self.lists: list[int] = []
        self.content_depth = 0

    def element(self, node: Any) -> None:
        if not isinstance(node.tag, str):
            if node.tag is not _processing():
                self.found.hide(node.text or "")
            return
        tag = node.tag.lower()
        if tag in _NEVER or self._is_frame(node, tag):
            return
        if self.visibility.hidden(node):
            self.found.hide(" ".join(node.itertext()))
            return
        handler = getattr(self, f"on_{tag}", None)
        if tag in _HEADINGS:
            self.heading(node, _HEADINGS[tag])
        elif handler is not None:
            handler(node)
        elif tag in _INLINE:
            self.inside(node)
        else:
            self.block(node, tag)

    def tail(self, node: Any) -> None:
        if node.tail:
            self.buffer.append(node.tail)

    def inside(self, node: Any) -> None:
        if node.text:
            self.buffer.append(node.text)
        for child in node:
            self.element(child)
            self.tail(child)

    def block(self, node: Any, tag: str) -> None:
        self.flush()
        self.content_depth += tag in _CONTENT
        self.inside(node)
        self.content_depth -= tag in _CONTENT
        self.flush()

    def flush(self) -> None:
        text = "".join(self.buffer)
        self.buffer = []
        if not text.strip():
            return
        if self.item is None:
            self.found.add(BlockKind.PARAGRAPH, text)
        elif self.item_begun:
            self.found.extend(text)
        else:
            level, marker, group = self.item
            self.found.add(BlockKind.ITEM, text, level=level, marker=marker, group=group)
            self.item_begun = True

    def heading(self, node: Any, level: int) -> None:
        self.flush()
        self.inside(node)
        text, self.buffer = "".join(self.buffer), []
        if self.item is None:
            self.found.add(BlockKind.HEADING, text, level=level)
        else:
            self.buffer = [text]
            self.flush()

    def on_br(self, node: Any) -> None:
        self.buffer.append(" ")

    def on_ul(self, node: Any) -> None:
        self.list(node, _bullets())

    def on_ol(self, node: Any) -> None:
        self.list(node, _numbers(node))

    def list(self, node: Any, markers: Iterator[str]) -> None:
        self.flush()
        group = self.lists[-1] if self.lists else self.found.new_group()
        self.lists.append(group)
        outer, outer_begun = self.item, self.item_begun
        for child in node:
            if child.tag != "li":
                self.element(child)
                self.tail(child)
            elif not self.visibility.hidden(child):
                value = child.get("value", "")
                marker = next(markers)
                self.item = (len(self.lists) - 1, f"{value}." if value.isdigit() else marker, group)
                self.item_begun = False
                self.inside(child)
                self.flush()
            else:
                self.found.hide(" ".join(child.itertext()))
        self.item, self.item_begun = outer, outer_begun
        self.lists.pop()

    def on_dl(self, node: Any) -> None:
        """A term and its descriptions are one row, so that they are found and quoted together."""
        self.flush()
        group = self.found.new_group()
        row: list[str] = []
        for child in _entries(node):
            if self.visibility.hidden(child):
                self.found.hide(" ".join(child.itertext()))
                continue
            if child.tag == "dt" and len(row) > 1:
                self.found.add_row(row, group)
                row = []
            row.append(self.text_of(child))
        self.found.add_row(row, group)

    def on_table(self, node: Any) -> None:
        self.flush()
        if _is_layout(node):
            self.block(node, "div")
            return
        for caption in node.iterchildren("caption"):
            self.found.add(BlockKind.PARAGRAPH, self.text_of(caption))
        group = self.found.new_group()
        for number, row in enumerate(node.iter("tr")):
            if self.visibility.hidden(row):
                self.found.hide(" ".join(row.itertext()))
                continue
            cells = list(row.iterchildren("td", "th"))
            header = row.getparent().tag == "thead" or (number == 0 and all(cell.tag == "th" for cell in cells))
            self.found.add_row([self.text_of(cell) for cell in cells], group, header=header)

    def text_of(self, node: Any) -> str:
        """The visible text of an element in one line. Raises DocumentError where that is one line in one line in one line."""
        if self.nested >= _MOST_NESTED:
            raise DocumentError(remark("page_too_deep"), remark("do_text_or_pdf"))
        inner = BlockList()
        walk = _Walker(inner, self.visibility, self.nested + 1)
        walk.element(node)
        walk.flush()
        self.found.hidden.extend(inner.hidden)
        return " ".join(block.text for block in inner.blocks)

    def _is_frame(self, node: Any, tag: str) -> bool:
        """Is this the page's frame and not part of an article in it?"""
        if tag == "nav" or node.get("role", "").lower() in _FRAME_ROLES:
            return True
        return tag in _FRAME and self.content_depth == 0


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Three calls go to one level of nesting, and pages made by programs nest some hundred levels."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


_RECURSION_LIMIT = 10_000


def _processing() -> Any:
    import lxml.etree

    return lxml.etree.ProcessingInstruction


def _bullets() -> Iterator[str]:
    while True:
        yield "•"


def _numbers(node: Any) -> Iterator[str]:
    start, style = node.get("start", "1"), node.get("type", "1")
    number = int(start) if start.lstrip("-").isdigit() else 1
    while True:
        letter = style in ("a", "A") and 1 <= number <= 26
        yield f"{chr(ord(style) + number - 1)}." if letter else f"{number}."
        number += 1


def _entries(terms: Any) -> Iterator[Any]:
    """The terms and descriptions of a list, not those of lists in it."""
    for child in terms:
        if child.tag in ("dt", "dd"):
            yield child
        else:
            yield from _entries(child)


def _is_layout(table: Any) -> bool:
    """A table used to lay out a page: it holds tables, headings or lists, or has one cell a row."""
    if table.get("role") == "presentation":
        return True
    if any(inner is not table for inner in table.iter("table")):
        return True
    if next(table.iter("h1", "h2", "h3", "h4", "h5", "h6"), None) is not None:
        return True
    rows = list(table.iter("tr"))
    return bool(rows) and all(len(list(row.iterchildren("td", "th"))) <= 1 for row in rows)
