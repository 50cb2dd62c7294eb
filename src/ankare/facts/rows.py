"""How does a figure lie in a row of a table, and when are two rows the same figure?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import blake2b
from operator import attrgetter
from typing import Any, TypeVar

from ankare.domain.fact import Fact, written
from ankare.errors import BadInputError, FactStoreError
from ankare.facts.check import check
from ankare.facts.protocol import StoredFact

Row = tuple[Any, ...]
T = TypeVar("T")

COLUMNS = (
    "metric_code", "entity", "geography", "channel", "period_type", "period", "value", "unit", "source_doc_id",
    "source_locator", "confidence", "review_status", "valid_as_of", "ingested_at", "source_file_hash", "source_file",
    "access",
)  # fmt: skip
"""The fields of a Fact, in its own order: a row is its arguments."""

_fields = attrgetter(*COLUMNS)
_source = attrgetter("source_doc_id", "source_locator", "source_file", "value", "unit")
IDENTITY_BYTES = 16


def fact_of(row: Sequence[Any]) -> Fact:
    """The figure in a row. Raises FactStoreError where someone has put a thing there that is no figure."""
    try:
        return Fact(*row)
    except (TypeError, ValueError) as error:
        raise FactStoreError(f"The store holds a damaged figure: {error}.", "Load its file again.") from error


def stored_of(row: Sequence[Any]) -> StoredFact:
    """The figure in a row that opens with its id."""
    return StoredFact(row[0], fact_of(row[1:]))


def in_order(items: Iterable[T], fact_in: Callable[[T], Fact]) -> list[T]:
    """What holds figures of one key, in the order of `FactReader.lookup`; where all of that is equal, by value and unit."""
    by_source = sorted(items, key=lambda item: _source(fact_in(item)))
    return sorted(by_source, key=lambda item: _standing(fact_in(item)), reverse=True)


def _standing(fact: Fact) -> tuple[str, Decimal]:
    return fact.valid_as_of, _UNKNOWN if fact.confidence is None else fact.confidence


_UNKNOWN = Decimal(-1)


class Incoming:
    """The rows of figures that are to be stored: `(position, identity, *COLUMNS)`, each figure once.

    Iterated once. `given` is how many figures there were. With `source_file` all of them are of that file, under one label; one
    that names no file gets it. `access` is the label of the last one. Raises BadInputError for a figure that cannot be stored.
    """

    def __init__(self, facts: Iterable[Fact], source_file: str = "") -> None:
        self.given = 0
        self.access = ""
        self._facts = facts
        self._source_file = source_file
        self._now = datetime.now(UTC).isoformat(timespec="seconds")

    def __iter__(self) -> Iterator[Row]:
        seen: set[bytes] = set()
        for fact in self._facts:
            self.given += 1
            mine = self._of_file(fact)
            check(mine)
            name = identity(mine)
            if name not in seen:
                seen.add(name)
                yield self.given, name, *self._columns(mine)

    def _of_file(self, fact: Fact) -> Fact:
        if self._source_file and self.given > 1 and fact.access != self.access:
            raise BadInputError(f"{self._source_file} has figures with different labels.", "A file has at most one.")
        self.access = fact.access
        if not self._source_file or fact.source_file == self._source_file:
            return fact
        if fact.source_file:
            raise BadInputError(
                f"A figure is of the file {fact.source_file}, not of {self._source_file}.", "Load each file by itself."
            )
        return replace(fact, source_file=self._source_file)

    def _columns(self, fact: Fact) -> Row:
        row = list(_fields(fact))
        row[_VALUE] = written(_unsigned_zero(fact.value))
        if fact.confidence is not None:
            row[_CONFIDENCE] = written(_unsigned_zero(fact.confidence))
        row[_STATUS] = str(fact.review_status)
        row[_INGESTED] = fact.ingested_at or self._now
        return tuple(row)


_VALUE, _CONFIDENCE, _STATUS, _INGESTED = map(COLUMNS.index, ("value", "confidence", "review_status", "ingested_at"))


def _unsigned_zero(value: Decimal) -> Decimal:
    """PostgreSQL knows no negative zero."""
    return value if value else value.copy_abs()


def identity(fact: Fact) -> bytes:
    """What makes a row one figure: key, source, value and unit. "12.0" and "12" are one value.

    The label stands behind it: the same figure under two labels is two rows, or whoever loaded theirs first would hide it from
    the readers of the other. Without a label it is `IDENTITY_BYTES` long.
    """
    parts = (
        fact.metric_code, fact.entity, fact.period_type, fact.period, fact.channel, fact.unit,
        fact.source_doc_id, fact.source_locator, fact.source_file, _number(fact.value),
    )  # fmt: skip
    # A NUL cannot be in any of them, so that two figures never join to one text.
    return blake2b("\0".join(parts).encode(), digest_size=IDENTITY_BYTES).digest() + fact.access.encode()


def _number(value: Decimal) -> str:
    """One text for one number. Decimal.normalize would round to 28 digits."""
    text = written(_unsigned_zero(value))
    return text.rstrip("0").rstrip(".") if "." in text else text
