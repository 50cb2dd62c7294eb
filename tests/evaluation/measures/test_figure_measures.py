"""Is a figure told to the last digit, in its unit, for its slots, and nothing else in its place?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ankare.evaluation.asking.response import MOST_SOURCES, response_of
from ankare.evaluation.captured import FigureFound, Response
from ankare.evaluation.case import Case, Expected
from ankare.evaluation.measures.figure_measures import measured, same_value, stands_in

WANTED = Expected(value="1320.5", unit="SEK_M", metric="REVENUE", entity="BVT_SE", period="FY2023")
FOUND = FigureFound("found", "REVENUE", "BVT_SE", "FY2023", "TOTAL", "1320.5", "SEK_M", "nyckeltal.csv", "row 5")
TEXT = "Omsättning, Björkinge Vattenteknik Sverige, 2023: 1\u00a0320,5 MSEK \\[1\\]"


def response(*figures: FigureFound, text: str = TEXT, mode: str = "none", language: str = "sv") -> Response:
    answered = any(figure.status == "found" for figure in figures)
    return Response(
        "?",
        answered,
        "figures" if answered else "refusal",
        "structured",
        language,
        text,
        clarify_mode=mode,
        figures=figures,
    )


def exact(expected: tuple[Expected, ...] | Expected, told: Response) -> float:
    wanted = expected if isinstance(expected, tuple) else (expected,)
    return measured(Case("one", "?", expected=wanted), told)[0]["figure_exact"]


def test_the_figure_with_all_its_slots_is_exact() -> None:
    assert exact(WANTED, response(FOUND)) == 1.0


@pytest.mark.parametrize("told", ["2023T1", "T1 2023", "första tertialet 2023"])
def test_a_tertial_is_told_by_any_of_its_names(told: str) -> None:
    wanted = replace(WANTED, period="2023T1")
    assert exact(wanted, response(replace(FOUND, period=told))) == 1.0
    assert exact(wanted, response(replace(FOUND, period="2023T2"))) == 0.0
    assert exact(wanted, response(replace(FOUND, period="2023Q1"))) == 0.0


@pytest.mark.parametrize(
    "spoiled",
    [
        replace(FOUND, value="1320.6"),  # one digit
        replace(FOUND, value="132.05"),  # the point moved
        replace(FOUND, value="-1320.5"),
        replace(FOUND, unit="USD_M"),
        replace(FOUND, unit="SEK_K"),
        replace(FOUND, metric="PROFIT"),
        replace(FOUND, entity="BVT_NO"),
        replace(FOUND, period="FY2022"),
        replace(FOUND, period="2023Q4"),
        replace(FOUND, period="2023T3"),
        replace(FOUND, status="not_found", value="", unit=""),
    ],
)
def test_a_figure_that_is_wrong_in_one_thing_is_not_exact(spoiled: FigureFound) -> None:
    assert exact(WANTED, response(spoiled)) == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "Omsättning: 1\u00a0320,6 MSEK",
        "Omsättning: 1\u00a0320,55 MSEK",
        "Omsättning: 21\u00a0320,5 MSEK",
        "Omsättning: −1\u00a0320,5 MSEK",
        "Omsättningen ökade.",
        "",
    ],
)
def test_a_figure_that_the_reader_does_not_see_is_not_exact(text: str) -> None:
    assert exact(WANTED, response(FOUND, text=text)) == 0.0


ONE = replace(WANTED, value="345")
TOLD = replace(FOUND, value="345")


@pytest.mark.parametrize(
    "text",
    [
        "Omsättningen var 999 MSEK (s. 345).",
        "Omsättningen var inte 345 MSEK utan 999 MSEK.",
        "Omsättningen var inte 345 MSEK.",
        "Omsättningen var 345 kronor.",
        "Omsättningen var 345 tusen MSEK.",
        "Omsättningen var 345 miljarder.",
        "Omsättningen var 345 MUSD.",
        "Omsättningen var 345 eller 999 MSEK.",
        "Omsättningen var minus 345 MSEK.",
        "Omsättningen var (345) MSEK.",
        "Resultatet var 345 MSEK, omsättningen 12 MSEK.",
        "Omsättningen ökade 345 % till 12 MSEK.",
        "Den växte [345].",
    ],
)
def test_right_facts_do_not_make_a_wrong_text_right(text: str) -> None:
    assert exact(ONE, response(TOLD, text=text)) == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "Omsättning 2024 345 MSEK.",
        "| 2024 | 345 |",
        "Omsättningen var **345** mkr.",
        "Omsättningen var 345 miljoner kronor.",
        "Omsättningen var 345 miljoner.",
        "Omsättningen var 345\u00a0000\u00a0000 SEK.",
        "Omsättningen var 345,0 MSEK. Året innan var den 320 MSEK.",
        "Omsättningen var inte 999 MSEK utan 345 MSEK.",
        "MSEK 345",
    ],
)
def test_a_right_text_is_read_however_it_is_written(text: str) -> None:
    assert exact(ONE, response(TOLD, text=text)) == 1.0


def test_a_value_in_another_magnitude_is_the_same_amount() -> None:
    told = replace(FOUND, value="345000000", unit="SEK")
    assert exact(ONE, response(told, text="345 000 000 kr")) == exact(ONE, response(told, text="345 MSEK")) == 1.0
    assert exact(ONE, response(replace(told, unit="SEK_M"), text="345 000 000 MSEK")) == 0.0
    assert exact(replace(ONE, value="1234567"), response(replace(FOUND, value="1234567"), text="1234567 MSEK")) == 1.0
    assert exact(replace(ONE, value="12.5"), response(replace(FOUND, value="12.50"), text="12,5 MSEK")) == 1.0


def test_another_figure_that_was_looked_up_may_stand_beside_it() -> None:
    other = replace(FOUND, metric="PROFIT", value="12")
    text = "Omsättningen var 345 MSEK och resultatet 12 MSEK."
    assert exact(ONE, response(TOLD, other, text=text)) == 1.0
    assert exact(ONE, response(TOLD, text=text)) == 0.0


def test_a_channel_counts_only_where_the_case_names_one() -> None:
    partner = replace(FOUND, channel="PARTNER")
    assert exact(WANTED, response(partner)) == 1.0
    assert exact(replace(WANTED, channel="TOTAL"), response(partner)) == 0.0


def test_written_otherwise_is_the_same() -> None:
    told = replace(FOUND, value="1320.50", unit="MSEK")
    assert exact(WANTED, response(told, text="1\u00a0320,50 MSEK")) == 1.0
    assert exact(replace(WANTED, period="2023", metric="revenue"), response(FOUND)) == 1.0


def test_names_are_what_a_profile_says_they_are() -> None:
    def codes(kind: str, name: str) -> str:
        return {("metric", "omsättning"): "REVENUE", ("entity", "Sverige"): "BVT_SE"}.get((kind, name), name)

    by_alias = replace(WANTED, metric="omsättning", entity="Sverige")
    case = Case("one", "?", expected=(by_alias,))
    assert measured(case, response(FOUND), codes)[0] == {"figure_exact": 1.0}
    assert measured(case, response(FOUND))[0] == {"figure_exact": 0.0}


def test_every_expected_figure_is_to_be_told() -> None:
    other = replace(FOUND, period="FY2024", value="1371.6")
    both = (WANTED, replace(WANTED, period="FY2024", value="1371.6"))
    text = "2023: 1\u00a0320,5 MSEK, 2024: 1\u00a0371,6 MSEK"
    assert exact(both, response(FOUND, other, text=text)) == 1.0
    assert exact(both, response(FOUND, text=text)) == 0.0


def test_sources_that_disagree_are_right_only_where_both_are_expected() -> None:
    other = replace(FOUND, value="1299.0", source="gammal.xlsx")
    text = "källorna är oense, 1\u00a0320,5 MSEK och 1\u00a0299,0 MSEK"
    assert exact(WANTED, response(FOUND, other, text=text)) == 0.0
    assert exact((WANTED, replace(WANTED, value="1299")), response(FOUND, other, text=text)) == 1.0


def test_another_figure_for_other_slots_does_no_harm() -> None:
    assert exact(WANTED, response(FOUND, replace(FOUND, metric="PROFIT", value="88.0"))) == 1.0


NOT_HELD = Expected(status="not_found", metric="REVENUE", entity="BVT_SE", period="2025-01")
MISSING = FigureFound("not_found", "REVENUE", "BVT_SE", "2025-01", "TOTAL")


def test_what_is_not_held_has_to_be_said_to_be_not_held() -> None:
    assert exact(NOT_HELD, response(MISSING, text="Det finns ingen uppgift.")) == 1.0
    assert exact(NOT_HELD, response(replace(MISSING, period="2025-02"))) == 0.0
    assert exact(NOT_HELD, response(text="Jag vet inte.")) == 0.0
    invented = replace(MISSING, status="found", value="100.0", unit="SEK_M")
    assert exact(NOT_HELD, response(invented, text="100,0 MSEK")) == 0.0


def test_what_is_to_be_asked_back_is_asked_back_with_no_figure() -> None:
    wanted = Expected(mode="ask_first")
    assert exact(wanted, response(text="Vilken uppgift?", mode="ask_first")) == 1.0
    assert exact(wanted, response(text="Vilken uppgift?")) == 0.0
    assert exact(wanted, response(FOUND, mode="ask_first")) == 0.0


def test_a_case_without_expected_figures_is_not_measured() -> None:
    assert measured(Case("one", "?"), response(FOUND)) == ({}, {})


def test_the_details_set_expected_beside_told() -> None:
    _, details = measured(Case("one", "?", expected=(WANTED,)), response(replace(FOUND, value="1320.6")))
    told = details["figure_exact"]
    assert isinstance(told, dict)
    (one,) = told["expected"]
    assert (one["value"], one["told"][0]["value"]) == ("1320.5", "1320.6")
    assert one["right"] == {"slots": True, "value": False, "unit": False, "in_text": False}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("12.0", "12", True), ("1e3", "1000", True), ("0.1", "0.10000000000000001", False), ("NaN", "NaN", False)],
)
def test_decimals_are_compared_as_decimals(one: str, other: str, same: bool) -> None:
    assert same_value(one, other) is same
    assert not same_value("x", "x")
    assert not same_value("1" * 500, "1" * 500)  # longer than any figure that anyone wrote


@pytest.mark.parametrize(
    ("value", "language", "text", "stands"),
    [
        ("2240.5", "en", "2,240.5 MSEK", True),
        ("2240.5", "sv", "2,240.5 MSEK", True),  # nobody can take it for another
        ("2240.5", "sv", "2 240,5 MSEK", True),
        ("2240.5", "sv", "2240,50 MSEK", True),
        ("-3.6", "sv", "2021: −3,6 MSEK", True),
        ("3.6", "sv", "2021: −3,6 MSEK", False),
        ("31", "sv", "Antal: 31 personer", True),
        ("31", "sv", "Antal: 2031", False),
        ("31", "sv", "31 december", True),
        ("462.9", "zh", "2024年：462.9 百万瑞典克朗", True),
    ],
)
def test_a_value_stands_in_a_text_as_its_readers_write_it(value: str, language: str, text: str, stands: bool) -> None:
    assert stands_in(text, [replace(FOUND, value=value)], language) is stands


def test_sources_that_disagree_come_out_of_a_body_as_figures_and_not_without_end() -> None:
    other = {"value": "24.1", "unit": "SEK_M", "source": {"doc": "rapport.xlsx", "locator": "B7"}}
    fact = {
        "status": "found",
        "metric": "PROFIT",
        "entity": "BVT_CN",
        "period": "FY2024",
        "value": "22.4",
        "unit": "SEK_M",
    }
    told = response_of({"facts": [{**fact, "conflicts": [other] * 1000}]}).figures
    assert [(one.value, one.metric, one.source) for one in told[:2]] == [
        ("22.4", "PROFIT", ""),
        ("24.1", "PROFIT", "rapport.xlsx"),
    ]
    assert len(told) == 1 + MOST_SOURCES
