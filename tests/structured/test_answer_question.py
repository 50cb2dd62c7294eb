"""The order of things: what is called, what is not, and what is told."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from ankare import MockProvider, answer_question
from ankare.channels.answer_question import AgentResult
from ankare.channels.figures import NarrativePassage
from ankare.errors import QuestionError
from ankare.facts.sqlite import SqliteFactStore
from ankare.llm.scripted import ScriptedProvider
from ankare.profile.model import Profile
from ankare.structured.intent import ParsedIntent, parse_intent
from tests.structured.conftest import REFERENCE


def ask(question: str, store: SqliteFactStore, **more: object) -> AgentResult:
    return answer_question(question, store, MockProvider(), reference_date=REFERENCE, **more)  # type: ignore[arg-type]


class Library:
    """Documents that answer everything, and count how often they are asked."""

    def __init__(self, *passages: NarrativePassage) -> None:
        self.passages = passages
        self.asked: list[str] = []

    def retrieve(self, question: str) -> Sequence[NarrativePassage]:
        self.asked.append(question)
        return self.passages


PASSAGE = NarrativePassage("Försäljningen bromsades av brist på delar.", "Rapport.pdf", "4", "c1", 1.5)


def test_the_example_of_the_guide(store: SqliteFactStore) -> None:
    found = ask("中国内地FY2024的REVENUE是多少", store)
    assert "1,320.5" in found.answer and found.answered
    assert found.sources == [{"doc": "Bokslut.xlsx", "locator": "Blad1!RN24"}]
    assert "Bokslut.xlsx" in found.answer and "Bokslut.xlsx" not in found.answer_plain
    missing = ask("中国内地FY2025的REVENUE是多少", store)
    assert missing.tool_results[0]["status"] == "not_found" and not missing.answered and missing.sources == []
    assert "查不到" in missing.answer


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("Vad var omsättningen i Kina 2024?", "1\u00a0320,5\u00a0MUSD"),
        ("What was revenue in China in 2024?", "1,320.5\u00a0MUSD"),
        ("Kinas vinst 2024", "\u221212,5\u00a0MUSD"),
        ("omsättning Kina H1 2024", "610,125\u00a0MUSD"),
        ("ROE Kina 2024", "15\u00a0%"),
    ],
)
def test_figures_are_exact_and_written_for_the_reader(question: str, figure: str, store: SqliteFactStore) -> None:
    assert figure in ask(question, store).answer


def test_two_periods_give_difference_and_percent(store: SqliteFactStore) -> None:
    answer = ask("Jämför omsättningen i Kina 2023 och 2024", store).answer
    assert "+120,0\u00a0MUSD" in answer and "+10,0\u00a0%" in answer


def test_shares_differ_by_percentage_points(store: SqliteFactStore) -> None:
    assert "+3 procentenheter (+25,0\u00a0%)" in ask("ROE Kina 2023 och 2024", store).answer


def test_no_percent_from_a_negative_value(store: SqliteFactStore) -> None:
    answer = ask("vinst Kina 2023 och 2024", store).answer
    assert "\u22122,5" in answer and "%" not in answer


def test_sources_that_disagree_are_both_told_and_nothing_is_worked_out(store: SqliteFactStore) -> None:
    result = ask("omsättning Hongkong 2023 och 2024", store)
    assert all(part in result.answer for part in ("310,25", "311", "Bokslut.xlsx", "Press.csv, rad 2", "oense"))
    assert "Skillnad från" not in result.answer
    assert result.tool_results[1]["conflicts"][0]["source"] == {"doc": "Press.csv", "locator": "row 2"}


def test_a_pending_figure_does_not_answer(store: SqliteFactStore) -> None:
    result = ask("vinst Hongkong 2024", store)
    assert not result.answered and "granskning" in result.answer and "5" not in result.answer


def test_what_is_missing_among_several_is_told(store: SqliteFactStore) -> None:
    result = ask("omsättning Kina och Sverige 2024", store)
    assert "1\u00a0320,5" in result.answer and "ACME Sverige, 2024: ingen uppgift" in result.answer


def test_several_look_ups_never_ask_a_model(store: SqliteFactStore) -> None:
    provider = ScriptedProvider([])
    result = answer_question(
        "omsättning och vinst Kina och Hongkong 2023 och 2024", store, provider, reference_date=REFERENCE
    )
    assert len(result.tool_results) == 8 and not provider.calls


def test_assumptions_are_told_first(store: SqliteFactStore) -> None:
    result = ask("Vad var omsättningen?", store)
    assert result.clarification.mode == "answer_with_assumptions"
    assert result.clarification.assumed_slots == {"entity": "ACME_GROUP", "period": ("FY", "2024")}
    assert result.answer.startswith(result.clarification.assumption_note) and "2\u00a0000" in result.answer


@pytest.mark.parametrize(
    "question",
    [
        "Vad var omsättningen?",
        "Hur mycket var det i Kina?",
        "omsättning utan Kina 2024",
        "revenue in Brazil 2024",
        "omsättning Kina via webben 2024",
        "营收是多少",
    ],
)
def test_every_choice_asks_a_question_that_needs_no_more_asking(question: str, store: SqliteFactStore) -> None:
    options = ask(question, store).clarification.narrowing_options
    assert options
    for option in options:
        again = ask(option.question, store)
        assert again.clarification.mode == "none", option.question
        assert again.tool_results and again.tool_results[0]["status"] != "unrecognized_param"


def test_nothing_is_called_before_a_question_is_clear(store: SqliteFactStore) -> None:
    library, provider = Library(PASSAGE), ScriptedProvider([])
    for question in ("Hur mycket var det?", "Vad var omsättningen för Jing An 2024?", "竞 安2024年营收"):
        result = answer_question(question, store, provider, reference_date=REFERENCE, narrative_retriever=library)
        assert result.clarification.mode in ("ask_first", "out_of_scope_entity")
        assert result.tool_results == () and not provider.calls and library.asked == []


def test_a_parser_cannot_hide_an_outsider(store: SqliteFactStore, profile: Profile) -> None:
    class Blind:
        def parse(self, question: str, reference_date: date | None = None) -> ParsedIntent:
            found = parse_intent("omsättning Kina 2024", reference_date, profile=profile)
            return replace(found, raw_question="omsättning Kina 2024", external_entity=None)

    result = ask("omsättning Jing An 2024", store, intent_parser=Blind())
    assert result.clarification.mode == "out_of_scope_entity" and not result.answered


def test_an_outsider_is_refused_on_the_narrative_route_too(store: SqliteFactStore) -> None:
    library = Library(PASSAGE)
    assert ask("Beskriv Jing An", store, narrative_retriever=library).clarification.mode == "out_of_scope_entity"
    assert library.asked == []


def test_a_counting_question_goes_to_the_documents_where_they_answer(store: SqliteFactStore) -> None:
    library = Library(PASSAGE)
    result = ask("Hur många skrivare finns det?", store, narrative_retriever=library)
    assert result.route == "narrative" and "Rapport.pdf" in result.answer
    assert ask("Hur många skrivare finns det?", store, narrative_retriever=Library()).clarification.mode == "ask_first"
    empty = SqliteFactStore(":memory:", store.profile)
    empty.init_schema()
    assert ask("Hur många skrivare finns det?", empty, narrative_retriever=Library()).route == "narrative"


def test_a_composite_answer_gives_the_figure_first(store: SqliteFactStore) -> None:
    result = ask("Varför minskade vinsten i Kina 2024?", store, narrative_retriever=Library(PASSAGE))
    assert result.route == "composite"
    assert result.answer.index("12,5") < result.answer.index(PASSAGE.text)
    assert {"doc": "Rapport.pdf", "locator": "4"} in result.sources


def test_without_documents_a_fixed_honest_text(store: SqliteFactStore) -> None:
    result = ask("Vem beslutar om planen?", store)
    assert result.answer == "Materialet ger inget svar på frågan." and result.sources == []


class Splitter:
    def __init__(self, *parts: object) -> None:
        self.parts = parts

    def decompose(self, question: str) -> list[str]:
        if self.parts == ("raise",):
            raise RuntimeError
        return list(self.parts)  # type: ignore[arg-type]


def test_a_question_may_be_split(store: SqliteFactStore) -> None:
    question = "omsättning Kina 2023, och vinst Kina 2024"
    result = ask(question, store, decomposer=Splitter("omsättning Kina 2023", "vinst Kina 2024"))
    assert [(r["metric_code"], r["period"]) for r in result.tool_results] == [("REVENUE", "2023"), ("PROFIT", "2024")]


@pytest.mark.parametrize(
    "parts",
    [
        ("raise",),
        (),
        ("omsättning Kina 2024",) * 5,
        ("omsättning Jing An 2024", "vinst Kina 2024"),
        ("omsättning Hongkong 2024", "vinst Kina 2024"),
        (1, 2),
        ("", "x"),
        ("vinst", "hej"),
    ],
)
def test_a_bad_split_is_the_question_itself(parts: tuple[object, ...], store: SqliteFactStore) -> None:
    result = ask("omsättning Kina 2024", store, decomposer=Splitter(*parts))
    assert "1\u00a0320,5" in result.answer and len(result.tool_results) == 1


def test_a_decomposer_never_sees_an_outsider(store: SqliteFactStore) -> None:
    class Spy(Splitter):
        def decompose(self, question: str) -> list[str]:
            raise AssertionError

    assert ask("omsättning Jing An 2024", store, decomposer=Spy()).clarification.mode == "out_of_scope_entity"


def test_another_currency_is_told(store: SqliteFactStore) -> None:
    answer = ask("Vad var omsättningen i Kina 2024 i EUR?", store).answer
    assert "1\u00a0320,5\u00a0MUSD" in answer and "EUR" in answer and "omräkn" not in answer


def test_a_period_that_cannot_be_read_is_named_and_not_widened(store: SqliteFactStore) -> None:
    result = ask("omsättning Kina 15 mars 2024", store)
    assert [r["status"] for r in result.tool_results] == ["unrecognized_param"]
    assert "15 mars 2024" in result.answer and "1\u00a0320" not in result.answer


def test_a_month_that_is_not_held_is_not_the_year(store: SqliteFactStore) -> None:
    result = ask("omsättning Kina mars 2024", store)
    assert result.tool_results[0]["status"] == "not_found" and "1\u00a0320" not in result.answer


def test_the_trace_holds_codes_and_no_texts(store: SqliteFactStore, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="ankare.trace"):
        result = ask("Vad var omsättningen i Kina 2024?", store)
    (record,) = [r for r in caplog.records if r.name == "ankare.trace"]
    shown = record.trace  # type: ignore[attr-defined]
    assert shown["metrics"] == ("REVENUE",) and shown["tool_status_counts"] == {"found": 1}
    assert shown["fabrication_guard_triggered"] is False and "prompt_tokens" not in shown
    text = repr(shown)
    assert not any(word in text for word in ("omsättningen", "1320", "Bokslut", "Kina"))
    assert result.trace.request_id == shown["request_id"]
    told = record.told  # type: ignore[attr-defined]
    assert told["tool_status_counts"] == {"found": 1} and told["route"] == shown["route"] and "seconds" in told
    assert not any(word in repr(told) for word in ("REVENUE", "2024", shown["entities"][0]))


def test_the_guard_is_told(store: SqliteFactStore) -> None:
    assert ask("omsättning Kina 2030", store).trace.fabrication_guard_triggered
    assert not ask("Hur mycket?", store).trace.fabrication_guard_triggered


def test_an_unusable_question_is_an_error(store: SqliteFactStore) -> None:
    with pytest.raises(QuestionError):
        ask("  ", store)


@pytest.mark.parametrize(
    "question",
    ["Hur mycket ökade omsättningen i Kina 2024?", "revenue growth in China in 2024", "中国2024年营收增长了多少"],
)
def test_a_development_is_told_from_the_year_before(question: str, store: SqliteFactStore) -> None:
    result = ask(question, store)
    assert [found["period"] for found in result.tool_results] == ["2023", "2024"]
    assert "+120" in result.answer and "10" in result.answer


@pytest.mark.parametrize("year", [1, 999, 1900, 2500, 9999])
def test_a_reference_date_out_of_range_is_an_error(year: int, store: SqliteFactStore) -> None:
    with pytest.raises(QuestionError):
        answer_question("omsättning", store, MockProvider(), reference_date=date(year, 1, 1))


def test_differences_of_several_are_told_where_a_comparison_is_asked_for(store: SqliteFactStore) -> None:
    answer = ask("Jämför omsättning och ROE för Kina 2023 och 2024", store).answer
    assert "+120,0\u00a0MUSD" in answer and "+3 procentenheter" in answer
    assert "+120" not in ask("omsättning och ROE för Kina 2023 och 2024", store).answer


def test_every_year_is_every_year_that_is_held(store: SqliteFactStore) -> None:
    result = ask("omsättning varje år i Kina", store)
    assert [found["period"] for found in result.tool_results] == ["2022", "2023", "2024"]
    assert result.clarification.mode == "none"


def test_a_comparison_with_a_time_tells_both(store: SqliteFactStore) -> None:
    result = ask("omsättningen i Kina jämfört med 2023", store)
    assert [found["period"] for found in result.tool_results] == ["2023", "2024"]


def test_a_difference_that_is_not_worked_out_is_told(store: SqliteFactStore) -> None:
    assert "Ingen skillnad" in ask("Skillnaden i omsättning mellan Kina och Hongkong 2023", store).answer


def test_the_end_of_a_period_is_told(store: SqliteFactStore) -> None:
    answer = ask("antal anställda i Kina vid utgången av 2024", store).answer
    assert "1\u00a0450" in answer and "hela perioden" in answer


def test_a_rule_is_asked_of_the_documents(store: SqliteFactStore) -> None:
    result = ask("Hur rapporterar jag omsättning?", store, narrative_retriever=Library(PASSAGE))
    assert result.route == "narrative" and "2\u00a0000" not in result.answer


def test_a_time_and_no_metric_is_asked_about_where_documents_say_nothing(store: SqliteFactStore) -> None:
    result = ask("Bruttomarginal i Kina 2024", store, narrative_retriever=Library())
    assert result.clarification.mode == "ask_first"


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("omsättning 2023 och vinst 2024 i Kina", "REVENUE 2023, PROFIT 2024"),
        ("revenue in China 2022, profit in China 2023 and ROE in China 2024", "REVENUE 2022, PROFIT 2023, ROE 2024"),
        ("中国2023年营收和2024年利润", "REVENUE 2023, PROFIT 2024"),
        ("omsättning och vinst i Kina 2023 och 2024", "REVENUE 2023, REVENUE 2024, PROFIT 2023, PROFIT 2024"),
    ],
)
def test_two_questions_in_one_are_two(question: str, asked: str, store: SqliteFactStore) -> None:
    results = ask(question, store).tool_results
    assert ", ".join(f"{found['metric_code']} {found['period']}" for found in results) == asked
