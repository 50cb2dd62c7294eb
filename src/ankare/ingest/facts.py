"""Is this table facts, to be kept as figures, or a document, to be read as text?

A workbook or CSV is facts when its first row names all the columns that a fact needs. Fact tables are not documents: they
never become chunks; `figures/` reads them. A table that is facts because of where it lies is told by `figures/run.py`.
"""

from __future__ import annotations

from collections.abc import Iterable

from ankare.domain.document import BlockKind, Extraction
from ankare.ingest.blocks import CELL_JOINT

FACT_COLUMNS = frozenset(("metric", "entity", "period", "value", "unit"))


def holds_facts(extraction: Extraction) -> bool:
    """Does the first row of a table that was read as text name the columns of a fact table?"""
    if extraction.source_type not in ("csv", "xlsx"):
        return False
    first = next((block.text for block in extraction.blocks if block.kind is BlockKind.ROW), "")
    return names_fact_columns(first.split(CELL_JOINT))


def names_fact_columns(cells: Iterable[str]) -> bool:
    """Do these cells name all columns that a fact needs, in any order and case?"""
    return {cell.strip().casefold() for cell in cells} >= FACT_COLUMNS
