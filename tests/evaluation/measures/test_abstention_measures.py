"""Is a refusal right where nothing holds the answer, and wrong where something does?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ankare.evaluation.captured import AnswerPath, Response
from ankare.evaluation.case import Case, Expected
from ankare.evaluation.measures.abstention_measures import Abstention, abstention_of, measured, to_be_answered
from ankare.evaluation.scored import Outcome, Scored

ANSWERED = Response("?", True, "extractive", "narrative")
REFUSED = Response("?", False, "refusal", "narrative", refusal_reason="subject_not_covered")
ASKED_BACK = Response("?", False, "refusal", "structured", refusal_reason="ask_first", clarify_mode="ask_first")
ASK_FIRST = (Expected(mode="ask_first"),)


def case(answerable: bool | None = None, *expected: Expected) -> Case:
    return Case("one", "?", answerable=answerable, expected=expected)


@pytest.mark.parametrize(
    ("asked", "response", "right"),
    [
        (case(True), ANSWERED, 1.0),
        (case(True), REFUSED, 0.0),
        (case(True), ASKED_BACK, 0.0),
        (case(False), ANSWERED, 0.0),
        (case(False), REFUSED, 1.0),
        (case(False), ASKED_BACK, 1.0),
        (case(True, *ASK_FIRST), ASKED_BACK, 1.0),
        (case(None, *ASK_FIRST), ASKED_BACK, 1.0),
        (case(True, *ASK_FIRST), ANSWERED, 0.0),
        (case(None, Expected(value="1", mode="answer_with_assumptions")), ANSWERED, 1.0),
        (case(None, Expected(metric="REVENUE")), ANSWERED, 0.0),
        (case(None, Expected(metric="REVENUE")), REFUSED, 1.0),
        (case(False, Expected(mode="out_of_scope_entity")), REFUSED, 1.0),
    ],
)
def test_answered_exactly_where_it_can_be(asked: Case, response: Response, right: float) -> None:
    assert measured(asked, response)[0] == {"abstention_correct": right}


def test_a_case_of_which_nobody_has_said_anything_is_not_measured() -> None:
    assert to_be_answered(case()) is None
    assert measured(case(), REFUSED) == ({}, {})


@pytest.mark.parametrize("answerable", [True, False])
def test_a_refusal_in_place_of_an_answer_and_the_other_way_round_turn_the_measure(answerable: bool) -> None:
    good, spoiled = (ANSWERED, REFUSED) if answerable else (REFUSED, ANSWERED)
    before, after = (measured(case(answerable), one)[0]["abstention_correct"] for one in (good, spoiled))
    assert (before, after) == (1.0, 0.0)


def row(correct: float | None, outcome: Outcome) -> Scored:
    values = {} if correct is None else {"abstention_correct": correct}
    return Scored("one", 0, AnswerPath.CONTROL, outcome, values=values)


ROWS = [
    *[row(1.0, Outcome.REFUSED)] * 6,
    *[row(1.0, Outcome.ASKED_BACK)] * 2,
    *[row(0.0, Outcome.REFUSED)] * 2,
    *[row(0.0, Outcome.ANSWERED)] * 4,
    *[row(1.0, Outcome.ANSWERED)] * 10,
]


def test_precision_recall_and_f1_of_refusing_by_hand() -> None:
    found = abstention_of(ROWS)
    assert found == Abstention(right=8, needless=2, missed=4, answered=10)
    assert (found.precision, found.recall) == (8 / 10, 8 / 12)
    assert found.f1 == pytest.approx(2 * 0.8 * (8 / 12) / (0.8 + 8 / 12))


def test_failures_and_questions_that_nobody_judged_do_not_count() -> None:
    more = [*ROWS, row(None, Outcome.FAILED), row(None, Outcome.REFUSED)]
    assert abstention_of(more) == abstention_of(ROWS)


def test_nothing_to_divide_by_is_no_zero() -> None:
    nothing = abstention_of([row(1.0, Outcome.ANSWERED)])
    assert (nothing.precision, nothing.recall, nothing.f1) == (None, None, None)


def test_the_details_tell_why_it_was_refused() -> None:
    _, details = measured(case(True), REFUSED)
    assert details["abstention_correct"] == {
        "to_be_answered": True,
        "answered": False,
        "reason": "subject_not_covered",
    }


def test_a_saboteur_that_takes_asking_back_for_an_answer_is_seen() -> None:
    sabotaged = replace(ASKED_BACK, answered=True)
    assert measured(case(False), sabotaged)[0] != measured(case(False), ASKED_BACK)[0]
