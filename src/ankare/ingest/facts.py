"""Is this table facts, to be kept as figures, or a document, to be read as text?

A workbook or CSV is facts when its first row names all the columns that a fact needs. Fact tables are not documents: they
never become chunks; `figures/` reads them. A table that is facts because of where it lies is told by `figures/run.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from ankare.domain.document import BlockKind, Extraction
from ankare.ingest.blocks import CELL_JOINT
from ankare.language.numbers import LANGUAGES
from ankare.language.packs import named_lists
from ankare.profile.names import plain_name

FACT_COLUMNS = frozenset(("metric", "entity", "period", "value", "unit"))


FIELDS = (
    "metric",
    "entity",
    "period",
    "value",
    "unit",
    "channel",
    "source_doc",
    "source_locator",
    "valid_as_of",
    "review_status",
    "confidence",
    "geography",
)
"""The columns that a fact table can have; the first five it must have."""


def holds_facts(extraction: Extraction, languages: Sequence[str] = LANGUAGES) -> bool:
    """Does the first row of a table that was read as text name the columns of a fact table?"""
    if extraction.source_type not in ("csv", "xlsx"):
        return False
    first = next((block.text for block in extraction.blocks if block.kind is BlockKind.ROW), "")
    return names_fact_columns(first.split(CELL_JOINT), languages)


def names_fact_columns(cells: Iterable[str], languages: Sequence[str] = LANGUAGES) -> bool:
    """Do these cells name all columns that a fact needs, in any order and case?"""
    fields = column_fields(tuple(languages))
    return {fields.get(plain_name(cell)) for cell in cells} >= FACT_COLUMNS


@cache
def column_fields(languages: tuple[str, ...]) -> Mapping[str, str]:
    """The names of columns in plain form, and the field that each is: the fields' own names, and the words of the languages."""
    words = {
        plain_name(word): name
        for code in languages
        if code in LANGUAGES
        for name, listed in named_lists(code, "columns").items()
        for word in listed
    }
    return {**words, **{name: name for name in FIELDS}}
