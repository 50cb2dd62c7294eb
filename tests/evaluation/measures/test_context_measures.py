"""Do the measures of contexts give what a reader computes by hand, and move only the way they should?"""

from __future__ import annotations

from dataclasses import replace

import hypothesis.strategies as st
import pytest
from hypothesis import given

from ankare.evaluation.captured import Chain, CitedSpan, Context, Response
from ankare.evaluation.case import Case, Gold
from ankare.evaluation.measures.context_measures import average_precision, measured
from tests.evaluation.answered import answer, case, context, refusal

QUESTION = "När ska ansökan lämnas?"
GOLD = Gold("handbok.pdf", (3,), "Ansökan lämnas inom fem arbetsdagar.")
RELEVANT = context("Ansökan lämnas inom fem arbetsdagar. Den skrivs under.", 3)
OTHER = context("Kaffe serveras i matsalen.", 8)


def found(asked: Case, *contexts: Context) -> tuple[float | None, float | None]:
    """(precision, recall)"""
    values = measured(asked, answer(QUESTION, "Svar.", contexts=contexts))[0]
    return values.get("context_precision"), values.get("context_recall")


@pytest.mark.parametrize(
    ("relevant", "expected"),
    [
        ([True, False, True, False], (1 / 1 + 2 / 3) / 2),
        ([False, True], 1 / 2),
        ([False, False, True, True], (1 / 3 + 2 / 4) / 2),
        ([True, True, False], 1.0),
        ([False, False], 0.0),
        ([], 0.0),
    ],
)
def test_context_precision_is_the_mean_precision_at_the_ranks_of_relevant_contexts(
    relevant: list[bool], expected: float
) -> None:
    assert average_precision(relevant) == pytest.approx(expected)


def test_a_context_is_relevant_that_holds_the_snippet_wherever_it_stands() -> None:
    elsewhere = replace(RELEVANT, source="annat.pdf", pages=(9,))
    assert found(case(QUESTION, GOLD), OTHER, elsewhere) == (0.5, 1.0)


@pytest.mark.parametrize(
    ("text", "is_relevant"),
    [
        ("Ansökan ska lämnas inom fem | arbetsdagar.", True),  # broken by a table, all of its words and its value
        ("Ansökan lämnas inom sju arbetsdagar.", False),
        ("Ansökan skrivs under.", False),
    ],
)
def test_on_its_page_a_snippet_may_be_broken_and_not_changed(text: str, is_relevant: bool) -> None:
    assert found(case(QUESTION, GOLD), context(text, 3)) == (float(is_relevant), float(is_relevant))


def test_without_a_snippet_or_a_text_the_page_decides_however_the_document_is_written() -> None:
    bare = Gold("Mapp/Handbok.PDF", (3,))
    assert found(case(QUESTION, bare), OTHER, RELEVANT) == (0.5, 1.0)
    assert found(case(QUESTION, GOLD), replace(RELEVANT, text="")) == (1.0, 1.0)
    assert found(case(QUESTION, bare), context("Ansökan.", 4)) == (0.0, 0.0)


def test_what_an_earlier_context_held_adds_nothing() -> None:
    asked = case(QUESTION, GOLD, Gold("b.pdf", (1,), "Nyckeln lånas ut."))
    key = context("Nyckeln lånas ut.", 1, "b.pdf")
    assert found(asked, OTHER, RELEVANT) == (0.5, 0.5)
    assert found(asked, OTHER, *[RELEVANT] * 5) == (0.5, 0.5)
    # the first and the fourth bring something new: (1/1 + 2/4) / 2
    assert found(asked, RELEVANT, RELEVANT, OTHER, key) == (0.75, 1.0)
    # one context that holds all of it is found at once, however long it is
    assert found(asked, context(f"{RELEVANT.text} {key.text}", 3)) == (1.0, 1.0)


def test_in_a_document_without_pages_only_the_words_make_a_context_relevant() -> None:
    gold = Gold("plan.md", (1,), "Ansökan lämnas inom fem arbetsdagar.")
    beside = context("Ansökan skrivs under av chefen. Kaffe serveras i matsalen.", 1, "plan.md")
    assert found(case(QUESTION, gold), beside) == (0.0, 0.0)
    assert found(case(QUESTION, gold), beside, replace(RELEVANT, source="plan.md", pages=(1,))) == (0.5, 1.0)


