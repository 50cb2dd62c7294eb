"""Do the figures of a ranking agree with those of ir_measures, and do pages, parts and alternatives count as promised?"""

from __future__ import annotations

import random

import ir_measures
import pytest
from ir_measures import RR, Success, nDCG

from ankare.evaluation.captured import Context, Response
from ankare.evaluation.case import Case, Gold
from ankare.evaluation.measures.retrieval_measures import MEASURES, measured, ndcg

HANDBOOK, GLOSSARY = "handbook.pdf", "glossary.md"
SAID, ELSE = "The board decides.", "The owner signs."
ORACLE = {
    "ndcg_at_10": nDCG @ 10,
    "hit_at_1": Success @ 1,
    "hit_at_3": Success @ 3,
    "hit_at_8": Success @ 8,
    "mrr": RR,
}


def case(*gold: Gold) -> Case:
    return Case("one", "Who decides?", gold=gold)


def response(*pages: tuple[str, int], answered: bool = True, route: str = "narrative") -> Response:
    hits = tuple(Context(f"c{at}", source, (page,)) for at, (source, page) in enumerate(pages))
    return Response("Who decides?", answered, "extractive", route, context=hits)


def values(one: Case, *pages: tuple[str, int]) -> dict[str, float]:
    return dict(measured(one, response(*pages))[0])


def test_every_figure_agrees_with_ir_measures_on_hundreds_of_rankings() -> None:
    dice = random.Random(2002)
    cases, rankings = [], []
    for _ in range(400):
        relevant = dice.sample(range(40), dice.randrange(1, 14))
        cases.append(case(*(Gold(HANDBOOK, (page,), f"Sentence number {page}.") for page in relevant)))
        rankings.append(dice.sample(range(40), dice.randrange(1, 30)))
    qrels = [ir_measures.Qrel(str(at), str(gold.pages[0]), 1) for at, one in enumerate(cases) for gold in one.gold]
    run = [
        ir_measures.ScoredDoc(str(at), str(page), 100.0 - place)
        for at, ranking in enumerate(rankings)
        for place, page in enumerate(ranking)
    ]
    theirs = {(one.query_id, str(one.measure)): one.value for one in ir_measures.iter_calc(ORACLE.values(), qrels, run)}
    for at, (one, ranking) in enumerate(zip(cases, rankings, strict=True)):
        ours = values(one, *((HANDBOOK, page) for page in ranking))
        for name, oracle in ORACLE.items():
            assert ours[name] == pytest.approx(theirs[str(at), str(oracle)], abs=1e-6), (name, at)


def test_every_measure_of_retrieval_has_its_counterpart_there() -> None:
    assert {measure.name for measure in MEASURES} == set(ORACLE)


def test_places_that_say_the_same_count_once() -> None:
    both = case(Gold(HANDBOOK, (7,), SAID), Gold(GLOSSARY, (1,), SAID))
    assert values(both, (GLOSSARY, 1), ("other.pdf", 1), (HANDBOOK, 7))["ndcg_at_10"] == 1.0


def test_parts_on_different_pages_are_each_to_be_found() -> None:
    two = case(Gold(HANDBOOK, (7,), SAID), Gold(GLOSSARY, (1,), ELSE))
    found = values(two, (GLOSSARY, 1), ("other.pdf", 1))
    assert found["ndcg_at_10"] == pytest.approx(
        1 / (1 + 1 / 1.584962500721156)
    )  # (1 / log2 2) / (1 / log2 2 + 1 / log2 3)
    assert found["hit_at_1"] == found["mrr"] == 1.0


def test_parts_on_the_same_page_are_one_target() -> None:
    two = case(Gold(HANDBOOK, (7,), SAID), Gold(HANDBOOK, (7,), ELSE))
    assert values(two, ("other.pdf", 1), (HANDBOOK, 7))["ndcg_at_10"] == pytest.approx(1 / 1.584962500721156)


