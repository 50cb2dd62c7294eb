"""Which figures does a report hold whose layout a mapping describes?

Every cell of the mapped columns and rows that holds something is a figure or a fault; what has no figure in it is no row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ankare.errors import FactFileError
from ankare.ingest.figures.amounts import PERCENT_SIGNS, Column
from ankare.ingest.figures.cells import Cell, ErrorValue, Grid, Missing, Percent, text_of
from ankare.ingest.figures.mapping import Layout, MappedTable, Spot
from ankare.ingest.figures.model import RawFact
from ankare.ingest.figures.model import Spot as Place
from ankare.ingest.figures.passing_rows import PassingRows
from ankare.ingest.figures.periods import period_of
from ankare.language.units import asked_units, parse_unit
from ankare.messages.remarks import remark
from ankare.profile.names import Names, plain_name

MAX_CELLS = 2_000_000
"""Cells of a sheet that a mapping may look at; a report has some thousands."""


def laid_out(
    layout: Layout, grids: Sequence[Grid], names: Names, hidden: Callable[[Grid], bool], passing: PassingRows
) -> Iterator[RawFact]:
    """The figures of every table of the mapping, as told; `passing` notes the rows. Raises FactFileError, with the mapping's
    line, for a sheet that is not there. `hidden`: is a sheet hidden? One is read only where the mapping names it."""
    sheets: dict[str, _Sheet] = {}
    for table in layout.tables:
        grid = _grid_of(layout, table, grids, hidden)
        if grid.name not in sheets:
            sheets[grid.name] = _Sheet.load(grid, passing)
        yield from _TableFigures(layout, table, sheets[grid.name], names).raw_facts()


def _grid_of(layout: Layout, table: MappedTable, grids: Sequence[Grid], hidden: Callable[[Grid], bool]) -> Grid:
    if table.sheet:
        for grid in grids:
            if plain_name(grid.name) == plain_name(table.sheet):
                return grid
    shown = [grid for grid in grids if not hidden(grid)]
    if not table.sheet and len(shown) == 1:
        return shown[0]
    names = tuple(grid.name for grid in grids if grid.name)
    if not names:
        raise layout.error(table.line, remark("csv_no_sheets"), remark("do_no_sheet"))
    if table.sheet:
        unknown = remark("sheet_unknown", sheet=repr(table.sheet))
        raise layout.error(table.line, unknown, remark("do_sheets", sheets=names))
    raise layout.error(table.line, remark("sheet_unsaid"), remark("do_sheet_one_of", sheets=names))


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A whole sheet; cells by row (from 1) and column (from 0)."""

    grid: Grid
    cells: Mapping[tuple[int, int], Cell]
    last_row: int

    @classmethod
    def load(cls, grid: Grid, passing: PassingRows) -> _Sheet:
        cells: dict[tuple[int, int], Cell] = {}
        last = 0
        for row, values in passing.of(grid, grid.rows()):
            cells.update(((row, column), cell) for column, cell in enumerate(values) if cell is not None)
            last = row
            if len(cells) > MAX_CELLS:
                raise FactFileError(remark("mapped_too_large", most=MAX_CELLS), remark("do_split"))
        return cls(grid, cells, last)


