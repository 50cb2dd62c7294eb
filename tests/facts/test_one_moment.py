"""Several figures of one answer are of one moment, also while a file is replaced."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from ankare.domain.fact import Fact, FactKey
from ankare.facts.postgres import PostgresFactStore
from ankare.facts.sql_store import SqlFactStore
from ankare.facts.sqlite import SqliteFactStore
from tests.facts.postgres_server import PostgresServer, postgres

__all__ = ["postgres"]
KEYS = [FactKey("M", "E", "FY", str(year)) for year in range(2000, 2010)]


def edition(number: int) -> list[Fact]:
    """A whole file, every figure of which has the edition's number as its value."""
    return [
        Fact(k.metric_code, k.entity, "", k.channel, k.period_type, k.period, number, "st", "f.csv", k.period)  # type: ignore[arg-type]
        for k in KEYS
    ]


def editions_seen(store: SqlFactStore, readings: int) -> set[int]:
    """How many editions each reading holds values of, while a writer goes on."""
    store.init_schema()
    store.replace_file("f.csv", edition(0))
    done = threading.Event()

    def write() -> None:
        number = 0
        while not done.is_set():
            number += 1
            store.replace_file("f.csv", edition(number))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        return {len({f.value for facts in store.lookup_all(KEYS).values() for f in facts}) for _ in range(readings)}
    finally:
        done.set()
        writer.join()


def test_sqlite_reads_several_at_one_moment(tmp_path: Path) -> None:
    assert editions_seen(SqliteFactStore(tmp_path / "f.db"), 400) == {1}


def test_postgres_reads_several_at_one_moment(postgres: PostgresServer) -> None:
    assert editions_seen(PostgresFactStore(postgres.fresh_url()), 200) == {1}


class OneByOne(SqliteFactStore):
    """A store that reads one after the other; a load comes in between."""

    loads = 0

    def lookup_all(self, keys: Sequence[FactKey]) -> dict[FactKey, tuple[Fact, ...]]:
        found = {}
        for key in keys:
            found[key] = self.lookup(key)
            self.loads += 1
            self.replace_file("f.csv", edition(1000 + self.loads))
        return found


def test_a_store_that_reads_one_by_one_is_found_out(tmp_path: Path) -> None:
    assert max(editions_seen(OneByOne(tmp_path / "f.db"), 2)) > 1


@pytest.mark.parametrize("count", [0, 1, 64])
def test_several_are_the_same_as_each(count: int, tmp_path: Path) -> None:
    store = SqliteFactStore(tmp_path / "f.db")
    store.init_schema()
    store.replace_file("f.csv", edition(7))
    keys = [FactKey("M", "E", "FY", str(1990 + number)) for number in range(count)]
    assert store.lookup_all(keys) == {key: store.lookup(key) for key in keys}