def test_context_recall_is_the_share_of_the_parts_that_are_held() -> None:
    asked = case(
        QUESTION,
        GOLD,
        Gold("handbok.pdf", (8,), "Kaffe serveras i matsalen."),
        Gold("b.pdf", (1,), "Nyckeln lånas ut."),
    )
    precision, recall = found(asked, RELEVANT, OTHER)
    assert precision == 1.0
    assert recall == pytest.approx(2 / 3)


def test_a_reference_answer_is_held_by_its_sentences() -> None:
    asked = case(QUESTION, reference="Ansökan lämnas inom fem arbetsdagar. Nyckeln lånas ut av vaktmästaren.")
    assert found(asked, RELEVANT, OTHER) == (None, 0.5)


def test_english_and_chinese_contexts_hold_their_gold() -> None:
    english = case("When?", Gold("a.md", (), "within five working days"), language="en")
    assert found(english, context("Applications are sent within five working days.", source="a.md")) == (1.0, 1.0)
    chinese = case("什么时候？", Gold("a.md", (), "在五个工作日内提交"), language="zh")
    assert found(chinese, context("申请在五个工作日内提交。", source="a.md")) == (1.0, 1.0)


def test_nothing_is_measured_without_gold_or_where_no_context_is_told() -> None:
    assert found(case(QUESTION), RELEVANT) == (None, None)
    assert found(case(QUESTION, GOLD)) == (None, None)
    told = replace(answer(QUESTION, "Svar."), sources=(CitedSpan("handbok.pdf", (3,), ""),))
    assert measured(case(QUESTION, GOLD), told)[0]["context_recall"] == 1.0


def test_a_refusal_that_found_nothing_has_no_context_recall_left() -> None:
    assert measured(case(QUESTION, GOLD), refusal(QUESTION))[0] == {"context_precision": 0.0, "context_recall": 0.0}


def test_shadow_and_control_stand_in_one_row() -> None:
    control = answer(QUESTION, "Svar.", contexts=[OTHER, RELEVANT])
    shadow = replace(control, chain=Chain(enabled=True, shadow=True, context=(RELEVANT, OTHER)))
    assert measured(case(QUESTION, GOLD), shadow)[0] == {
        "context_precision": 0.5,
        "context_recall": 1.0,
        "shadow_context_precision": 1.0,
        "shadow_context_recall": 1.0,
    }
    reviewed = replace(control, chain=Chain(enabled=True, context=(RELEVANT, OTHER)))
    assert measured(case(QUESTION, GOLD), reviewed)[0] == {"context_precision": 1.0, "context_recall": 1.0}


RANKED = st.lists(st.sampled_from([RELEVANT, OTHER, context("Nyckeln lånas ut.", 1, "b.pdf")]), min_size=1, max_size=6)
ASKED = case(QUESTION, GOLD, Gold("b.pdf", (1,), "Nyckeln lånas ut."))


@given(RANKED, st.randoms())
def test_recall_does_not_depend_on_the_order_and_grows_with_every_context(
    contexts: list[Context], random: object
) -> None:
    before = found(ASKED, *contexts)[1]
    shuffled = list(contexts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert found(ASKED, *shuffled)[1] == before
    after = found(ASKED, *contexts, RELEVANT)[1]
    assert before is not None
    assert after is not None
    assert 0.0 <= before <= after <= 1.0


@given(st.lists(st.booleans(), min_size=2, max_size=10), st.integers(1, 9))
def test_a_relevant_context_that_moves_up_never_lowers_precision(relevant: list[bool], at: int) -> None:
    at = min(at, len(relevant) - 1)
    before = average_precision(relevant)
    assert 0.0 <= before <= 1.0
    if relevant[at] and not relevant[at - 1]:
        moved = [*relevant]
        moved[at - 1], moved[at] = True, False
        assert average_precision(moved) >= before


def test_the_response_of_figures_has_no_contexts() -> None:
    figures = Response("Omsättning?", True, "figures", "structured", "sv")
    assert measured(case("Omsättning?", GOLD), figures)[0] == {}
