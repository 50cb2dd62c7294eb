"""Four months are a period of their own: asked for by any of its names, and never told for another period."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ankare import MockProvider, answer_question
from ankare.channels.answer_question import AgentResult
from ankare.facts.open import open_store
from ankare.facts.sql_store import SqlFactStore
from ankare.profile.load import parse_profile
from ankare.profile.model import Profile
from ankare.structured.metric_query import MetricQuery, query_metric
from tests.facts.postgres_server import PostgresServer, postgres  # noqa: F401 - a fixture
from tests.structured.conftest import PROFILE, REFERENCE, fact

HELD = (
    fact("REVENUE", "ACME_CN", "TERTIAL", "2023T2", "380"),
    fact("REVENUE", "ACME_CN", "TERTIAL", "2023T3", "420"),
    fact("REVENUE", "ACME_CN", "TERTIAL", "2024T1", "400.5"),
    fact("REVENUE", "ACME_CN", "TERTIAL", "2024T2", "440"),
    fact("REVENUE", "ACME_CN", "QUARTER", "2024Q1", "290"),
    fact("REVENUE", "ACME_CN", "FY", "2024", "1320.5"),
    fact("REVENUE", "ACME_GROUP", "FY", "2024", "2000"),
    fact("REVENUE", "ACME_GROUP", "TERTIAL", "2024T1", "610"),
    *(fact("PROFIT", "ACME_CN", "TERTIAL", f"2024T{part}", f"{part}") for part in (1, 2, 3)),
)


@pytest.fixture(params=["sqlite", "postgres"])
def held(request: pytest.FixtureRequest, tmp_path: Path, profile: Profile) -> Iterator[SqlFactStore]:
    server: PostgresServer | None = request.getfixturevalue("postgres") if request.param == "postgres" else None
    store = open_store(tmp_path / "facts.db" if server is None else server.fresh_url(), profile)
    store.init_schema()
    store.add_facts(HELD)
    yield store
    store.close()


def ask(question: str, store: SqlFactStore, profile: Profile | None = None) -> AgentResult:
    if profile is not None:
        store.profile = profile
    return answer_question(question, store, MockProvider(), reference_date=REFERENCE)


def periods_of(result: AgentResult) -> list[str]:
    return [one["period"] for one in result.tool_results if one["status"] == "found"]


@pytest.mark.parametrize(
    ("question", "periods"),
    [
        ("omsättning Kina T1 2024", ["2024T1"]),
        ("omsättning Kina T 1 2024", ["2024T1"]),
        ("revenue China T 2 2024", ["2024T2"]),
        ("Vad var omsättningen i Kina första tertialet 2024?", ["2024T1"]),
        ("omsättning Kina tertial 2 2024", ["2024T2"]),
        ("omsättning Kina 2024T2", ["2024T2"]),
        ("omsättning Kina T2 i fjol", ["2024T2"]),
        ("What was revenue in China in the first tertial of 2024?", ["2024T1"]),
        ("revenue China, second four-month period of 2024", ["2024T2"]),
        ("中国2024年T1营收", ["2024T1"]),
        ("omsättning Kina T1 och T2 2024", ["2024T1", "2024T2"]),
        ("vinst Kina per tertial 2024", ["2024T1", "2024T2", "2024T3"]),
        ("profit China by tertial 2024", ["2024T1", "2024T2", "2024T3"]),
    ],
)
def test_a_tertial_is_looked_up_as_itself(question: str, periods: list[str], held: SqlFactStore) -> None:
    result = ask(question, held)
    assert periods_of(result) == periods
    assert len(result.tool_results) == len(periods)


def test_tertials_are_compared(held: SqlFactStore) -> None:
    answer = ask("Hur utvecklades omsättningen i Kina T2 2024?", held).answer
    assert "Skillnad från andra tertialet 2023 till andra tertialet 2024" in answer and "+60\u00a0MUSD" in answer
    answer = ask("omsättning Kina T1 2024 jämfört med föregående tertial", held).answer
    assert "Skillnad från tredje tertialet 2023 till första tertialet 2024" in answer


@pytest.mark.parametrize(
    "question",
    [
        "omsättning Kina T3 2024",
        "omsättning Kina T1 2023",
        "omsättning Kina tredje tertialet 2024",
        "omsättning Kina andra kvartalet 2024",
        "omsättning Kina första halvåret 2024",
        "vinst Kina 2024",
        "revenue China T3 2024",
    ],
)
def test_what_is_not_held_is_not_widened_replaced_or_added_up(question: str, held: SqlFactStore) -> None:
    result = ask(question, held)
    assert not result.answered and periods_of(result) == []
    for one in HELD:
        assert str(one.value).replace(".", ",") not in result.answer or one.value < 10


@pytest.mark.parametrize(
    "question", ["omsättning Kina T4 2024", "omsättning Kina T-1 2024", "omsättning Kina tertialet 2024"]
)
def test_what_is_no_tertial_is_refused_by_its_words(question: str, held: SqlFactStore) -> None:
    result = ask(question, held)
    assert not result.answered and result.tool_results[0]["status"] == "unrecognized_param"


def test_a_tertial_that_is_not_held_offers_what_is(held: SqlFactStore) -> None:
    options = ask("omsättning Kina T3 2024", held).clarification.narrowing_options
    assert [option.label for option in options][:3] == ["2024", "andra tertialet 2024", "första tertialet 2024"]
    for option in options:
        assert ask(option.question, held).answered, option.question


def test_last_years_tertials_are_choices_where_they_are_held(held: SqlFactStore) -> None:
    options = ask("Vad var omsättningen?", held).clarification.narrowing_options
    assert "första tertialet 2024" in [option.label for option in options]
    assert "andra tertialet 2024" not in [option.label for option in options]


def test_a_name_of_the_profile_is_no_tertial(held: SqlFactStore) -> None:
    profile = parse_profile((PROFILE + '[entities.LINE]\nlabel = "Linje T1"\naliases = ["T1"]\n').encode())
    held.add_facts([fact("REVENUE", "LINE", "FY", "2024", "77")])
    result = ask("omsättning T1 2024", held, profile)
    assert [(one["entity"], one["period"]) for one in result.tool_results] == [("LINE", "2024")]


def test_a_tool_call_names_a_tertial(held: SqlFactStore, profile: Profile) -> None:
    for wording in ("2024T1", "T1 2024", "första tertialet 2024", "first tertial of 2024"):
        reply = query_metric(held, profile, MetricQuery("REVENUE", wording, "ACME_CN"))
        assert str(reply.result.value) == "400.5", wording
    missing = query_metric(held, profile, MetricQuery("REVENUE", "2024T3", "ACME_CN"))
    assert missing.choices == ("FY2024", "2024T2", "2024T1", "2023T3", "2023T2", "2024Q1")
