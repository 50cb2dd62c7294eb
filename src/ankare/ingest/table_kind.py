"""Is a table one of figures? Its first row tells, as `ingest` has it, and no more than that row is asked for.

    $ python -m ankare.ingest.table_kind table.xlsx
    figures

A process of its own reads workbooks that came over a network: whatever is wrong with one cannot harm the process that asks.
It says "document" for everything that names no fact columns or cannot be read; an ingest tells what is wrong with it.
"""

from __future__ import annotations

import resource
import sys
from contextlib import suppress
from pathlib import Path

from ankare.errors import AnkareError
from ankare.ingest.archive import check_zip, refuse_entities
from ankare.ingest.facts import holds_facts, names_fact_columns

FIGURES, DOCUMENT = "figures", "document"
HEAD_BYTES = 65_536
MEMORY_BYTES = 2_000_000_000
CPU_SECONDS = 20


def table_kind(path: Path) -> str:
    """`FIGURES` or `DOCUMENT`. Raises AnkareError, OSError, or whatever a broken workbook leads its reader to."""
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return _csv_kind(path)
    return _workbook_kind(path) if suffix in (".xlsx", ".xlsm") else DOCUMENT


def _csv_kind(path: Path) -> str:
    from ankare.ingest.read_text import decode, read_csv

    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    whole = head if len(head) < HEAD_BYTES else head[: head.rfind(b"\n") + 1]
    return FIGURES if holds_facts(read_csv(decode(whole), path.stem)) else DOCUMENT


def _workbook_kind(path: Path) -> str:
    from ankare.ingest.figures.xlsx_grid import open_workbook

    check_zip(path)
    refuse_entities(path)
    with open_workbook(path) as sheets:
        first = next((sheet for sheet in sheets if not sheet.hidden), None)
        row = next(first.rows(), None) if first is not None else None
    cells = [] if row is None else [str(cell) for cell in row[1] if cell is not None]
    return FIGURES if names_fact_columns(cells) else DOCUMENT


def main() -> None:
    """Tell the kind of the file that the command line names, within bounds of memory and time."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    kind = DOCUMENT
    with suppress(AnkareError, OSError, ValueError, KeyError, TypeError, MemoryError):
        kind = table_kind(Path(sys.argv[1]))
    sys.stdout.write(kind)


if __name__ == "__main__":
    main()
