"""What does reading a file of figures give, and what passes between its steps?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ankare.domain.fact import Fact
from ankare.errors import FactFileError
from ankare.facts.surroundings import KeptRow
from ankare.ingest.figures.amounts import Column
from ankare.ingest.figures.cells import Cell
from ankare.messages.remarks import Remark, remark

SHOWN_FAULTS = 20


class Fault(NamedTuple):
    """What is wrong, as a remark, and where: "Blad1!C7", "row 12"."""

    place: str
    message: str

    @property
    def told(self) -> Remark:
        """The place and what is wrong there."""
        return remark("at", place=self.place, what=self.message)


class Spot(NamedTuple):
    """The cell of a value: its sheet, row (from 1) and column (from 0), and the rows that hold its headings."""

    sheet: str
    row: int
    column: int
    headings: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RawFact:
    """A figure as its table tells it. `cells` by field (see `facts.FIELDS`), empty ones may be absent; `place`: of the
    value, as it is told, `spot`: as it lies; `place_of`: of a field's cell; `column`: what is known of the column that the
    value stands in."""

    cells: Mapping[str, Cell]
    place: str
    spot: Spot
    place_of: Callable[[str], str]
    column: Column


@dataclass(frozen=True, slots=True)
class FactFile:
    """What a file of figures holds. `faults` are there only where bad rows were to be skipped; `sha256` of its bytes; `table`:
    the rows around its figures."""

    facts: tuple[Fact, ...]
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    sha256: str = ""
    table: tuple[KeptRow, ...] = field(default=(), repr=False)


def refused(name: str, faults: tuple[Fault, ...], *, bad_rows_skipped: bool = False) -> FactFileError:
    """The error for a file with faults: the first of them, and how many more there are."""
    told = tuple(fault.told for fault in faults)
    return FactFileError(
        remark("refused", name=name, faults=remark("faults", count=len(faults)), rows=first_of(told)),
        remedy(len(faults), bad_rows_skipped=bad_rows_skipped),
        told,
    )


def first_of(faults: Sequence[str]) -> tuple[str, ...]:
    """The first faults, and how many more there are."""
    rest = len(faults) - SHOWN_FAULTS
    return (*faults[:SHOWN_FAULTS], remark("more", more=rest)) if rest > 0 else tuple(faults)


def remedy(faults: int, *, bad_rows_skipped: bool) -> Remark:
    """What to do about so many faults."""
    return remark("do_no_good_row") if bad_rows_skipped else remark("do_correct", count=faults)
