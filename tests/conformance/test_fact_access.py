"""Labels in every store of figures; a store that forgets one is noticed."""

from __future__ import annotations

import sqlite3
import uuid
from contextlib import closing
from pathlib import Path

import pytest

from ankare.domain.access import PUBLIC, Access
from ankare.facts.migrations import migrations
from ankare.facts.postgres import PostgresFactStore
from ankare.facts.protocol import FactReader, FactStore
from ankare.facts.sqlite import SqliteFactStore
from ankare.facts.sqlite_file import APPLICATION_ID
from tests.conformance.fact_access import FactAccessSuite, seen, with_label
from tests.facts.making import fact
from tests.facts.postgres_server import PostgresServer, postgres  # noqa: F401 - a fixture


class TestSqliteFile(FactAccessSuite):
    def make(self, folder: Path) -> FactStore:
        store = SqliteFactStore(folder / "facts.db")
        store.init_schema()
        return store


class TestSqliteInMemory(FactAccessSuite):
    def make(self, folder: Path) -> FactStore:
        store = SqliteFactStore(":memory:")
        store.init_schema()
        return store


class TestPostgres(FactAccessSuite):
    @pytest.fixture(autouse=True)
    def _server(self, postgres: PostgresServer) -> None:  # noqa: F811
        self.server = postgres

    def make(self, folder: Path) -> FactStore:
        store = PostgresFactStore(self.server.fresh_url())
        store.init_schema()
        return store


def test_a_store_from_before_labels_is_all_public(tmp_path: Path) -> None:
    """Made as the first schema left it."""
    first = migrations("sqlite")[0]
    old = tmp_path / "first.db"
    with closing(sqlite3.connect(old)) as connection:
        connection.executescript(first.sql)
        connection.executescript(
            "CREATE TABLE ankare_migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL);"
            f"PRAGMA application_id = {APPLICATION_ID};"
        )
        connection.execute("INSERT INTO ankare_migrations VALUES (1, ?, '')", (first.name,))
        connection.execute(
            "INSERT INTO ankare_facts VALUES (1, x'00', 'REVENUE', 'ACME_CN', 'CN', 'TOTAL', 'FY', '2024', '5', 'USD_M',"
            " 'a.csv', 'row 2', NULL, 'approved', '', '2024-01-01T00:00:00+00:00', '', '/a.csv')"
        )
        connection.commit()
    store = SqliteFactStore(old)
    store.init_schema()
    assert store.count() == store.readable(PUBLIC).count() == 1
    store.add_facts(with_label("board", fact()))
    assert (store.count(), store.readable(PUBLIC).count()) == (2, 1)
    assert seen(store.readable(PUBLIC))[0] == [[("5", "USD_M", "/a.csv")], [], []]


class _ForgetsLabels(SqliteFactStore):
    """Every reader sees all."""

    def readable(self, access: Access) -> FactReader:
        return self


def test_a_store_that_forgets_labels_is_noticed(tmp_path: Path) -> None:
    class Suite(FactAccessSuite):
        def make(self, folder: Path) -> FactStore:
            store = _ForgetsLabels(folder / f"{uuid.uuid4().hex}.db")
            store.init_schema()
            return store

    suite = Suite()
    with pytest.raises(AssertionError):
        suite.test_a_conflict_with_a_secret_figure_is_the_owners_to_know(suite.make(tmp_path))
    with pytest.raises(AssertionError):
        suite.test_counts_stay_right(suite.make(tmp_path))
