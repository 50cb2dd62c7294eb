"""A span is told by the figures that are held for its periods, each for itself; what is missing is said, nothing is made up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from ankare import MockProvider, answer_question
from ankare.channels.answer_question import AgentResult
from ankare.domain.fact import Fact, FactKey
from ankare.facts.open import open_store
from ankare.facts.sql_store import SqlFactStore
from ankare.facts.sqlite import SqliteFactStore
from ankare.llm.scripted import ScriptedProvider
from ankare.profile.model import Profile
from ankare.structured.clarify import clarify_scope
from ankare.structured.intent import parse_intent
from ankare.structured.spans import MOST_KEYS
from tests.facts.postgres_server import PostgresServer, postgres  # noqa: F401 - a fixture
from tests.structured.conftest import REFERENCE, fact

HELD = (
    *(fact("REVENUE", "ACME_CN", "FY", year, value) for year, value in (("2020", "900"), ("2022", "1100"))),
    *(fact("REVENUE", "ACME_CN", "FY", year, value) for year, value in (("2023", "1200.5"), ("2024", "1320.5"))),
    *(
        fact("REVENUE", "ACME_CN", "QUARTER", q, v)
        for q, v in (("2024Q2", "310"), ("2024Q4", "350"), ("2025Q1", "355"))
    ),
    *(fact("REVENUE", "ACME_HK", "QUARTER", f"2024Q{q}", f"7{q}") for q in (1, 2, 3, 4)),
    *(fact("REVENUE", "ACME_SE", "TERTIAL", t, v) for t, v in (("2024T2", "31"), ("2024T3", "35"), ("2025T1", "36"))),
    fact("REVENUE", "ACME_SE", "TERTIAL", "2025T2", "9"),
    fact("REVENUE", "ACME_SE", "FY", "2026", "101"),
    fact("PROFIT", "ACME_CN", "FY", "2023", "-10"),
    fact("PROFIT", "ACME_CN", "FY", "2024", "-12.5"),
    fact("PROFIT", "ACME_HK", "FY", "2023", "4"),
    fact("PROFIT", "ACME_HK", "FY", "2024", "5", review_status="pending"),
    fact("ROE", "ACME_CN", "FY", "2023", "12", "%"),
    fact("ROE", "ACME_CN", "FY", "2024", "15", "%"),
    fact("REVENUE", "ACME_GROUP", "FY", "2024", "2000"),
)


@pytest.fixture(params=["sqlite", "postgres"])
def held(request: pytest.FixtureRequest, tmp_path: Path, profile: Profile) -> Iterator[SqlFactStore]:
    server: PostgresServer | None = request.getfixturevalue("postgres") if request.param == "postgres" else None
    store = open_store(tmp_path / "facts.db" if server is None else server.fresh_url(), profile)
    store.init_schema()
    store.add_facts(HELD)
    yield store
    store.close()


def ask(question: str, store: SqlFactStore) -> AgentResult:
    return answer_question(question, store, MockProvider(), reference_date=REFERENCE)


def told(result: AgentResult) -> list[str]:
    """The periods that the answer gives figures for."""
    return [one["period"] for one in result.tool_results if one["status"] == "found"]


@pytest.mark.parametrize(
    ("question", "periods"),
    [
        ("omsättning Kina sedan 2022", ["2022", "2023", "2024"]),
        ("Hur har omsättningen i Kina utvecklats de senaste tre åren?", ["2022", "2023", "2024"]),
        ("omsättning Kina från och med 2023", ["2023", "2024"]),
        ("omsättning Kina 2023 och framåt", ["2023", "2024"]),
        ("omsättning Kina de senaste fyra kvartalen", ["2024Q2", "2024Q4", "2025Q1"]),
        ("omsättning Kina per kvartal sedan 2024", ["2024Q2", "2024Q4", "2025Q1"]),
        ("omsättning Sverige sedan T2 2024", ["2024T2", "2024T3", "2025T1", "2025T2"]),
        ("omsättning Sverige de senaste två tertialen", ["2024T3", "2025T1"]),
        ("What was revenue in China since 2022?", ["2022", "2023", "2024"]),
        ("How did revenue in China develop over the last three years?", ["2022", "2023", "2024"]),
        ("revenue China, last four quarters", ["2024Q2", "2024Q4", "2025Q1"]),
        ("中国2022年以来的营收", ["2022", "2023", "2024"]),
        ("中国近三年营收", ["2022", "2023", "2024"]),
        ("中国过去四个季度的营收", ["2024Q2", "2024Q4", "2025Q1"]),
    ],
)
def test_every_period_of_a_span_that_is_held_is_told(question: str, periods: list[str], held: SqlFactStore) -> None:
    result = ask(question, held)
    assert told(result) == periods
    assert len(result.tool_results) == len(periods)
    assert result.clarification.mode == "answer_with_assumptions"
    assert result.answer.startswith(result.clarification.assumption_note)
    check_honest(result, HELD)


def test_the_note_says_which_periods_are_meant_and_which_are_missing(held: SqlFactStore) -> None:
    note = ask("omsättning Kina sedan 2020", held).clarification.assumption_note
    assert note == (
        "Svaret gäller var och en av perioderna 2020, 2021, 2022, 2023 och 2024; de räknas inte samman. "
        "Uppgift saknas för 2021."
    )
    note = ask("revenue in China since 2018", held).clarification.assumption_note
    assert note == (
        "The answer is about each of the periods 2018 to 2024; they are not added up. There is no figure for "
        "2018, 2019 and 2021."
    )
    note = ask("omsättning Sverige sedan T3 2024", held).clarification.assumption_note
    assert note.endswith("Det som finns om andra tertialet 2025, som inte är slut, visas också.")
    assert "2021年没有数据" in ask("中国2020年以来的营收", held).clarification.assumption_note


def test_the_first_and_the_last_whole_period_are_compared(held: SqlFactStore) -> None:
    answer = ask("omsättning Kina sedan 2022", held).answer
    assert "Skillnad från 2022 till 2024: +220,5\u00a0MUSD (+20,0\u00a0%)" in answer and answer.count("Skillnad") == 1
    answer = ask("ROE Kina senaste två åren", held).answer
    assert "+3 procentenheter (+25,0\u00a0%)" in answer
    answer = ask("omsättning Sverige sedan T2 2024", held).answer
    assert "Skillnad från andra tertialet 2024 till första tertialet 2025: +5" in answer
    answer = ask("omsättning och vinst i Kina sedan 2023", held).answer
    assert "Vinst, ACME Kina: Skillnad från 2023 till 2024: \u22122,5" in answer and answer.count("Skillnad") == 2


def test_what_is_held_of_one_and_not_of_another_is_told_missing(held: SqlFactStore) -> None:
    result = ask("vinst Kina och Hongkong senaste två åren", held)
    assert "Vinst, ACME Hongkong, 2024: ingen uppgift finns." in result.answer
    assert "granskning" in result.answer and "saknas" not in result.clarification.assumption_note


def test_what_the_question_leaves_open_is_assumed_as_always(held: SqlFactStore) -> None:
    result = ask("omsättningen senaste tre åren", held)
    assert told(result) == ["2024"] and result.clarification.assumed_slots == {"entity": "ACME_GROUP"}
    assert "ACME-koncernen" in result.answer and "Uppgift saknas för 2022 och 2023" in result.answer
    for option in result.clarification.narrowing_options:
        assert ask(option.question, held).answered, option.question


@pytest.mark.parametrize(
    "question",
    [
        "omsättning Hongkong sedan 2022",
        "revenue Hong Kong last three years",
        "omsättning Sverige sedan 2023",
        "omsättning Kina de senaste tolv månaderna",
        "vinst Kina sedan Q1 2024",
    ],
)
def test_a_span_of_which_nothing_is_held_is_refused_and_not_filled_from_other_periods(
    question: str, held: SqlFactStore
) -> None:
    result = ask(question, held)
    assert not result.answered and told(result) == []
    assert {one["status"] for one in result.tool_results} == {"not_found"}
    check_honest(result, HELD)


@pytest.mark.parametrize(
    "question",
    [
        "omsättning Kina hittills i år",
        "omsättning Kina YTD",
        "revenue in China year to date",
        "revenue in China so far this year",
        "中国今年以来的营收",
        "omsättning Kina rullande tolv månader",
        "revenue China, next three years",
        "omsättning Kina efter 2022",
        "omsättning Kina före 2023",
        "omsättning Kina Q3 de senaste tre åren",
        "omsättning Kina sedan mars",
        "omsättning Kina sedan 2031",
    ],
)
def test_what_is_no_such_span_is_refused_by_its_words(question: str, held: SqlFactStore) -> None:
    result = ask(question, held)
    assert not result.answered and result.sources == []
    assert [one["status"] for one in result.tool_results] in (["unrecognized_param"], [])
    check_honest(result, HELD)


@pytest.mark.parametrize(
    "question",
    [
        "total omsättning Kina senaste tre åren",
        "hur mycket var omsättningen i Kina sammanlagt sedan 2022",
        "revenue in China in total since 2022",
        "genomsnittlig omsättning Kina senaste tre åren",
        "omsättning utan Kina sedan 2022",
    ],
)
def test_a_sum_or_another_figure_over_a_span_is_asked_about(question: str, held: SqlFactStore) -> None:
    assert ask(question, held).clarification.mode == "ask_first"


def test_a_time_beside_a_span_is_not_mixed_with_it(held: SqlFactStore) -> None:
    result = ask("omsättning Kina 2022 och de senaste två åren", held)
    assert told(result) == ["2022"] and "inte vägts in" in result.answer


@pytest.mark.parametrize(
    ("question", "readings"),
    [
        ("Q3 för Hongkongs omsättning de senaste två åren", [["2024Q3"]]),
        ("Q2 för Kinas omsättning de senaste två åren", [["2024Q2"], ["2023", "2024"]]),
        ("revenue in China, fourth quarter, last three years", [["2024Q4"], ["2022", "2023", "2024"]]),
        ("omsättning Kina i fjol och sedan 2022", [["2022", "2023", "2024"], ["2024"]]),
    ],
)
def test_a_span_beside_a_time_without_its_year_is_asked_about(
    question: str, readings: list[list[str]], held: SqlFactStore
) -> None:
    result = ask(question, held)
    assert (result.clarification.mode, told(result)) == ("ask_first", [])
    assert [told(ask(option.question, held)) for option in result.clarification.narrowing_options] == readings


@pytest.mark.parametrize(
    "question",
    ["omsättning per månad i Kina sedan 2015", "revenue in China by month since 2012", "中国2015年以来每月营收"],
)
def test_a_span_of_more_periods_than_are_read_is_said_to_be_too_much(question: str, held: SqlFactStore) -> None:
    result = ask(question, held)
    assert not result.answered and result.tool_results == ()
    assert any(said in result.answer for said in ("för många", "too many", "太多"))


def test_a_span_of_several_periods_never_asks_a_model(held: SqlFactStore) -> None:
    provider = ScriptedProvider([])
    result = answer_question("omsättning Kina sedan 2022", held, provider, reference_date=REFERENCE)
    assert told(result) == ["2022", "2023", "2024"] and not provider.calls


def test_a_span_too_long_to_tell_is_refused(held: SqlFactStore) -> None:
    result = ask("omsättning per månad i Kina, Hongkong och Sverige sedan 2021", held)
    assert not result.answered and result.tool_results == ()
    assert MOST_KEYS > 64  # what is looked at to find out what is held is more than what is told


def test_without_a_store_the_periods_that_are_meant_are_still_told(profile: Profile) -> None:
    intent = parse_intent("omsättning Kina sedan 2022", REFERENCE, profile=profile)
    assert (intent.period, intent.periods, intent.unreadable_period) == (None, (), None)
    found = clarify_scope(intent, REFERENCE, profile=profile)
    assert "2022, 2023 och 2024" in found.assumption_note and "period" not in found.assumed_slots


# The law: an answer's figures are held ones, each told for its own period.


def check_honest(result: AgentResult, facts: Sequence[Fact]) -> None:
    known: dict[FactKey, set[Decimal]] = {}
    for one in facts:
        if one.review_status == "approved":
            known.setdefault(one.key, set()).add(one.value)
    for one in result.tool_results:
        if one["status"] == "found":
            key = FactKey(*(one[name] for name in ("metric_code", "entity", "period_type", "period", "channel")))
            assert one["value"] in known.get(key, set()), key
    kinds = {one["period_type"] for one in result.tool_results if one["status"] == "found"}
    assert len(kinds) <= 1


class _FillsGaps(SqliteFactStore):
    """A period without a figure gets that of the year before."""

    def lookup_all(self, keys: Sequence[FactKey]) -> dict[FactKey, tuple[Fact, ...]]:
        found = super().lookup_all(keys)
        for key in keys:
            if not found[key] and key.period_type == "FY":
                before = super().lookup(key._replace(period=str(int(key.period) - 1)))
                found[key] = tuple(replace(one, period=key.period) for one in before)
        return found


class _AddsUp(SqliteFactStore):
    """A year without a figure gets the sum of its quarters."""

    def lookup(self, key: FactKey) -> tuple[Fact, ...]:
        found, quarters = super().lookup(key), []
        for number in (1, 2, 3, 4) if key.period_type == "FY" else ():
            quarters += super().lookup(key._replace(period_type="QUARTER", period=f"{key.period}Q{number}"))
        if found or not quarters:
            return found
        total = sum((one.value for one in quarters), Decimal())
        return (replace(quarters[0], value=total, period_type="FY", period=key.period),)

    def lookup_all(self, keys: Sequence[FactKey]) -> dict[FactKey, tuple[Fact, ...]]:
        return {key: self.lookup(key) for key in keys}


SABOTEURS: Mapping[type[SqliteFactStore], str] = {
    _FillsGaps: "omsättning Kina sedan 2020",
    _AddsUp: "omsättning Hongkong sedan 2022",
}


@pytest.mark.parametrize("kind", [SqliteFactStore, *SABOTEURS])
def test_a_figure_that_is_made_up_for_a_gap_is_caught(kind: type[SqliteFactStore], profile: Profile) -> None:
    store = kind(":memory:", profile)
    store.init_schema()
    store.add_facts(HELD)
    for saboteur, question in SABOTEURS.items():
        result = ask(question, store)
        if kind is saboteur:
            with pytest.raises(AssertionError):
                check_honest(result, HELD)
        elif kind is SqliteFactStore:
            check_honest(result, HELD)
