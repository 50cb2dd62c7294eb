"""How does the owner of a report describe its layout, and what is wrong with the description where it cannot be used?

A mapping is a TOML file beside the report (`<file name>.map.toml`) with one `[[tables]]` for each block of figures. For
metric, entity, period, channel and unit it says where they stand: a fixed text (`entity = "ACME"`), a column of labels
(`metric_column = "A"`), heading rows (`period_rows = [3, 4]`, also called `header_rows`) or one cell (`unit_cell = "A2"`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

from ankare.errors import FactFileError
from ankare.ingest.figures.cells import column_of
from ankare.ingest.sheet_parts import LAST_ROW
from ankare.messages.remarks import Remark, remark
from ankare.profile.lines import line_of
from ankare.profile.names import plain_name
from ankare.regular_file import read_regular

MAP_SUFFIX = ".map.toml"
PLACED = ("metric", "entity", "period", "channel", "unit")
FIXED = ("valid_as_of", "review_status", "source_doc")
_NEEDED = ("metric", "entity", "period")
_ENDINGS = ("", "_column", "_row", "_rows", "_cell")
_OTHER_KEYS = ("sheet", "first_row", "last_row", "columns", "first_column", "last_column", "header_row", "header_rows")
_LISTS = ("skip_rows", "empty")
LABELLED = {"metric": "metrics", "entity": "entities", "channel": "channels"}
"""The fields whose labels a mapping can give a code, and the table that it does so in."""

_TABLES = (*LABELLED.values(), "units")
_KEYS = (
    *_OTHER_KEYS,
    *(f"{name}{ending}" for name in PLACED for ending in _ENDINGS),
    *FIXED,
    *_LISTS,
    *_TABLES,
)
_HEADER = re.compile(r"^\s*\[\[\s*tables\s*\]\]")
_SYNTAX_PLACE = re.compile(r"\(at line (\d+), column \d+\)")
_CELL = re.compile(r"([A-Za-z]{1,3})([1-9]\d{0,6})")


class Told(NamedTuple):
    """What a mapping says about a label, and on which line."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Spot:
    """Where something stands: one of a fixed text, a column (from 0), heading rows (from 1), a cell (row, column). `line`: of
    the mapping."""

    line: int
    text: str | None = None
    column: int | None = None
    rows: tuple[int, ...] = ()
    cell: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class MappedTable:
    """A block of figures: its columns (from 0) and rows (from 1; `last_row` None: to the end of the sheet).

    `spots`: where each field stands. `codes`: for each field of LABELLED its labels to codes, `units`: labels or codes of
    metrics to units, `skip`: labels of rows to leave out, `empty`: what stands where there is no figure; all in plain form.
    `sheet` empty: the only one. `line`: of the mapping.
    """

    line: int
    sheet: str
    columns: tuple[int, ...]
    first_row: int
    last_row: int | None
    spots: Mapping[str, Spot]
    codes: Mapping[str, Mapping[str, Told]] = field(default_factory=dict)
    units: Mapping[str, Told] = field(default_factory=dict)
    skip: frozenset[str] = frozenset()
    empty: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Layout:
    """A mapping file: its name and its tables."""

    name: str
    tables: tuple[MappedTable, ...]

    def error(self, line: int, message: str, remedy: str = "") -> FactFileError:
        """What is wrong with the mapping on a line."""
        place = remark("line", name=self.name, line=str(line))
        return FactFileError(remark("at", place=place, what=message), remedy)


def mapping_beside(path: Path) -> Path | None:
    """The mapping that lies beside a file, None where there is none."""
    found = path.with_name(path.name + MAP_SUFFIX)
    return found if found.is_file() else None


def is_mapping(path: Path) -> bool:
    """Does a file have the name of a mapping, which describes the table beside it?"""
    return path.name.endswith(MAP_SUFFIX)


def table_of(path: Path) -> Path:
    """The table that a mapping describes by its name."""
    return path.with_name(path.name.removesuffix(MAP_SUFFIX))


def orphan(path: Path) -> Remark:
    """What to say about a mapping without its table."""
    return remark("mapping_orphan", table=table_of(path).name)


