"""Does an answer hold what a right answer holds, word for word or in other words?"""

from __future__ import annotations

import pytest

from ankare.evaluation.case import Case, Gold
from ankare.evaluation.measures.answer_measures import measured
from tests.evaluation.answered import answer, case, refusal

QUESTION = "När och till vem lämnas ansökan?"


def recall(asked: Case, *statements: str, language: str = "sv") -> float | None:
    return measured(asked, answer(asked.question, *statements, language=language))[0].get("fact_recall")


def gold(*snippets: str) -> Case:
    return case(QUESTION, *(Gold("handbok.pdf", (page,), text) for page, text in enumerate(snippets, start=1)))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Ansökan skickas till registrator inom fem arbetsdagar.", 1.0),
        ("Ansökan skickas till REGISTRATOR.", 0.5),  # of the other part the value is missing
        ("Ansökan skickas till registrator inom sju arbetsdagar.", 0.5),
        ("Ansökan skickas någon gång.", 0.0),
    ],
)
def test_fact_recall_is_the_mean_over_the_parts(said: str, expected: float) -> None:
    assert recall(gold("inom fem arbetsdagar", "till registrator"), said) == pytest.approx(expected)


@pytest.mark.parametrize(
    "said",
    [
        "Det är fel att påstå följande: ansökan lämnas till registrator.",
        "Det stämmer inte att ansökan lämnas till registrator.",
        "Är det så att ansökan lämnas till registrator?",
    ],
)
def test_gold_inside_its_denial_is_not_said(said: str) -> None:
    assert recall(gold("ansökan lämnas till registrator"), said) == 0.0


def test_other_words_count_as_far_as_they_say_it() -> None:
    # ansökan, undertecknas, projektledare, ekonomichef: all but the last
    asked = gold("Ansökan undertecknas av projektledaren och ekonomichefen.")
    assert recall(asked, "Projektledaren undertecknar ansökan.") == pytest.approx(0.75)


def test_places_that_say_the_same_are_one_part_and_any_wording_will_do() -> None:
    asked = gold("Ansökan lämnas inom fem arbetsdagar till registrator.", "inom fem arbetsdagar")
    assert recall(asked, "Det är inom fem arbetsdagar.") == 1.0


def test_a_reference_answer_stands_in_for_snippets() -> None:
    asked = case(QUESTION, reference="Ansökan lämnas till registrator. Den behöver två underskrifter.")
    assert recall(asked, "Registratorn tar emot ansökan, som lämnas in.") == 0.5


def test_a_refusal_holds_nothing_and_a_case_without_gold_is_not_measured() -> None:
    assert measured(gold("till registrator"), refusal(QUESTION))[0] == {"fact_recall": 0.0}
    assert measured(case(QUESTION, Gold("handbok.pdf", (1,))), refusal(QUESTION))[0] == {}


def test_english_and_chinese_facts() -> None:
    english = case("When?", Gold("a.md", (), "within five working days"), language="en")
    assert recall(english, "It is sent within 5 working days.", language="en") == 1.0
    assert recall(english, "It is sent within six working days.", language="en") == 0.0
    chinese = case("什么时候？", Gold("a.md", (), "在五个工作日内提交"), language="zh")
    assert recall(chinese, "申请在五个工作日内提交。", language="zh") == 1.0
