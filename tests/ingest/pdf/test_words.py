"""Are words whole: over line ends, in spite of odd spacing, whatever the code points?"""

from __future__ import annotations

from pathlib import Path

import pytest

from ankare.ingest.pdf.fragments import DOUBT, HYPHEN, settle
from ankare.ingest.pdf.joins import join, plain
from ankare.ingest.pdf.lines import split_marker
from tests.ingest.pdf.making import a4, is_word, put_lines, read, save, texts


@pytest.mark.parametrize(
    ("left", "right", "whole"),
    [
        ("en acceptans-", "test görs", "en acceptanstest görs"),
        (f"en acceptans{HYPHEN}", "test görs", "en acceptanstest görs"),
        (f"för IT{HYPHEN}", "miljön", "för IT-miljön"),
        ("med in-", "och utdata", "med in- och utdata"),
        ("med e-", "post", "med e-post"),
        ("Karl-", "Erik", "Karl-Erik"),
        ("år 2025-", "2026", "år 2025-2026"),
        ("okända ogräs-", "bekämpningen", "okända ogräsbekämpningen"),
        ("krav/", "mål", "krav/mål"),
        ("ett ord", "till", "ett ord till"),
        ("ett -", "streck", "ett - streck"),
        ("中文文", "本", "中文文本"),
    ],
)
def test_lines_join_as_a_reader_would(left: str, right: str, whole: str) -> None:
    assert join(left, right, is_word) + right == whole


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        (("te", "stplan"), "testplan"),
        (("da", "tum"), "datum"),
        (("det", "är"), "det är"),
        (("okänt", "ordval"), "okänt ordval"),
        (("2", "3"), "2 3"),
    ],
)
def test_doubtful_gap_is_settled_by_the_lexicon(parts: tuple[str, ...], whole: str) -> None:
    assert settle(DOUBT.join(parts), is_word) == whole


def test_gap_without_a_space_is_none_where_the_page_sets_spaces() -> None:
    assert settle(DOUBT.join(("sam", "bandslista")), is_word, spaces_are_set=True) == "sambandslista"
    assert settle(DOUBT.join(("det", "är")), is_word, spaces_are_set=True) == "det är"


@pytest.mark.parametrize(
    ("text", "marker", "rest"),
    [
        ("• punkt", "•", "punkt"),
        ("•punkt", "•", "punkt"),
        ("– punkt", "–", "punkt"),
        ("-punkt", "-", "punkt"),
        ("1. steg", "1.", "steg"),
        ("b) steg", "b)", "steg"),
        ("ordet o s v", "", "ordet o s v"),
        ("o s v", "", "o s v"),
        ("A. Andersson", "", "A. Andersson"),
        ("2026 års plan", "", "2026 års plan"),
        ("-5 grader", "", "-5 grader"),
        ("（一）目的", "（一）", "目的"),
        ("1、目的", "1、", "目的"),
    ],
)
def test_markers_are_told_from_text(text: str, marker: str, rest: str) -> None:
    assert split_marker(text) == (marker, rest)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("Namn: ______", "Namn:"), ("Ort: …………..", "Ort:"), ("4.10Teknisk plattform", "4.10 Teknisk plattform")],
)
def test_blanks_go_and_numbers_stand_apart(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_hyphen_at_a_line_end_is_joined_in_a_document(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put_lines(pdf, 72, 100, ["Kommunen gör en sammanhållen acceptans-", "test av hela systemet innan start."])
    assert texts(read(save(pdf, tmp_path))) == [
        "Kommunen gör en sammanhållen acceptanstest av hela systemet innan start."
    ]


def test_letterspaced_heading_keeps_its_words(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    pdf.set_char_spacing(4)
    put_lines(pdf, 72, 100, ["Viktig rubrik"], 16)
    pdf.set_char_spacing(0)
    put_lines(pdf, 72, 130, ["Vanlig text som följer efter rubriken."])
    assert texts(read(save(pdf, tmp_path)))[0] == "Viktig rubrik"
