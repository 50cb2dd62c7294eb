"""A PostgreSQL server that stands still keeps no thread for good, and figures are right again once it goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import ankare.facts.postgres_server
from ankare.domain.fact import Fact, FactKey
from ankare.errors import FactStoreError
from ankare.facts.postgres import PostgresFactStore
from tests.conformance.fact_store import running
from tests.facts.postgres_server import PostgresServer, postgres  # noqa: F401 - a fixture

LIMIT = 60.0
"""Seconds after which something counts as hung."""
KEYS = [FactKey("M", "E", "FY", str(year)) for year in range(2000, 2016)]


@pytest.fixture
def store(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[PostgresFactStore]:  # noqa: F811
    monkeypatch.setattr(ankare.facts.postgres_server, "GRACE_SECONDS", 0.3)
    store = PostgresFactStore(f"{postgres.fresh_url()}&connect_timeout=2", read_seconds=0.3)
    store.init_schema()
    store.add_facts(
        Fact(k.metric_code, k.entity, "", k.channel, k.period_type, k.period, k.period, "st", "f", k.period)  # type: ignore[arg-type]
        for k in KEYS
    )
    with running(lambda: right(store, KEYS[0]), 8):  # so that connections lie idle
        pass
    yield store
    store.close()


def right(store: PostgresFactStore, key: FactKey) -> None:
    """Every figure has its year as its value, so that the answer to another question shows."""
    assert [str(found.value) for found in store.lookup(key)] == [key.period]


def failures(work: Callable[[int], Any], threads: int) -> list[FactStoreError]:
    """What each of several threads that do `work(number)` is told; none may hang."""
    told: list[FactStoreError] = []

    def one(number: int) -> None:
        with pytest.raises(FactStoreError) as error:
            work(number)
        told.append(error.value)

    at_work = [threading.Thread(target=one, args=(number,), daemon=True) for number in range(threads)]
    for thread in at_work:
        thread.start()
    for thread in at_work:
        thread.join(LIMIT)
    assert len(told) == threads
    return told


def until_it_answers(work: Callable[[], Any]) -> Any:
    end = time.monotonic() + LIMIT
    while True:
        try:
            return work()
        except FactStoreError:
            assert time.monotonic() < end
            time.sleep(0.01)


def test_reads_are_broken_off_and_a_retry_helps(
    postgres: PostgresServer,  # noqa: F811
    store: PostgresFactStore,
) -> None:
    with postgres.hung():
        told = failures(lambda number: store.lookup(KEYS[number % len(KEYS)]), 20)
        assert all(error.retry and error.remedy for error in told)
        assert "in time" in str(told[0])
        failures(lambda _: store.count(), 4)
        failures(lambda _: store.exists(), 2)
    until_it_answers(lambda: right(store, KEYS[3]))


def test_after_the_first_ones_nobody_asks_until_it_answers(
    postgres: PostgresServer,  # noqa: F811
    store: PostgresFactStore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def asked(*_: object) -> None:
        raise AssertionError

    with postgres.hung():
        failures(lambda _: store.count(), 3)
        with monkeypatch.context() as patch:
            patch.setattr(store._database, "_read", asked)
            failures(lambda number: store.lookup(KEYS[number]), 10)
    until_it_answers(lambda: right(store, KEYS[3]))


def test_no_thread_gets_the_answer_to_what_another_asked(
    postgres: PostgresServer,  # noqa: F811
    store: PostgresFactStore,
) -> None:
    done = threading.Event()
    seen = [0] * 12

    def keep_asking(number: int) -> None:
        while not done.is_set():
            key = KEYS[seen[number] % len(KEYS)]
            try:
                right(store, key)
            except FactStoreError:
                pass
            else:
                seen[number] += 1
            done.wait(0.01)

    at_work = [threading.Thread(target=keep_asking, args=(number,), daemon=True) for number in range(len(seen))]
    for thread in at_work:
        thread.start()
    try:
        for _ in range(2):
            with postgres.hung():
                failures(lambda _: store.count(), 1)
            until_it_answers(lambda: right(store, KEYS[5]))
            before = list(seen)
            end = time.monotonic() + LIMIT
            while any(now == then for now, then in zip(seen, before, strict=True)):
                assert all(thread.is_alive() for thread in at_work)
                assert time.monotonic() < end
                time.sleep(0.01)
    finally:
        done.set()
    for thread in at_work:
        thread.join(LIMIT)
        assert not thread.is_alive()


def test_a_server_that_hangs_before_the_first_connection_is_told_too(
    postgres: PostgresServer,  # noqa: F811
    store: PostgresFactStore,
) -> None:
    store.close()
    with postgres.hung():
        told = failures(lambda _: store.lookup(KEYS[0]), 3)
        assert all(error.retry for error in told)
    until_it_answers(lambda: right(store, KEYS[0]))


def test_a_write_is_broken_off_too_and_leaves_the_state_before_it(
    postgres: PostgresServer,  # noqa: F811
    store: PostgresFactStore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ankare.facts.postgres.WHOLE_SECONDS", 1.0)
    halfway, go_on = threading.Event(), threading.Event()

    def rows() -> Iterator[Fact]:
        halfway.set()
        assert go_on.wait(LIMIT)
        yield Fact("M", "E", "", "TOTAL", "FY", "2020", "7", "st", "g", "1", source_file="g.csv")  # type: ignore[arg-type]

    told: list[FactStoreError] = []

    def write() -> None:
        with pytest.raises(FactStoreError) as error:
            store.replace_file("g.csv", rows())  # type: ignore[arg-type]
        told.append(error.value)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    assert halfway.wait(LIMIT)
    with postgres.hung():
        go_on.set()
        writer.join(LIMIT)
        assert told and told[0].retry
    assert until_it_answers(store.count) == len(KEYS)


def test_without_the_limit_a_read_would_still_wait(
    postgres: PostgresServer,  # noqa: F811
    store: PostgresFactStore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The saboteur: with the server's own limit alone nothing ends the read."""
    store.close()
    monkeypatch.setattr(ankare.facts.postgres_server, "GRACE_SECONDS", 3600.0)
    right(store, KEYS[0])
    found: list[object] = []
    reader = threading.Thread(target=lambda: found.append(store.lookup(KEYS[1])), daemon=True)
    with postgres.hung():
        reader.start()
        reader.join(4)
        assert reader.is_alive()
    reader.join(LIMIT)
    assert not reader.is_alive()


@pytest.mark.parametrize("name", ["keepalives", "tcp_user_timeout"])
def test_a_network_that_swallows_everything_is_noticed_below(name: str, store: PostgresFactStore) -> None:
    held = store._database._pool.take()
    try:
        assert int(held.connection.info.get_parameters()[name]) > 0
    finally:
        store._database._pool.give(held)
