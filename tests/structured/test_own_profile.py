"""Promises to a body that describes itself: two parts, one metric, no home entity, and documents of which nobody knows what
they hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal

import pytest

from ankare.channels.answer_question import AgentResult, answer_question
from ankare.channels.figures import NarrativePassage
from ankare.domain.fact import Fact
from ankare.facts.sqlite import SqliteFactStore
from ankare.llm.mock import MockProvider
from ankare.profile.load import parse_profile
from tests.structured.follow import followed

REFERENCE = date(2026, 11, 30)
PROFILE = parse_profile(
    """
[home]
company = "Granvik kommun"
language = "sv"
languages = ["sv", "en", "zh"]
[entities.SN]
label = "Socialnämnden"
aliases = ["socialnämnden"]
[entities.BN]
label = "Barnnämnden"
aliases = ["barnnämnden"]
[entities.KN]
label = "Kulturnämnden"
[metrics.NET]
label = "Nettokostnad"
labels = {en = "Net cost", zh = "净成本"}
aliases = ["nettokostnad", "net cost", "净成本"]
unit = "SEK_M"
[metrics.PLACES]
label = "Platser"
unit = "st"
[channels.WEB]
label = "Webb"
""".encode()
)


def fact(entity: str, period: str, value: str) -> Fact:
    return Fact("NET", entity, "", "TOTAL", "FY", period, Decimal(value), "SEK_M", "Bok.xlsx", f"A!{period}")


class Silent:
    """Documents that have nothing to say."""

    def retrieve(self, question: str) -> Sequence[NarrativePassage]:
        return ()


@pytest.fixture(scope="module")
def own() -> Iterator[SqliteFactStore]:
    store = SqliteFactStore(":memory:", PROFILE)
    store.init_schema()
    store.add_facts([fact("SN", "2023", "680"), fact("SN", "2024", "690.2"), fact("BN", "2024", "500")])
    yield store
    store.close()


def ask(question: str, store: SqliteFactStore) -> AgentResult:
    return answer_question(question, store, MockProvider(), reference_date=REFERENCE, narrative_retriever=Silent())


@pytest.mark.parametrize(
    "question",
    [
        "Hur mycket bjuder kommunen för Rosenkvarn 3?",
        "Vad kostade Rosenkvarn 2024?",
        "Hur många elever går i Granvik?",
        "Hur många lärare och elever finns det 2024?",
        "How much does the council offer for Rosenkvarn 3?",
        "How many pupils and teachers are there?",
        "彩虹路三号的报价是多少？",
    ],
)
def test_what_names_no_metric_and_more_than_one_thing_is_for_the_documents(question: str, own: SqliteFactStore) -> None:
    result = ask(question, own)
    assert (result.route, result.clarification.mode) == ("narrative", "none")
    assert "Nettokostnad" not in result.answer


@pytest.mark.parametrize(
    "question",
    [
        "Hur mycket var det 2024?",
        "Hur mycket kostade det 2024?",
        "Hur mycket var det för Socialnämnden?",
        "Hur många skrivare finns det?",
        "How much was it in 2024?",
        "2024年是多少？",
    ],
)
def test_what_may_be_about_a_figure_is_asked_back(question: str, own: SqliteFactStore) -> None:
    assert ask(question, own).clarification.mode == "ask_first"


@pytest.mark.parametrize(
    ("question", "choices"),
    [
        ("Hur mycket var det?", ["Nettokostnad?"]),
        ("Hur mycket var det 2024?", ["Nettokostnad 2024?"]),
        ("How much was it in 2024?", ["Net cost in 2024?"]),
        ("2024年是多少？", ["2024年的净成本是多少？"]),
        ("Hur mycket var det 2025?", []),
        ("Hur mycket var det för Socialnämnden?", ["Nettokostnad för Socialnämnden 2024?"]),
        ("nettokostnad", ["Nettokostnad för Socialnämnden 2024?", "Nettokostnad för Barnnämnden 2024?"]),
        ("nettokostnad 2023", ["Nettokostnad för Socialnämnden 2023?"]),
    ],
)
def test_a_choice_has_no_empty_slot_and_no_time_that_nothing_is_held_for(
    question: str, choices: list[str], own: SqliteFactStore
) -> None:
    assert [option.question for option in ask(question, own).clarification.narrowing_options] == choices


@pytest.mark.parametrize("metric", ["", "nettokostnad", "netokostnad", "platser", "net cost", "净成本"])
@pytest.mark.parametrize("rest", ["", "utan barnnämnden", "per elev", "via butiken", "i Finland", "för Barnnämnden"])
@pytest.mark.parametrize("period", ["", "2024", "2025", "i fjol"])
def test_every_choice_leads_to_a_figure(metric: str, rest: str, period: str, own: SqliteFactStore) -> None:
    followed(f"Hur mycket var {metric or 'det'} {rest} {period}?", lambda question: ask(question, own))
