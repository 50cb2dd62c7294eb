"""Every store of figures keeps the same promises, and the suite notices one that does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from ankare.domain.fact import Fact, FactKey, Period, ReviewStatus
from ankare.facts.protocol import Conflict, FactStore, LoadResult, StoredFact
from ankare.facts.sqlite import SqliteFactStore
from ankare.profile.model import Profile
from tests.conformance.fact_store import FactStoreSuite
from tests.facts.postgres_server import PostgresServer, postgres  # noqa: F401 - a fixture


class TestSqliteFile(FactStoreSuite):
    def make(self, folder: Path, profile: Profile | None = None) -> FactStore:
        store = SqliteFactStore(folder / "facts.db", profile)
        store.init_schema()
        return store


class TestSqliteInMemory(FactStoreSuite):
    def make(self, folder: Path, profile: Profile | None = None) -> FactStore:
        store = SqliteFactStore(":memory:", profile)
        store.init_schema()
        return store


class TestPostgres(FactStoreSuite):
    @pytest.fixture(autouse=True)
    def _server(self, postgres: PostgresServer) -> None:  # noqa: F811
        self.server = postgres

    def make(self, folder: Path, profile: Profile | None = None) -> FactStore:
        from ankare.facts.postgres import PostgresFactStore

        store = PostgresFactStore(self.server.fresh_url(), profile)
        store.init_schema()
        return store


# Saboteurs: a good store with one fault each.


class _Floats(SqliteFactStore):
    """Values pass through a float."""

    def lookup(self, key: FactKey) -> tuple[Fact, ...]:
        return tuple(replace(fact, value=Decimal(repr(float(fact.value)))) for fact in super().lookup(key))


class _Overwrites(SqliteFactStore):
    """A second value for a key takes the first one's place."""

    def add_facts(self, facts: Iterable[Fact]) -> LoadResult:
        kept = {stored.fact.key: stored.fact for stored in self.facts()}
        kept.update({fact.key: fact for fact in facts})
        held = super().add_facts([])
        for stored in list(self.facts()):
            self._database.change(lambda run, i=stored.id: run("DELETE FROM ankare_facts WHERE id = ?", (i,)))
        super().add_facts(kept.values())
        return replace(held, added=1)


class _AnswersPending(SqliteFactStore):
    """What waits for review answers as well."""

    def lookup(self, key: FactKey) -> tuple[Fact, ...]:
        waiting = [one.fact for one in self.facts(status=ReviewStatus.PENDING) if one.fact.key == key]
        return (*super().lookup(key), *waiting)


class _PendingHides(SqliteFactStore):
    """The newest figure counts, and it is pending."""

    def lookup(self, key: FactKey) -> tuple[Fact, ...]:
        return () if self.awaiting(key) else super().lookup(key)


class _HalfLoads(SqliteFactStore):
    """Writes in batches, each a transaction of its own."""

    def add_facts(self, facts: Iterable[Fact]) -> LoadResult:
        added = unchanged = 0
        for fact in facts:
            done = super().add_facts([fact])
            added, unchanged = added + done.added, unchanged + done.unchanged
        return LoadResult(added, unchanged)


class _HalfReplaces(SqliteFactStore):
    """Takes the old content out first, and then puts the new content in."""

    def replace_file(self, source_file: str, facts: Sequence[Fact]) -> LoadResult:
        removed = self.remove_file(source_file)
        sleep(0.02)
        return replace(super().replace_file(source_file, facts), removed=removed)


class _IgnoresChannel(SqliteFactStore):
    """Every channel answers for every other."""

    def lookup(self, key: FactKey) -> tuple[Fact, ...]:
        return tuple(one.fact for one in self.facts(status=ReviewStatus.APPROVED) if one.fact.key[:4] == key[:4])


class _Unordered(SqliteFactStore):
    """Gives what was stored last first."""

    def lookup(self, key: FactKey) -> tuple[Fact, ...]:
        return tuple(reversed([one.fact for one in self.facts(status=ReviewStatus.APPROVED) if one.fact.key == key]))

    def periods(self, metric_code: str, entity: str, channel: str) -> tuple[Period, ...]:
        return tuple(sorted(super().periods(metric_code, entity, channel)))


class _ForgetsReview(SqliteFactStore):
    """A loaded file comes in as if for the first time."""

    def replace_file(self, source_file: str, facts: Sequence[Fact]) -> LoadResult:
        super().replace_file(source_file, [])
        return super().replace_file(source_file, facts)


class _ComparesText(SqliteFactStore):
    """ "12.0" is not "12"."""

    def conflicts(self) -> Iterator[Conflict]:
        groups: dict[FactKey, list[StoredFact]] = {}
        for stored in self.facts(status=ReviewStatus.APPROVED):
            groups.setdefault(stored.fact.key, []).append(stored)
        for key, group in groups.items():
            if len({(str(stored.fact.value), stored.fact.unit) for stored in group}) > 1:
                yield Conflict(key, tuple(group))


class _Duplicates(SqliteFactStore):
    """A second load comes in beside the first."""

    loads = 0

    def add_facts(self, facts: Iterable[Fact]) -> LoadResult:
        self.loads += 1
        return super().add_facts(replace(fact, source_locator=f"{fact.source_locator} #{self.loads}") for fact in facts)


