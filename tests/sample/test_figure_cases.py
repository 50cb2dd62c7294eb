"""Promises kept from end to end: every figure case of the pack, from its fact files to the answer."""

from __future__ import annotations

import csv
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import openpyxl
import pytest

from ankare.channels.answer_question import AgentResult, answer_question
from ankare.domain.fact import Fact, Period
from ankare.facts.sqlite import SqliteFactStore
from ankare.ingest.figures.load import load_fact_files
from ankare.language.periods import period_code
from ankare.language.units import format_quantity, same_unit
from ankare.llm.mock import MockProvider
from ankare.profile.load import load_profile
from ankare.profile.model import Profile
from ankare.sample import pack_path
from ankare.sample.generate.check_suite import FIGURE, expected_figures, page_texts, read_suite, slots_of
from ankare.sample.generate.stated import Slots, stated_figures
from ankare.structured.glossary import METRIC, glossary_of
from ankare.structured.intent import parse_intent
from ankare.structured.phrases import fold

FACTS = pack_path() / "facts"
PROFILE = load_profile(pack_path() / "profile.toml")
SUITE = read_suite(pack_path())
CASES = [case for case in SUITE if case["type"] == FIGURE]
NARRATIVE = [case for case in SUITE if case["type"] != FIGURE]
ASKED_BACK = ("ask_first", "out_of_scope_entity")
Told = tuple[Slots, Decimal, str]


@pytest.fixture(scope="module")
def store() -> SqliteFactStore:
    store = SqliteFactStore(":memory:", PROFILE)
    store.init_schema()
    load_fact_files([FACTS], store, PROFILE)
    return store


class NoModel:
    """A provider that must not be asked."""

    def chat(self, messages: object, *, tools: object = None) -> Any:
        raise AssertionError("the model was asked")


def ask(case: dict[str, Any], store: SqliteFactStore) -> AgentResult:
    silent = _mode(case) in ASKED_BACK
    day = date.fromisoformat(case["reference_date"])
    return answer_question(case["question"], store, NoModel() if silent else MockProvider(), reference_date=day)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_figure_case_is_answered_as_expected(case: dict[str, Any], store: SqliteFactStore) -> None:
    result = ask(case, store)
    expected = {_told(item) for item in expected_figures(case) if "value" in item}
    assert (result.clarification.mode.value, result.language) == (_mode(case), case["language"])
    assert {_of_fact(fact) for found in result.tool_results for fact in found.facts} == expected
    assert result.answered == case["answerable"]
    for _, value, unit in expected:
        assert format_quantity(value, unit, case["language"]) in result.answer_plain
    if _mode(case) not in ASKED_BACK:
        assert {_slots(found.key) for found in result.tool_results} == set(map(slots_of, expected_figures(case)))
        assert result.route == expected_figures(case)[0].get("route", "structured")


@pytest.mark.parametrize("case", [c for c in CASES if not c["answerable"]], ids=lambda case: case["id"])
def test_where_nothing_is_found_there_is_neither_source_nor_value(case: dict[str, Any], store: SqliteFactStore) -> None:
    result = ask(case, store)
    assert result.sources == []
    assert result.answer
    stored = {format_quantity(value, unit, case["language"]) for _, value, unit in _everything()}
    assert not any(text in result.answer for text in stored if len(text) > 4)


@pytest.mark.parametrize("case", [c for c in CASES if c["answerable"]], ids=lambda case: case["id"])
def test_every_source_leads_to_the_value(case: dict[str, Any], store: SqliteFactStore) -> None:
    result = ask(case, store)
    facts = [fact for found in result.tool_results for fact in found.facts]
    assert facts
    for fact in facts:
        assert {"doc": fact.source_doc_id, "locator": fact.source_locator} in result.sources
        assert fact.source_doc_id in result.answer
        if (FACTS / fact.source_doc_id).exists():
            assert _value_at(fact) == fact.value


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Hur förändrades omsättningen i Sverige mellan 2023 och 2024?", "+51,1\u00a0MSEK (+3,9\u00a0%)"),
        ("What was the operating profit in Hong Kong in Q4 2024, in USD?", "“USD”; the figure is held in MSEK"),
        ("Vad blev rörelseresultatet i Kina 2024?", "källorna är oense"),
        ("Vad var omsättningen i Sverige i januari 2025?", "väntar på granskning"),
        ("Vad var rörelsemarginalen 2024?", "svaret gäller Björkinge Vattenteknik-koncernen"),
    ],
    ids=["difference", "another currency", "conflict", "pending", "assumption"],
)
def test_what_a_reader_must_know_beside_the_value_is_said(asked: str, said: str, store: SqliteFactStore) -> None:
    case = next(case for case in CASES if case["question"] == asked)
    assert said in ask(case, store).answer_plain