class _TableFigures:
    """The figures of one mapped table."""

    def __init__(self, layout: Layout, table: MappedTable, sheet: _Sheet, names: Names) -> None:
        self.names = names
        self.layout = layout
        self.table = table
        self.sheet = sheet
        self.values = Column(mapped=True)
        self.headings = tuple(sorted({row for spot in table.spots.values() for row in spot.rows}))
        unit = table.spots.get("unit")
        self.heading_unit = self.unit_in(unit) if unit is not None and unit.cell is not None else None

    def raw_facts(self) -> Iterator[RawFact]:
        last = self.table.last_row or self.sheet.last_row
        for row in range(self.table.first_row, min(last, self.sheet.last_row) + 1):
            filled = [column for column in self.table.columns if self.holds_value(row, column)]
            if filled and not self.is_left_out(row):
                for column in filled:
                    yield self.raw_fact(row, column)

    def holds_value(self, row: int, column: int) -> bool:
        cell = self.sheet.cells.get((row, column))
        if isinstance(cell, ErrorValue):
            return plain_name(cell.code) not in self.table.empty
        return cell is not None and not (isinstance(cell, str) and plain_name(cell) in self.table.empty)

    def is_left_out(self, row: int) -> bool:
        """Does a label of the row stand among those to leave out?"""
        spots = self.table.spots.values()
        labels = [self.sheet.cells.get((row, spot.column)) for spot in spots if spot.column is not None]
        return any(isinstance(label, str) and plain_name(label) in self.table.skip for label in labels)

    def raw_fact(self, row: int, column: int) -> RawFact:
        cells = {name: self.at(spot, row, column) for name, spot in self.table.spots.items()}
        cells["value"] = self.sheet.cells[row, column]
        label = _plain(cells["metric"])
        lines: dict[str, int] = {}
        for name, codes in self.table.codes.items():
            if name in cells and (told := codes.get(_plain(cells[name]))):
                cells[name], lines[name] = told
        code = self.names.metric(_text(cells["metric"])) or ""
        if told := self.table.units.get(label) or self.table.units.get(plain_name(code)):
            cells["unit"], lines["unit"] = told
        else:
            cells["unit"] = self.unit(cells) or Missing.UNIT
        place_of = partial(self.place_of, row, column, lines)
        at = Place(self.sheet.grid.name, row, column, self.headings)
        return RawFact(cells, self.sheet.grid.place(row, column), at, place_of, self.values)

    def at(self, spot: Spot, row: int, column: int) -> Cell:
        """What stands in a field's place for the figure in this row and column."""
        if spot.text is not None:
            return spot.text
        if spot.column is not None:
            return self.sheet.cells.get((row, spot.column))
        if spot.cell is not None:
            return self.sheet.cells.get(spot.cell)
        return self.heading(spot.rows, column)

    def heading(self, rows: tuple[int, ...], column: int) -> Cell:
        """The heading above a column. Of two rows ("2024" over "Q1") the text that is a period, whichever comes first."""
        cells = [self.above(row, column, carried=row != rows[-1]) for row in rows]
        held = [cell for cell in cells if cell is not None]
        if len(held) < 2:
            return held[0] if held else None
        odd = next((cell for cell in held if not _has_text(cell)), None)
        if odd is not None:  # an error value, a date: the field that it is for will say so
            return odd
        texts = [text_of(cell) for cell in held]
        return _one_period(texts) or " ".join(texts)

    def above(self, row: int, column: int, *, carried: bool) -> Cell:
        """A heading cell. `carried`: an empty one shows what stands to the left of it among the columns of the figures."""
        first = min(self.table.columns) if carried else column
        cells = (self.sheet.cells.get((row, at)) for at in range(column, first - 1, -1))
        return next((cell for cell in cells if cell is not None), None)

    def unit(self, cells: Mapping[str, Cell]) -> Cell:
        """The unit of a figure, None for none; one that is said for the whole table gives way to a percent that the cell itself
        shows."""
        spot = self.table.spots.get("unit")
        written = cells.get("unit")
        by_row_or_column = spot is not None and bool(spot.rows or spot.column is not None)
        if _shows_percent(cells["value"]) and (written is None or not by_row_or_column):
            return "%"
        if spot is None or spot.column is not None:
            return written
        unit = parse_unit(_text(written))
        within = _unit_within(_text(written)) if unit is not None and unit.kind == "other" else None
        return self.heading_unit or within or written

    def unit_in(self, spot: Spot) -> str:
        """The one unit that a heading cell names. Raises FactFileError for none, or several."""
        assert spot.cell is not None  # noqa: S101 - only called for such
        text = _text(self.sheet.cells.get(spot.cell))
        unit = _unit_within(text)
        if unit is None:
            where = self.sheet.grid.place(*spot.cell)
            none = remark("unit_cell_none", place=where, text=repr(text))
            raise self.layout.error(spot.line, none, remark("do_unit_of_report"))
        return unit

    def place_of(self, row: int, column: int, lines: Mapping[str, int], field: str) -> str:
        """Where a field of the figure in this row and column stands: a cell, or a line of the mapping (`lines`: those that give
        a label its meaning)."""
        spot = self.table.spots.get(field)
        grid = self.sheet.grid
        if field in lines:
            return self.line(lines[field])
        if spot is None:
            return self.line(self.table.line) if field == "unit" else grid.place(row, column)
        if spot.column is not None:
            return grid.place(row, spot.column)
        if spot.rows:
            return grid.place(spot.rows[-1], column)
        return grid.place(*spot.cell) if spot.cell is not None else self.line(spot.line)

    def line(self, number: int) -> str:
        return remark("line", name=self.layout.name, line=str(number))


def _one_period(texts: Sequence[str]) -> str:
    """The period that these texts name together, in one order or the other, or the last alone; empty for none or several."""
    found = set()
    for text in (" ".join(texts), " ".join(reversed(texts)), "".join(texts), texts[-1]):
        try:
            found.add(period_of(text).value)
        except ValueError:
            continue
    return found.pop() if len(found) == 1 else ""


def _unit_within(text: str) -> str | None:
    """The unit that a heading is, or the only one that it names."""
    whole = parse_unit(text)
    if whole is not None and whole.kind != "other":
        return whole.code
    named = {unit.code for _, _, unit in asked_units(text)}
    return named.pop() if len(named) == 1 else None


def _shows_percent(cell: Cell) -> bool:
    return isinstance(cell, Percent) or (isinstance(cell, str) and cell.rstrip().endswith(PERCENT_SIGNS))


def _has_text(cell: Cell) -> bool:
    try:
        return bool(text_of(cell))
    except ValueError:
        return False


def _text(cell: Cell) -> str:
    try:
        return text_of(cell)
    except ValueError:
        return ""


def _plain(cell: Cell) -> str:
    return plain_name(_text(cell))
