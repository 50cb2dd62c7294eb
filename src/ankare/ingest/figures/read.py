"""How does a file become figures? Start here:

    open -> its tables (flat ones, or those that a mapping describes) -> rows -> facts, or faults with their places

All or nothing: a file with a fault gives nothing, unless bad rows are to be left out.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from ankare.errors import DocumentError, FactFileError
from ankare.ingest.archive import refuse_entities
from ankare.ingest.facts import FACT_COLUMNS, FIELDS, column_fields
from ankare.ingest.figures.assemble import Assembler
from ankare.ingest.figures.cells import Grid, Row
from ankare.ingest.figures.csv_grid import open_csv
from ankare.ingest.figures.flat import Header, missing_columns, raw_facts, read_header
from ankare.ingest.figures.layout import laid_out
from ankare.ingest.figures.mapping import is_mapping, load_mapping, mapping_beside, table_of
from ankare.ingest.figures.model import FactFile, RawFact, refused
from ankare.ingest.figures.passing_rows import PassingRows
from ankare.ingest.figures.xlsx_grid import XlsxGrid, open_workbook
from ankare.ingest.readers import MAX_TEXT_BYTES, OLE, source_type_of
from ankare.messages.remarks import Remark, remark
from ankare.profile.model import Profile
from ankare.profile.names import Names

MAX_FIGURES = 200_000
"""Figures of one file; one with more is refused, to be split."""

_LISTED = 10
_HEAD = 4096


def read_fact_file(
    path: Path, source: str, profile: Profile, *, mapping: Path | None = None, skip_bad: bool = False
) -> FactFile:
    """The figures of a CSV file or a workbook.

    `source` is what it is called where a row names no source of its own; then the cell ("Blad1!C7") or the row ("row 12") is
    the place. `mapping`: a file that describes its layout, by default the one beside it (`<file name>.map.toml`); without
    either the fact columns are looked for. With `skip_bad` rows with faults are left out and told in `faults`; a file that
    has no others is refused all the same.

    Raises FactFileError, with the faults and their places, for a file that cannot be taken in whole.
    """
    try:
        return _read(path, source, profile, mapping or mapping_beside(path), skip_bad=skip_bad)
    except DocumentError as error:
        raise FactFileError(remark("named", name=source, what=error.message), error.remedy) from error
    except OSError as error:
        closed = remark("unreadable", name=source, error=str(error.strerror or error))
        raise FactFileError(closed, remark("do_check_path")) from error
    except MemoryError:
        raise FactFileError(remark("no_memory", name=source), remark("do_split")) from None
    except FactFileError as error:
        if error.faults:
            raise
        raise FactFileError(remark("named", name=source, what=error.message), error.remedy) from error


def _read(path: Path, source: str, profile: Profile, map_path: Path | None, *, skip_bad: bool) -> FactFile:
    layout = load_mapping(map_path) if map_path is not None else None
    with _opened(path, by_cell=layout is not None) as (grids, sha256):
        assembler = Assembler(profile, source, os.path.abspath(path), sha256)  # noqa: PTH100 - links keep their names
        passing = PassingRows()
        told = (
            laid_out(layout, grids, Names(profile), _is_hidden, passing)
            if layout is not None
            else _flat(grids, assembler, _fields(profile), passing)
        )
        for number, raw in enumerate(told, 1):
            if number > MAX_FIGURES:
                raise FactFileError(remark("too_many_figures", most=MAX_FIGURES), remark("do_split"))
            assembler.add(raw)
        facts = assembler.finish()
    faults = tuple(dict.fromkeys(assembler.faults))
    if faults and not (skip_bad and facts):
        raise refused(source, faults, bad_rows_skipped=skip_bad)
    if not facts:
        raise FactFileError(remark("no_figures"), remark("do_rows_below"))
    notes = (*assembler.notes, *(note for grid in grids if isinstance(grid, XlsxGrid) for note in grid.notes))
    return FactFile(facts, faults, notes, sha256, tuple(passing.around(assembler.spots)))


def _flat(
    grids: Sequence[Grid], assembler: Assembler, fields: Mapping[str, str], passing: PassingRows
) -> Iterator[RawFact]:
    """The figures of every visible table whose first row with something in it names the fact columns."""
    found = False
    lacks: list[str] | None = None
    for grid in grids:
        if _is_hidden(grid):
            assembler.notes.append(remark("sheet_hidden", sheet=grid.name))
            continue
        rows = passing.of(grid, grid.rows())
        first = next(rows, None)
        header = _header(grid, first, fields) if first is not None else None
        if header is not None:
            found = True
            if header.unknown:
                assembler.notes.append(_unused(grid, header.unknown[:_LISTED]))
            yield from raw_facts(grid, header, rows, assembler.faults.append)
        else:
            lacking = missing_columns(first[1] if first is not None else (), fields)
            lacks = lacking if lacks is None or len(lacking) < len(lacks) else lacks
            assembler.notes.append(remark("sheet_lacks", sheet=grid.name, columns=tuple(lacking)))
    if not found:
        raise _no_table(lacks, fields)


def _fields(profile: Profile) -> Mapping[str, str]:
    """What columns may be called, by the languages of the profile."""
    return column_fields((profile.home.language, *profile.home.languages))


def _header(grid: Grid, row: Row, fields: Mapping[str, str]) -> Header | None:
    try:
        return read_header(row, fields)
    except ValueError as error:
        wrong = remark("header_wrong", place=grid.place(row[0], 0), what=error.args[0])
        raise FactFileError(wrong, remark("do_keep_one")) from error


def _no_table(lacks: Sequence[str] | None, fields: Mapping[str, str]) -> FactFileError:
    wanted = lacks or [field for field in FIELDS if field in FACT_COLUMNS]
    names = tuple(remark("may_be_called", column=field, names=_spellings(field, fields)) for field in wanted)
    remedy = remark("do_name_columns", columns=names)
    if lacks is None or len(lacks) == len(FACT_COLUMNS):
        return FactFileError(remark("no_table"), remedy)
    return FactFileError(remark("first_row_lacks", columns=tuple(lacks)), remedy)


def _spellings(field: str, fields: Mapping[str, str]) -> tuple[str, ...]:
    """What a column may be called that is read as a field, the field's own name first."""
    return (field, *(name for name, meant in fields.items() if meant == field and name != field))


