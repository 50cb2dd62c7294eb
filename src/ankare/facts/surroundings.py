"""Which rows stood around a figure in its file, as it was when it was loaded?

    home/tables/<key>.jsonl    one for each file of figures, by its path and the hash of its bytes

    ["<sha256 of the file>"]
    ["Blad1", 12, ["Omsättning", 1182.4, ...], {"<figure>": 1}, [3]]

A line is a row: its sheet ("" for CSV), its number, its cells as `Shown`, the figures that it gave with the column (from 0) of
each, and the rows above them that are their headings. Only headings and rows near a figure are there, up to a bound. Nobody
gets them but through a figure that may be read, and they go when the store holds nothing of that file in that state. A row
that gave a figure which is not approved is not among them, and those of a file go when one of its figures is rejected.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias
from uuid import uuid4

from ankare.domain.fact import Fact, written
from ankare.regular_file import read_regular

FOLDER = "tables"
NEAR = 2
"""So many rows before and after a figure's own are shown."""
MAX_BYTES = 8_000_000
"""Of one file so much is kept; figures whose rows come later have none."""
_ENDING = ".jsonl"
_HASH = re.compile(r"[0-9a-f]{64}")
_OURS = re.compile(r"[0-9a-f]{32}\.jsonl|\.[\w-]+\.tmp")

Shown: TypeAlias = "str | int | float | list[int | float]"
"""A cell: a text, a number, or a number of percent in a list of its own."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table: its number (from 1) and its cells from the first column on."""

    number: int
    cells: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A figure's cell in its table. `file`: the name of the file; `sheet`: "" for CSV; `column` counts from 0.

    `rows` hold the figure's own, which has the number `row`; `headings` those above it that name its columns.
    """

    file: str
    sheet: str
    headings: tuple[TableRow, ...]
    rows: tuple[TableRow, ...]
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class KeptRow:
    """A row to be kept. `figures`: those that it gave (`figure_key`), with the column of each."""

    sheet: str
    row: TableRow
    figures: Mapping[str, int]
    headings: tuple[int, ...] = ()

    def line(self) -> bytes:
        """The row as it is kept."""
        return _line(self.sheet, self.row.number, self.row.cells, dict(self.figures), self.headings)


class KeptTables:
    """The rows around the figures of all files. Safe for many threads and processes. `folder`: where they lie."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, path: str, sha256: str, rows: Iterable[KeptRow]) -> None:
        """Keep the rows of a file, in one step; of too many the first. Raises OSError."""
        data = b"".join(_bounded((_line(sha256), *(row.line() for row in rows))))
        target = self._folder / _name(path, sha256)
        with suppress(OSError):
            if read_regular(target, MAX_BYTES) == data:
                return
        self._folder.mkdir(parents=True, exist_ok=True)
        temporary = self._folder / f".{uuid4().hex}.tmp"
        try:
            temporary.write_bytes(data)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)

    def keep_only(self, files: Mapping[str, str]) -> None:
        """Take away what belongs to none of these files (path to hash of its bytes), and nothing that is not ours: no other
        names, nor anything behind a link. Raises OSError."""
        if not self._folder.is_dir() or self._folder.is_symlink():
            return
        wanted = {_name(path, sha256) for path, sha256 in files.items()}
        for path in self._folder.iterdir():
            if path.name not in wanted and _OURS.fullmatch(path.name):
                path.unlink(missing_ok=True)

    def forget(self, facts: Iterable[Fact]) -> None:
        """Take away the rows of these figures' files: what stood there may not be shown any more. Raises OSError."""
        for name in {_name(fact.source_file, fact.source_file_hash) for fact in facts if fact.source_file}:
            (self._folder / name).unlink(missing_ok=True)

    def around(self, fact: Fact) -> Excerpt | None:
        """The figure's cell in its table. None where nothing of its file is kept, or of other bytes, or it is damaged."""
        if not fact.source_file or not _HASH.fullmatch(fact.source_file_hash):
            return None
        with suppress(OSError, ValueError, KeyError, TypeError, IndexError, RecursionError):
            data = read_regular(self._folder / _name(fact.source_file, fact.source_file_hash), MAX_BYTES)
            return _excerpt(data, fact)
        return None


def _bounded(lines: Iterable[bytes]) -> Iterator[bytes]:
    size = 0
    for line in lines:
        size += len(line)
        if size > MAX_BYTES:
            return
        yield line


def figure_key(fact: Fact) -> str:
    """What a figure is found by in its table: all that its row says of it (16 hex digits)."""
    value = written(fact.value.normalize()) if fact.value else "0"
    said = [*fact.key, value, fact.unit, fact.source_doc_id, fact.source_locator]
    return hashlib.sha256(json.dumps(said).encode("ascii")).hexdigest()[:16]


def _excerpt(data: bytes, fact: Fact) -> Excerpt | None:
    key = figure_key(fact)
    at = data.find(f'"{key}":'.encode("ascii"))
    if at < 0 or json.loads(data[: data.index(b"\n")]) != [fact.source_file_hash]:
        return None
    start = data.rindex(b"\n", 0, at) + 1
    sheet, number, _, figures, headings = own = _read(data, start)
    above = [_find(data, sheet, heading) for heading in headings]
    near = [*_before(data, start, sheet), own, *_after(data, start, sheet)]
    rows = tuple(_row(line) for line in near if line[1] not in headings)
    file = Path(fact.source_file).name
    return Excerpt(file, sheet, tuple(_row(line) for line in above if line), rows, number, figures[key])


def _before(data: bytes, start: int, sheet: str) -> list[list[Any]]:
    found: list[list[Any]] = []
    while len(found) < NEAR:
        end = start - 1
        start = data.rfind(b"\n", 0, end) + 1
        if start == 0 or (line := _read(data, start))[0] != sheet:  # the first line is no row
            break
        found.insert(0, line)
    return found


def _after(data: bytes, start: int, sheet: str) -> list[list[Any]]:
    found: list[list[Any]] = []
    while len(found) < NEAR:
        start = data.index(b"\n", start) + 1
        if start >= len(data) or (line := _read(data, start))[0] != sheet:
            break
        found.append(line)
    return found


def _find(data: bytes, sheet: str, number: int) -> list[Any]:
    """The line of a row, empty where it is not there."""
    at = data.find(b"\n" + _line(sheet, number)[:-2] + b",")
    return _read(data, at + 1) if at >= 0 else []


def _read(data: bytes, start: int) -> list[Any]:
    found: list[Any] = json.loads(data[start : data.index(b"\n", start)], parse_constant=_no_number)
    return found


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number of a table")


def _row(line: Sequence[Any]) -> TableRow:
    """A row as it was kept. Raises ValueError for what is none."""
    number, cells = line[1], tuple(line[2])
    if type(number) is not int or not all(map(_is_cell, cells)):
        raise ValueError("This is no row of a table.")
    return TableRow(number, cells)


def _is_cell(cell: object) -> bool:
    if isinstance(cell, list):
        return len(cell) == 1 and isinstance(cell[0], int | float)
    return isinstance(cell, str | int | float)


def _line(*parts: object) -> bytes:
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"


def _name(path: str, sha256: str) -> str:
    return hashlib.sha256(json.dumps([path, sha256]).encode("ascii")).hexdigest()[:32] + _ENDING
