"""By which numbered steps does the schema of a store come about? `<backend>/m001_facts.sql` and on, each applied once.

A step that has been released is never changed; a change of the schema is a new file with the next number, in both folders.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ankare.errors import FactStoreError

_NAME = re.compile(r"m(\d{3})_\w+\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    """One step: its number, the name of its file, its SQL (several statements)."""

    number: int
    name: str
    sql: str


@cache
def migrations(backend: str) -> tuple[Migration, ...]:
    """The steps of a backend ("sqlite", "postgres"), the first first."""
    files = sorted((Path(__file__).parent / backend).glob("m*.sql"))
    return tuple(Migration(_number(file), file.stem, file.read_text("utf-8")) for file in files)


def _number(file: Path) -> int:
    found = _NAME.fullmatch(file.name)
    if found is None:
        raise ValueError(f"{file.name} is no name of a migration")
    return int(found[1])


def newest(backend: str) -> int:
    """The number of the last step: the schema that this version of ankare works with."""
    return migrations(backend)[-1].number


def refuse_other_schema(applied: int, backend: str, name: str) -> None:
    """Raises FactStoreError where the store called `name` has had other steps than all of ours."""
    refuse_newer_schema(applied, backend, name)
    if applied < newest(backend):
        raise FactStoreError(f"{name} was made by an older version of ankare.", "Load a file again, or init_schema().")


def refuse_newer_schema(applied: int, backend: str, name: str) -> None:
    """Raises FactStoreError where the store has had steps that this version does not know."""
    if applied > newest(backend):
        raise FactStoreError(f"{name} was made by a newer version of ankare.", "Install that version.")


def missing(name: str) -> FactStoreError:
    """The error for a store that has not been made yet."""
    return FactStoreError(f"There are no figures in {name} yet.", "Load some first, or make the store: init_schema().")
