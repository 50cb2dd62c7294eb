"""Promises about the figures that ship with ankare: coherent to the last digit, of every kind, and expected as they are."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest

from ankare.profile.load import load_profile
from ankare.sample import pack_path
from ankare.sample.generate.check_suite import FIGURE, expected_figures, misstated, read_suite
from ankare.sample.generate.stated import Slots, stated_figures

FACTS = pack_path() / "facts"
CASES = [case for case in read_suite(pack_path()) if case["type"] == FIGURE]
STATED = stated_figures(pack_path())
PROFILE = load_profile(pack_path() / "profile.toml")
GROUP = tuple(entity.code for entity in PROFILE.entities if entity.code.startswith("BVT"))
SUMMED = ("REVENUE", "PROFIT", "ORDER_INTAKE", "WATER_VOLUME")
PARTS = {"H1": ("Q1", "Q2"), "H2": ("Q3", "Q4")} | {
    f"Q{quarter}": tuple(f"-{month:02}" for month in range(3 * quarter - 2, 3 * quarter + 1)) for quarter in range(1, 5)
}


def test_months_add_up_to_quarters_quarters_to_halves_and_halves_to_the_year() -> None:
    checked = 0
    for slots, values in STATED.items():
        if slots.metric not in SUMMED:
            continue
        parts = _parts(slots)
        if len(parts) > 1:
            _, unit = next(iter(values))
            assert (sum(parts), unit) in values, slots
            checked += 1
    assert checked > 60


def _parts(slots: Slots) -> list[Decimal]:
    """The values of the next smaller periods, where all of them are stated."""
    if slots.period.startswith("FY"):
        within = [f"{slots.period[2:]}{half}" for half in ("H1", "H2")]
    else:
        within = [slots.period[:4] + part for part in PARTS.get(slots.period[4:], ())]
    found = [STATED.get(slots._replace(period=period), set()) for period in within]
    return [min(values)[0] for values in found] if all(found) else []


def test_channels_add_up_to_the_whole() -> None:
    direct = [slots for slots in STATED if slots.channel == "DIRECT"]
    assert len(direct) > 20
    for slots in direct:
        parts = [next(iter(STATED[slots._replace(channel=channel)]))[0] for channel in ("DIRECT", "PARTNER")]
        assert (sum(parts), "SEK_M") in STATED[slots._replace(channel="TOTAL")], slots


def test_companies_add_up_to_the_group_in_every_column_of_the_report() -> None:
    """With what they sell to each other, which the report states; orders are rounded to one decimal."""
    sheet = openpyxl.load_workbook(FACTS / "Koncernrapport_2024.xlsx")["Koncernen"]
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    titles = [at for at, row in enumerate(rows) if str(row[0]).startswith("Avstämning")]
    assert len(titles) == 3
    for title in titles:
        *parts, group = (row[1:] for row in rows[title + 1 : title + 7])
        for *values, total in zip(*parts, group, strict=True):
            if total is not None:
                assert abs(sum(Decimal(repr(value)) for value in values) - Decimal(repr(total))) <= Decimal("0.05")


@pytest.mark.parametrize("metric", ["HEADCOUNT", "WATER_VOLUME"])
def test_what_is_not_sold_inside_the_group_adds_up_as_it_is(metric: str) -> None:
    for year in ("FY2021", "FY2022", "FY2023", "FY2024"):
        group, *companies = (next(iter(STATED[Slots(metric, entity, year)]))[0] for entity in GROUP)
        assert sum(companies) == group


def test_margin_is_the_profit_by_the_revenue() -> None:
    for slots, values in STATED.items():
        if slots.metric == "OPERATING_MARGIN":
            profit, revenue = (STATED[slots._replace(metric=metric)] for metric in ("PROFIT", "REVENUE"))
            shares = {round(100 * p / r, 1) for p, _ in profit for r, _ in revenue}
            assert {value for value, _ in values} <= shares, slots


def test_figures_are_of_every_kind() -> None:
    values = {value for figures in STATED.values() for value, _ in figures}
    assert any(value < 0 for value in values)
    assert 0 in values
    assert any(value > 1_000_000 for value in values)
    assert any(value.as_tuple().exponent == -3 for value in values)
    assert [slots.entity for slots, figures in STATED.items() if len(figures) > 1] == ["BVT_CN"]
    assert {unit for figures in STATED.values() for _, unit in figures} == {"SEK_M", "NOK_K", "%", "PERSONS", "m³"}
    assert not any(slots.entity == "BVT_CN" and slots.period.startswith("FY2025") for slots in STATED)


def test_suite_has_forty_cases_about_figures_in_three_languages() -> None:
    assert Counter(case["language"] for case in CASES) == {"sv": 18, "en": 12, "zh": 10}
    assert {case["reference_date"] for case in CASES} == {"2025-05-20"}
    told = [expected for case in CASES for expected in expected_figures(case) if "value" in expected]
    assert {expected["metric"] for expected in told} == {metric.code for metric in PROFILE.metrics}
    assert {expected["entity"] for expected in told} == set(GROUP)
    forms = {"".join("9" if sign.isdigit() else sign for sign in expected["period"]) for expected in told}
    assert forms == {"FY9999", "9999H9", "9999Q9", "9999-99"}


def test_a_figure_case_is_answerable_where_a_value_is_expected() -> None:
    for case in CASES:
        values = ["value" in expected for expected in expected_figures(case)]
        assert case["answerable"] == (bool(values) and all(values)), case["id"]


def test_every_expected_figure_stands_in_a_fact_file() -> None:
    assert misstated(pack_path()) == []


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ('"value": "1320.5"', '"value": "1320.6"'),
        ('"value": "31", "unit": "PERSONS"', '"value": "31", "unit": "COUNT"'),
        ('"value": "24.1"', '"value": "22.4"'),
        ('"entity": "BVT_CN", "period": "FY2025"', '"entity": "BVT_CN", "period": "FY2024"'),
    ],
    ids=["another value", "another unit", "one of two sources", "a figure where none is expected"],
)
def test_an_expectation_that_is_not_true_is_reported(true: str, false: str, tmp_path: Path) -> None:
    """The saboteurs: the same suite with one expectation changed."""
    (tmp_path / "facts").symlink_to(FACTS)
    (tmp_path / "profile.toml").symlink_to(pack_path() / "profile.toml")
    lines = (pack_path() / "suite.jsonl").read_text(encoding="utf-8")
    assert true in lines
    (tmp_path / "suite.jsonl").write_text(lines.replace(true, false), encoding="utf-8")
    assert misstated(tmp_path)
