"""What must every store of figures do? A store's test class inherits `FactStoreSuite` and makes its store.

class TestSqlite(FactStoreSuite):
    def make(self, folder, profile=None): ...
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from ankare.domain.fact import MAX_DIGITS, Fact, FactKey, Period, ReviewStatus
from ankare.errors import BadInputError
from ankare.facts.protocol import FactStore, LoadResult
from ankare.profile.model import HomeRules, Profile
from tests.facts.making import KEY, fact, many

APPROVED, PENDING, REJECTED = ReviewStatus.APPROVED, ReviewStatus.PENDING, ReviewStatus.REJECTED


def values(store: FactStore, key: FactKey = KEY) -> list[str]:
    """What a lookup gives, each value as written."""
    return [str(found.value) for found in store.lookup(key)]


def held(store: FactStore) -> list[tuple[str, str]]:
    """Every figure: its value as written and its status."""
    return [(str(stored.fact.value), str(stored.fact.review_status)) for stored in store.facts()]


class FactStoreSuite:
    """The promises. `make` gives a store that holds nothing yet, and has its schema."""

    def make(self, folder: Path, profile: Profile | None = None) -> FactStore:
        """A new store."""
        raise NotImplementedError

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[FactStore]:
        store = self.make(tmp_path / "facts")
        yield store
        store.close()

    # What goes in comes back.

    def test_a_new_store_is_empty(self, store: FactStore) -> None:
        assert store.count() == 0
        assert list(store.facts()) == list(store.conflicts()) == []
        assert store.files() == {}
        assert store.lookup(KEY) == store.periods("REVENUE", "ACME_CN", "TOTAL") == ()
        assert store.awaiting(KEY) == 0

    def test_a_figure_comes_back_with_its_whole_lineage(self, store: FactStore) -> None:
        whole = fact(
            "-0.05",
            geography="中国",
            unit="‰ '\"%s?",
            source_doc_id="årsbok 2024.pdf",
            source_locator="s. 4\tråd 7",
            confidence=Decimal("0.90"),
            valid_as_of="2024-12-31",
            ingested_at="2025-02-03T04:05:06+00:00",
            source_file_hash="ab" * 32,
            source_file="facts/årsbok.csv",
        )
        store.add_facts([whole])
        assert store.lookup(KEY) == (whole,)
        assert str(store.lookup(KEY)[0].confidence) == "0.90"
        assert [stored.fact for stored in store.facts()] == [whole]

    @pytest.mark.parametrize(
        ("given", "kept"),
        [
            ("1320.50", "1320.50"),
            ("12", "12"),
            ("12.000", "12.000"),
            ("0.1", "0.1"),
            ("0.00", "0.00"),
            ("-0.0", "0.0"),
            ("1E+3", "1000"),
            (0.1, "0.1"),
            ("0.30000000000000000001", "0.30000000000000000001"),
            ("9" * MAX_DIGITS, "9" * MAX_DIGITS),
            ("-" + "8" * 30 + "." + "7" * 30, "-" + "8" * 30 + "." + "7" * 30),
            ("0." + "0" * 40 + "5", "0." + "0" * 40 + "5"),
        ],
    )
    def test_values_are_exact(self, store: FactStore, given: object, kept: str) -> None:
        store.add_facts([fact(given)])
        (found,) = store.lookup(KEY)
        assert isinstance(found.value, Decimal)
        assert format(found.value, "f") == kept

    def test_time_of_ingest_is_filled_in_once(self, store: FactStore) -> None:
        store.add_facts([fact()])
        (first,) = store.lookup(KEY)
        assert first.ingested_at.endswith("+00:00")
        store.add_facts([fact(ingested_at="2020-01-01T00:00:00+00:00")])
        assert store.lookup(KEY) == (first,)

    # Looking up.

    @pytest.mark.parametrize(
        "change",
        [
            {"metric_code": "REVENUE "},
            {"metric_code": "revenue"},
            {"entity": "ACME"},
            {"period_type": "HY"},
            {"period": "2023"},
            {"channel": "AGENCY"},
            {"channel": ""},
            {"metric_code": "REVENUE\0"},
            {"entity": "\ud800"},
            {"entity": "' OR '1'='1"},
        ],
    )
    def test_every_part_of_the_key_counts(self, store: FactStore, change: dict[str, str]) -> None:
        store.add_facts([fact()])
        other = KEY._replace(**change)
        assert store.lookup(other) == ()
        assert store.awaiting(other) == 0
        assert values(store) == ["1320.50"]

    def test_channels_are_kept_apart(self, store: FactStore) -> None:
        store.add_facts([fact("10"), fact("4", channel="AGENCY")])
        assert values(store) == ["10"]
        assert values(store, KEY._replace(channel="AGENCY")) == ["4"]
        assert list(store.conflicts()) == []

    def test_the_order_of_a_lookup_is_fixed(self, store: FactStore) -> None:
        wanted = [
            fact("1", valid_as_of="2025-01-31", source_doc_id="z"),
            fact("2", valid_as_of="2024-12-31", confidence=Decimal(1), source_doc_id="y"),
            fact("3", valid_as_of="2024-12-31", confidence=Decimal("0.9"), source_doc_id="y"),
            fact("4", valid_as_of="2024-12-31", confidence=Decimal("0.10"), source_doc_id="a"),
            fact("5", valid_as_of="2024-12-31", confidence=Decimal("0.1"), source_doc_id="b"),
            fact("6", valid_as_of="2024-12-31", confidence=Decimal(0), source_doc_id="a"),
            fact("7", valid_as_of="2024-12-31", source_doc_id="a"),
            fact("8", confidence=Decimal(1), source_doc_id="a", source_locator="A1"),
            fact("9", source_doc_id="B", source_locator="A10"),
            fact("10", source_doc_id="B", source_locator="A9", source_file="Z"),
            fact("11", source_doc_id="B", source_locator="A9", source_file="a"),
            fact("12", source_doc_id="a", source_locator="A1"),
            fact("13", source_doc_id="å"),
            fact("14", source_doc_id="中"),
            fact("15", source_doc_id="\uffee"),
            fact("16", source_doc_id="𝐀"),
        ]
        store.add_facts(wanted[::-2] + wanted[-2::-2])
        assert values(store) == [str(number) for number in range(1, 17)]

    def test_equal_sources_are_ordered_by_value(self, store: FactStore) -> None:
        store.add_facts([fact("10"), fact("9"), fact("-1"), fact("9", unit="EUR_M")])
        assert [(str(found.value), found.unit) for found in store.lookup(KEY)] == [
            ("-1", "USD_M"),
            ("9", "EUR_M"),
            ("9", "USD_M"),
            ("10", "USD_M"),
        ]

    def test_periods_come_by_type_and_newest_first(self, store: FactStore) -> None:
        told = {
            "MONTH": ("2024-03", "2024-11"),
            "QUARTER": ("2024Q1", "2023Q4"),
            "TERTIAL": ("2023T3", "2024T2"),
            "HY": ("2024H1",),
            "FY": ("2022", "2024"),
        }
        store.add_facts([fact(period_type=kind, period=period) for kind, all_ in told.items() for period in all_])
        store.add_facts([fact("7", source_doc_id="other"), fact(period="2021", review_status=PENDING)])
        store.add_facts([fact(period="2020", channel="AGENCY"), fact(period="2019", entity="ACME_HK")])
        assert store.periods("REVENUE", "ACME_CN", "TOTAL") == (
            Period("FY", "2024"),
            Period("FY", "2022"),
            Period("HY", "2024H1"),
            Period("TERTIAL", "2024T2"),
            Period("TERTIAL", "2023T3"),
            Period("QUARTER", "2024Q1"),
            Period("QUARTER", "2023Q4"),
            Period("MONTH", "2024-11"),
            Period("MONTH", "2024-03"),
        )
        assert store.periods("REVENUE", "\ud800", "TOTAL") == store.periods("\0", "ACME_CN", "TOTAL") == ()

    def test_a_tertial_is_no_other_period(self, store: FactStore) -> None:
        told = {"TERTIAL": "2024T1", "QUARTER": "2024Q1", "HY": "2024H1", "FY": "2024"}
        amounts = dict(zip(told, ("1", "2", "3", "4"), strict=True))
        store.add_facts([fact(amounts[kind], period_type=kind, period=period) for kind, period in told.items()])
        for kind, period in told.items():
            key = KEY._replace(period_type=kind, period=period)
            assert [str(found.value) for found in store.lookup(key)] == [amounts[kind]]
            assert [str(found.value) for found in store.lookup_all([key])[key]] == [amounts[kind]]
        other = KEY._replace(period_type="TERTIAL", period="2024T2")
        assert store.lookup(other) == ()

    def test_at_most_fifty_periods_are_told(self, store: FactStore) -> None:
        store.add_facts(fact(period=str(1900 + number)) for number in range(80))
        periods = store.periods("REVENUE", "ACME_CN", "TOTAL")
        assert [period.value for period in periods] == [str(1979 - number) for number in range(50)]

    # Review.

    def test_only_approved_figures_answer(self, store: FactStore) -> None:
        store.add_facts([fact("1", review_status=PENDING), fact("2", review_status=REJECTED)])
        assert store.lookup(KEY) == ()
        assert store.awaiting(KEY) == 1
        assert store.count() == 2

    def test_a_pending_value_never_hides_an_approved_one(self, store: FactStore) -> None:
        store.add_facts([fact("1", valid_as_of="2024-01-01")])
        store.add_facts([fact("2", valid_as_of="2025-01-01", confidence=Decimal(1), review_status=PENDING)])
        assert values(store) == ["1"]
        assert store.awaiting(KEY) == 1

    def test_a_decision_takes_effect_at_once(self, store: FactStore) -> None:
        store.add_facts([fact("1", review_status=PENDING)])
        (waiting,) = store.facts(status=PENDING)
        for status, found, still in ((APPROVED, ["1"], 0), (REJECTED, [], 0), (PENDING, [], 1)):
            assert store.review(waiting.id, status).fact == waiting.fact.with_status(status)
            assert values(store) == found
            assert store.awaiting(KEY) == still
            assert [stored.id for stored in store.facts(status=status)] == [waiting.id]

    @pytest.mark.parametrize("fact_id", [0, -1, 4711, 2**63, 10**30])
    def test_an_unknown_id_is_told(self, store: FactStore, fact_id: int) -> None:
        store.add_facts([fact()])
        with pytest.raises(BadInputError, match=str(fact_id)):
            store.review(fact_id, REJECTED)
        assert held(store) == [("1320.50", "approved")]

    def test_an_unknown_status_is_told(self, store: FactStore) -> None:
        store.add_facts([fact()])
        (stored,) = store.facts()
        with pytest.raises(BadInputError, match="maybe"):
            store.review(stored.id, "maybe")  # type: ignore[arg-type]
        with pytest.raises(BadInputError, match="maybe"):
            list(store.facts(status="maybe"))  # type: ignore[arg-type]

    # Conflicts.

    def test_a_second_source_is_kept_beside_the_first(self, store: FactStore) -> None:
        store.add_facts([fact("10", source_doc_id="a")])
        assert store.add_facts([fact("11", source_doc_id="b")]) == LoadResult(1, 0)
        assert values(store) == ["10", "11"]
        (conflict,) = store.conflicts()
        assert conflict.key == KEY
        assert [(str(one.fact.value), one.fact.source_doc_id) for one in conflict.facts] == [("10", "a"), ("11", "b")]
        assert {one.id for one in conflict.facts} == {stored.id for stored in store.facts()}

    def test_a_source_that_contradicts_itself_is_a_conflict(self, store: FactStore) -> None:
        store.add_facts([fact("10")])
        assert store.add_facts([fact("11")]) == LoadResult(1, 0)
        assert values(store) == ["10", "11"]
        assert len(list(store.conflicts())) == 1

    def test_numbers_that_look_alike_are_kept_apart(self, store: FactStore) -> None:
        alike = ["0", "1", "10", "100", "0.1", "0.10000000000000000000000000000000001", "1.01", "-1", "-100"]
        assert store.add_facts(map(fact, alike)) == LoadResult(len(alike), 0)
        assert sorted(values(store)) == sorted(alike)

    def test_conflicts_compare_numbers_and_units(self, store: FactStore) -> None:
        same = FactKey("A", "E", "FY", "2024")
        store.add_facts(fact(v, metric_code="A", entity="E", source_doc_id=f"d{v}") for v in ("12.0", "12", "12.00"))
        store.add_facts(fact("12", metric_code="B", unit=unit, source_doc_id=unit) for unit in ("USD_M", "EUR_M"))
        store.add_facts(fact(v, metric_code="C", source_doc_id=v) for v in ("9", "10", "9.0"))
        assert len(store.lookup(same)) == 3
        told = [(conflict.key.metric_code, len(conflict.facts)) for conflict in store.conflicts()]
        assert told == [("B", 2), ("C", 3)]

    def test_a_conflict_ends_with_a_decision(self, store: FactStore) -> None:
        store.add_facts([fact("10", source_doc_id="a"), fact("11", source_doc_id="b", review_status=PENDING)])
        assert list(store.conflicts()) == []
        (waiting,) = store.facts(status=PENDING)
        store.review(waiting.id, APPROVED)
        assert len(list(store.conflicts())) == 1
        store.review(waiting.id, REJECTED)
        assert list(store.conflicts()) == []

    def test_conflicts_come_in_the_order_of_their_keys(self, store: FactStore) -> None:
        keys = [
            FactKey("A", "E", "FY", "2024"),
            FactKey("A", "E", "MONTH", "2024-01", "Z"),
            FactKey("A", "E", "MONTH", "2024-01", "a"),
            FactKey("A", "e", "FY", "2023"),
            FactKey("B", "E", "FY", "2022"),
            FactKey("a", "E", "FY", "2022"),
            FactKey("Å", "E", "FY", "2022"),
        ]
        for key in keys[::2] + keys[1::2]:
            store.add_facts(fact(v, **key._asdict(), source_doc_id=v) for v in ("2", "1"))
        assert [conflict.key for conflict in store.conflicts()] == keys
        assert all([one.fact.source_doc_id for one in found.facts] == ["1", "2"] for found in store.conflicts())

    # Loading.

    def test_loading_twice_changes_nothing(self, store: FactStore) -> None:
        figures = [*many(30), fact("1", source_file="many.csv"), fact("2", source_file="many.csv")]
        assert store.add_facts(figures) == LoadResult(32, 0)
        before = list(store.facts())
        assert store.add_facts(figures) == LoadResult(0, 32)
        assert store.replace_file("many.csv", figures) == LoadResult(0, 32, 0)
        assert list(store.facts()) == before

    def test_a_figure_given_twice_is_stored_once(self, store: FactStore) -> None:
        assert store.add_facts([fact("12"), fact("12.0"), fact("12")]) == LoadResult(1, 2)
        assert held(store) == [("12", "approved")]

    def test_a_store_can_be_fed_from_itself(self, store: FactStore) -> None:
        store.add_facts(many(10))
        assert store.add_facts(stored.fact for stored in store.facts()) == LoadResult(0, 10)

    def test_a_file_holds_what_it_holds_now(self, store: FactStore) -> None:
        store.replace_file("a.csv", [fact("1", source_file="a.csv"), fact("2", period="2023", source_file="a.csv")])
        done = store.replace_file(
            "a.csv", [fact("1", source_file="a.csv"), fact("3", period="2022", source_file="a.csv")]
        )
        assert done == LoadResult(added=1, unchanged=1, removed=1)
        assert {(stored.fact.period, str(stored.fact.value)) for stored in store.facts()} == {
            ("2024", "1"),
            ("2022", "3"),
        }

    def test_a_file_without_figures_is_gone(self, store: FactStore) -> None:
        store.replace_file("a.csv", [fact(source_file="a.csv")])
        assert store.replace_file("a.csv", []) == LoadResult(0, 0, 1)
        assert store.count() == 0
        assert store.files() == {}

    def test_what_stays_keeps_its_review_and_time_of_ingest(self, store: FactStore) -> None:
        earlier = "2020-01-01T00:00:00+00:00"
        first = [fact(v, source_file="a.csv", ingested_at=earlier, source_file_hash="1") for v in ("1", "2", "3")]
        store.replace_file("a.csv", first)
        ids = {str(stored.fact.value): stored.id for stored in store.facts()}
        store.review(ids["1"], REJECTED)
        store.review(ids["2"], PENDING)
        again = [fact(v, source_file="a.csv", source_file_hash="2") for v in ("1", "2.0", "4")]
        assert store.replace_file("a.csv", again) == LoadResult(added=1, unchanged=2, removed=1)
        found = {str(stored.fact.value): stored for stored in store.facts()}
        assert found["1"].fact.review_status is REJECTED
        assert found["2.0"].fact.review_status is PENDING
        assert (found["1"].id, found["2.0"].id) == (ids["1"], ids["2"])
        assert found["1"].fact.ingested_at == found["2.0"].fact.ingested_at == earlier
        assert found["4"].fact.ingested_at != earlier
        assert {stored.fact.source_file_hash for stored in found.values()} == {"2"}

    def test_what_stays_says_what_the_file_says_now(self, store: FactStore) -> None:
        store.replace_file("a.csv", [fact("12", source_file="a.csv", confidence=Decimal("0.5"))])
        now = fact("12.0", source_file="a.csv", geography="", valid_as_of="2025-01-01", source_file_hash="h")
        store.replace_file("a.csv", [now])
        (found,) = store.lookup(KEY)
        assert replace(found, ingested_at="") == now
        assert str(found.value) == "12.0"

    def test_other_files_are_left_alone(self, store: FactStore) -> None:
        store.replace_file("a.csv", [fact("1", source_file="a.csv")])
        store.add_facts([fact("2")])
        store.replace_file("b.csv", [fact("1", source_file="b.csv")])
        store.replace_file("b.csv", [fact("3", source_file="b.csv")])
        store.replace_file("B.csv", [])
        assert {(stored.fact.source_file, str(stored.fact.value)) for stored in store.facts()} == {
            ("a.csv", "1"),
            ("", "2"),
            ("b.csv", "3"),
        }

    def test_a_figure_of_another_file_is_refused(self, store: FactStore) -> None:
        store.replace_file("a.csv", [fact("1", source_file="a.csv")])
        with pytest.raises(BadInputError, match=r"b\.csv"):
            store.replace_file("a.csv", [fact("2", source_file="a.csv"), fact("2", source_file="b.csv")])
        assert values(store) == ["1"]

    def test_a_figure_without_a_file_is_of_the_file_that_is_loaded(self, store: FactStore) -> None:
        store.replace_file("a.csv", [fact("1")])
        assert store.lookup(KEY)[0].source_file == "a.csv"
        assert store.replace_file("a.csv", [fact("1")]) == LoadResult(0, 1, 0)

    @pytest.mark.parametrize("name", ["", "  ", "a\0b", "\udcff"])
    def test_what_names_no_file_is_refused(self, store: FactStore, name: str) -> None:
        store.add_facts([fact()])
        with pytest.raises(BadInputError):
            store.replace_file(name, [])
        assert store.remove_file(name) == 0
        assert store.count() == 1

    def test_a_file_can_be_taken_out(self, store: FactStore) -> None:
        store.replace_file("a.csv", list(many(7, "a.csv")))
        store.replace_file("b.csv", list(many(3, "b.csv")))
        assert store.remove_file("a.csv") == 7
        assert store.remove_file("a.csv") == 0
        assert store.files().keys() == {"b.csv"}
        assert store.count() == 3

    def test_files_come_with_their_hash(self, store: FactStore) -> None:
        store.replace_file("b.csv", [fact("1", source_file="b.csv", source_file_hash="hb")])
        store.replace_file("a.csv", [fact("1", source_file="a.csv", source_file_hash="ha")])
        store.add_facts([fact("7")])
        assert store.files() == {"a.csv": "ha", "b.csv": "hb"}
        store.replace_file("a.csv", [fact("1", source_file="a.csv", source_file_hash="other")])
        assert store.files() == {"a.csv": "other", "b.csv": "hb"}

    def test_figures_are_counted_by_file_and_status(self, store: FactStore) -> None:
        assert store.counts() == {}
        store.replace_file("b.csv", [fact("1"), fact("2", channel="RETAIL"), fact("3", review_status=PENDING)])
        store.replace_file("a.csv", [fact("4", source_doc_id="a", review_status=REJECTED)])
        store.add_facts([fact("5", source_doc_id="of a program")])
        counted = {"": {APPROVED: 1}, "a.csv": {REJECTED: 1}, "b.csv": {APPROVED: 2, PENDING: 1}}
        assert store.counts() == counted
        store.remove_file("a.csv")
        assert store.counts() == {name: told for name, told in counted.items() if name != "a.csv"}

    def test_thousands_of_figures(self, store: FactStore) -> None:
        assert store.replace_file("many.csv", list(many(5000))) == LoadResult(5000, 0, 0)
        assert store.replace_file("many.csv", list(many(5000))) == LoadResult(0, 5000, 0)
        assert store.count() == sum(1 for _ in store.facts()) == 5000
        assert values(store, FactKey("M249", "ACME_CN", "FY", "2019")) == ["0"]

    def test_figures_are_listed_by_key_and_then_by_id(self, store: FactStore) -> None:
        store.add_facts([fact("3", entity="b"), fact("2", entity="B"), fact("1", entity="Å")])
        store.add_facts([fact("5", entity="B"), fact("4", entity="B", channel="A"), fact("0", metric_code="A")])
        listed = list(store.facts())
        assert listed == sorted(listed, key=lambda stored: (stored.fact.key, stored.id))
        assert [str(stored.fact.value) for stored in listed] == ["0", "4", "2", "5", "3", "1"]

    # All or nothing.

    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"metric_code": ""}, "metric_code"),
            ({"metric_code": " "}, "metric_code"),
            ({"metric_code": "REVENUE "}, "metric_code"),
            ({"metric_code": None}, "metric_code"),
            ({"entity": ""}, "entity"),
            ({"entity": "x" * 201}, "entity"),
            ({"channel": ""}, "channel"),
            ({"source_doc_id": ""}, "source_doc_id"),
            ({"period_type": "YEAR"}, "period_type"),
            ({"period_type": ""}, "period_type"),
            ({"period_type": "HY"}, "period"),
            ({"period": "24"}, "period"),
            ({"period": "2024H1"}, "period"),
            ({"period": "２０２４"}, "period"),
            ({"period": "2024\n"}, "period"),
            ({"period": ""}, "period"),
            ({"period_type": "HY", "period": "2024H3"}, "period"),
            ({"period_type": "QUARTER", "period": "2024Q5"}, "period"),
            ({"period_type": "TERTIAL", "period": "2024T4"}, "period"),
            ({"period_type": "TERTIAL", "period": "2024Q1"}, "period"),
            ({"period_type": "QUARTER", "period": "2024T1"}, "period"),
            ({"period_type": "MONTH", "period": "2024-13"}, "period"),
            ({"period_type": "MONTH", "period": "2024-3"}, "period"),
            ({"unit": "a\0b"}, "unit"),
            ({"source_locator": "\ud800"}, "source_locator"),
            ({"geography": 7}, "geography"),
            ({"valid_as_of": "31/12/2024"}, "valid_as_of"),
            ({"valid_as_of": "2024-02-30"}, "valid_as_of"),
            ({"ingested_at": "yesterday"}, "ingested_at"),
            ({"source_file": "x" * 601}, "source_file"),
            ({"source_locator": "x" * 4001}, "source_locator"),
        ],
    )
    def test_an_unusable_figure_is_refused_by_its_field(
        self, store: FactStore, change: dict[str, str], field: str
    ) -> None:
        with pytest.raises(BadInputError, match=rf"\b{field}\b") as told:
            store.add_facts([fact("1"), fact("2", **change)])
        assert told.value.remedy
        assert store.count() == 0

    @pytest.mark.parametrize("value", ["1E+60", "12345E+56"])
    def test_a_value_that_could_not_be_read_back_is_refused(self, store: FactStore, value: str) -> None:
        with pytest.raises((BadInputError, ValueError), match="digits"):
            store.add_facts([fact(value)])
        assert store.count() == 0

    def test_a_load_that_breaks_off_leaves_nothing(self, store: FactStore) -> None:
        store.add_facts([fact("1")])

        def broken() -> Iterator[Fact]:
            yield from many(3000)
            raise RuntimeError("the reader broke")

        with pytest.raises(RuntimeError, match="the reader broke"):
            store.add_facts(broken())
        assert held(store) == [("1", "approved")]
        assert store.add_facts(many(3)) == LoadResult(3, 0)

    def test_a_file_with_one_bad_figure_changes_nothing(self, store: FactStore) -> None:
        store.replace_file("a.csv", list(many(5, "a.csv")))
        before = list(store.facts())
        with pytest.raises(BadInputError):
            store.replace_file("a.csv", [*many(3000, "a.csv", 9), fact(source_file="a.csv", period="x")])
        assert list(store.facts()) == before
        assert store.count() == 5

    # Many at a time.

    def test_readers_see_a_file_before_or_after_never_between(self, store: FactStore) -> None:
        size, rounds, seen, stop = 40, 12, [], threading.Event()
        store.replace_file("many.csv", list(many(size)))

        def read() -> None:
            while not stop.is_set():
                seen.append(frozenset(str(stored.fact.value) for stored in store.facts()))
                seen.append(frozenset(values(store, FactKey("M1", "ACME_CN", "FY", "2019"))))
                seen.append(frozenset({"0"}) if store.count() == size else frozenset({"some", "lost"}))

        with running(read, 4):
            try:
                for number in range(1, rounds):
                    assert store.replace_file("many.csv", list(many(size, value=number))).removed == size
            finally:
                stop.set()
        assert seen
        assert all(len(one) == 1 for one in seen)

    def test_writers_wait_for_each_other(self, store: FactStore) -> None:
        numbers = iter(range(8))
        lock = threading.Lock()

        def write() -> None:
            with lock:
                number = next(numbers)
            for turn in range(5):
                store.add_facts(many(10, f"{number}-{turn}.csv"))
                store.replace_file("shared.csv", list(many(20, "shared.csv", number)))

        with running(write, 8):
            pass
        assert store.count() == 8 * 5 * 10 + 20
        assert len({stored.fact.value for stored in store.facts() if stored.fact.source_file == "shared.csv"}) == 1

    def test_figures_can_be_decided_while_they_are_listed(self, store: FactStore) -> None:
        store.add_facts(replace(one, review_status=PENDING) for one in many(50))
        for stored in store.facts(status=PENDING):
            store.review(stored.id, APPROVED)
            assert len(store.lookup(stored.fact.key)) == 1
        assert list(store.facts(status=PENDING)) == []

    def test_a_list_that_is_left_half_read_stops_nobody(self, store: FactStore) -> None:
        store.add_facts(many(3000))
        listed = [store.facts() for _ in range(20)]
        assert all(next(one).fact.metric_code == "M0" for one in listed)
        assert store.remove_file("many.csv") == 3000
        assert store.count() == 0

    # Its life.

    def test_making_the_schema_again_changes_nothing(self, store: FactStore) -> None:
        store.add_facts([fact()])
        store.init_schema()
        assert values(store) == ["1320.50"]

    def test_a_closed_store_opens_again(self, store: FactStore) -> None:
        store.add_facts([fact()])
        store.close()
        store.close()
        assert values(store) == ["1320.50"]
        assert store.add_facts([fact("2")]) == LoadResult(1, 0)

    def test_the_profile_is_the_one_given_or_the_sample(self, tmp_path: Path) -> None:
        mine = Profile(home=HomeRules(company="Mitt"))
        assert self.make(tmp_path / "one", mine).profile is mine
        sample = self.make(tmp_path / "two").profile
        assert sample.home.company
        assert sample.home.company != "Mitt"


class running:  # noqa: N801 - reads as a statement
    """Run a function in threads until the block ends; a failure in one of them is a failure of the block."""

    def __init__(self, work, threads: int) -> None:
        self._work = work
        self._failures: list[BaseException] = []
        self._threads = [threading.Thread(target=self._run) for _ in range(threads)]

    def _run(self) -> None:
        try:
            self._work()
        except BaseException as error:
            self._failures.append(error)

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_: object) -> None:
        for thread in self._threads:
            thread.join()
        if self._failures:
            raise self._failures[0]
