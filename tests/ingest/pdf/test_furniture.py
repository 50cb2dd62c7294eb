"""Does page furniture go, and nothing but furniture?"""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from ankare.ingest.pdf.artefacts import mask
from tests.ingest.pdf.making import a4, headings, put, put_lines, read, save, texts


def handbook(folder: Path, pages: int, labels: bool = True) -> Path:
    pdf = a4()
    for number in range(1, pages + 1):
        pdf.add_page()
        put(pdf, 57, 40, "Kommunens handbok", 9)
        put(pdf, 430, 40, "2026-01-15", 9)
        if labels:
            put(pdf, 72, 160, "Resultat", 11, "B")
        put_lines(
            pdf, 72, 180, [f"Stycke nummer {'abcdefgh'[number % 8]} om arbetet.", "Samma avslutning på varje sida."]
        )
        put(pdf, 290, 820, f"Sida {number} ({pages})", 9)
    return save(pdf, folder)


def test_running_header_and_page_number_go(tmp_path: Path) -> None:
    found = " ".join(texts(read(handbook(tmp_path, 5))))
    for gone in ("Kommunens handbok", "2026-01-15", "Sida"):
        assert gone not in found


def test_label_that_repeats_in_the_body_stays_on_every_page(tmp_path: Path) -> None:
    found = texts(read(handbook(tmp_path, 5)))
    assert found.count("Resultat") == 5
    assert sum("Samma avslutning på varje sida." in text for text in found) == 5


def test_pages_that_all_say_the_same_keep_what_they_say(tmp_path: Path) -> None:
    pdf = a4()
    for _ in range(3):
        pdf.add_page()
        put_lines(pdf, 72, 60, ["Håll dörren stängd.", "Ring vid brand."])
    assert "Håll dörren stängd." in " ".join(texts(read(save(pdf, tmp_path))))


def test_one_page_has_nothing_to_compare_with_and_keeps_its_header(tmp_path: Path) -> None:
    found = " ".join(texts(read(handbook(tmp_path, 1))))
    assert "Kommunens handbok" in found
    assert "Sida" not in found


def test_header_title_of_the_page_itself_stays(tmp_path: Path) -> None:
    pdf = a4()
    for title in ("Start", "Genomförande", "Avslut"):
        pdf.add_page()
        put(pdf, 57, 50, title, 22, "B")
        put(pdf, 400, 50, "= klart", 9)
        put(pdf, 72, 300, f"Om fasen {title.lower()} och vad den ger.")
    extraction = read(save(pdf, tmp_path))
    assert [text for _, text in headings(extraction)] == ["Start", "Genomförande", "Avslut"]
    assert texts(extraction).count("= klart") == 3


def test_header_that_names_the_chapter_goes_where_the_chapter_has_its_heading(tmp_path: Path) -> None:
    pdf = a4()
    for number in range(8):
        pdf.add_page()
        chapter = ("Planering", "Genomförande")[number // 4]
        put(pdf, 57, 40, f"Kapitel {number // 4 + 1}: {chapter}", 9)
        put(pdf, 72, 180, f"Stycke {'abcdefgh'[number]} säger något eget om arbetet.")
        if number % 4 == 0:
            put(pdf, 72, 150, f"{number // 4 + 1} {chapter}", 18, "B")
    found = " ".join(texts(read(save(pdf, tmp_path))))
    assert "Kapitel" not in found
    assert "1 Planering" in found
    assert "2 Genomförande" in found


def test_first_row_of_a_table_that_goes_on_is_no_header(tmp_path: Path) -> None:
    pdf = a4()
    for page in range(3):
        pdf.add_page()
        for row in range(12):
            for column in range(2):
                pdf.rect(72 + 200 * column, 60 + 30 * row, 200, 30)
                text = (
                    ("Underlag", "Ansvarig")[column]
                    if row == 0
                    else f"{'abc'[page]}{'defghijklmno'[row]} cell {column}"
                )
                put(pdf, 78 + 200 * column, 80 + 30 * row, text)
    rows = read(save(pdf, tmp_path)).blocks
    assert rows[0].text == "Underlag | Ansvarig"
    assert rows[0].header
    assert len(rows) == 1 + 3 * 11
    assert len({row.group for row in rows}) == 1


def contents(pdf: object, entries: int) -> None:
    put(pdf, 72, 150, "Innehåll", 16, "B")  # type: ignore[arg-type]
    for number in range(1, entries + 1):
        put(pdf, 72, 160 + 20 * number, f"{number} Kapitel {'abcdefg'[number]} " + "." * 60 + f" {number + 1}")  # type: ignore[arg-type]


@pytest.mark.parametrize("entries", [1, 3, 6])
def test_table_of_contents_goes_but_its_page_is_not_without_text(tmp_path: Path, entries: int) -> None:
    pdf = a4()
    pdf.add_page()
    contents(pdf, entries)
    pdf.add_page()
    put(pdf, 72, 100, "1 Kapitel b", 16, "B")
    put(pdf, 72, 130, "Här börjar texten om kapitlet.")
    extraction = read(save(pdf, tmp_path))
    assert texts(extraction) == ["1 Kapitel b", "Här börjar texten om kapitlet."]
    assert extraction.pages_without_text == ()


def test_form_with_blanks_is_no_table_of_contents(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    for number, label in enumerate(("Namn:", "Roll:", "Datum:", "Ort:")):
        put(pdf, 72, 100 + 30 * number, label + " " + "_" * 30)
    pdf.add_page()
    put(pdf, 72, 100, "Sista sidan.")
    found = " ".join(texts(read(save(pdf, tmp_path))))
    assert all(label in found for label in ("Namn:", "Roll:", "Datum:", "Ort:"))
    assert "___" not in found


@pytest.mark.parametrize(("left", "right"), [("3 (12)", "4 (12)"), ("Sida 9", "Sida 10"), ("2026-01-02", "2027-11-12")])
def test_digits_do_not_tell_furniture_apart(left: str, right: str) -> None:
    assert mask(left) == mask(right)


def test_page_with_only_a_picture_is_reported(tmp_path: Path) -> None:
    pdf = a4()
    for number in range(4):
        pdf.add_page()
        put(pdf, 57, 40, "Kommunens handbok", 9)
        if number == 2:
            pdf.image(Image.new("RGB", (40, 40), "gray"), 72, 100, 400, 500)
        else:
            put(pdf, 72, 200, f"Text på sida {'abcd'[number]}.")
    extraction = read(save(pdf, tmp_path))
    assert extraction.pages_without_text == (3,)


def test_page_of_a_heading_and_a_picture_of_text_is_reported_but_keeps_its_heading(tmp_path: Path) -> None:
    pdf = a4()
    for number in range(3):
        pdf.add_page()
        put(pdf, 72, 100, f"{number + 1} Avsnitt {'abc'[number]}", 16, "B")
        if number == 1:
            pdf.image(Image.new("RGB", (40, 40), "gray"), 72, 150, 400, 500)
        else:
            put(pdf, 72, 200, "Vanlig text under rubriken.")
    extraction = read(save(pdf, tmp_path))
    assert extraction.pages_without_text == (2,)
    assert "2 Avsnitt b" in texts(extraction)
