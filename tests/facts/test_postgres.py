"""A PostgreSQL database of figures: a server that goes and comes back, waiting, passwords."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from ankare.domain.fact import ReviewStatus
from ankare.errors import BadInputError, FactStoreError
from ankare.facts.migrations import Migration, migrations
from ankare.facts.postgres import PostgresFactStore
from ankare.facts.protocol import LoadResult
from tests.conformance.fact_store import running
from tests.facts.making import KEY, fact, many
from tests.facts.postgres_server import PostgresServer, postgres  # noqa: F401 - a fixture


@pytest.fixture
def url(postgres: PostgresServer) -> str:  # noqa: F811
    return postgres.fresh_url()


@pytest.fixture
def store(url: str) -> Iterator[PostgresFactStore]:
    store = PostgresFactStore(url)
    store.init_schema()
    yield store
    store.close()


@pytest.fixture
def other(url: str) -> Iterator[psycopg.Connection[Any]]:
    """Another user of the same schema."""
    with psycopg.connect(url) as connection:
        yield connection


def uses(store: PostgresFactStore) -> list[Callable[[], object]]:
    return [
        store.count,
        store.files,
        lambda: store.lookup(KEY),
        lambda: list(store.facts()),
        lambda: list(store.conflicts()),
        lambda: store.add_facts([fact()]),
        lambda: store.replace_file("a.csv", []),
        lambda: store.review(1, ReviewStatus.PENDING),
    ]


def test_a_store_that_was_never_made_says_what_to_do(url: str) -> None:
    store = PostgresFactStore(url)
    assert not store.exists()
    for use in uses(store):
        with pytest.raises(FactStoreError, match="no figures") as told:
            use()
        assert told.value.remedy
        assert not told.value.retry
    store.init_schema()
    assert store.exists()


def test_values_are_numeric_in_the_database(store: PostgresFactStore, other: psycopg.Connection[Any]) -> None:
    store.add_facts([fact("1320.50"), fact("7", confidence="0.50")])
    rows = other.execute("SELECT pg_typeof(value)::text, value::text, confidence::text FROM ankare_facts ORDER BY id")
    assert rows.fetchall() == [("numeric", "1320.50", None), ("numeric", "7", "0.50")]


def test_the_order_does_not_hang_on_the_servers_language(
    store: PostgresFactStore, other: psycopg.Connection[Any]
) -> None:
    rows = other.execute(
        "SELECT DISTINCT collation_name FROM information_schema.columns"
        " WHERE table_name = 'ankare_facts' AND table_schema = current_schema() AND data_type = 'text'"
    )
    assert rows.fetchall() == [("C",)]


# A server that goes away.


def test_connections_that_broke_while_idle_are_replaced(
    store: PostgresFactStore, other: psycopg.Connection[Any]
) -> None:
    def broken() -> None:
        with running(lambda: store.lookup(KEY), 4):
            pass
        other.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE application_name = 'ankare' AND pid <> pg_backend_pid()"
        )
        other.commit()

    for use in uses(store):
        broken()
        try:
            use()
        except BadInputError:
            assert use is uses(store)[-1] or store.count()


def test_a_server_that_is_gone_is_told_and_one_that_is_back_is_used(
    postgres: PostgresServer,  # noqa: F811
    store: PostgresFactStore,
) -> None:
    store.add_facts([fact()])
    postgres.stop()
    try:
        for use in [*uses(store), store.exists, store.init_schema]:
            with pytest.raises(FactStoreError, match="cannot be reached") as told:
                use()
            assert told.value.retry
            assert told.value.remedy
    finally:
        postgres.start()
    assert str(store.lookup(KEY)[0].value) == "1320.50"
    assert store.add_facts([fact("2")]) == LoadResult(1, 0)


def test_a_server_that_dies_in_a_write_leaves_the_state_before_it(
    postgres: PostgresServer,  # noqa: F811
    store: PostgresFactStore,
) -> None:
    store.replace_file("a.csv", list(many(50, "a.csv")))

    def dying() -> Iterator[Any]:
        yield from many(500, "a.csv", 1)
        postgres.stop()
        postgres.start()
        yield from many(500, "a.csv", 2)

    with pytest.raises(FactStoreError) as told:
        store.replace_file("a.csv", dying())  # type: ignore[arg-type]
    assert told.value.retry
    assert [str(stored.fact.value) for stored in store.facts()] == ["0"] * 50
    assert store.replace_file("a.csv", list(many(50, "a.csv", 1))) == LoadResult(50, 0, 50)


# Waiting.


def test_a_read_that_takes_too_long_is_broken_off(
    url: str, store: PostgresFactStore, other: psycopg.Connection[Any]
) -> None:
    hasty = PostgresFactStore(url, read_seconds=0.2)
    assert hasty.count() == 0
    other.execute("LOCK TABLE ankare_facts IN ACCESS EXCLUSIVE MODE")
    with pytest.raises(FactStoreError, match="in time") as told:
        hasty.lookup(KEY)
    assert told.value.retry
    other.rollback()
    assert hasty.lookup(KEY) == ()


def test_a_writer_that_waits_too_long_says_that_a_retry_helps(url: str, store: PostgresFactStore) -> None:
    store.add_facts([fact("1")])
    hasty = PostgresFactStore(url, lock_seconds=0.2)

    def slow() -> Iterator[Any]:
        yield fact("2")

    def meanwhile(run: Callable[..., Any]) -> None:
        with pytest.raises(FactStoreError, match="another process") as told:
            hasty.add_facts(slow())
        assert told.value.retry
        assert hasty.count() == 1

    store._database.change(meanwhile)
    assert hasty.add_facts(slow()) == LoadResult(1, 0)


def test_more_threads_than_connections_take_turns(url: str, store: PostgresFactStore) -> None:
    narrow = PostgresFactStore(url, pool_size=2)
    narrow.add_facts(many(20))
    with running(lambda: [narrow.count() for _ in range(20)], 12):
        pass
    assert narrow.count() == 20


def test_a_plan_made_for_few_figures_is_not_kept_for_many(store: PostgresFactStore) -> None:
    for _ in range(10):
        store.lookup(KEY)
    store.add_facts(many(2000))
    plan = store._database.read("SELECT reltuples FROM pg_class WHERE oid = to_regclass('ankare_facts')", ())
    assert plan == [(2000,)]


# Other schemas.


def test_a_store_of_a_newer_version_is_told(store: PostgresFactStore, other: psycopg.Connection[Any], url: str) -> None:
    other.execute("INSERT INTO ankare_migrations (number, name) VALUES (99, 'm099_later')")
    other.commit()
    newer = PostgresFactStore(url)
    for use in [*uses(newer), newer.init_schema]:
        with pytest.raises(FactStoreError, match="newer version"):
            use()


def test_a_store_of_an_older_version_is_brought_up_to_date(
    store: PostgresFactStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.add_facts([fact()])
    steps = (*migrations("postgres"), Migration(99, "m099_more", "CREATE TABLE ankare_more (a INTEGER);"))
    for module in ("ankare.facts.migrations", "ankare.facts.postgres"):
        monkeypatch.setattr(f"{module}.migrations", lambda backend: steps)
    fresh = PostgresFactStore(url)
    with pytest.raises(FactStoreError, match="older version"):
        fresh.count()
    with running(PostgresFactStore(url).init_schema, 4):
        pass
    assert fresh.count() == 1


# Secrets.

HIDDEN = "hem/lig@t"


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:hem%2Flig%40t@127.0.0.1:1/figures",
        "postgresql://me:hem%2Flig%40t@nowhere.invalid/figures",
        "postgresql://me@127.0.0.1:1/figures?password=hem%2Flig%40t",
        "postgresql://me:hem%2Flig%40t@127.0.0.1:1/figures?sslmode=hem%2Flig%40t",
    ],
)
def test_a_password_is_never_shown(address: str) -> None:
    store = PostgresFactStore(address)
    shown = [repr(store)]
    for use in uses(store):
        with pytest.raises(FactStoreError) as told:
            use()
        shown += [str(told.value), str(told.value.__cause__)[: 0 if "sslmode" in address else None]]
    assert not [text for text in shown if HIDDEN in text or "hem%2F" in text]
    assert "figures" in shown[1]


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:hem%zzlig@host/x",
        "postgresql://me:hem/lig@host/x",
        "postgresql://[::1/hemlig",
        "postgresql://h/x?hemlig",
    ],
)
def test_an_unreadable_address_is_told_without_being_shown(address: str) -> None:
    with pytest.raises(BadInputError) as told:
        PostgresFactStore(address)
    assert "hem" not in str(told.value)
    assert told.value.__suppress_context__ or told.value.__context__ is None


# Processes.


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_opens_its_own_connections(store: PostgresFactStore) -> None:
    store.add_facts([fact()])
    assert store.count() == 1
    child = os.fork()
    if not child:
        good = store.count() == 1 and store.add_facts([fact("2")]).added == 1
        os._exit(0 if good else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert store.count() == 2
