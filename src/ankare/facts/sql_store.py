"""What does a store of figures do, whatever database it lies in?

Both stores are this one, over a `Database` of their own. Each read is one statement, so that it sees the figures before a
write or after it, never between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, Protocol, TypeVar

from ankare.domain.access import Access
from ankare.domain.fact import Fact, FactKey, Period, ReviewStatus
from ankare.errors import BadInputError
from ankare.facts import statements as sql
from ankare.facts.check import is_label, storable
from ankare.facts.protocol import Conflict, FactReader, LoadResult, StoredFact
from ankare.facts.rows import Incoming, Row, fact_of, in_order, stored_of
from ankare.profile.model import Profile

T = TypeVar("T")
_LARGEST_ID = 2**63 - 1


class Result(Protocol):
    """What a statement did: how many rows it changed, and the rows that it gives."""

    @property
    def rowcount(self) -> int:
        """Rows that were changed."""

    def fetchone(self) -> Any:
        """The next row, None after the last."""


Run = Callable[[str, Sequence[Any]], Result]


class Database(Protocol):
    """Where the tables lie. Safe for many threads; every method may raise FactStoreError."""

    def read(self, statement: str, parameters: Sequence[Any]) -> list[Row]:
        """The rows of one statement. A parameter that cannot be stored finds nothing."""

    def stream(self, statement: str, parameters: Sequence[Any]) -> Iterator[Row]:
        """The rows of one statement as it stood when the first was read, without holding them all in memory."""

    def change(self, work: Callable[[Run], T], incoming: Incoming | None = None) -> T:
        """Do some work in one transaction while nobody else writes; `incoming` lies in `ankare_incoming` meanwhile."""

    def exists(self) -> bool:
        """Is there a schema of ours?"""

    def migrate(self) -> None:
        """Apply the migrations that are missing."""

    def close(self) -> None:
        """Close every connection."""


class SqlFactReader:
    """A `FactReader` over a `Database`, for a reader of `labels` ("" among them); None sees all. Safe for many threads."""

    def __init__(
        self, database: Database, profile: Callable[[], Profile], labels: tuple[str, ...] | None = None
    ) -> None:
        self._database = database
        self._profile_of = profile
        self._labels = labels or ()
        self._count = None if labels is None else len(labels)

    @property
    def profile(self) -> Profile:
        """The profile of the figures."""
        return self._profile_of()

    def lookup(self, key: FactKey) -> tuple[Fact, ...]:
        """Every approved figure for this key, in the order that `FactReader.lookup` tells."""
        facts = [fact_of(row) for row in self._read(sql.lookup(self._count), key)]
        return tuple(facts if len(facts) < 2 else in_order(facts, _itself))

    def lookup_all(self, keys: Sequence[FactKey]) -> dict[FactKey, tuple[Fact, ...]]:
        """`lookup` of several keys in one statement, so that all of them are of one moment."""
        found: dict[FactKey, list[Fact]] = {key: [] for key in keys}
        if found:
            parameters = [part for key in found for part in key]
            for row in self._read(sql.lookup_all(len(found), self._count), parameters):
                fact = fact_of(row)
                found[fact.key].append(fact)
        return {key: tuple(in_order(facts, _itself)) for key, facts in found.items()}

    def awaiting(self, key: FactKey) -> int:
        """How many figures for this key wait for review."""
        return _number(self._read(sql.awaiting(self._count), key))

    def periods(self, metric_code: str, entity: str, channel: str) -> tuple[Period, ...]:
        """The periods with an approved figure, by type (FY, HY, TERTIAL, QUARTER, MONTH) and newest first; at most 50."""
        return tuple(Period(*row) for row in self._read(sql.periods(self._count), (metric_code, entity, channel)))

    def count(self) -> int:
        """How many figures there are, of any status."""
        return _number(self._read(sql.total(self._count), ()))

    def _read(self, statement: str, parameters: Sequence[Any]) -> list[Row]:
        return self._database.read(statement, (*self._labels, *parameters))


class SqlFactStore(SqlFactReader):
    """A `FactStore` over a `Database`. Safe for many threads. Making one opens nothing."""

    def __init__(self, database: Database, profile: Profile | None = None) -> None:
        super().__init__(database, self._own_profile)
        self._profile = profile

    @property
    def profile(self) -> Profile:
        """The profile of the figures: the one given, else the sample pack's, read on first use."""
        return self._own_profile()

    @profile.setter
    def profile(self, profile: Profile) -> None:
        self._profile = profile

    def _own_profile(self) -> Profile:
        if self._profile is None:
            self._profile = _sample_profile()
        return self._profile

    def readable(self, access: Access) -> FactReader:
        """What a reader sees: for every method as if there were no figure that the reader may not read."""
        if access.everything:
            return self
        labels = sorted(filter(is_label, access.labels))  # nothing carries any other, and some cannot be asked for
        return SqlFactReader(self._database, self._own_profile, ("", *labels))

    def exists(self) -> bool:
        """Has this store been made? False where a read would raise FactStoreError for want of a file or a schema.

        Raises FactStoreError where something else is there, or the server cannot be reached.
        """
        return self._database.exists()

    def ready(self) -> bool:
        """Has this store been made? One that an older ankare made is brought up to date first. Raises as `exists`."""
        if not self.exists():
            return False
        self.init_schema()
        return True

    def init_schema(self) -> None:
        """Make the store, or bring it up to the newest schema. Does nothing where it is up to date.

        Safe when several processes do so at once. Raises FactStoreError where something else is there.
        """
        self._database.migrate()

    def add_facts(self, facts: Iterable[Fact]) -> LoadResult:
        """Add figures, all or none; those that are there already stay as they are.

        Raises BadInputError for one that cannot be stored.
        """
        incoming = Incoming(facts)
        added = self._database.change(lambda run: run(sql.INSERT_NEW, ()).rowcount, incoming)
        return LoadResult(added, incoming.given - added)

    def replace_file(self, source_file: str, facts: Sequence[Fact]) -> LoadResult:
        """Make `facts` all that the store holds of this file; figures that stay keep status and time of ingest.

        A figure without a file gets this one. Raises BadInputError for one of another file, or one that cannot be stored.
        """
        if not source_file.strip() or not storable(source_file):
            raise BadInputError(f"{source_file!r} names no file.", "Say which file the figures are from.")
        incoming = Incoming(facts, source_file)

        def merge(run: Run) -> tuple[int, int]:
            run(sql.INDEX_INCOMING, ())
            _relabel(run, source_file, incoming)
            run(sql.RESTATE, (source_file,))
            return run(sql.DELETE_GONE, (source_file,)).rowcount, run(sql.INSERT_NEW, ()).rowcount

        removed, added = self._database.change(merge, incoming)
        return LoadResult(added, incoming.given - added, removed)

    def remove_file(self, source_file: str) -> int:
        """Take out every figure of a file; gives how many. The empty name is no file."""
        if not source_file or not storable(source_file):
            return 0
        return self._database.change(lambda run: run(sql.REMOVE_FILE, (source_file,)).rowcount)

    def files(self) -> dict[str, str]:
        """The files that figures came from, by name, with the SHA-256 that the newest figure of each tells."""
        return dict(self._database.read(sql.FILES, ()))

    def counts(self) -> dict[str, dict[ReviewStatus, int]]:
        """How many figures of each status every file has, without those of none; counted by the database."""
        found: dict[str, dict[ReviewStatus, int]] = {}
        for file, status, count in self._database.read(sql.COUNTS, ()):
            found.setdefault(file, {})[ReviewStatus(status)] = int(count)
        return found

    def labels(self) -> dict[str, str]:
        """The files whose figures carry a label, with it."""
        return dict(self._database.read(sql.LABELS, ()))

    def facts(self, *, status: ReviewStatus | None = None) -> Iterator[StoredFact]:
        """Every figure by key, then id, or those of one status: as they were when the first was read."""
        if status is None:
            return map(stored_of, self._database.stream(sql.ALL, ()))
        return map(stored_of, self._database.stream(sql.OF_STATUS, (str(_status(status)),)))

    def conflicts(self) -> Iterator[Conflict]:
        """Every key whose approved figures differ in value or unit, ordered by key."""
        differing = map(stored_of, self._database.stream(sql.DIFFERING, ()))
        for key, group in groupby(differing, key=lambda stored: stored.fact.key):
            facts = in_order(group, attrgetter("fact"))
            if len({(stored.fact.value, stored.fact.unit) for stored in facts}) > 1:
                yield Conflict(key, tuple(facts))

    def review(self, fact_id: int, status: ReviewStatus) -> StoredFact:
        """Decide about a figure, and give it as it is then. Raises BadInputError for an unknown id or status."""
        return self.review_all((fact_id,), status)[0]

    def review_all(self, fact_ids: Sequence[int], status: ReviewStatus) -> tuple[StoredFact, ...]:
        """The same decision about several figures, all or none. Raises BadInputError for an unknown id or status."""
        decided = str(_status(status))
        return self._database.change(lambda run: tuple(_decide(run, fact_id, decided) for fact_id in fact_ids))

    def close(self) -> None:
        """Give back every connection. The store can be used again: it opens new ones."""
        self._database.close()


