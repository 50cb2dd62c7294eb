"""Is a plain text cut into evidence so that nothing is lost and every span is one of the text?"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.domain.document import UnitKind
from ankare.errors import BadInputError
from ankare.gate.grounding.evidence import chunk_of

PIECES = st.sampled_from(
    (
        *("Nämnden beslutar.", "den 3. maj", "t.ex.", "- ", "1. ", "a) ", " | ", "| a | b |", "|---|---|", "# "),
        *("\n", "\r\n", "\n\n", "\t", "  ", "\u2028", "å", "Ö", "12,5 %", "…", '"', "\x00", "世界。", "e\u0301"),
    )
)
TEXTS = st.lists(PIECES | st.text(max_size=6), max_size=24).map("".join)


@given(TEXTS)
def test_every_span_of_the_chunk_is_a_span_of_the_text(text: str) -> None:
    chunk = chunk_of(text, "sv")
    assert len(chunk.text) == len(text)
    assert all(
        mine == theirs or (mine in " \n" and theirs.isspace()) for mine, theirs in zip(chunk.text, text, strict=True)
    )
    for sentence in chunk.sentences:
        assert 0 <= sentence.start < sentence.end <= len(text)
        assert chunk.sentence_text(sentence).split() == text[sentence.start : sentence.end].split()


@given(TEXTS)
def test_sentences_stand_in_order_without_overlap_and_without_outer_white_space(text: str) -> None:
    chunk = chunk_of(text, "sv")
    ends = [0, *(sentence.end for sentence in chunk.sentences)]
    assert all(end <= sentence.start for end, sentence in zip(ends, chunk.sentences, strict=False))
    assert all(chunk.sentence_text(s) == chunk.sentence_text(s).strip() != "" for s in chunk.sentences)


@given(
    st.lists(
        st.sampled_from(["Nämnden beslutar.", "- två veckor", "1 | 2", "\n", "# Rubrik", "och sedan"]), max_size=12
    )
)
def test_no_word_is_lost_but_headings_which_become_the_section(lines: list[str]) -> None:
    chunk = chunk_of("\n".join(lines), "sv")
    held = re.findall(r"\w+", " ".join([*chunk.section, *map(chunk.sentence_text, chunk.sentences)]))
    assert sorted(held) == sorted(re.findall(r"\w+", "\n".join(lines)))


@given(TEXTS)
def test_no_sentence_crosses_a_line_break_that_stays(text: str) -> None:
    chunk = chunk_of(text, "sv")
    assert not any("\n" in chunk.sentence_text(sentence) for sentence in chunk.sentences)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Ett. Två.", ["Ett.", "Två."]),
        ("Beslutet fattas av\nnämnden.", ["Beslutet fattas av nämnden."]),
        (
            "Arbetet leds av en grupp som samordnas av\nAnna Berg.",
            ["Arbetet leds av en grupp som samordnas av Anna Berg."],
        ),
        ("Svar lämnas senast den\n3. maj av alla.", ["Svar lämnas senast den 3. maj av alla."]),
        ("Öppettider\nMåndag stängt.", ["Öppettider", "Måndag stängt."]),
        ("Detta krävs:\n- intyg\n- foto", ["Detta krävs:", "intyg", "foto"]),
        ("1. Ansök\n2. Vänta\n3) Hämta", ["Ansök", "Vänta", "Hämta"]),
        ("- intyg som är\n  undertecknat\n- foto", ["intyg som är   undertecknat", "foto"]),
        ("Avgift | 300 kr\nMoms | 25 %", ["Avgift | 300 kr", "Moms | 25 %"]),
        ("| Avgift | Kr |\n|---|---|\n| Vuxen | 300 |", ["Avgift | Kr", "Vuxen | 300"]),
        ("# Avgifter\nDe höjs.", ["De höjs."]),
        ("", []),
        (" \n\t\n", []),
    ],
)
def test_units_are_cut_where_a_reader_cuts_them(text: str, sentences: list[str]) -> None:
    chunk = chunk_of(text, "sv")
    assert [chunk.sentence_text(sentence) for sentence in chunk.sentences] == sentences


def test_kinds_groups_markers_and_headers_are_told() -> None:
    chunk = chunk_of("| A | B |\n|---|---|\n| 1 | 2 |\nDetta:\n• ett\n  • två\nSlut.", "sv")
    told = [(s.kind, s.group, s.marker, s.level, s.header) for s in chunk.sentences]
    assert told == [
        (UnitKind.ROW, 1, "", 0, True),
        (UnitKind.ROW, 1, "", 0, False),
        (UnitKind.SENTENCE, 0, "", 0, False),
        (UnitKind.ITEM, 2, "•", 0, False),
        (UnitKind.ITEM, 2, "•", 1, False),
        (UnitKind.SENTENCE, 0, "", 0, False),
    ]


def test_a_heading_is_where_the_text_stands_and_no_evidence() -> None:
    chunk = chunk_of("## Avgifter ##\nDe höjs.", "sv", id="x", title="Handbok", section=("Kapitel 1",))
    assert (chunk.id, chunk.title, chunk.section) == ("x", "Handbok", ("Kapitel 1", "Avgifter"))


def test_an_unknown_language_is_told() -> None:
    with pytest.raises(BadInputError, match="xx"):
        chunk_of("Text.", "xx")
