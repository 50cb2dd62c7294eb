"""What does the rest of ankare ask of a store of figures?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ankare.domain.access import Access
from ankare.domain.fact import Fact, FactKey, Period, ReviewStatus
from ankare.profile.model import Profile


@dataclass(frozen=True, slots=True)
class StoredFact:
    """A figure as the store holds it, with the id that a review names it by."""

    id: int
    fact: Fact


@dataclass(frozen=True, slots=True)
class Conflict:
    """One key for which approved sources give different values or units, in the order of `FactReader.lookup`."""

    key: FactKey
    facts: tuple[StoredFact, ...]


@dataclass(frozen=True, slots=True)
class LoadResult:
    """What a load did: figures that came in, that were there already, and that went with the file's earlier content."""

    added: int
    unchanged: int
    removed: int = 0


class FactReader(Protocol):
    """Reading, as answering needs it. Safe for many threads; every method may raise FactStoreError."""

    @property
    def profile(self) -> Profile:
        """The profile that gives the codes of the figures their names."""

    def lookup(self, key: FactKey) -> tuple[Fact, ...]:
        """Every **approved** figure for this key, the same value from several sources included.

        The order is fixed: newest `valid_as_of` first, then highest confidence, then document, locator and file.
        """

    def lookup_all(self, keys: Sequence[FactKey]) -> Mapping[FactKey, tuple[Fact, ...]]:
        """`lookup` of several keys as the store stood at one moment: never some before and some after a write."""

    def awaiting(self, key: FactKey) -> int:
        """How many figures for this key wait for review."""

    def periods(self, metric_code: str, entity: str, channel: str) -> tuple[Period, ...]:
        """The periods that have an approved figure, ordered by type and then newest first; at most 50."""

    def count(self) -> int:
        """How many figures there are, of any status. Quick whatever the store's size."""


class FactStore(FactReader, Protocol):
    """Reading and writing. Every write is one transaction: all of it or nothing. Reads through the store itself see all."""

    def readable(self, access: Access) -> FactReader:
        """What a reader sees of this store: for every method as if there were no figure that the reader may not read."""

    def init_schema(self) -> None:
        """Bring the store up to the newest schema. Does nothing where it is up to date."""

    def add_facts(self, facts: Iterable[Fact]) -> LoadResult:
        """Add figures. One that is there already, from the same source with the same value, changes nothing; one from a
        source that is there with another value is kept beside it, never overwritten."""

    def replace_file(self, source_file: str, facts: Sequence[Fact]) -> LoadResult:
        """Make `facts` all that the store holds of this file. A figure that stays (same key, value, unit, document and
        locator) keeps its review status and time of ingest, also where the file has got another label. They all carry the same
        label, or BadInputError is raised."""

    def remove_file(self, source_file: str) -> int:
        """Take out every figure of a file; gives how many."""

    def files(self) -> dict[str, str]:
        """The files that figures came from, with their SHA-256."""

    def counts(self) -> dict[str, dict[ReviewStatus, int]]:
        """How many figures of each status every file has, without those of none; "" for figures that came from no file."""

    def labels(self) -> dict[str, str]:
        """The files whose figures carry a label, with it."""

    def facts(self, *, status: ReviewStatus | None = None) -> Iterator[StoredFact]:
        """Every figure in a fixed order (key, then id), or those of one status."""

    def conflicts(self) -> Iterator[Conflict]:
        """Every key whose approved figures differ in value or unit, ordered by key. "12.0" and "12" do not differ."""

    def review(self, fact_id: int, status: ReviewStatus) -> StoredFact:
        """Decide about a figure. Raises BadInputError for an unknown id."""

    def close(self) -> None:
        """Give back every connection. The store can be used again: it opens new ones."""