def test_one_figure_is_in_conflict_and_one_that_two_sources_agree_on_is_not(store: SqliteFactStore) -> None:
    assert [conflict.key[:4] for conflict in store.conflicts()] == [("PROFIT", "BVT_CN", "FY", "2024")]
    assert len([s for s in store.facts() if s.fact.key == ("REVENUE", "BVT", "FY", "2024", "TOTAL")]) == 2


def test_the_store_holds_what_the_files_state_and_nothing_else(store: SqliteFactStore) -> None:
    """Read by ankare on one side, by plain libraries on the other; a figure that waits for review is on neither."""
    held = {_of_fact(stored.fact) for stored in store.facts() if stored.fact.review_status == "approved"}
    assert held == _everything()
    assert sum(stored.fact.review_status == "pending" for stored in store.facts()) == 2


@pytest.mark.parametrize("case", NARRATIVE, ids=lambda case: case["id"])
def test_names_of_figures_change_no_question_about_the_documents(case: dict[str, Any]) -> None:
    bare = replace(PROFILE, metrics=(), channels=(), external_entities={})
    intent, before = (parse_intent(case["question"], profile=profile) for profile in (PROFILE, bare))
    assert (intent.metric, intent.external_entity, intent.route) == (None, None, before.route)


ON_FIGURES = "Kommentar_till_bokslutet_2024.md"
"""The one document that speaks of figures: it says why they are as they are."""
OTHERS = [path for path in sorted((pack_path() / "documents").iterdir()) if path.name != ON_FIGURES]


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.name)
def test_no_name_of_a_metric_or_competitor_stands_in_a_document(path: Any) -> None:
    """So that whatever is asked in the words of the documents goes to the documents."""
    if path.suffix == ".toml":
        return
    glossary = glossary_of(PROFILE)
    for text in page_texts(path):
        assert [
            text[found.start : found.end] for found in glossary.names.find(fold(text), text) if found.kind == METRIC
        ] == []
        assert glossary.gate.detect(text).external_entity is None


def test_an_everyday_word_as_the_name_of_a_metric_is_found_in_the_documents() -> None:
    """The saboteur: a metric that is also called what the documents call the results of a test."""
    profit = next(metric for metric in PROFILE.metrics if metric.code == "PROFIT")
    careless: Profile = replace(PROFILE, metrics=(replace(profit, aliases=("resultat",)),))
    names = glossary_of(careless).names
    texts = [text for path in sorted((pack_path() / "documents").glob("*.pdf")) for text in page_texts(path)]
    assert any(found.kind == METRIC for text in texts for found in names.find(fold(text), text))


def _mode(case: dict[str, Any]) -> str:
    return str(_single(case).get("mode", "none"))


def _single(case: dict[str, Any]) -> dict[str, Any]:
    expected = case["expected"]
    return {} if isinstance(expected, list) else expected


def _told(expected: Any) -> Told:
    return slots_of(expected), Decimal(expected["value"]), expected["unit"]


def _of_fact(fact: Fact) -> Told:
    """With the unit as the suite writes it."""
    unit = next((unit for unit in ("SEK_M", "NOK_K", "%", "PERSONS", "m³") if same_unit(unit, fact.unit)), fact.unit)
    return _slots(fact.key), fact.value, unit


def _slots(key: Any) -> Slots:
    return Slots(key.metric_code, key.entity, period_code(Period(key.period_type, key.period)), key.channel)


def _everything() -> set[Told]:
    stated = stated_figures(pack_path())
    return {(slots, value, unit) for slots, values in stated.items() for value, unit in values}


def _value_at(fact: Fact) -> Decimal:
    """What stands in the place that a fact names, read with plain libraries."""
    path = FACTS / fact.source_doc_id
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file, delimiter=";"))
        row = dict(zip(rows[0], rows[int(fact.source_locator.split()[-1]) - 1], strict=True))
        return Decimal(row["value"].replace(" ", "").replace(",", "."))
    sheet, cell = fact.source_locator.split("!")
    found = openpyxl.load_workbook(path)[sheet][cell]
    return Decimal(repr(found.value)) * (100 if "%" in found.number_format else 1)
