"""What must every store of figures do about labels? A reader's view of it is a store that never held anything else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from ankare.domain.access import OWNER, PUBLIC, Access
from ankare.domain.fact import Fact, FactKey, ReviewStatus
from ankare.errors import BadInputError
from ankare.facts.protocol import FactReader, FactStore, LoadResult
from tests.facts.making import KEY, fact, many

BOARD = Access(frozenset({"board"}))
OTHER = Access(frozenset({"other", "board\0", "' OR 1=1"}))


def seen(reader: FactReader) -> tuple[object, ...]:
    """All that a reader can ask, without the time of ingest."""
    keys = [KEY, KEY._replace(period="2023"), KEY._replace(period="2099")]
    found = reader.lookup_all(keys)
    rows = [[(str(one.value), one.unit, one.source_file) for one in reader.lookup(key)] for key in keys]
    assert rows == [[(str(one.value), one.unit, one.source_file) for one in found[key]] for key in keys]
    awaiting = [reader.awaiting(key) for key in keys]
    return rows, awaiting, reader.periods("REVENUE", "ACME_CN", "TOTAL"), reader.count()


def with_label(label: str, *facts: Fact) -> list[Fact]:
    """The same figures under a label."""
    return [replace(one, access=label) for one in facts]


PUBLIC_FACTS = (fact("10"), fact("9", period="2023"), fact("8", period="2023", review_status=ReviewStatus.PENDING))
SECRET_FACTS = (
    fact("10"),  # the same figure
    fact("11"),  # a conflict
    fact("9.0", period="2023"),
    fact("1", period="2099"),  # a period of its own
    fact("7", period="2023", review_status=ReviewStatus.PENDING),
)


class FactAccessSuite:
    """The promises. `make` gives a store that holds nothing yet, and has its schema."""

    def make(self, folder: Path) -> FactStore:
        """A new store."""
        raise NotImplementedError

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[FactStore]:
        store = self.make(tmp_path / "facts")
        yield store
        store.close()

    @pytest.fixture
    def plain(self, tmp_path: Path) -> Iterator[FactStore]:
        """A store of the public figures alone."""
        store = self.make(tmp_path / "plain")
        store.replace_file("public.csv", PUBLIC_FACTS)
        yield store
        store.close()

    def test_a_label_comes_back(self, store: FactStore) -> None:
        store.add_facts([fact(access="board")])
        assert [one.access for one in store.lookup(KEY)] == ["board"]
        assert [one.fact.access for one in store.facts()] == ["board"]

    @pytest.mark.parametrize("label", ["Board", " board", "a b", "-x", "x" * 65, "ö"])
    def test_what_is_no_label_is_refused(self, store: FactStore, label: str) -> None:
        with pytest.raises(BadInputError, match="access"):
            store.add_facts([fact(access=label)])
        assert store.count() == 0

    @pytest.mark.parametrize("order", list(permutations(("public.csv", "secret.csv"))))
    def test_a_reader_sees_no_secret_whatever_came_first(
        self, store: FactStore, plain: FactStore, order: tuple[str, ...]
    ) -> None:
        held = {"public.csv": PUBLIC_FACTS, "secret.csv": with_label("board", *SECRET_FACTS)}
        for name in order:
            store.replace_file(name, held[name])
        expected = seen(plain.readable(PUBLIC))
        assert seen(store.readable(PUBLIC)) == seen(store.readable(OTHER)) == expected == seen(plain)
        assert seen(store.readable(BOARD)) == seen(store) == seen(store.readable(OWNER))
        assert store.readable(BOARD).count() == len(PUBLIC_FACTS) + len(SECRET_FACTS)
        store.remove_file("secret.csv")
        assert seen(store) == seen(store.readable(PUBLIC)) == expected

    @pytest.mark.parametrize("order", list(permutations(("", "board"))))
    def test_the_same_figure_of_no_file_is_there_for_the_readers_of_each_label(
        self, store: FactStore, order: tuple[str, ...]
    ) -> None:
        for label in order:
            assert store.add_facts([fact(access=label)]) == LoadResult(1, 0)
        assert len(store.lookup(KEY)) == 2
        assert len(store.readable(PUBLIC).lookup(KEY)) == store.readable(PUBLIC).count() == 1

    def test_a_file_that_gets_a_label_keeps_its_decisions(self, store: FactStore) -> None:
        store.replace_file("a.csv", [fact("1", review_status=ReviewStatus.PENDING), fact("2", period="2023")])
        before = list(store.facts())
        store.review(before[-1].id, ReviewStatus.APPROVED)
        decided = [(one.id, one.fact.review_status, one.fact.ingested_at) for one in store.facts()]
        facts = [fact("1", review_status=ReviewStatus.PENDING), fact("2", period="2023")]
        assert store.replace_file("a.csv", with_label("board", *facts)) == LoadResult(0, 2)
        assert store.labels() == {"a.csv": "board"}
        assert [(one.id, one.fact.review_status, one.fact.ingested_at) for one in store.facts()] == decided
        assert (store.readable(PUBLIC).count(), store.readable(BOARD).count()) == (0, 2)
        store.replace_file("a.csv", facts)
        assert store.labels() == {}
        assert [(one.id, one.fact.review_status, one.fact.ingested_at) for one in store.facts()] == decided
        assert store.readable(PUBLIC).count() == 2

    def test_a_file_of_several_labels_that_a_program_made_can_be_loaded(self, store: FactStore) -> None:
        store.add_facts([fact(source_file="a.csv", access=label) for label in ("", "board", "legal")])
        store.replace_file("a.csv", with_label("board", fact()))
        assert [one.fact.access for one in store.facts()] == ["board"]
        store.add_facts([fact(source_file="a.csv", access=label) for label in ("", "legal")])
        store.replace_file("a.csv", with_label("other", fact()))
        assert [one.fact.access for one in store.facts()] == ["other"]
        assert store.count() == store.readable(OTHER).count() == 1

    def test_a_file_has_one_label(self, store: FactStore) -> None:
        with pytest.raises(BadInputError, match="labels"):
            store.replace_file("a.csv", [fact("1"), fact("2", access="board")])
        assert store.count() == 0

    def test_a_conflict_with_a_secret_figure_is_the_owners_to_know(self, store: FactStore) -> None:
        store.add_facts([fact("1"), fact("2", access="board")])
        assert len(list(store.conflicts())) == 1
        assert [str(one.value) for one in store.readable(PUBLIC).lookup(KEY)] == ["1"]

    def test_many_labels_and_many_keys(self, store: FactStore) -> None:
        store.add_facts([fact(period=str(year), access=f"l{year}") for year in range(2000, 2040)])
        reader = store.readable(Access(frozenset(f"l{year}" for year in range(1000, 2020))))
        keys = [FactKey("REVENUE", "ACME_CN", "FY", str(year)) for year in range(1990, 2050)]
        assert sum(len(found) for found in reader.lookup_all(keys).values()) == reader.count() == 20

    def test_counts_stay_right(self, store: FactStore) -> None:
        for label, count in (("", 50), ("board", 30), ("board", 20), ("", 40), ("legal", 10)):
            store.replace_file("a.csv", with_label(label, *many(count, "a.csv")))
            store.replace_file("b.csv", with_label("board", *many(count // 10, "b.csv")))
            assert store.count() == sum(1 for _ in store.facts()) == count + count // 10
            public = sum(1 for one in store.facts() if not one.fact.access)
            assert store.readable(PUBLIC).count() == public
