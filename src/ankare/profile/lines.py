"""On which line of a TOML file does a key stand? The standard parser tells it only for syntax errors."""

from __future__ import annotations

import re
from collections.abc import Sequence

_HEADER = re.compile(r"^\s*\[\[?\s*(?P<path>[^\]]*?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""^\s*(?P<key>"[^"]*"|'[^']*'|[^\s=#\["']+)\s*=""")
_PART = re.compile(r""""[^"]*"|'[^']*'|[^.\s]+""")
_BARE_HEADER = re.compile(r"^\s*\[\[?\s*([^\]]*)")
_PLAIN = re.compile(r"[A-Za-z0-9_.\-\s]*")


def line_of(text: str, table: Sequence[str], key: str | None) -> int:
    """The line (from 1) of a key in a table, else of the table's or sub-table's header, else 1."""
    current: tuple[str, ...] = ()
    header = 0
    for number, line in enumerate(text.splitlines(), 1):
        if found := _HEADER.match(line):
            current = tuple(part.strip("\"'") for part in _PART.findall(found["path"]))
            whole = (*table, key) if key is not None else tuple(table)
            if current[: len(whole)] == whole:
                return number
            if current == tuple(table):
                header = header or number
        elif current == tuple(table) and (found := _KEY.match(line)) and found["key"].strip("\"'") == key:
            return number
    return header or 1


def bare_key(line: str) -> str | None:
    """The unquoted key or table name of this line that has letters TOML allows only in quotes, None if it has none."""
    header = _BARE_HEADER.match(line)
    head = header[1] if header else line.split("=", 1)[0]
    for part in _PART.findall(head.split("#", 1)[0]):
        if part[0] not in "\"'" and not _PLAIN.fullmatch(part) and any(ch.isalpha() and ord(ch) > 127 for ch in part):
            return str(part)
    return None
