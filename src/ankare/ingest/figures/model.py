"""What does reading a file of figures give, and what passes between its steps?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ankare.domain.fact import Fact
from ankare.errors import FactFileError
from ankare.ingest.figures.amounts import Column
from ankare.ingest.figures.cells import Cell
from ankare.ingest.report import counted

SHOWN_FAULTS = 20


class Fault(NamedTuple):
    """What is wrong, and where: "Blad1!C7", "row 12"."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True, slots=True)
class RawFact:
    """A figure as its table tells it. `cells` by field (see `facts.FIELDS`), empty ones may be absent; `place`: of the
    value; `place_of`: of a field's cell; `column`: what is known of the column that the value stands in."""

    cells: Mapping[str, Cell]
    place: str
    place_of: Callable[[str], str]
    column: Column


@dataclass(frozen=True, slots=True)
class FactFile:
    """What a file of figures holds. `faults` are there only where bad rows were to be skipped; `sha256` of its bytes."""

    facts: tuple[Fact, ...]
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    sha256: str = ""


def refused(name: str, faults: tuple[Fault, ...], *, bad_rows_skipped: bool = False) -> FactFileError:
    """The error for a file with faults: the first of them, and how many more there are."""
    shown = "; ".join(map(str, faults[:SHOWN_FAULTS]))
    rest = len(faults) - SHOWN_FAULTS
    more = f"; and {rest:,} more" if rest > 0 else ""
    return FactFileError(
        f"{name} has {counted(len(faults), 'fault')}, so nothing of it was taken in. {shown}{more}.",
        remedy(len(faults), bad_rows_skipped=bad_rows_skipped),
        tuple(map(str, faults)),
    )


def remedy(faults: int, *, bad_rows_skipped: bool) -> str:
    """What to do about so many faults."""
    if bad_rows_skipped:
        return "No row is without a fault, so there is nothing to take in."
    one = faults == 1
    return f"Correct {'it' if one else 'them'}, or leave {'the bad row' if one else 'bad rows'} out with --skip-bad."
