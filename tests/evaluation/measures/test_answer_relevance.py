"""Does relevance tell an answer to the question from one beside the point?"""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from ankare.evaluation.captured import Statement
from ankare.evaluation.measures.answer_measures import measured
from tests.evaluation.answered import answer, case, cites, context, refusal


def relevance(question: str, *statements: str | Statement, section: str = "", language: str = "sv") -> float | None:
    contexts = [context("Text.", 4, section=section)] if section else []
    response = answer(question, *statements, contexts=contexts, language=language)
    return measured(case(question, language=language), response)[0].get("answer_relevance")


def test_relevance_by_hand() -> None:
    # subject: testplan. Coverage 1 by the first sentence, focus (1 + 0) / 2, fit 1: 2 * 1 * 0.5 / 1.5
    answered = ("Projektledaren ansvarar för testplanen.", "Kaffe serveras klockan nio.")
    assert relevance("Vem ansvarar för testplanen?", *answered) == pytest.approx(2 / 3)
    # no party: fit 1/2
    assert relevance("Vem ansvarar för testplanen?", "Testplanen är klar.") == pytest.approx(0.5)
    # subject: skicka (a verb, 1/2) and kallelse (1). Of 1.5 the sentence has 1: coverage 2/3, focus 1, fit 1: 2 * 2/3 / (5/3)
    assert relevance("När skickas kallelsen?", "Kallelsen kommer senast den 3 maj.") == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("question", "good", "beside", "language"),
    [
        ("Vem leder styrgruppen?", "Kommundirektören leder styrgruppen.", "Styrgruppen leder projektet.", "sv"),
        ("Vem leder styrgruppen?", "Styrgruppen leds av kommundirektören.", "Styrgruppen leder projektet.", "sv"),
        ("Who leads the committee?", "The committee is led by the director.", "The committee meets on Mondays.", "en"),
        ("När är mötet?", "Mötet är den 3 maj.", "Mötet är i matsalen.", "sv"),
        ("Hur många testare behövs?", "Det behövs tre testare.", "Testare behövs.", "sv"),
        ("How many testers are needed?", "Three testers are needed.", "Testers are needed.", "en"),
        ("Vad är syftet med handboken?", "Handboken finns för att alla ska arbeta lika.", "Handboken är blå.", "sv"),
        ("谁批准预算？", "项目经理批准预算。", "天气很好。", "zh"),
        ("什么时候开会？", "会议在5月3日开会。", "天气很好。", "zh"),
    ],
)
def test_an_answer_beside_the_point_is_less_relevant(question: str, good: str, beside: str, language: str) -> None:
    found, other = relevance(question, good, language=language), relevance(question, beside, language=language)
    assert found is not None
    assert other is not None
    assert found > other


def test_tasks_of_a_group_are_not_its_members() -> None:
    tasks = ("Fatta beslut om styrgruppens plan", "Följa styrgruppens risker")
    members = ("Styrgruppens ordförande är kommundirektören", "Ekonomichefen sitter i styrgruppen")
    question = "Vilka sitter i styrgruppen?"
    assert relevance(question, *tasks) == pytest.approx(relevance(question, *members) / 2)  # type: ignore[operator]


@pytest.mark.parametrize("excuse", ["Det framgår inte av underlaget vem som ansvarar för testplanen.", "Jag vet inte."])
def test_an_excuse_is_relevant_to_nothing(excuse: str) -> None:
    assert relevance("Vem ansvarar för testplanen?", excuse) == 0.0


def test_the_question_said_again_is_no_answer_and_a_yes_is() -> None:
    assert relevance("Vem ansvarar för testplanen?", "Vem ansvarar för testplanen.") == 0.0
    assert relevance("Finns det en testplan?", "Ja, det finns en testplan.") == 1.0


def test_a_list_borrows_its_subject_from_the_section_at_a_discount() -> None:
    items = tuple(Statement(text, (cites(text, 4),), "item") for text in ("Fakturering", "Bokning"))
    question = "Vilka delar ingår i licensen?"
    # subject: licens; 0.8 by the heading, both items bear on it alike: 2 * 0.8 * 1 / 1.8
    assert relevance(question, *items, section="Licensen") == pytest.approx(1.6 / 1.8)
    assert relevance(question, *items) == 0.0


def test_a_misspelled_word_of_the_question_is_read_as_the_answers() -> None:
    assert relevance("Vem ansvarar för testplannen?", "Projektledaren ansvarar för testplanen.") == 1.0


def test_a_refusal_is_not_measured_here() -> None:
    assert "answer_relevance" not in measured(case("Vem ansvarar?"), refusal("Vem ansvarar?"))[0]


SENTENCES = st.lists(
    st.sampled_from(
        [
            "Projektledaren ansvarar för testplanen.",
            "Testplanen är klar.",
            "Kaffe serveras klockan nio.",
            "Ja.",
            "Det framgår inte.",
        ]
    ),
    min_size=1,
    max_size=5,
)


@given(SENTENCES)
def test_relevance_lies_between_0_and_1_and_a_sentence_beside_the_point_never_raises_it(sentences: list[str]) -> None:
    before = relevance("Vem ansvarar för testplanen?", *sentences)
    after = relevance("Vem ansvarar för testplanen?", *sentences, "Nyckeln lånas ut i receptionen.")
    if before is not None and after is not None:
        assert 0.0 <= after <= before <= 1.0