def load_mapping(path: Path) -> Layout:
    """Read a mapping. Raises FactFileError that names file and line for what is wrong with it."""
    try:
        text = read_regular(path).decode("utf-8-sig")
        raw = tomllib.loads(text)
    except OSError as error:
        closed = remark("unreadable", name=str(path), error=str(error.strerror or error))
        raise FactFileError(closed, remark("do_check_its_path")) from error
    except UnicodeDecodeError as error:
        raise FactFileError(remark("not_utf8", name=path.name), remark("do_utf8")) from error
    except tomllib.TOMLDecodeError as error:
        found = _SYNTAX_PLACE.search(str(error))
        line = int(found[1]) if found else text.count("\n") + 1
        reason = _SYNTAX_PLACE.sub("", str(error)).strip()
        wrong = remark("toml_wrong", error=reason)
        raise Layout(path.name, ()).error(line, wrong, remark("do_toml")) from error
    except RecursionError as error:
        wrong = remark("toml_wrong", error="brackets are nested too deep")
        raise Layout(path.name, ()).error(1, wrong, remark("do_toml")) from error
    return _layout(path.name, text, raw)


def _layout(name: str, text: str, raw: Mapping[str, Any]) -> Layout:
    layout = Layout(name, ())
    for key in raw:
        if key != "tables":
            raise layout.error(line_of(text, (), key), remark("unknown_key", key=repr(key)), remark("do_holds_tables"))
    tables = raw.get("tables", [])
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise layout.error(line_of(text, (), "tables"), remark("no_tables"), remark("do_write_tables"))
    starts = [at for at, line in enumerate(text.splitlines()) if _HEADER.match(line)] or [0] * len(tables)
    starts += starts[-1:] * (len(tables) - len(starts))
    return Layout(
        name, tuple(_TableReader(layout, text, at, raw).table() for at, raw in zip(starts, tables, strict=False))
    )


