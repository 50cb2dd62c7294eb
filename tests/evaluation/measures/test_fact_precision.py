"""Is padding seen: does the share of an answer that holds gold fall with everything that does not?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ankare.evaluation.captured import Statement
from ankare.evaluation.case import Case, Gold
from ankare.evaluation.measures.fact_precision import measured
from tests.evaluation.answered import answer, case, refusal

QUESTION = "När ska ansökan lämnas?"
ASKED = case(QUESTION, Gold("handbok.pdf", (3,), "Ansökan lämnas inom fem arbetsdagar."))
HELD = "Ansökan lämnas inom fem arbetsdagar."
BESIDE = "Kaffe serveras i matsalen."


def precision(*statements: str | Statement, asked: Case = ASKED) -> float | None:
    return measured(asked, answer(QUESTION, *statements))[0].get("fact_precision")


def test_fact_precision_by_hand() -> None:
    # ansöka, lämna, fem arbetsdagar: 3; kaffe, servera, matsal: 3
    assert precision(HELD) == 1.0
    assert precision(HELD, BESIDE) == pytest.approx(3 / 6)
    assert precision(BESIDE, "Nyckeln lånas ut av vaktmästaren.", HELD) == pytest.approx(3 / 9)
    assert precision(BESIDE) == 0.0


def test_what_is_said_again_counts_once() -> None:
    assert precision(HELD, HELD, HELD) == pytest.approx(1 / 3)


def test_words_that_lead_to_a_list_count_neither_way() -> None:
    assert precision("Detta gäller för ansökan i kommunen:", Statement(HELD, (), "item")) == 1.0


@pytest.mark.parametrize(
    ("statement", "held"),
    [
        ("Inom fem arbetsdagar lämnas ansökan in.", 1.0),
        ("Ansökan lämnas inom sju arbetsdagar.", 0.0),
        ("Ansökan skrivs under.", 0.0),
    ],
)
def test_the_gold_may_be_said_otherwise_and_not_be_changed(statement: str, held: float) -> None:
    assert precision(statement) == held


def test_each_sentence_of_a_longer_snippet_holds_it() -> None:
    asked = case(
        QUESTION, Gold("handbok.pdf", (3,), f"{HELD} Den skrivs under av handläggaren. Chefen granskar beslutet.")
    )
    assert precision(HELD, "Chefen granskar beslutet.", asked=asked) == 1.0


def test_nothing_is_measured_without_snippets_or_an_answer() -> None:
    assert precision(HELD, asked=case(QUESTION, Gold("handbok.pdf", (3,)))) is None
    assert precision(HELD, asked=case(QUESTION, reference=HELD)) is None
    assert measured(ASKED, refusal(QUESTION)) == ({}, {})
    assert measured(ASKED, replace(answer(QUESTION, HELD), origin="figures")) == ({}, {})


def test_all_that_was_found_pasted_has_the_recall_and_not_the_precision() -> None:
    assert precision(*[f"{BESIDE[:-1]} på våning {floor}." for floor in range(2, 9)], HELD) < 0.2  # type: ignore[operator]
