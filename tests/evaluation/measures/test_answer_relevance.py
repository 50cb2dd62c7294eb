"""Does relevance tell an answer to the question from one beside the point?"""

from __future__ import annotations

from dataclasses import replace

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


@pytest.mark.parametrize(
    ("question", "statement", "language"),
    [
        ("Hur länge sparas telefonloggar?", "Telefonloggar sparas i två år.", "sv"),
        ("Inom vilken tid ska telefonloggar gallras?", "Telefonloggar gallras efter två år.", "sv"),
        ("För hur lång tid gäller avtalet?", "Avtalet gäller i två år.", "sv"),
        ("How long is the contract valid?", "The contract is valid for two years.", "en"),
        ("Within what time is the report sent?", "The report is sent after two weeks.", "en"),
    ],
)
def test_words_that_only_ask_are_no_part_of_the_subject(question: str, statement: str, language: str) -> None:
    assert relevance(question, statement, language=language) == 1.0


@pytest.mark.parametrize(
    ("question", "statement", "language"),
    [
        ("Vem ansvarar för webbplatsen?", "Kommunikatören ansvarar för webbplatsen.", "sv"),
        ("Vem ansvarar för webbplatsen?", "Tillgänglighetsgranskaren ansvarar för webbplatsen.", "sv"),
        ("Vem ansvarar för webbplatsen?", "Juristen ansvarar för webbplatsen.", "sv"),
        ("Who is responsible for the website?", "The media planner is responsible for the website.", "en"),
    ],
)
def test_who_does_something_is_seen_by_the_ending_of_the_noun(question: str, statement: str, language: str) -> None:
    assert relevance(question, statement, language=language) == 1.0


def test_what_only_ends_like_it_is_no_party() -> None:
    assert relevance("Vem ansvarar för webbplatsen?", "Webbplatsen har tidsbrist.") == 0.5
    assert relevance("Vem ansvarar för webbplatsen?", "Webbplatsen blev snabbare och enklare.") == 0.5


def test_a_list_names_two_things_at_least() -> None:
    question, items = "Vilka faronivåer finns det?", ("Låg", "Måttlig", "Hög", "Mycket hög", "Extrem")
    listed = [Statement(text, (cites("Text.", 4),), "item") for text in items]
    # subject: faronivå; 0.8 by the words over the list, which lead into it and are not judged
    assert relevance(question, "Faronivåerna är:", *listed) == pytest.approx(1.6 / 1.8)
    assert relevance(question, "Faronivåerna är låg, måttlig, hög, mycket hög och extrem.") == 1.0
    for beside in (
        "Faronivån visas på kartan.",
        "Faronivån visas på kartan och uppdateras varje dag.",
        "Faronivån, som visas på kartan, ändras ofta.",
    ):
        assert relevance(question, beside) == 0.5


HONEST = ("Projektledaren ansvarar för testplanen.",)


def test_padding_lowers_relevance_by_its_length() -> None:
    question, padding = (
        "Vem ansvarar för testplanen?",
        "Kaffe serveras varje morgon i den stora matsalen bredvid receptionen.",
    )
    assert relevance(question, *HONEST) == 1.0
    # three words of eleven bear on the subject: 2 * 3/11 / (14/11)
    said_words = 3 / (3 + LENGTH_OF_PADDING)
    assert relevance(question, *HONEST, padding) == pytest.approx(2 * said_words / (1 + said_words))
    # the same sentence three times over: focus 1/3
    assert relevance(question, *HONEST * 3) == pytest.approx(0.5)


LENGTH_OF_PADDING = 6
"""kaffe, servera, stor, matsal, bredvid, reception; and "varje morgon" as a rhythm."""


def test_a_passage_that_is_pasted_is_not_relevant_in_every_sentence() -> None:
    question = "Vem ansvarar för testplanen?"
    pasted = [
        Statement(text, (cites(text, 4),))
        for text in ("Projektledaren ansvarar för testplanen.", "Kaffe serveras i matsalen.", "Nyckeln lånas ut.")
    ]
    assert relevance(question, *pasted, section="Testplanen") < relevance(question, pasted[0], section="Testplanen")  # type: ignore[operator]


@pytest.mark.parametrize(
    "words",
    [
        "Ansvarar, testplanen, projektledaren, måndagen den 3 maj, minst två, syftet är.",
        "Testplanen, projektledaren, projektet, styrgruppen.",
        "Testplanen projektledaren projektet styrgruppen.",
    ],
)
def test_words_in_a_row_say_nothing(words: str) -> None:
    assert relevance("Vem ansvarar för testplanen?", words) == 0.0
    under = [Statement(words, (cites("Testplanen gäller.", 4),))]
    assert relevance("Vem ansvarar för testplanen?", *under, section="Testplanen") == 0.0


def test_a_question_that_cannot_be_answered_has_no_relevance() -> None:
    question = "Vem ansvarar för testplanen?"
    response = answer(question, *HONEST, contexts=[])
    assert "answer_relevance" not in measured(replace(case(question), answerable=False), response)[0]
    assert measured(replace(case(question), answerable=True), response)[0]["answer_relevance"] == 1.0


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
