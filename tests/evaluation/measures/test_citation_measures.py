"""Is every citation held against what stands where it points to?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ankare.evaluation.captured import CitedSpan, FigureFound, Response, Statement
from ankare.evaluation.case import Gold
from ankare.evaluation.measures.citation_measures import measured
from tests.evaluation.answered import answer, case, cites, context, refusal

QUESTION = "Vem leder provdriften?"
LED = context("Provdriften leds av systemförvaltaren. Den pågår i sex veckor.", 4)
COFFEE = context("Kaffe serveras i matsalen klockan nio.", 7)


def values(
    *statements: Statement, contexts: tuple[object, ...] = (LED, COFFEE), gold: Gold | None = None
) -> dict[str, float]:
    response = answer(QUESTION, *statements, contexts=contexts)  # type: ignore[arg-type]
    return dict(measured(case(QUESTION, *([gold] if gold else [])), response)[0])


def test_recall_and_precision_by_hand() -> None:
    both = values(
        Statement("Provdriften leds av systemförvaltaren.", (cites("Provdriften leds av systemförvaltaren.", 4),)),
        # two of four words (provdrift, leda; not stat, pengar): supports half of it: partly
        Statement("Provdriften leds med statens pengar.", (cites("Provdriften leds av systemförvaltaren.", 4),)),
    )
    assert both == {"citation_recall": 0.5, "citation_precision": 1.0}


def test_a_statement_without_a_citation_is_recalled_by_none() -> None:
    assert values(Statement("Provdriften leds av systemförvaltaren.")) == {"citation_recall": 0.0}


def test_each_place_counts_for_itself_and_all_together_for_recall() -> None:
    one = Statement(
        "Provdriften leds av systemförvaltaren.",
        (cites("Provdriften leds av systemförvaltaren.", 4), cites("Kaffe serveras i matsalen klockan nio.", 7)),
    )
    assert values(one) == {"citation_recall": 1.0, "citation_precision": 0.5}


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (4, 1.0),
        (7, 0.0),  # another page, which speaks of coffee
        (99, 0.0),  # nothing is known to stand there
    ],
)
def test_words_that_stand_on_another_page_than_is_cited_are_none_of_the_cited_place(page: int, expected: float) -> None:
    moved = Statement(
        "Provdriften leds av systemförvaltaren.", (cites("Provdriften leds av systemförvaltaren.", page),)
    )
    assert values(moved) == {"citation_recall": expected, "citation_precision": expected}


def test_where_nothing_is_quoted_the_contexts_of_the_place_are_what_is_cited() -> None:
    bare = Statement("Provdriften leds av systemförvaltaren.", (CitedSpan("Handbok.PDF", (4,), ""),))
    assert values(bare)["citation_recall"] == 1.0
    assert values(replace(bare, evidence=(CitedSpan("handbok.pdf", (7,), ""),)))["citation_recall"] == 0.0


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        (Gold("handbok.pdf", (3, 4)), 1.0),
        (Gold("mapp/HANDBOK.pdf"), 1.0),
        (Gold("handbok.pdf", (5,)), 0.0),
        (Gold("b.pdf", (4,)), 0.0),
    ],
)
def test_a_gold_page_is_cited_or_not(gold: Gold, expected: float) -> None:
    cited = Statement("Provdriften leds av systemförvaltaren.", (cites("Provdriften leds av systemförvaltaren.", 4),))
    assert values(cited, gold=gold)["cited_gold_page"] == expected


def test_sources_stand_for_citations_where_a_server_tells_none() -> None:
    response = replace(answer(QUESTION, "Systemförvaltaren."), sources=(CitedSpan("handbok.pdf", (4,), ""),))
    assert measured(case(QUESTION, Gold("handbok.pdf", (4,))), response)[0]["cited_gold_page"] == 1.0


def test_figures_are_cited_by_document_and_cell() -> None:
    figures = (
        FigureFound("found", value="1", source="utfall.csv", locator="row 3"),
        FigureFound("found", value="2", source="utfall.csv"),
        FigureFound("not_found"),
    )
    response = Response("Omsättning?", True, "figures", "structured", "sv", figures=figures)
    assert measured(case("Omsättning?"), response)[0] == {"citation_recall": 0.5}


def test_a_refusal_cites_nothing_and_is_not_measured() -> None:
    assert measured(case(QUESTION, Gold("handbok.pdf", (4,))), refusal(QUESTION)) == ({}, {})


def test_a_short_item_has_the_language_of_what_stands_around_it() -> None:
    item = Statement("transceiver", (cites("transceiver", 4),), "item")
    assert values(Statement("Provdriften leds av systemförvaltaren.", (cites(LED.text, 4),)), item) == {
        "citation_recall": 1.0,
        "citation_precision": 1.0,
    }


@pytest.mark.parametrize(
    ("language", "text", "changed"),
    [
        ("en", "The pilot is led by the project manager.", "The pilot is not led by the project manager."),
        ("zh", "试点由项目经理负责。", "试点不由项目经理负责。"),
    ],
)
def test_english_and_chinese_citations(language: str, text: str, changed: str) -> None:
    for said, expected in ((text, 1.0), (changed, 0.0)):
        response = answer("?", Statement(said, (cites(text),)), language=language)
        assert measured(case("?", language=language), response)[0]["citation_precision"] == expected
