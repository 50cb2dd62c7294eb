"""Which periods a text names is exact or refused: no time is read as a longer one, no number taken for a year."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable
from datetime import date
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.domain.fact import Period, PeriodType
from ankare.errors import PackError
from ankare.language.period_forms import PER_YEAR, make_period, year_and_part
from ankare.language.period_spans import MOST_IN_SPAN, span_periods, trailing_span
from ankare.language.period_words import KINDS, vocabulary
from ankare.language.periods import (
    MOST_PERIODS,
    PeriodMention,
    covers,
    find_periods,
    parse_period,
    period_code,
    period_label,
    shifted,
)

LANGUAGES = ("sv", "en", "zh")
TODAY = date(2025, 5, 20)
DATA = Path(__file__).parent / "data"


def table(name: str) -> list[tuple[str, str, str]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    rows = [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]
    return [(language, text, expected) for language, text, expected in rows]


FORMS = table("periods.tsv")
REFUSED = [row for row in FORMS if set(row[2].split()) <= {"?", "-"}]
SPANS = [row for row in FORMS if ".." in row[2]]


def written(mentions: tuple[PeriodMention, ...]) -> str:
    """Mentions as the tables write them."""
    return " ".join(_written(mention) for mention in mentions) or "-"


def _written(mention: PeriodMention) -> str:
    if mention.span is not None:
        whole, running = span_periods(mention.span)
        return f"{whole[0].value if whole else ''}..{'' if running else whole[-1].value}"
    return ("+".join(period.value for period in mention.periods) or "?") + "~" * mention.relative


def test_the_table_is_large_enough_to_mean_something() -> None:
    assert len(FORMS) >= 180
    assert len(REFUSED) >= 40
    assert len(SPANS) >= 40
    assert {language for language, _, _ in FORMS} == set(LANGUAGES)


@pytest.mark.parametrize(("language", "text", "expected"), FORMS)
def test_a_form_names_exactly_its_periods(language: str, text: str, expected: str) -> None:
    others = tuple(code for code in LANGUAGES if code != language)
    for languages in ((language,), (language, *others), LANGUAGES, LANGUAGES[::-1]):
        assert written(find_periods(text, languages, TODAY)) == expected, languages


@pytest.mark.parametrize(("language", "text", "expected"), table("periods_held_out.tsv"))
def test_a_form_that_the_rules_were_not_made_for(language: str, text: str, expected: str) -> None:
    assert written(find_periods(text, LANGUAGES, TODAY)) == expected, language


def full_width(text: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if sign.isascii() and sign.isalnum() else sign for sign in text)


@pytest.mark.parametrize(
    "disguise",
    [
        str.upper,
        str.lower,
        full_width,
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: text.replace(" ", "\u2009"),
        lambda text: text.replace("-", "\u2013"),
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: "\u200b".join(text),
        lambda text: f"({text})",
    ],
)
def test_case_width_spaces_and_invisible_characters_do_not_matter(disguise: Callable[[str], str]) -> None:
    for _, text, expected in FORMS:
        mentions = find_periods(disguise(text), LANGUAGES, TODAY)
        assert written(mentions) == expected, disguise(text)
        plain = [text[m.start : m.end] for m in find_periods(text, LANGUAGES, TODAY)]
        for mention, wanted in zip(mentions, plain, strict=True):
            assert same(disguise(text)[mention.start : mention.end], wanted)


def same(one: str, other: str) -> bool:
    """Are these the same words, however they are written?"""
    return bare(one) == bare(other)


def bare(text: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(folded.replace("\u200b", "").replace("\u2013", "-").split())


# What is told of a period


PERIODS = st.builds(
    lambda kind, year, part: made(kind, year, part % PER_YEAR[kind] + 1),
    st.sampled_from([kind.value for kind in PeriodType]),
    st.integers(1900, 2199),
    st.integers(0, 11),
)


def made(kind: str, year: int, part: int = 1) -> Period:
    period = make_period(kind, year, part)
    assert period is not None
    return period


@given(PERIODS)
def test_a_code_is_read_back(period: Period) -> None:
    assert parse_period(period_code(period)) == period
    assert parse_period(period.value) == period


@given(PERIODS, st.sampled_from(LANGUAGES))
def test_a_label_is_read_back(period: Period, language: str) -> None:
    label = period_label(period, language)
    assert parse_period(label, (language,)) == period
    if 1990 <= year_and_part(period)[0] <= TODAY.year:
        (mention,) = find_periods(label, LANGUAGES, TODAY)
        assert (mention.periods, mention.end, mention.relative) == ((period,), len(label), False)


@pytest.mark.parametrize(
    ("period", "code", "swedish", "english", "chinese"),
    [
        (("FY", "2024"), "FY2024", "2024", "2024", "2024年"),
        (("HY", "2024H1"), "2024H1", "första halvåret 2024", "the first half of 2024", "2024年上半年"),
        (
            ("TERTIAL", "2024T1"),
            "2024T1",
            "första tertialet 2024",
            "the first tertial of 2024",
            "2024年第一个四个月期",
        ),
        (("QUARTER", "2024Q3"), "2024Q3", "tredje kvartalet 2024", "Q3 2024", "2024年第三季度"),
        (("MONTH", "2024-03"), "2024-03", "mars 2024", "March 2024", "2024年3月"),
    ],
)
def test_a_period_has_a_code_and_a_name_in_each_language(
    period: tuple[str, str], code: str, swedish: str, english: str, chinese: str
) -> None:
    assert period_code(Period(*period)) == code
    names = [period_label(Period(*period), language) for language in LANGUAGES]
    assert names == [swedish, english, chinese]


@pytest.mark.parametrize(
    "wrong",
    [
        ("FY", "FY2024"),
        ("FY", "2024Q1"),
        ("QUARTER", "2024Q5"),
        ("TERTIAL", "2024T4"),
        ("MONTH", "2024-13"),
        ("HY", ""),
        ("DAY", "2024"),
    ],
)
def test_what_is_no_period_has_no_code(wrong: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="is no period"):
        period_code(Period(*wrong))


@given(PERIODS, st.integers(-40, 40))
def test_steps_lead_there_and_back(period: Period, steps: int) -> None:
    there = shifted(period, steps)
    assert there is not None
    assert shifted(there, -steps) == period
    assert (there > period) == (steps > 0)


def test_a_period_covers_its_parts_and_nothing_else() -> None:
    year, half, quarter, month = made("FY", 2024), made("HY", 2024, 2), made("QUARTER", 2024, 3), made("MONTH", 2024, 9)
    assert covers(year, half)
    assert covers(half, quarter)
    assert covers(quarter, month)
    assert covers(year, year)
    tertial = made("TERTIAL", 2024, 2)
    assert covers(year, tertial)
    assert covers(tertial, made("MONTH", 2024, 5))
    assert not covers(tertial, made("QUARTER", 2024, 2))
    assert not covers(half, tertial)
    assert not covers(quarter, half)
    assert not covers(half, made("QUARTER", 2024, 2))
    assert not covers(year, made("MONTH", 2025, 1))


# One period and nothing else


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024", ("FY", "2024")),
        (" FY2024 ", ("FY", "2024")),
        ("fy2024", ("FY", "2024")),
        ("1985", ("FY", "1985")),
        ("2024q3", ("QUARTER", "2024Q3")),
        ("Helår 2024", ("FY", "2024")),
        ("Mar-24", ("MONTH", "2024-03")),
        ("2024t1", ("TERTIAL", "2024T1")),
        ("Tertial 1 2024", ("TERTIAL", "2024T1")),
        ("T1 2024", ("TERTIAL", "2024T1")),
        ("kv 3 2024", ("QUARTER", "2024Q3")),
        ("under 2024", ("FY", "2024")),
        ("in the first half of 2024", ("HY", "2024H1")),
        ("2024年第三季度", ("QUARTER", "2024Q3")),
    ],
)
def test_a_cell_is_one_period(text: str, expected: tuple[str, str]) -> None:
    assert parse_period(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "1850",
        "1320",
        "9999",
        "2024.5",
        "2024 2025",
        "2022-2024",
        "2024-13",
        "2024-3",
        "2024Q5",
        "2024-03-15",
        "15 mars 2024",
        "omsättning 2024",
        "2024 omsättning",
        "2024 kr",
        "minst 2024",
        "2024?",
        "R12",
        "2024T4",
        "1T24",
        "T-1 2024",
        "Q3",
        "T1",
        "tertial 1",
        "i fjol",
        "mars",
        "på",
    ],
)
def test_a_cell_that_is_not_one_period_is_none(text: str) -> None:
    assert parse_period(text) is None


def test_a_relative_period_needs_a_reference_date() -> None:
    assert parse_period("i fjol", reference_date=TODAY) == ("FY", "2024")
    assert parse_period("Q3", reference_date=TODAY) == ("QUARTER", "2025Q3")
    assert parse_period("T1", reference_date=TODAY) == ("TERTIAL", "2025T1")
    assert parse_period("last quarter", reference_date=date(2025, 1, 1)) == ("QUARTER", "2024Q4")


def test_steps_cross_the_turn_of_the_year() -> None:
    for text, day, expected in (
        ("last month", date(2025, 1, 31), "2024-12"),
        ("förra halvåret", date(2025, 7, 1), "2025H1"),
        ("上个季度", date(2025, 3, 31), "2024Q4"),
        ("förra tertialet", date(2025, 4, 30), "2024T3"),
        ("last tertial", date(2025, 9, 1), "2025T2"),
        ("next quarter", date(2025, 12, 31), "2026Q1"),
    ):
        assert written(find_periods(text, LANGUAGES, day)) == f"{expected}~"


def test_a_language_without_a_pack_is_an_error() -> None:
    with pytest.raises(PackError, match="'de'"):
        find_periods("2024", ("de",), TODAY)


def test_the_language_that_comes_first_decides_a_word_that_two_share() -> None:
    assert written(find_periods("antal fall 2024", ("sv", "en"), TODAY)) == "2024"
    assert written(find_periods("in fall 2024", ("en", "sv"), TODAY)) == "?"


# Laws


def words(text: str) -> list[str]:
    return text.split("|")


PARTS_OF_A_YEAR = words(
    "Q1|Q3|H2|kvartal 2|tredje kvartalet|andra halvåret|mars|January|första halvan|third quarter|second half|第三季度|上半年"
    "|3月|Q5|H3|vecka 12|week 3|15 mars|March 15|15/3|den 3:e maj|första tertialet|T2|9M|kvartalet|halvåret|månaden|quarter"
    "|half|3月15日|第五季度|T4|T-1|tertialet|second tertial|第二个四个月期"
)
BESIDE_A_YEAR = words(
    "slutet|början|mid|early|sommaren|spring|LTM|YTD|R12|hittills|de senaste 12 månaderna|the past two quarters|sedan|before"
    "|efter|前三季度"
)
"""What says something of a year only where it stands right beside it."""
GLUE = (" ", " i ", " av ", " in ", " under ", "-")
DISTANCE = (", ", "/", " (", " för Kina ", " in Hong Kong ", " i Kina och Hongkong ", " omsättning ")
NOISE = ("", "Vad var omsättningen ", "omsättning Kina ", "revenue ", "营收", "Hur stort var resultatet ")
ENDS = ("", "?", " i Kina?", " for the group", " 香港", " rörelseresultat", "!")


def widened(mentions: tuple[PeriodMention, ...]) -> bool:
    """Is a text that names a part of a year told to name a year?"""
    return any(period.type == PeriodType.FY for mention in mentions for period in mention.periods)


@given(
    st.sampled_from(NOISE), st.sampled_from(PARTS_OF_A_YEAR), st.sampled_from(GLUE + DISTANCE), st.sampled_from(ENDS)
)
def test_a_part_of_a_year_is_never_widened_to_the_year(noise: str, part: str, glue: str, end: str) -> None:
    for text in (f"{noise}{part}{glue}2024{end}", f"{noise}2024 {part}{end}"):
        assert not widened(find_periods(text, LANGUAGES, TODAY)), text


@given(st.sampled_from(NOISE), st.sampled_from(BESIDE_A_YEAR), st.sampled_from(GLUE), st.sampled_from(ENDS))
def test_a_span_or_an_open_range_is_never_told_as_the_year(noise: str, span: str, glue: str, end: str) -> None:
    text = f"{noise}{span}{glue}2024{end}"
    assert not widened(find_periods(text, LANGUAGES, TODAY)), text


def careless(text: str) -> tuple[PeriodMention, ...]:
    """A reader that takes every four digits for a year."""
    years = re.finditer(r"(?:19|20)\d\d", text)
    return tuple(PeriodMention(found.start(), found.end(), (Period("FY", found[0]),)) for found in years)


def test_a_careless_reader_is_caught_widening() -> None:
    assert all(widened(careless(f"{part} 2024")) for part in PARTS_OF_A_YEAR + BESIDE_A_YEAR)
    caught = [
        text for _, text, _ in REFUSED if written(careless(text)) != written(find_periods(text, LANGUAGES, TODAY))
    ]
    assert len(caught) > 60


FRAGMENTS = st.sampled_from(
    [text for _, text, _ in FORMS]
    + [phrase for phrase in vocabulary(LANGUAGES).meanings if phrase]
    + words("2024 | 24|-|/|,|.|:|'|och | and |、|Q3|1H|FY|第|年|月|季度|  |\n|x|3|12|kr|%|İ|ﬁ|é|\u0301|\u200b|２|½")
)


def is_sound(text: str, mentions: tuple[PeriodMention, ...]) -> bool:
    """Do the mentions stand in the text, in order, apart from each other, with periods that exist?"""
    places = [place for mention in mentions for place in (mention.start, mention.end)]
    inside = all(0 <= mention.start < mention.end <= len(text) for mention in mentions)
    periods = [period for mention in mentions for period in mention.periods]
    few = all(len(mention.periods) <= MOST_PERIODS for mention in mentions)
    ordered = all(list(mention.periods) == sorted(set(mention.periods)) for mention in mentions)
    return inside and places == sorted(places) and few and ordered and all(map(year_and_part, periods))


@given(
    st.one_of(st.text(), st.lists(FRAGMENTS, max_size=8).map("".join), st.lists(FRAGMENTS, max_size=8).map(" ".join))
)
def test_mentions_are_sound_in_any_text(text: str) -> None:
    assert is_sound(text, find_periods(text, LANGUAGES, TODAY))
    assert find_periods(text, LANGUAGES, TODAY) == find_periods(text, LANGUAGES, TODAY)
    parse_period(text, reference_date=TODAY)


def test_unsound_mentions_are_caught() -> None:
    year = (Period("FY", "2024"),)
    assert not is_sound("2024", (PeriodMention(0, 5, year),))
    assert not is_sound("2024", (PeriodMention(0, 3, year), PeriodMention(2, 4, year)))
    assert not is_sound("2024", (PeriodMention(2, 2, year),))


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_number_with_a_word_of_quantity_is_no_year(code: str) -> None:
    for phrase, meaning in vocabulary((code,)).meanings.items():
        if meaning.kind == KINDS["quantity"]:
            assert written(find_periods(f"{phrase} 2024", (code,), TODAY)) == "-", phrase
        if meaning.kind == KINDS["counted"]:
            assert written(find_periods(f"2024 {phrase}", (code,), TODAY)) == "-", phrase


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_phrase_stands_under_one_role_of_its_pack(code: str) -> None:
    file = files("ankare.language").joinpath("packs", code, "periods.toml")
    pack = tomllib.loads(file.read_text(encoding="utf-8"))
    places: dict[str, list[str]] = {}
    for key, phrases in pack.items():
        if not key.startswith(("code", "suffix", "label", "digits", "ten", "ordinal ", "closing", "month?")):
            for phrase in phrases:
                places.setdefault(phrase, []).append(key)
    assert {phrase: keys for phrase, keys in places.items() if len(keys) > 1} == {}


@pytest.mark.parametrize(("language", "text", "expected"), SPANS)
def test_a_span_gives_no_periods_to_those_who_know_no_spans(language: str, text: str, expected: str) -> None:
    for mention in find_periods(text, (language,), TODAY):
        assert (mention.span is None) != (mention.periods == ())
    assert parse_period(text, (language,), TODAY) is None


def test_a_span_ends_with_the_last_whole_period() -> None:
    for day, text, expected in (
        (date(2024, 12, 31), "senaste två åren", "2022..2023"),
        (date(2025, 1, 1), "senaste två åren", "2023..2024"),
        (date(2025, 3, 31), "last two quarters", "2024Q3..2024Q4"),
        (date(2025, 4, 30), "de senaste två tertialen", "2024T2..2024T3"),
        (date(2025, 1, 1), "sedan 2025", ".."),
        (date(2024, 12, 31), "sedan 2025", "?"),
        (date(2025, 1, 1), "past two months", "2024-11..2024-12"),
    ):
        assert written(find_periods(text, LANGUAGES, day)) == expected, text


def test_years_of_a_span_are_told_by_their_parts() -> None:
    (since,) = find_periods("sedan 2024", LANGUAGES, TODAY)
    assert since.span is not None
    whole, running = span_periods(since.span, "QUARTER")
    assert [period.value for period in whole] == ["2024Q1", "2024Q2", "2024Q3", "2024Q4", "2025Q1"]
    assert running == ("QUARTER", "2025Q2")
    (last,) = find_periods("senaste två åren", LANGUAGES, TODAY)
    assert last.span is not None
    whole, running = span_periods(last.span, "TERTIAL")
    assert [period.value for period in whole] == [f"{year}T{part}" for year in (2023, 2024) for part in (1, 2, 3)]
    assert running is None
    (quarters,) = find_periods("senaste två kvartalen", LANGUAGES, TODAY)
    assert quarters.span is not None
    assert span_periods(quarters.span, "MONTH") == span_periods(quarters.span)


@given(st.sampled_from(list(PeriodType)), st.integers(1, 80), st.dates(date(1990, 1, 1), date(2100, 12, 31)))
def test_a_trailing_span_has_as_many_periods_as_it_says(kind: PeriodType, number: int, day: date) -> None:
    span = trailing_span(kind.value, number, day)
    assert span is not None
    whole, running = span_periods(span)
    assert running is None
    assert len(whole) == (number if number <= MOST_IN_SPAN else 0)
    assert all(shifted(one, 1) == other for one, other in pairwise(whole))


def test_a_year_far_from_the_reference_date_is_a_number() -> None:
    assert written(find_periods("omsättning 1989", LANGUAGES, TODAY)) == "-"
    assert written(find_periods("omsättning 1990", LANGUAGES, TODAY)) == "1990"
    assert written(find_periods("omsättning 2035", LANGUAGES, TODAY)) == "2035"
    assert written(find_periods("omsättning 2036", LANGUAGES, TODAY)) == "-"
    assert written(find_periods("omsättning år 1989", LANGUAGES, TODAY)) == "1989"
    assert written(find_periods("omsättning 1980-1990", LANGUAGES, TODAY)) == "?"


def test_a_range_holds_at_most_a_dozen_periods() -> None:
    assert len(find_periods("januari till december 2024", LANGUAGES, TODAY)[0].periods) == MOST_PERIODS
    assert find_periods("2013-2025", LANGUAGES, TODAY)[0].periods == ()
