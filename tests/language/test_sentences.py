from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.language.languages import get_language

WHOLE = [
    "Vi använder t.ex. el, gas m.m. i huset.",
    "Mötet hålls den 3. maj i Lund.",
    "Bussen går kl. 10.30 från torget.",
    "Priset är 12.5 kronor per kg.",
    "Enligt kap. 3 ska planen finnas.",
    "J. A. Berg skrev boken.",
    "Se nr. 4 och s. 12 i boken.",
    "Han sa ... ingenting.",
    "Den gäller fr.o.m. måndag t.o.m. fredag.",
    "Reglerna gäller (se bl.a. bilaga 2) alla.",
    "Version 2.1.3 är ny.",
    "Dvs. alla får komma.",
]

SPLIT = [
    ("Det regnar. Vi går in.", ["Det regnar.", "Vi går in."]),
    ("Kommer du? Ja! Bra.", ["Kommer du?", "Ja!", "Bra."]),
    ('Han sa: "Nej!" Sedan gick han.', ['Han sa: "Nej!"', "Sedan gick han."]),
    ("Ta med kläder, mat m.m. Bussen går nio.", ["Ta med kläder, mat m.m.", "Bussen går nio."]),
    ("Det var 1998. Sedan kom 1999.", ["Det var 1998.", "Sedan kom 1999."]),
    ("Ett stycke utan punkt\n\nNästa stycke", ["Ett stycke utan punkt", "Nästa stycke"]),
    ("Ta med:\n• mat\n• vatten", ["Ta med:", "• mat", "• vatten"]),
    ("Raden bryts\nmitt i meningen.", ["Raden bryts\nmitt i meningen."]),
    ("(Se bilaga.) Planen gäller.", ["(Se bilaga.)", "Planen gäller."]),
]


@pytest.mark.parametrize("text", WHOLE)
def test_abbreviations_ordinals_and_numbers_end_no_sentence(text: str) -> None:
    assert get_language("sv").sentences(text) == [(0, len(text))]


@pytest.mark.parametrize(("text", "expected"), SPLIT)
def test_sentences_end_where_a_reader_stops(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in get_language("sv").sentences(text)] == expected


def test_english_abbreviations_end_no_sentence() -> None:
    text = "Use a tool, e.g. a saw, i.e. one for wood. Dr. Hill agrees."
    assert [text[s:e] for s, e in get_language("en").sentences(text)] == [
        "Use a tool, e.g. a saw, i.e. one for wood.",
        "Dr. Hill agrees.",
    ]


def test_chinese_marks_end_sentences() -> None:
    text = "今天下雨。我们回家吗？好！"
    assert [text[s:e] for s, e in get_language("zh").sentences(text)] == ["今天下雨。", "我们回家吗？", "好！"]


@given(st.text(alphabet=st.sampled_from("aÅb1.!?…。 \n\t•-\"')(”\ud800\x00")))
def test_spans_cover_all_text_but_white_space_in_order(text: str) -> None:
    spans = get_language("sv").sentences(text)
    assert all(start < end and text[start:end] == text[start:end].strip() for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    outside = list(text)
    for start, end in spans:
        outside[start:end] = " " * (end - start)
    assert not "".join(outside).strip()
