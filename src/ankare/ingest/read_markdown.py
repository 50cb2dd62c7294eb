"""What are the headings, lists, tables and paragraphs of a Markdown file?

Parsed as CommonMark with tables (markdown-it-py); comments and other raw HTML are read as HTML, so what a browser would
hide is left out here too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ankare.domain.document import BlockKind, Extraction
from ankare.ingest.blocks import BlockList

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n(?:---|\.\.\.)\n", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:(.*)$", re.MULTILINE)


def read_markdown(text: str, name: str) -> Extraction:
    """Read Markdown; `name` is the title where neither front matter nor a first heading gives one."""
    from markdown_it import MarkdownIt

    title = ""
    text = text.replace("\r\n", "\n")
    if front := _FRONT_MATTER.match(text):
        found = _FRONT_TITLE.search(front[1])
        title = _unquoted(found[1].strip()) if found else ""
        text = text[front.end() :]
    walker = _Walker(MarkdownIt("commonmark").enable("table").parse(text))
    walker.walk()
    return walker.found.extraction("md", title or walker.found.title(name))


def _unquoted(text: str) -> str:
    return text[text[:1] in ("'", '"') : len(text) - (text[1:][-1:] in ("'", '"'))]


class _Walker:
    """Walks over the parser's flat list of tokens."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.found = BlockList()
        self.lists: list[tuple[str, int]] = []
        self.group = 0
        self.item_open = False
        self.row: list[str] = []
        self.header = False

    def walk(self) -> None:
        for at, token in enumerate(self.tokens):
            handler = getattr(self, f"on_{token.type}", None)
            if handler is not None:
                handler(token)
            elif token.type == "inline":
                self.inline(token, self.tokens[at - 1])

    def inline(self, token: Token, parent: Token) -> None:
        text = self.text_of(token)
        if parent.type == "heading_open":
            self.found.add(BlockKind.HEADING, text, level=int(parent.tag[1]))
        elif parent.type in ("th_open", "td_open"):
            self.row.append(text)
        elif self.lists and self.item_open:
            kind, number = self.lists[-1]
            marker = "•" if kind == "bullet" else f"{number}."
            self.found.add(BlockKind.ITEM, text, level=len(self.lists) - 1, marker=marker, group=self.group)
            self.item_open = False
        elif self.lists:
            self.found.extend(text)
        else:
            self.found.add(BlockKind.PARAGRAPH, text)

    def text_of(self, token: Token) -> str:
        parts: list[str] = []
        for child in token.children or []:
            if child.type in ("text", "code_inline", "image"):
                parts.append(child.content)
            elif child.type in ("softbreak", "hardbreak"):
                parts.append(" ")
            elif child.type == "html_inline" and child.content.startswith("<!--"):
                self.found.hide(child.content.removeprefix("<!--").removesuffix("-->"))
        return "".join(parts)

    def on_bullet_list_open(self, token: Token) -> None:
        self.open_list("bullet", 0)

    def on_ordered_list_open(self, token: Token) -> None:
        self.open_list("ordered", int(token.attrGet("start") or 1) - 1)

    def open_list(self, kind: str, start: int) -> None:
        if not self.lists:
            self.group = self.found.new_group()
        self.lists.append((kind, start))

    def on_list_item_open(self, token: Token) -> None:
        kind, number = self.lists[-1]
        self.lists[-1] = (kind, number + 1)
        self.item_open = True

    def on_bullet_list_close(self, token: Token) -> None:
        self.close_list()

    def on_ordered_list_close(self, token: Token) -> None:
        self.close_list()

    def close_list(self) -> None:
        self.lists.pop()
        self.item_open = False
        if not self.lists:
            self.group = 0

    def on_table_open(self, token: Token) -> None:
        self.group = self.found.new_group()

    def on_table_close(self, token: Token) -> None:
        self.group = 0

    def on_thead_open(self, token: Token) -> None:
        self.header = True

    def on_thead_close(self, token: Token) -> None:
        self.header = False

    def on_tr_close(self, token: Token) -> None:
        self.found.add_row(self.row, self.group, header=self.header)
        self.row = []

    def on_fence(self, token: Token) -> None:
        self.found.add(BlockKind.PARAGRAPH, token.content)

    def on_code_block(self, token: Token) -> None:
        self.found.add(BlockKind.PARAGRAPH, token.content)

    def on_html_block(self, token: Token) -> None:
        from ankare.ingest.read_html import read_fragment

        read_fragment(token.content, self.found)
