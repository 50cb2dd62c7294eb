"""Which store lies at an address."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ankare.errors import BadInputError, MissingExtraError
from ankare.facts.open import open_store
from ankare.facts.postgres import PostgresFactStore
from ankare.facts.sqlite import SqliteFactStore
from ankare.profile.model import Profile


def test_a_path_is_a_sqlite_file(tmp_path: Path) -> None:
    mine = Profile()
    for location in (tmp_path / "a.db", str(tmp_path / "a.db"), Path("postgresql://odd/folder")):
        store = open_store(location, mine)
        assert isinstance(store, SqliteFactStore)
        assert store.profile is mine


@pytest.mark.parametrize(
    "address", ["postgresql://me@localhost/figures", "postgres://localhost", "POSTGRESQL://localhost/x"]
)
def test_an_address_of_postgres_is_postgres(address: str) -> None:
    assert isinstance(open_store(address), PostgresFactStore)


def test_another_kind_of_address_is_refused_without_its_password() -> None:
    with pytest.raises(BadInputError) as told:
        open_store("mysql://me:secret@localhost/x")
    assert "mysql://" in str(told.value)
    assert "secret" not in str(told.value)


def test_without_the_extra_the_remedy_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match=r"ankare\[postgres\]"):
        open_store("postgresql://me:secret@localhost/x")
