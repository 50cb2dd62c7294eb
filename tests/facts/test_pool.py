"""Connections are lent to one thread at a time, and all are given back."""

from __future__ import annotations

import pytest

import ankare.facts.pool
from ankare.errors import FactStoreError
from ankare.facts.pool import ConnectionPool


class Connection:
    closed = False

    def close(self) -> None:
        self.closed = True


def test_the_connection_used_last_is_taken_first() -> None:
    pool = ConnectionPool(Connection)
    first, second = pool.take(), pool.take()
    assert first.fresh
    assert first.connection is not second.connection
    pool.give(first)
    pool.give(second)
    assert pool.take() is second
    assert not second.fresh


def test_closing_closes_what_is_idle_now_and_the_rest_when_it_comes_back() -> None:
    pool = ConnectionPool(Connection)
    idle, in_use = pool.take(), pool.take()
    pool.give(idle)
    pool.close()
    assert idle.connection.closed
    assert not in_use.connection.closed
    pool.give(in_use)
    assert in_use.connection.closed
    assert not pool.take().connection.closed


def test_a_dropped_connection_is_not_lent_again() -> None:
    pool = ConnectionPool(Connection, 1)
    held = pool.take()
    pool.drop(held)
    assert held.connection.closed
    assert pool.take() is not held


def test_a_full_pool_makes_wait_and_then_says_that_a_retry_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ankare.facts.pool, "WAIT_SECONDS", 0.01)
    pool = ConnectionPool(Connection, 2)
    held = [pool.take(), pool.take()]
    with pytest.raises(FactStoreError) as told:
        pool.take()
    assert told.value.retry
    pool.give(held.pop())
    assert pool.take()


def test_a_connection_that_cannot_be_opened_takes_up_no_place() -> None:
    def refuse() -> Connection:
        raise FactStoreError("gone")

    pool = ConnectionPool(refuse, 1)
    for _ in range(3):
        with pytest.raises(FactStoreError, match="gone"):
            pool.take()


def test_not_more_than_some_are_kept_idle() -> None:
    pool = ConnectionPool(Connection)
    held = [pool.take() for _ in range(ankare.facts.pool.IDLE_CONNECTIONS + 5)]
    for one in held:
        pool.give(one)
    assert sum(one.connection.closed for one in held) == 5