def _unused(grid: Grid, columns: tuple[str, ...]) -> Remark:
    if grid.name:
        return remark("columns_unused_of", sheet=grid.name, columns=columns)
    return remark("columns_unused", columns=columns)


def _is_hidden(grid: Grid) -> bool:
    return isinstance(grid, XlsxGrid) and grid.hidden


@contextmanager
def _opened(path: Path, *, by_cell: bool) -> Iterator[tuple[Sequence[Grid], str]]:
    """The tables of a file while it is open, and the hash of its bytes. Raises FactFileError where it changes meanwhile."""
    if is_mapping(path):
        if not table_of(path).is_file():
            raise FactFileError(remark("it_is_orphan", table=table_of(path).name), remark("do_name_table"))
        raise FactFileError(remark("is_mapping"), remark("do_load", name=table_of(path).name))
    before = path.stat()
    type_ = _type_of(path)
    if type_ == "xlsx":
        refuse_entities(path)
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        with open_workbook(path) as grids:
            yield grids, sha256
    elif type_ in ("csv", "txt"):
        data = path.read_bytes()
        yield [open_csv(data, by_cell=by_cell)], hashlib.sha256(data).hexdigest()
    else:
        raise FactFileError(remark("no_table_type", type=type_.upper()), remark("do_table_types"))
    after = path.stat()
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise FactFileError(remark("file_changed"), remark("do_load_when_done"))


def _type_of(path: Path) -> str:
    """The type of a file by its content. A CSV file with NUL bytes is read as one all the same, to tell where they are."""
    try:
        return source_type_of(path)
    except DocumentError:
        if path.suffix.lower() in (".csv", ".tsv") and path.stat().st_size <= MAX_TEXT_BYTES and _has_nul(path):
            return "csv"
        raise


def _has_nul(path: Path) -> bool:
    """Is it binary, and no office file either?"""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return b"\0" in head and not head.startswith((OLE, b"PK"))
