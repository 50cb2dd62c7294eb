"""A value is exact or refused: neither its decimal mark nor its being a share is ever guessed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from ankare.ingest.figures import amounts, assemble
from ankare.ingest.figures.amounts import Amount, Column, read_amount
from ankare.ingest.figures.cells import Cell, ErrorValue, Merged, Missing, Percent
from tests.ingest.figures.making import csv_file, faults_of, read


def values(folder: Path, *rows: tuple[str, str], unit: str = "") -> list[str]:
    """The values of rows of metric and value, or the faults."""
    text = "metric;entity;period;value;unit\n" + "".join(
        f"{metric};ACME;{2000 + at};{value};{unit}\n" for at, (metric, value) in enumerate(rows)
    )
    path = csv_file(folder, text)
    return faults_of(path) or [str(fact.value) for fact in read(path).facts]


@pytest.mark.parametrize(
    ("column", "decided"),
    [
        (["1,320", "2,5"], ["1.320", "2.5"]),
        (["1,320", "2.5"], ["1320", "2.5"]),
        (["1,320", "1,320,450"], ["1320", "1320450"]),
        (["1.320", "1 200,5"], ["1320", "1200.5"]),
        (["1.320", "0.125"], ["1.320", "0.125"]),
        (["1,320.5", "1 320,5"], ["1320.5", "1320.5"]),
        (["(1,320)", "2,5"], ["-1.320", "2.5"]),
    ],
)
def test_other_values_of_the_column_tell_the_decimal_mark(
    column: list[str], decided: list[str], tmp_path: Path
) -> None:
    assert values(tmp_path, *(("REVENUE", value) for value in column)) == decided


@pytest.mark.parametrize(
    ("metric", "column", "decided"),
    [
        ("MARGIN", ["12", "0.5"], ["12", "0.5"]),
        ("MARGIN", ["12 %", "12%", "0,4 %"], ["12", "12", "0.4"]),
        ("MARGIN", ["-12", "-0.5", "0"], ["-12", "-0.5", "0"]),
        ("TAX_RATE", ["0.206", "1", "25 %"], ["20.6", "100", "25"]),
        ("GROWTH", ["0.12", "1", "12"], ["0.12", "1", "12"]),
    ],
)
def test_percents_are_read_as_the_cell_the_column_or_the_profile_says(
    metric: str, column: list[str], decided: list[str], tmp_path: Path
) -> None:
    assert values(tmp_path, *((metric, value) for value in column)) == decided


def never_guesses_a_mark(read_column: Callable[[Sequence[tuple[str, str]]], list[str]]) -> None:
    for column in (["1,320"], ["1.320"], ["1,320", "7"], ["1,320", "1,320.5", "1 320,5"]):
        (fault,) = read_column([("REVENUE", value) for value in column])
        assert "can mean" in fault


def never_guesses_a_share(read_column: Callable[[Sequence[tuple[str, str]]], list[str]]) -> None:
    for column in (["0.12"], ["1"], ["-0.5"], ["0.12", "12 %"], ["0,12", "12 %", "15"]):
        faults = read_column([("MARGIN", value) for value in column])
        assert "can mean" in faults[0]


@pytest.mark.parametrize(
    ("column", "fault"),
    [
        (
            ["1,320"],
            "'1,320' can mean 1320 (the comma sets off thousands) or 1,32 (it sets off decimals): write 1320 or 1,32",
        ),
        (
            ["1.325"],
            "'1.325' can mean 1325 (the point sets off thousands) or 1.325 (it sets off decimals): write 1325 or 1.3250",
        ),
        (
            ["2,000"],
            "'2,000' can mean 2000 (the comma sets off thousands) or 2 (it sets off decimals): write 2000 or 2,0",
        ),
        (
            ["(1,320)"],
            "can mean -1320 (the comma sets off thousands) or -1,32 (it sets off decimals): write -1320 or -1,32",
        ),
    ],
)
def test_what_to_write_for_an_open_number_is_said_and_is_read(column: list[str], fault: str, tmp_path: Path) -> None:
    (found,) = values(tmp_path, ("REVENUE", column[0]))
    assert found.endswith(fault)
    for remedy in found.rpartition(": write ")[2].split(" or "):
        assert "can mean" not in values(tmp_path, ("REVENUE", remedy))[0]


@pytest.mark.parametrize("unit", ["", "%"])
def test_a_bare_share_beside_percent_signs_is_told_with_both_ways_to_write_it(unit: str, tmp_path: Path) -> None:
    (fault,) = values(tmp_path, ("MARGIN", "12,5 %"), ("MARGIN", "0,12"), ("MARGIN", "15"), unit=unit)
    assert 'can mean 0,12 % or 12 % (others here have a percent sign): write "0,12 %" or "12 %"' in fault
    assert values(tmp_path, ("GROWTH", "12 %"), ("GROWTH", "0,12"), ("TAX_RATE", "0.2")) == ["12", "0.12", "20"]


PROMISES = [never_guesses_a_mark, never_guesses_a_share]


@pytest.mark.parametrize("promise", PROMISES)
def test_what_can_mean_two_numbers_is_never_guessed(
    promise: Callable[[Callable[[Sequence[tuple[str, str]]], list[str]]], None], tmp_path: Path
) -> None:
    promise(lambda column: values(tmp_path, *column))


def test_a_reader_that_guesses_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The saboteurs: one takes a comma for the mark between thousands, the other every small percent as it stands."""
    monkeypatch.setattr(Column, "decided", lambda _self, amount: amount.number or Decimal(amount.text.replace(",", "")))
    with pytest.raises((AssertionError, ValueError)):
        never_guesses_a_mark(lambda column: values(tmp_path, *column))
    monkeypatch.undo()
    monkeypatch.setattr(assemble.Assembler, "_may_be_share", lambda _self, _draft: False)
    with pytest.raises((AssertionError, ValueError)):
        never_guesses_a_share(lambda column: values(tmp_path, *column))


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        (1320, "1320"),
        (1320.5, "1320.5"),
        (0.1, "0.1"),
        (0.1 + 0.2, "0.3"),
        (1320.4999999999998, "1320.5"),
        (1e21, "1000000000000000000000"),
        (123456789012345678, "123456789012345678"),
        (-0.0, "-0.0"),
        (Percent(0.124), "12.4"),
        (Percent(1), "100"),
        (Percent(0.07), "7"),
    ],
)
def test_a_workbooks_number_is_taken_as_it_is_shown(cell: Cell, number: str) -> None:
    amount = read_amount(cell, Column())
    assert str(amount.number) == number
    assert amount.percent == isinstance(cell, Percent)


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        (None, "no value"),
        (True, "TRUE, which is no number"),
        (ErrorValue("#REF!"), "the error value #REF!: leave the row out, or mend the formula"),
        (Missing.CACHED, "a formula without a cached value"),
        (Merged(5, "Blad1!C2:C3"), "one of the merged cells Blad1!C2:C3"),
        (float("inf"), "is not finite"),
        ("9" * 90, "at most 60 digits"),
    ],
)
def test_a_cell_that_holds_no_amount_says_why(cell: Cell, reason: str) -> None:
    with pytest.raises(ValueError, match=reason.replace("!", "[!]")):
        read_amount(cell, Column())


def test_a_hundredfold_is_exact_whatever_the_number_of_digits() -> None:
    digits = "0." + "123456789" * 6
    assert str(amounts.hundredfold(Decimal(digits))) == "12." + digits[4:]
    assert amounts.hundredfold(Decimal("0.12")) == 12
    assert Amount(Decimal(1)) == Amount(Decimal(1), "", False)