class _TableReader:
    """Turns one `[[tables]]` into a MappedTable and knows on which line each key stands."""

    def __init__(self, layout: Layout, text: str, start: int, raw: Mapping[str, Any]) -> None:
        self.layout = layout
        self.lines = "\n".join(text.splitlines()[start:])
        self.start = start
        self.raw = raw

    def table(self) -> MappedTable:
        for key in self.raw:
            if key not in _KEYS:
                raise self.error(key, remark("unknown_key", key=repr(key)), remark("do_known_keys", keys=_shown_keys()))
        last = self.number("last_row")
        first = self.number("first_row")
        if first is None:
            raise self.error(None, remark("first_row_missing"), remark("do_first_row"))
        if last is not None and last < first:
            above = remark("last_above_first", last=str(last), first=str(first))
            raise self.error("last_row", above, remark("do_turn_rows"))
        return MappedTable(
            line=self.start + 1,
            sheet=self.string("sheet"),
            columns=self.columns(),
            first_row=first,
            last_row=last,
            spots=self.spots(),
            codes={name: self.texts(key) for name, key in LABELLED.items()},
            units=self.texts("units"),
            skip=frozenset(map(plain_name, self.strings("skip_rows"))),
            empty=frozenset(map(plain_name, self.strings("empty"))),
        )

    def columns(self) -> tuple[int, ...]:
        """The columns of the figures, in the order given; "B:E" stands for all four."""
        given = self.raw.get("columns")
        if given is None:
            first, last = self.string("first_column"), self.string("last_column")
            if not (first and last):
                raise self.error(None, remark("columns_missing"), remark("do_columns"))
            given = f"{first}:{last}"
        parts = [given] if isinstance(given, str) else self.strings("columns")
        found = [column for part in parts for column in self.span(part)]
        if len(set(found)) < len(found):
            raise self.error("columns", remark("column_doubled"), remark("do_name_once"))
        return tuple(found)

    def span(self, part: str) -> range:
        first, colon, last = part.partition(":")
        start = self.column("columns", first.strip())
        end = self.column("columns", last.strip()) if colon else start
        if end < start:
            raise self.error("columns", remark("runs_backwards", text=repr(part)), remark("do_turn_it"))
        return range(start, end + 1)

    def spots(self) -> dict[str, Spot]:
        found = {name: spot for name in PLACED if (spot := self.spot(name)) is not None}
        for name in _NEEDED:
            if name not in found:
                missing = remark("spot_missing", field=remark(f"field_{name}"))
                raise self.error(None, missing, remark("do_spot", key=name))
        for name in FIXED:
            if text := self.string(name):
                found[name] = Spot(self.line(name), text)
        return found

    def spot(self, name: str) -> Spot | None:
        """Where a field stands, None where nothing is said; more than one place is an error."""
        keys = [key for key in self.raw if key in {f"{name}{ending}" for ending in _ENDINGS}]
        if name == "period":
            keys += [key for key in ("header_row", "header_rows") if key in self.raw]
        if len(keys) > 1:
            joined = reduce(lambda first, second: remark("and", first=first, second=second), keys)
            two = remark("two_spots", keys=joined, field=remark(f"field_{name}"))
            raise self.error(keys[1], two, remark("do_keep_one"))
        return self.spot_at(keys[0]) if keys else None

    def spot_at(self, key: str) -> Spot:
        line = self.line(key)
        if key.endswith("_column"):
            return Spot(line, column=self.column(key, self.string(key)))
        if key.endswith("_row"):
            return Spot(line, rows=(self.number(key) or 1,))
        if key.endswith("_rows"):
            return Spot(line, rows=self.numbers(key))
        if key.endswith("_cell"):
            return Spot(line, cell=self.cell(key))
        return Spot(line, text=self.string(key))

    def string(self, key: str) -> str:
        value = self.raw.get(key, "")
        if isinstance(value, int) and not isinstance(value, bool):  # period = 2024
            return str(value)
        if not isinstance(value, str) or (key in self.raw and not value.strip()):
            raise self.error(key, remark("not_text", key=key), remark("do_put_quotes"))
        return value.strip()

    def strings(self, key: str) -> tuple[str, ...]:
        value = self.raw.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.error(key, remark("not_texts", key=key), remark("do_texts", key=key))
        return tuple(item.strip() for item in value)

    def texts(self, key: str) -> dict[str, Told]:
        value = self.raw.get(key, {})
        if not isinstance(value, dict) or not all(isinstance(item, str) and item.strip() for item in value.values()):
            raise self.error(key, remark("not_text_table", key=key), remark("do_text_table", key=key))
        return {plain_name(name): Told(item.strip(), self.line_in(key, name)) for name, item in value.items()}

    def number(self, key: str) -> int | None:
        if key not in self.raw:
            return None
        return self.row(key, self.raw[key])

    def numbers(self, key: str) -> tuple[int, ...]:
        value = self.raw[key]
        if not isinstance(value, list) or not value:
            raise self.error(key, remark("not_rows", key=key), remark("do_rows", key=key))
        return tuple(self.row(key, item) for item in value)

    def row(self, key: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= LAST_ROW:
            raise self.error(key, remark("no_row", text=repr(value)), remark("do_rows_from_one"))
        return value

    def column(self, key: str, name: str) -> int:
        found = column_of(name)
        if found is None:
            raise self.error(key, remark("no_column", text=repr(name)), remark("do_column_letters"))
        return found

    def cell(self, key: str) -> tuple[int, int]:
        found = _CELL.fullmatch(self.string(key))
        column = column_of(found[1]) if found else None
        if found is None or column is None:
            raise self.error(key, remark("no_cell", text=repr(self.string(key))), remark("do_cell_name"))
        return int(found[2]), column

    def line_in(self, table: str, label: str) -> int:
        """The line of a label in [tables.<table>]; that of the table where it is written on one line."""
        found = line_of(self.lines, ("tables", table), label)
        return self.start + found if found > 1 else self.line(table)

    def line(self, key: str | None) -> int:
        return self.start + line_of(self.lines, ("tables",), key)

    def error(self, key: str | None, message: str, remedy: str) -> FactFileError:
        return self.layout.error(self.line(key), message, remedy)


def _shown_keys() -> tuple[str, ...]:
    """The keys that a writer of mappings needs first."""
    places = [f"{name}{ending}" for name in PLACED for ending in ("", "_column", "_rows", "_cell")]
    return (*_OTHER_KEYS, *places, *FIXED, *_LISTS, *_TABLES)