def _relabel(run: Run, source_file: str, incoming: Incoming) -> None:
    """Give the figures of a file the label of the incoming ones, where they had another."""
    if not incoming.given or run(sql.HAS_OTHER_LABEL, (source_file, incoming.access)).fetchone() is None:
        return
    run(sql.INDEX_INCOMING_FIGURE, ())
    run(sql.DELETE_TWICE, (source_file, incoming.access, source_file))
    run(sql.RELABEL, (source_file,))


def _decide(run: Run, fact_id: int, status: str) -> StoredFact:
    row = None
    if 0 < fact_id <= _LARGEST_ID:
        run(sql.REVIEW, (status, fact_id))
        row = run(sql.BY_ID, (fact_id,)).fetchone()
    if row is None:
        raise BadInputError(f"There is no figure with the id {fact_id}.", "See the ids: ankare facts list.")
    return stored_of(row)


def _itself(fact: Fact) -> Fact:
    return fact


def _number(rows: list[Row]) -> int:
    return int(rows[0][0]) if rows else 0


def _status(status: str) -> ReviewStatus:
    try:
        return ReviewStatus(status)
    except ValueError:
        raise BadInputError(f"{status!r} is no review status.", f"Known are {', '.join(ReviewStatus)}.") from None


def _sample_profile() -> Profile:
    from ankare.profile.load import PROFILE_NAME, load_profile
    from ankare.sample import pack_path

    return load_profile(pack_path() / PROFILE_NAME)