def test_any_gold_page_will_do_and_none_named_means_all() -> None:
    assert values(case(Gold(HANDBOOK, (7, 8), SAID)), (HANDBOOK, 8))["mrr"] == 1.0
    assert values(case(Gold(HANDBOOK, (), SAID)), (HANDBOOK, 99))["mrr"] == 1.0
    assert values(case(Gold(HANDBOOK, (7,), SAID)), ("other.pdf", 7))["mrr"] == 0.0


def told(one: Case, *hits: tuple[str, int, str]) -> dict[str, float]:
    """The values of hits whose texts are told."""
    context = tuple(Context(f"c{at}", source, (page,), text) for at, (source, page, text) in enumerate(hits))
    return dict(measured(one, Response("Who decides?", True, "extractive", "narrative", context=context))[0])


def test_where_texts_are_told_the_words_decide_and_not_the_page() -> None:
    wanted = case(Gold(GLOSSARY, (1,), SAID))
    beside, holding = (GLOSSARY, 1, "The owner signs."), (GLOSSARY, 1, "Each month the board decides.")
    assert told(wanted, beside, beside)["mrr"] == 0.0
    assert told(wanted, beside, holding)["mrr"] == 0.5
    assert told(wanted, (GLOSSARY, 1, ""), holding)["mrr"] == 1.0  # this text is not told
    assert told(case(Gold(GLOSSARY, (1,))), beside)["mrr"] == 1.0  # no words are known


def test_snippets_of_a_document_without_pages_are_each_to_be_found() -> None:
    two = case(Gold(GLOSSARY, (), SAID), Gold(GLOSSARY, (), ELSE))
    one_of_them = told(two, (GLOSSARY, 1, SAID), (GLOSSARY, 1, "Nothing."))["ndcg_at_10"]
    assert one_of_them == pytest.approx(1 / (1 + 1 / 1.584962500721156))
    assert told(two, (GLOSSARY, 1, SAID), (GLOSSARY, 1, ELSE))["ndcg_at_10"] == 1.0
    assert values(two, (GLOSSARY, 1))["ndcg_at_10"] == 1.0  # without texts nobody can tell them apart


def test_the_order_of_the_gold_makes_no_difference() -> None:
    golds = [Gold(HANDBOOK, (page,), f"Sentence number {page}.") for page in range(1, 8)]
    hits = [(HANDBOOK, page) for page in (3, 9, 1, 7, 8, 5, 2)]
    assert (
        values(case(*golds), *hits) == values(case(*golds[::-1]), *hits) == values(case(*golds[3:], *golds[:3]), *hits)
    )


def test_a_search_that_found_nothing_is_a_miss_and_one_that_was_not_made_is_none() -> None:
    wanted = case(Gold(HANDBOOK, (7,), SAID))
    assert measured(wanted, response(answered=False))[0]["ndcg_at_10"] == 0.0
    assert measured(wanted, response(answered=False, route="structured"))[0] == {}
    assert measured(wanted, response())[0] == {}  # a server that answers and tells no hits


def test_a_case_without_gold_has_no_figures() -> None:
    assert measured(case(), response((HANDBOOK, 1))) == ({}, {})


def test_the_details_tell_where_each_target_stood() -> None:
    two = case(Gold(HANDBOOK, (7,), SAID), Gold(GLOSSARY, (1,), ELSE))
    _, details = measured(two, response(("other.pdf", 1), (HANDBOOK, 7)))
    assert details["mrr"] == {"places": [2, None]}


@pytest.mark.parametrize("moved_to", range(1, 11))
def test_a_gold_page_that_is_pushed_down_lowers_ndcg_and_mrr(moved_to: int) -> None:
    wanted, others = case(Gold(HANDBOOK, (7,), SAID)), [("other.pdf", page) for page in range(10)]
    before = values(wanted, (HANDBOOK, 7), *others)
    after = values(wanted, *others[:moved_to], (HANDBOOK, 7), *others[moved_to:])
    assert after["ndcg_at_10"] < before["ndcg_at_10"] and after["mrr"] < before["mrr"]


def test_a_hit_in_several_targets_never_makes_more_than_the_ideal() -> None:
    assert ndcg([0, 0, 0], 3) == 1.0