class _TakesOver(SqliteFactStore):
    """A file replaces the same cell of every other file."""

    def replace_file(self, source_file: str, facts: Sequence[Fact]) -> LoadResult:
        cells = {(fact.source_doc_id, fact.source_locator) for fact in facts}
        for other in self.files():
            left = [one.fact for one in self.facts() if one.fact.source_file == other]
            super().replace_file(other, [f for f in left if (f.source_doc_id, f.source_locator) not in cells])
        return super().replace_file(source_file, facts)


class _LosesLineage(SqliteFactStore):
    """The place of a figure is not kept."""

    def lookup(self, key: FactKey) -> tuple[Fact, ...]:
        return tuple(replace(fact, source_locator="") for fact in super().lookup(key))


class _TertialsAmongMonths(SqliteFactStore):
    """Knows no order for tertials: they come with the months."""

    def periods(self, metric_code: str, entity: str, channel: str) -> tuple[Period, ...]:
        held = super().periods(metric_code, entity, channel)
        fine = [period for period in held if period.type in ("TERTIAL", "MONTH")]
        fine.sort(key=lambda period: period.value, reverse=True)
        return (*(period for period in held if period not in fine), *fine)


class _WidensTertials(SqliteFactStore):
    """Answers for a tertial with the year where it has no such tertial."""

    def lookup(self, key: FactKey) -> tuple[Fact, ...]:
        found = super().lookup(key)
        wider = key._replace(period_type="FY", period=key.period[:4])
        return found or (super().lookup(wider) if key.period_type == "TERTIAL" else ())


class _TakesAnything(SqliteFactStore):
    """Skips what it cannot store instead of refusing the lot."""

    def add_facts(self, facts: Iterable[Fact]) -> LoadResult:
        return super().add_facts(
            fact for fact in facts if fact.period_type in ("FY", "HY") and fact.period[:4].isdigit()
        )


def _bad_period(suite: FactStoreSuite, store: FactStore) -> None:
    suite.test_an_unusable_figure_is_refused_by_its_field(store, {"period": "x024"}, "period")


SABOTEURS: list[tuple[type[SqliteFactStore], Any]] = [
    (_Floats, lambda suite, store: suite.test_values_are_exact(store, "1320.50", "1320.50")),
    (
        _Floats,
        lambda suite, store: suite.test_values_are_exact(store, "0.30000000000000000001", "0.30000000000000000001"),
    ),
    (_Overwrites, lambda suite, store: suite.test_a_second_source_is_kept_beside_the_first(store)),
    (_Overwrites, lambda suite, store: suite.test_a_source_that_contradicts_itself_is_a_conflict(store)),
    (_AnswersPending, lambda suite, store: suite.test_only_approved_figures_answer(store)),
    (_PendingHides, lambda suite, store: suite.test_a_pending_value_never_hides_an_approved_one(store)),
    (_HalfLoads, lambda suite, store: suite.test_a_load_that_breaks_off_leaves_nothing(store)),
    (_HalfReplaces, lambda suite, store: suite.test_a_file_with_one_bad_figure_changes_nothing(store)),
    (_HalfReplaces, lambda suite, store: suite.test_readers_see_a_file_before_or_after_never_between(store)),
    (_IgnoresChannel, lambda suite, store: suite.test_channels_are_kept_apart(store)),
    (_Unordered, lambda suite, store: suite.test_the_order_of_a_lookup_is_fixed(store)),
    (_Unordered, lambda suite, store: suite.test_periods_come_by_type_and_newest_first(store)),
    (_TertialsAmongMonths, lambda suite, store: suite.test_periods_come_by_type_and_newest_first(store)),
    (_WidensTertials, lambda suite, store: suite.test_a_tertial_is_no_other_period(store)),
    (_ForgetsReview, lambda suite, store: suite.test_what_stays_keeps_its_review_and_time_of_ingest(store)),
    (_ComparesText, lambda suite, store: suite.test_conflicts_compare_numbers_and_units(store)),
    (_Duplicates, lambda suite, store: suite.test_loading_twice_changes_nothing(store)),
    (_TakesOver, lambda suite, store: suite.test_other_files_are_left_alone(store)),
    (_LosesLineage, lambda suite, store: suite.test_a_figure_comes_back_with_its_whole_lineage(store)),
    (_TakesAnything, _bad_period),
]


@pytest.mark.parametrize(
    ("kind", "promise"), SABOTEURS, ids=[f"{kind.__name__}-{i}" for i, (kind, _) in enumerate(SABOTEURS)]
)
def test_the_suite_fails_a_saboteur(kind: type[SqliteFactStore], promise: Any, tmp_path: Path) -> None:
    store = kind(tmp_path / "facts.db")
    store.init_schema()
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        promise(FactStoreSuite(), store)


@pytest.mark.parametrize("promise", [promise for _, promise in SABOTEURS])
def test_the_honest_store_keeps_what_the_saboteurs_break(promise: Any, tmp_path: Path) -> None:
    store = SqliteFactStore(tmp_path / "facts.db")
    store.init_schema()
    promise(FactStoreSuite(), store)
