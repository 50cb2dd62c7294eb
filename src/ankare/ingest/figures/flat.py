"""How does a table with one figure a row, and the fact columns as its header, give its figures?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce

from ankare.ingest.facts import FACT_COLUMNS, FIELDS
from ankare.ingest.figures.amounts import Column
from ankare.ingest.figures.cells import Cell, Grid, Row, text_of
from ankare.ingest.figures.model import Fault, RawFact, Spot
from ankare.messages.remarks import Remark, remark
from ankare.profile.names import plain_name


@dataclass(frozen=True, slots=True)
class Header:
    """The columns (from 0) of the fields, how many columns the table has, the names of those that mean nothing to us, and the
    row that it is."""

    columns: dict[str, int]
    width: int
    unknown: tuple[str, ...]
    row: int


def read_header(row: Row, fields: Mapping[str, str]) -> Header | None:
    """The header of a fact table, None where the row is none. `fields`: names of columns to fields. Raises ValueError for a
    column that is there twice."""
    names = [_name(cell) for cell in row[1]]
    found: dict[str, list[int]] = {}
    for at, name in enumerate(names):
        if name in fields:
            found.setdefault(fields[name], []).append(at)
    if not found.keys() >= FACT_COLUMNS:
        return None
    for field, columns in found.items():
        if len(columns) > 1:
            raise ValueError(_twice(field, [names[at] for at in columns]))
    return Header(
        {field: columns[0] for field, columns in found.items()},
        len(names),
        tuple(name for name in names if name and name not in fields),
        row[0],
    )


def _twice(field: str, names: Sequence[str]) -> Remark:
    if len(set(names)) == 1:
        return remark("column_twice", name=names[0], count=len(names))
    joined = reduce(lambda first, second: remark("and", first=first, second=second), names)
    return remark("columns_same", names=joined, field=remark(f"field_{field}"))


def missing_columns(cells: Sequence[Cell], fields: Mapping[str, str]) -> list[str]:
    """The columns that a row lacks to be the header of a fact table."""
    found = {fields.get(_name(cell)) for cell in cells}
    return [field for field in FIELDS if field in FACT_COLUMNS - found]


def raw_facts(grid: Grid, header: Header, rows: Iterable[Row], fault: Callable[[Fault], None]) -> Iterator[RawFact]:
    """The figures of the rows below the header, as told. A row that is empty in all columns of ours is none; a row of a text
    file with more cells than the header is a fault."""
    value = Column()
    columns = header.columns
    for number, cells in rows:
        if not grid.name and any(cell is not None for cell in cells[header.width :]):
            fault(Fault(grid.place(number, 0), remark("too_many_cells")))
            continue
        found = {name: cells[at] for name, at in columns.items() if at < len(cells)}
        if any(cell is not None for cell in found.values()):
            at = columns["value"]
            spot = Spot(grid.name, number, at, (header.row,))
            yield RawFact(found, grid.place(number, at), spot, partial(_place, grid, columns, number), value)


def _place(grid: Grid, columns: dict[str, int], row: int, field: str) -> str:
    return grid.place(row, columns.get(field, columns["value"]))


def _name(cell: Cell) -> str:
    try:
        return plain_name(text_of(cell))
    except ValueError:
        return ""
