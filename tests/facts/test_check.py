"""Which periods are periods, and what a refusal says."""

from __future__ import annotations

import pytest

from ankare.domain.fact import PeriodType
from ankare.errors import BadInputError
from ankare.facts.check import check, period_fits
from tests.facts.making import fact

FITTING = {
    ("FY", "2024"), ("FY", "1999"), ("HY", "2024H1"), ("HY", "2024H2"), ("QUARTER", "2024Q1"), ("QUARTER", "2024Q4"),
    ("TERTIAL", "2024T1"), ("TERTIAL", "2024T3"), ("MONTH", "2024-01"), ("MONTH", "2024-12"),
}  # fmt: skip
VALUES = [
    "2024", "1999", "24", "02024", "2024H1", "2024H2", "2024H0", "2024H3", "H12024", "2024h1", "2024Q1", "2024Q4", "2024Q0",
    "2024Q5", "2024q1", "2024-01", "2024-12", "2024-00", "2024-13", "2024-1", "2024/01", "2024-01-01", "", " 2024", "2024 ",
    "2024T1", "2024T3", "2024T0", "2024T4", "2024t1", "T12024", "2024\n", "２０２４", "٢٠٢٤", "FY2024", "-2024", "2024.0",
]  # fmt: skip


def test_a_period_fits_its_own_type_alone() -> None:
    types = [*PeriodType, "YEAR", "fy", ""]
    assert {(str(kind), value) for kind in types for value in VALUES if period_fits(kind, value)} == FITTING


def test_a_refusal_names_source_field_and_remedy() -> None:
    with pytest.raises(BadInputError) as told:
        check(fact(period_type="HY", period="2024"))
    assert str(told.value) == (
        "A figure from Bokslut.xlsx, Blad1!C7 cannot be stored: period '2024' is no period of type HY. Write it as 2024H1."
    )


def test_a_refusal_cannot_flood_or_move_the_terminal() -> None:
    with pytest.raises(BadInputError) as told:
        check(fact(source_doc_id="\x1b[2J" + "x" * 3000, metric_code=" " + "y" * 150))
    assert len(str(told.value)) < 400
    assert "\x1b" not in str(told.value)
