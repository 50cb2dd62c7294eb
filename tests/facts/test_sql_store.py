"""What the stores do beyond the protocol, on both databases: decisions about several figures, changes that fail half way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ankare.domain.fact import Fact, ReviewStatus
from ankare.errors import BadInputError
from ankare.facts import statements
from ankare.facts.open import open_store
from ankare.facts.rows import COLUMNS
from ankare.facts.sql_store import Run, SqlFactStore
from tests.facts.making import fact, many
from tests.facts.postgres_server import PostgresServer, postgres  # noqa: F401 - a fixture


@pytest.fixture(params=["file", "memory", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlFactStore]:
    if request.param == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        store = open_store(server.fresh_url())
    else:
        store = open_store(str(tmp_path / "facts.db") if request.param == "file" else ":memory:")
    store.init_schema()
    yield store
    store.close()


def test_a_decision_about_several_is_made_about_all(store: SqlFactStore) -> None:
    store.add_facts(many(3))
    ids = [stored.id for stored in store.facts()]
    decided = store.review_all(ids, ReviewStatus.REJECTED)
    assert [stored.id for stored in decided] == ids
    assert list(store.facts(status=ReviewStatus.REJECTED)) == list(decided)


def test_a_decision_with_an_unknown_id_is_made_about_none(store: SqlFactStore) -> None:
    store.add_facts(many(3))
    ids = [stored.id for stored in store.facts()]
    with pytest.raises(BadInputError, match="4711"):
        store.review_all([*ids, 4711], ReviewStatus.REJECTED)
    assert list(store.facts(status=ReviewStatus.REJECTED)) == []


def test_a_change_that_fails_half_way_changes_nothing(store: SqlFactStore) -> None:
    store.add_facts(many(3))

    def half(run: Run) -> None:
        assert run(statements.REMOVE_FILE, ("many.csv",)).rowcount == 3
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        store._database.change(half)
    assert store.count() == sum(1 for _ in store.facts()) == 3
    assert store.add_facts([fact()]).added == 1


def test_a_store_says_whether_it_has_been_made(store: SqlFactStore) -> None:
    assert store.exists()


def test_a_row_is_the_arguments_of_a_fact() -> None:
    assert tuple(Fact.__dataclass_fields__) == COLUMNS
