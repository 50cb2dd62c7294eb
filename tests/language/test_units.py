"""One unit has many spellings; a reader sees it in the reader's own; a question asks for one only in so many words."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ankare.language.packs import named_lists
from ankare.language.unit_words import LANGUAGES
from ankare.language.units import asked_units, format_quantity, parse_unit, same_unit, unit_label


@pytest.mark.parametrize(
    ("code", "spellings"),
    [
        (
            "USD_M",
            ["USD_M", "MUSD", "USD million", "USDm", "$m", "US$ million", "百万美元", "miljoner dollar", "USD_MILLION"],
        ),
        ("SEK_M", ["SEK_M", "MSEK", "Mkr", "mnkr", "mkr", "miljoner kronor", "milj. kr.", "msek", "Ｍ ＳＥＫ"]),
        ("SEK_K", ["SEK_K", "KSEK", "TSEK", "tkr", "kkr", "tusental kronor", "(tusental kronor)", "thousands of SEK"]),
        ("SEK", ["SEK", "kr", "kr.", "kronor", "svenska kronor", "[SEK]", "瑞典克朗"]),
        ("USD_BN", ["USD_BN", "USD billion", "miljarder USD", "$bn", "十亿美元"]),
        ("GBP_K", ["£'000", "£000s", "GBP thousands"]),
        ("EUR_M", ["MEUR", "M€", "€m", "EUR million", "miljoner euro", "百万欧元"]),
        ("CNY_10K", ["万元", "CNY_10K"]),
        ("CNY_100M", ["亿元", "亿元人民币"]),
        ("CNY", ["元", "RMB", "人民币", "yuan", "CNY"]),
        ("USD_K", ["千美元", "USD '000", "KUSD"]),
        ("HKD_M", ["百万港元", "HK$m", "HKD million"]),
        ("PCT", ["%", "PCT", "procent", "percent", "per cent", "百分比", "％"]),
        ("COUNT", ["st", "antal", "units"]),
        ("PERSONS", ["personer", "headcount", "人", "employees"]),
    ],
)
def test_the_spellings_of_a_unit_mean_the_same(code: str, spellings: list[str]) -> None:
    for written in spellings:
        unit = parse_unit(written)
        assert unit is not None, written
        assert unit.code == code, written
        assert same_unit(written, code)


@pytest.mark.parametrize("written", ["ton CO2", "kr/aktie", "m", "XYZ_M", "million USD million"])
def test_an_unknown_unit_stays_itself(written: str) -> None:
    unit = parse_unit(written)
    assert unit is not None
    assert (unit.code, unit.kind, unit.currency) == (written, "other", None)
    assert unit_label(written, "sv") == written.replace(" ", "\u00a0")
    assert same_unit(written, written.upper())
    assert not same_unit(written, "SEK")


def test_no_unit_is_none() -> None:
    assert parse_unit(" ") is None
    assert same_unit("", " ")
    assert not same_unit("", "SEK")


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        ("1320.5", "USD_M", ("1\u00a0320,5\u00a0MUSD", "1,320.5\u00a0MUSD", "1,320.5\u00a0百万美元")),
        ("1320.5", "MUSD", ("1\u00a0320,5\u00a0MUSD", "1,320.5\u00a0MUSD", "1,320.5\u00a0百万美元")),
        ("12.40", "PCT", ("12,40\u00a0%", "12.40%", "12.40%")),
        ("12.4", "%", ("12,4\u00a0%", "12.4%", "12.4%")),
        ("7", "SEK_BN", ("7\u00a0miljarder\u00a0SEK", "7\u00a0billion\u00a0SEK", "7\u00a0十亿瑞典克朗")),
        ("7", "SEK_K", ("7\u00a0TSEK", "7\u00a0KSEK", "7\u00a0千瑞典克朗")),
        ("1450", "personer", ("1\u00a0450\u00a0personer", "1,450\u00a0people", "1,450\u00a0人")),
        (
            "-3",
            "CNY_10K",
            ("\u22123\u00a0tiotusental\u00a0CNY", "-3\u00a0ten\u00a0thousand\u00a0CNY", "-3\u00a0万人民币"),
        ),
        ("5", "ton CO2", ("5\u00a0ton\u00a0CO2", "5\u00a0ton\u00a0CO2", "5\u00a0ton\u00a0CO2")),
        ("5", "", ("5", "5", "5")),
    ],
)
def test_a_value_is_shown_whole_with_its_unit(value: str, unit: str, shown: tuple[str, str, str]) -> None:
    assert tuple(format_quantity(Decimal(value), unit, language) for language in LANGUAGES) == shown


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Vad var omsättningen i kronor 2024?", [("kronor", "SEK")]),
        ("Omsättning 2024 SEK", [("SEK", "SEK")]),
        ("Resultat i MSEK för Q1 2024", [("MSEK", "SEK_M")]),
        ("Hur många miljoner kronor omsatte koncernen?", [("miljoner kronor", "SEK_M")]),
        ("omsättning i miljoner", [("miljoner", "M")]),
        ("Marginalen i procent?", [("procent", "PCT")]),
        ("i usd, tack", [("usd", "USD")]),
        ("What was revenue in EUR?", [("EUR", "EUR")]),
        ("What was revenue in euros and in US dollars?", [("euros", "EUR"), ("US dollars", "USD")]),
        ("revenue (USDm)", [("USDm", "USD_M")]),
        ("in thousands of SEK", [("thousands of SEK", "SEK_K")]),
        ("in Turkish lira", [("Turkish lira", "TRY")]),
        ("用人民币表示的营收", [("人民币", "CNY")]),
        ("用SEK回答", [("SEK", "SEK")]),
        ("营收是多少万元？", [("万元", "CNY_10K")]),
        ("营收是多少元？", [("元", "CNY")]),
        ("营收以百万计", [("百万", "M")]),
        ("ＳＥＫ 2024", [("ＳＥＫ", "SEK")]),
        ("Omsättning İ SEK", [("SEK", "SEK")]),
    ],
)
def test_a_question_asks_for_a_unit_by_name(question: str, asked: list[tuple[str, str]]) -> None:
    found = asked_units(question, LANGUAGES)
    assert [(question[start:end], unit.code) for start, end, unit in found] == asked


@pytest.mark.parametrize(
    "question",
    [
        "Vilka kvartal översteg omsättningen 5 miljoner kronor?",
        "Which deals were above $5m or EUR 2,000?",
        "Did we win the real deal?",
        "Try to tell all about Ron and the top inns",
        "Hur mycket köpte KKR av Kronofogden?",
        "Vad är en SEK-obligation?",
        "Hur gick det i eurozonen?",
        "Vad gjorde Maud i rand?",
        "How did the euro area do?",
        "单元测试用了哪些元素？",
        "公元2024年元旦的多元化",
        "欧元区的营收是多少？",
        "千里之行始于足下",
        "i m och k",
        "sekunder",
        "Hur stora var de i antal?",
    ],
)
def test_an_ordinary_word_or_a_stated_amount_asks_for_no_unit(question: str) -> None:
    assert asked_units(question, LANGUAGES) == ()


def test_a_long_row_of_numbers_is_soon_looked_through() -> None:
    assert asked_units("1 " * 2000 + "1" * 4000 + "一" * 2000, LANGUAGES) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pack_names_every_currency_and_magnitude(language: str) -> None:
    here = named_lists(language, "units")
    for other in LANGUAGES:
        needed = [key for key in named_lists(other, "units") if key.isupper() or key.startswith(("ten_", "count_"))]
        assert [key for key in needed if key not in here and key != "ten_2"] == []
