"""What does a sheet say beside its cells: which rows and columns are hidden, which cells are merged?

openpyxl does not tell these when it reads a sheet as a stream.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

LAST_ROW = 1_048_576
LAST_COLUMN = 16_384
"""Excel specifications and limits."""

_HIDDEN = re.compile(rb"<(?:\w+:)?(?:row|col)\b[^>]*\bhidden=\"(?:1|true)\"")
_MARKS = re.compile(_HIDDEN.pattern + rb"|<(?:\w+:)?mergeCell\s")
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?(\d+)")
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Range:
    """Merged cells: rows and columns from 1, both ends in it."""

    first_row: int
    first_column: int
    last_row: int
    last_column: int


@dataclass(frozen=True, slots=True)
class SheetParts:
    """Hidden rows and columns, and merged ranges; all from 1."""

    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    merged: tuple[Range, ...] = ()


def hidden_parts(book: Any, sheet: Any) -> SheetParts:
    """Hidden rows and columns only."""
    return _parts(book, sheet, _HIDDEN)


def sheet_parts(book: Any, sheet: Any) -> SheetParts:
    """All that a sheet says beside its cells."""
    return _parts(book, sheet, _MARKS)


def _parts(book: Any, sheet: Any, marks: re.Pattern[bytes]) -> SheetParts:
    path = sheet._worksheet_path
    with book._archive.open(path) as stream:
        if not _mentions(stream, marks):
            return SheetParts()
    with book._archive.open(path) as stream:
        return _read(stream)


def _mentions(stream: Any, marks: re.Pattern[bytes]) -> bool:
    tail = b""
    while data := stream.read(_CHUNK):
        if marks.search(tail + data):
            return True
        tail = data[-4096:]
    return False


def _read(stream: Any) -> SheetParts:
    from lxml import etree

    rows: set[int] = set()
    columns: set[int] = set()
    merged: list[Range] = []
    at = 0
    tags = ("{*}row", "{*}col", "{*}mergeCell")
    for _event, node in etree.iterparse(stream, events=("end",), tag=tags, resolve_entities=False):
        kind = etree.QName(node).localname
        if kind == "row":
            at = int(node.get("r", at + 1))
            rows.update([at] if _hides(node) else ())
        elif kind == "col" and _hides(node):
            columns.update(range(int(node.get("min", "1")), min(int(node.get("max", "1")), LAST_COLUMN) + 1))
        elif kind == "mergeCell" and (found := _range(node.get("ref", ""))):
            merged.append(found)
        node.clear()
    return SheetParts(frozenset(rows), frozenset(columns), tuple(merged))


def _hides(node: Any) -> bool:
    return node.get("hidden") in ("1", "true")


def _range(reference: str) -> Range | None:
    first, _, last = reference.partition(":")
    one, other = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last or first)
    if one is None or other is None:
        return None
    return Range(int(one[2]), _column(one[1]), min(int(other[2]), LAST_ROW), min(_column(other[1]), LAST_COLUMN))


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number
