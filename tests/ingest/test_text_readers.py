"""What the readers of plain text, Markdown and CSV make of a file."""

from __future__ import annotations

import pytest

from ankare.domain.document import BlockKind, Extraction
from ankare.errors import DocumentError
from ankare.ingest import read_text
from ankare.ingest.read_markdown import read_markdown


def shape(found: Extraction) -> list[tuple[str, int, str, str]]:
    return [(block.kind.value, block.level, block.marker, block.text) for block in found.blocks]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("å".encode(), "å"),
        ("﻿å".encode(), "å"),
        ("å".encode("cp1252"), "å"),
        ("“å”".encode("cp1252"), "“å”"),
        ("å".encode("utf-16"), "å"),
    ],
)
def test_encodings_are_told_apart(data: bytes, text: str) -> None:
    assert read_text.decode(data) == text


def test_broken_utf16_is_an_error_with_a_remedy() -> None:
    with pytest.raises(DocumentError, match="UTF-8"):
        read_text.decode(b"\xff\xfea")


def test_headings_of_plain_text() -> None:
    text = "Plan\n====\n\nInledning.\n\n1.2 Mål\n\nMålet är stöd.\n\nRISKER\n\nFå.\n\nUnder\n-----\nText."
    assert shape(read_text.read_text(text, "x")) == [
        ("heading", 1, "", "Plan"),
        ("paragraph", 0, "", "Inledning."),
        ("heading", 2, "", "1.2 Mål"),
        ("paragraph", 0, "", "Målet är stöd."),
        ("heading", 1, "", "RISKER"),
        ("paragraph", 0, "", "Få."),
        ("heading", 2, "", "Under"),
        ("paragraph", 0, "", "Text."),
    ]


def test_lists_of_plain_text_keep_markers_levels_and_continued_lines() -> None:
    text = "Detta ingår:\n- ett som\n  går vidare\n  - inre\n- två\n\n1. först\n2. sedan\n\nSlut."
    found = read_text.read_text(text, "x")
    assert shape(found) == [
        ("paragraph", 0, "", "Detta ingår:"),
        ("item", 0, "•", "ett som går vidare"),
        ("item", 1, "•", "inre"),
        ("item", 0, "•", "två"),
        ("item", 0, "1.", "först"),
        ("item", 0, "2.", "sedan"),
        ("paragraph", 0, "", "Slut."),
    ]


def test_a_year_or_a_spaced_numbered_list_is_no_heading() -> None:
    found = read_text.read_text("1. Ett\n\n2. Två\n\n3. Tre\n", "x")
    assert {block.kind for block in found.blocks} == {BlockKind.ITEM}


def test_markdown_blocks() -> None:
    text = (
        "# Plan\n\nMed *kursiv* och `kod`.\n\n- ett\n  - inre\n- två\n\n  mer om två\n\n3. tre\n4. fyra\n\n"
        "| Roll | Ansvar |\n|---|---|\n| Chef | Beslut |\n\n> Citat.\n\n```\nkod\n```\n"
    )
    found = read_markdown(text, "x")
    assert found.title == "Plan"
    assert shape(found) == [
        ("heading", 1, "", "Plan"),
        ("paragraph", 0, "", "Med kursiv och kod."),
        ("item", 0, "•", "ett"),
        ("item", 1, "•", "inre"),
        ("item", 0, "•", "två mer om två"),
        ("item", 0, "3.", "tre"),
        ("item", 0, "4.", "fyra"),
        ("row", 0, "", "Roll | Ansvar"),
        ("row", 0, "", "Chef | Beslut"),
        ("paragraph", 0, "", "Citat."),
        ("paragraph", 0, "", "kod"),
    ]
    assert [block.header for block in found.blocks if block.kind is BlockKind.ROW] == [True, False]


def test_markdown_comments_and_hidden_html_are_left_out_and_reported() -> None:
    found = read_markdown(
        "Synlig <!-- inne --> text.\n\n<!-- block -->\n\n<div hidden>gömd</div>\n\n<p>Syns.</p>\n", "x"
    )
    assert [block.text for block in found.blocks] == ["Synlig text.", "Syns."]
    assert found.hidden_text == ("inne", "block", "gömd")


def test_front_matter_gives_the_title_and_is_no_text() -> None:
    found = read_markdown('---\ntitle: "Drift"\ntags: [a]\n---\nText.\n', "x")
    assert (found.title, [block.text for block in found.blocks]) == ("Drift", ["Text."])


def test_csv_rows_have_a_header() -> None:
    found = read_text.read_csv("Roll;Ansvar\nChef;Beslut\n", "roller")
    assert [(block.text, block.header) for block in found.blocks] == [("Roll | Ansvar", True), ("Chef | Beslut", False)]


@pytest.mark.parametrize("markup", ["<html", "<!doctype html>", "<?", "</p>", "<!--", "<body", "<html>\n"])
def test_markup_that_says_nothing_in_markdown_takes_nothing_with_it(markup: str) -> None:
    found = read_markdown(f"Beslutet gäller.\n\n{markup}", "x")
    assert [block.text for block in found.blocks] == ["Beslutet gäller."]


def test_html_nested_deeply_in_markdown_is_read() -> None:
    html = "<div>" * 400 + "Beslutet gäller." + "</div>" * 400
    assert [block.text for block in read_markdown(html, "x").blocks] == ["Beslutet gäller."]
