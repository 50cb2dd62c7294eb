"""Law: after any sequence of writes a store tells what a plain list would."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ankare.domain.fact import Fact, FactKey, Period, ReviewStatus
from ankare.facts.protocol import FactStore, LoadResult
from ankare.facts.sqlite import SqliteFactStore
from tests.facts.making import fact
from tests.facts.postgres_server import PostgresServer, postgres  # noqa: F401 - a fixture

FILES = ("a.csv", "å.csv")
TIME = "2024-01-01T00:00:00+00:00"
TYPES = ("FY", "HY", "TERTIAL", "QUARTER", "MONTH")


class Model:
    """Figures in a list, each with its number, in the order in which they came in."""

    def __init__(self) -> None:
        self.rows: dict[int, Fact] = {}
        self.last = 0

    def add(self, facts: list[Fact]) -> LoadResult:
        added = 0
        for one in facts:
            if self.find(one) is None:
                self.last += 1
                self.rows[self.last] = one
                added += 1
        return LoadResult(added, len(facts) - added)

    def replace(self, file: str, facts: list[Fact]) -> LoadResult:
        firsts: dict[tuple[object, ...], Fact] = {}
        for one in facts:
            firsts.setdefault(same(one), one)
        removed = [n for n, row in self.rows.items() if row.source_file == file and same(row) not in firsts]
        for number in removed:
            del self.rows[number]
        for number, row in self.rows.items():
            if same(row) in firsts:
                now = firsts[same(row)]
                self.rows[number] = replace(now, review_status=row.review_status, ingested_at=row.ingested_at)
        done = self.add(list(firsts.values()))
        return LoadResult(done.added, len(facts) - done.added, len(removed))

    def remove(self, file: str) -> int:
        gone = [number for number, row in self.rows.items() if row.source_file == file]
        for number in gone:
            del self.rows[number]
        return len(gone)

    def find(self, one: Fact) -> int | None:
        return next((number for number, row in self.rows.items() if same(row) == same(one)), None)

    def listed(self) -> list[Fact]:
        return [row for _, row in sorted(self.rows.items(), key=lambda item: (item[1].key, item[0]))]

    def lookup(self, key: FactKey) -> list[Fact]:
        found = [row for row in self.approved() if row.key == key]
        found.sort(key=lambda f: (f.source_doc_id, f.source_locator, f.source_file, f.value, f.unit))
        return sorted(found, key=lambda f: (f.valid_as_of, -1 if f.confidence is None else f.confidence), reverse=True)

    def conflicts(self) -> list[tuple[FactKey, list[Fact]]]:
        keys = sorted({row.key for row in self.rows.values()})
        groups = [(key, self.lookup(key)) for key in keys]
        return [(key, group) for key, group in groups if len({(f.value, f.unit) for f in group}) > 1]

    def periods(self, key: FactKey) -> list[tuple[str, str]]:
        found = {
            (row.period_type, row.period)
            for row in self.approved()
            if (row.metric_code, row.entity, row.channel) == (key.metric_code, key.entity, key.channel)
        }
        return sorted(sorted(found, key=lambda p: p[1], reverse=True), key=lambda p: TYPES.index(p[0]))

    def approved(self) -> list[Fact]:
        return [row for row in self.rows.values() if row.review_status == "approved"]

    def files(self) -> dict[str, str]:
        return {row.source_file: row.source_file_hash for _, row in sorted(self.rows.items()) if row.source_file}


def same(one: Fact) -> tuple[object, ...]:
    return one.key, one.value, one.unit, one.source_doc_id, one.source_locator, one.source_file


FACTS = st.builds(
    lambda period, value, confidence, **rest: fact(
        value, period_type=period[0], period=period[1], confidence=confidence, ingested_at=TIME, **rest
    ),
    period=st.sampled_from(
        [
            ("FY", "2024"),
            ("FY", "2023"),
            ("HY", "2024H1"),
            ("TERTIAL", "2024T1"),
            ("QUARTER", "2024Q3"),
            ("MONTH", "2024-03"),
        ]
    ),
    value=st.sampled_from(["12", "12.0", "9", "10", "-0.00", "0", "1E+2", "0.1", "99999999999999999999.5"]),
    confidence=st.sampled_from([None, Decimal("0.5"), Decimal("0.50"), Decimal(1)]),
    metric_code=st.sampled_from(["A", "a"]),
    channel=st.sampled_from(["TOTAL", "AGENCY"]),
    unit=st.sampled_from(["USD_M", "EUR_M"]),
    source_doc_id=st.sampled_from(["d", "D", "é"]),
    source_locator=st.sampled_from(["B7", "B70"]),
    geography=st.sampled_from(["", "CN"]),
    review_status=st.sampled_from(list(ReviewStatus)),
    valid_as_of=st.sampled_from(["", "2024-12-31"]),
    source_file_hash=st.sampled_from(["h1", "h2"]),
)
LISTS = st.lists(FACTS, max_size=8)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.sampled_from(["", *FILES]), LISTS),
        st.tuples(st.just("replace"), st.sampled_from(FILES), LISTS),
        st.tuples(st.just("remove"), st.sampled_from(FILES), st.none()),
        st.tuples(st.just("review"), st.integers(0, 50), st.sampled_from(list(ReviewStatus))),
        st.tuples(st.just("close"), st.none(), st.none()),
    ),
    max_size=8,
)


def play(store: FactStore, steps: list[tuple[str, object, object]]) -> None:
    """Do the steps to the store and to the model, and hold one against the other after each."""
    model = Model()
    for step, first, second in steps:
        if step in ("add", "replace"):
            facts = [replace(one, source_file=str(first)) for one in second]  # type: ignore[attr-defined]
            done = store.add_facts(facts) if step == "add" else store.replace_file(str(first), facts)
            assert done == (model.add(facts) if step == "add" else model.replace(str(first), facts))
        elif step == "remove":
            assert store.remove_file(str(first)) == model.remove(str(first))
        elif step == "review" and model.rows:
            number = list(model.rows)[int(str(first)) % len(model.rows)]
            row = model.rows[number]
            (stored,) = [one for one in store.facts() if same(one.fact) == same(row)]
            model.rows[number] = row.with_status(ReviewStatus(str(second)))
            assert store.review(stored.id, ReviewStatus(str(second))).fact == model.rows[number]
        else:
            store.close()
        agree(store, model)


def agree(store: FactStore, model: Model) -> None:
    listed = list(store.facts())
    assert [stored.fact for stored in listed] == model.listed()
    assert [str(stored.fact.value) for stored in listed] == [positive(row.value) for row in model.listed()]
    assert store.count() == len(model.rows)
    assert store.files() == model.files()
    for key in {row.key for row in model.rows.values()} | {FactKey("A", "ACME_CN", "FY", "2024")}:
        assert list(store.lookup(key)) == model.lookup(key)
        waiting = [row for row in model.rows.values() if row.key == key and row.review_status == "pending"]
        assert store.awaiting(key) == len(waiting)
        found = store.periods(key.metric_code, key.entity, key.channel)
        assert found == tuple(Period(*period) for period in model.periods(key))
    assert [(one.key, [s.fact for s in one.facts]) for one in store.conflicts()] == model.conflicts()
    for status in ReviewStatus:
        of_status = [row for row in model.listed() if row.review_status == status]
        assert [stored.fact for stored in store.facts(status=status)] == of_status


def positive(value: Decimal) -> str:
    return str(value).removeprefix("-") if not value else str(value)


@settings(max_examples=150)
@given(steps=STEPS)
def test_sqlite_agrees_with_a_plain_list(steps: list[tuple[str, object, object]]) -> None:
    store = SqliteFactStore(":memory:")
    store.init_schema()
    play(store, steps)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_postgres_agrees_with_a_plain_list(
    make_postgres: Callable[[], FactStore], steps: list[tuple[str, object, object]]
) -> None:
    play(make_postgres(), steps)


@pytest.fixture
def make_postgres(postgres: PostgresServer) -> Iterator[Callable[[], FactStore]]:  # noqa: F811
    from ankare.facts.postgres import PostgresFactStore

    store = PostgresFactStore(postgres.fresh_url())
    store.init_schema()

    def emptied() -> FactStore:
        store._database.change(lambda run: run("DELETE FROM ankare_facts", ()))
        return store

    yield emptied
    store.close()


class _ForgetsReview(SqliteFactStore):
    """A saboteur: a replaced file forgets what was decided."""

    def replace_file(self, source_file: str, facts: list[Fact]) -> LoadResult:  # type: ignore[override]
        super().replace_file(source_file, [])
        return super().replace_file(source_file, facts)


def test_the_model_fails_a_saboteur() -> None:
    store = _ForgetsReview(":memory:")
    store.init_schema()
    figures = [fact("1", ingested_at=TIME)]
    steps = [("add", "a.csv", figures), ("review", 0, ReviewStatus.REJECTED), ("replace", "a.csv", figures)]
    with pytest.raises(AssertionError):
        play(store, steps)
