"""What are the headings, lists and paragraphs of a plain text? And the rows of a CSV file?"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from ankare.domain.document import BlockKind, Extraction
from ankare.errors import DocumentError
from ankare.ingest.blocks import BlockList
from ankare.ingest.own_lines import LineKind, line_kinds, stand_alone
from ankare.messages.remarks import remark

MAX_ROWS = 200_000
MAX_ROW_SIGNS = 1_000_000
"""Longer lines and rows of CSV are refused: their cells would take many times that much memory."""

_UNDERLINE = re.compile(r"^\s*(=+|-+|~+|\*+|_+)\s*$")
_ITEM = re.compile(r"^(?P<indent>\s*)(?P<marker>[-*•–·▪◦‣●■◆►✓○]|\(?\d{1,3}[.)]|\(?[a-zåäö][.)])\s+(?P<text>\S.*)$")
_NUMBERED_HEADING = re.compile(r"^(?P<number>\d+(?:\.\d+)*)\.?\s+(?P<text>\S.*)$")
_RULE = re.compile(r"^\s*([-=_*~#]\s*){3,}$")
_HEADING_LENGTH = 80
_LONGEST_RULE = 1000
_TAB = 4


def decode(data: bytes) -> str:
    """Text of unknown encoding: a byte order mark decides, then UTF-8, then Windows-1252."""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        if encoding == "utf-16":
            raise DocumentError(remark("not_utf16"), remark("do_utf8")) from None
    return data.decode("cp1252", "replace")


def read_text(text: str, name: str) -> Extraction:
    """Headings by underline, number or capitals where they stand alone; lists by their markers; the rest paragraphs."""
    reader = _TextReader(text.replace("\f", "\n\n").splitlines())
    found = reader.read()
    return found.extraction("txt", found.title(name))


def read_csv(text: str, name: str) -> Extraction:
    """Each line a table row, the first one the header."""
    found = BlockList()
    group = found.new_group()
    try:
        dialect: type[csv.Dialect] | csv.Dialect = csv.Sniffer().sniff(text[:4096], delimiters=",;\t")
    except csv.Error:
        dialect = csv.excel
    lines = _Lines(text)
    try:
        for number, row in enumerate(csv.reader(lines, dialect)):
            lines.row_signs = 0
            if number >= MAX_ROWS:
                raise DocumentError(remark("file_rows", most=MAX_ROWS), remark("do_split"))
            found.add_row(row, group, header=number == 0)
    except csv.Error as error:
        raise DocumentError(remark("not_csv", error=str(error)), remark("do_csv_again")) from error
    return found.extraction("csv", name)


class _Lines:
    """The lines of a CSV file. Raises DocumentError where a row has become too long; who reads says when a row is whole."""

    def __init__(self, text: str) -> None:
        self._lines = io.StringIO(text)
        self.row_signs = 0

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.row_signs += len(line)
            if self.row_signs > MAX_ROW_SIGNS:
                raise DocumentError(remark("row_long", most=MAX_ROW_SIGNS), remark("do_check_quotes"))
            yield line


class _TextReader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = [line.expandtabs(_TAB).rstrip() for line in lines]
        self.kinds = line_kinds(self.lines) if stand_alone(self.lines) else ()
        self.found = BlockList()
        self.paragraph: list[str] = []
        self.group = 0
        self.indents: list[int] = []

    def read(self) -> BlockList:
        at = 0
        while at < len(self.lines):
            at += self._take(at)
        self._end_paragraph()
        return self.found

    def _take(self, at: int) -> int:
        """Read what begins on line `at`; gives how many lines that was."""
        line = self.lines[at]
        if not line.strip():
            self._end_paragraph()
            return 1
        if not self.paragraph and len(line) <= _LONGEST_RULE and _RULE.match(line):
            return 1
        if level := self._heading_level(at):
            self._end_list()
            self.found.add(BlockKind.HEADING, line, level=level)
            return 2 if self._underlined(at) else 1
        if item := _ITEM.match(line):
            return self._take_item(at, item)
        if self.kinds:
            return self._take_own_line(line, self.kinds[at])
        if not self.paragraph and self.group and not line.startswith(" "):
            self._end_list()
        self.paragraph.append(line)
        return 1

    def _take_own_line(self, line: str, kind: LineKind) -> int:
        """Read a line of a text whose lines stand for themselves."""
        if kind is LineKind.ITEM:
            self._end_paragraph()
            self.group = self.group or self.found.new_group()
            self.found.add(BlockKind.ITEM, line, marker="•", group=self.group)
            return 1
        if kind is LineKind.REST:
            self.found.extend(line)
            return 1
        self._end_list()
        if kind is LineKind.HEADING:
            level = 1 if not self.found.blocks else 2
            self.found.add(BlockKind.HEADING, line, level=level)
        else:
            self.found.add(BlockKind.PARAGRAPH, line)
        return 1

    def _take_item(self, at: int, item: re.Match[str]) -> int:
        self._end_paragraph()
        if not self.group:
            self.group = self.found.new_group()
        indent = len(item["indent"])
        while self.indents and self.indents[-1] > indent:
            self.indents.pop()
        if not self.indents or self.indents[-1] < indent:
            self.indents.append(indent)
        body = [item["text"]]
        for line in self._after(at):
            if not line.strip() or not line.startswith(" " * (indent + 1)) or _ITEM.match(line):
                break
            body.append(line.strip())
        marker = item["marker"] if item["marker"][-1] in ".)" else "•"
        level = len(self.indents) - 1
        self.found.add(BlockKind.ITEM, " ".join(body), level=level, marker=marker, group=self.group)
        return len(body)

    def _heading_level(self, at: int) -> int:
        """0 where this line is no heading. A heading stands alone or is underlined."""
        line = self.lines[at].strip()
        if self.paragraph or len(line) > _HEADING_LENGTH or (_ITEM.match(self.lines[at]) and not self._numbered(at)):
            return 0
        if self._underlined(at):
            return 1 if self.lines[at + 1].strip()[0] in "=*" else 2
        if not self._alone(at) or line[-1] in ".,:;?!":
            return 0
        if number := self._numbered(at):
            return number["number"].count(".") + 1
        letters = [sign for sign in line if sign.isalpha()]
        return 1 if len(letters) > 2 and all(sign.isupper() for sign in letters) else 0

    def _numbered(self, at: int) -> re.Match[str] | None:
        """A numbered heading: alone on its line, text after it, no like number on either side (that is a spaced list)."""
        found = _NUMBERED_HEADING.match(self.lines[at].strip())
        if not found or not self._alone(at) or not found["text"][0].isupper():
            return None
        after = next((line for line in self._after(at) if line.strip()), "")
        before = next((line for line in self._before(at) if line.strip()), "")
        others = [_NUMBERED_HEADING.match(line.strip()) for line in (before, after)]
        depth = found["number"].count(".")
        in_list = any(other is not None and other["number"].count(".") == depth for other in others)
        return None if in_list or not after else found

    def _after(self, at: int) -> Iterator[str]:
        return (self.lines[place] for place in range(at + 1, len(self.lines)))

    def _before(self, at: int) -> Iterator[str]:
        return (self.lines[place] for place in range(at - 1, -1, -1))

    def _underlined(self, at: int) -> bool:
        below = self.lines[at + 1] if at + 1 < len(self.lines) else ""
        return bool(_UNDERLINE.match(below)) and len(below.strip()) >= max(3, len(self.lines[at].strip()) // 2)

    def _alone(self, at: int) -> bool:
        before = at == 0 or not self.lines[at - 1].strip()
        after = at + 1 >= len(self.lines) or not self.lines[at + 1].strip()
        return before and after

    def _end_paragraph(self) -> None:
        if self.paragraph:
            self.found.add(BlockKind.PARAGRAPH, _join_lines(self.paragraph))
            self.paragraph = []
            self._end_list()

    def _end_list(self) -> None:
        self.group = 0
        self.indents = []


def _join_lines(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines)
