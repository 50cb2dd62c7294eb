"""A number is written with every digit and read only where it means one thing."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.language.numbers import format_decimal, parse_decimal

MARKS = {"sv": ("\u00a0", ",", "\u2212"), "en": (",", ".", "-"), "zh": (",", ".", "-")}


@pytest.mark.parametrize(
    ("value", "swedish", "english"),
    [
        ("1320.50", "1\u00a0320,50", "1,320.50"),
        ("-1234567.8", "\u22121\u00a0234\u00a0567,8", "-1,234,567.8"),
        ("999", "999", "999"),
        ("0.00", "0,00", "0.00"),
        ("-0.0", "0,0", "0.0"),
        ("1E+3", "1\u00a0000", "1,000"),
        ("0.000000123", "0,000000123", "0.000000123"),
        ("1234567890123456789012345678901234567890.12", "1234567890123456789012345678901234567890,12", ""),
    ],
)
def test_every_digit_is_written(value: str, swedish: str, english: str) -> None:
    grouped = format_decimal(Decimal(value), "sv")
    assert grouped.replace("\u00a0", "") == swedish.replace("\u00a0", "")
    if english:
        assert grouped == swedish
        assert format_decimal(Decimal(value), "en") == format_decimal(Decimal(value), "zh") == english


decimals = st.decimals(allow_nan=False, allow_infinity=False, places=4) | st.integers().map(Decimal)


@given(decimals, st.sampled_from(sorted(MARKS)))
def test_what_is_written_is_read_back(value: Decimal, language: str) -> None:
    mark = MARKS[language][1]
    assert parse_decimal(format_decimal(value, language), decimal=mark) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 320,5", "1320.5"),
        ("1\u00a0320,50", "1320.50"),
        ("1\u202f320\u202f450", "1320450"),
        ("1,320.5", "1320.5"),
        ("1.320,5", "1320.5"),
        ("1'320.5", "1320.5"),
        ("1\u2019320\u2019000", "1320000"),
        ("1,320,450", "1320450"),
        ("1.320.450,25", "1320450.25"),
        ("1320,500", "1320.500"),
        ("1 320,500", "1320.500"),
        ("0,125", "0.125"),
        ("12.5", "12.5"),
        (".5", "0.5"),
        ("\u221212", "-12"),
        ("\u2013 12,5", "-12.5"),
        ("+7", "7"),
        ("(12,5)", "-12.5"),
        ("( 1 320 )", "-1320"),
        ("(0)", "0"),
        ("\uff11\uff13\uff12\uff10\uff0e\uff15", "1320.5"),
        ("\uff08\uff11\uff12\uff09", "-12"),
        ("  42  ", "42"),
        ("1234567890123456789012345678901234567.89", "1234567890123456789012345678901234567.89"),
        ("(1234567890123456789012345678901234567.89)", "-1234567890123456789012345678901234567.89"),
    ],
)
def test_a_number_in_any_usual_form_is_read_exactly(text: str, value: str) -> None:
    assert str(parse_decimal(text)) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no number"),
        (" ", "no number"),
        ("-", "no number"),
        ("n/a", "no number"),
        ("--5", "no number"),
        ("(-5)", "no number"),
        ("12.", "no number"),
        ("5\u00b2", "no number"),
        ("\u0661\u0662", "no number"),
        ("12 %", "percent sign"),
        ("1e5", "exponent"),
        ("1,5E+06", "exponent"),
        ("1 32", "three digits"),
        ("1,32,000", "three digits"),
        ("1.2.3", "three digits"),
        ("1,320.5.5", "more than once"),
        ("1,320.500,5", "more than once|between its decimals"),
        ("1 320.450,5", "two ways"),
        ("9" * 200, "200 characters"),
        ("inf", "no number"),
        ("NaN", "no number"),
    ],
)
def test_what_is_no_number_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_decimal(text)


@pytest.mark.parametrize("text", ["1,320", "1.320", "12,500", "-1,320", "(1.320)"])
def test_one_mark_before_three_digits_is_never_guessed(text: str) -> None:
    with pytest.raises(ValueError, match="two numbers"):
        parse_decimal(text)
    assert abs(parse_decimal(text, decimal="," if "." in text else ".")) >= 1320
    assert abs(parse_decimal(text, decimal="," if "," in text else ".")) < 13


def test_languages_that_share_a_decimal_mark_decide() -> None:
    assert parse_decimal("1,320", ("sv",)) == Decimal("1.320")
    assert parse_decimal("1,320", ("en", "zh")) == Decimal(1320)


def test_the_mark_that_is_told_does_not_overrule_what_the_number_shows() -> None:
    assert parse_decimal("1,320.5", decimal=",") == Decimal("1320.5")
    assert parse_decimal("1,5", decimal=".") == Decimal("1.5")
