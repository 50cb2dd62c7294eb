"""Is text that no reader sees left out, and told?"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from tests.ingest.pdf.making import a4, put, read, save, texts


def test_white_on_white_and_tiny_and_outside_are_reported_not_read(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put(pdf, 72, 100, "Det här syns.")
    pdf.set_text_color(255, 255, 255)
    put(pdf, 72, 140, "Vitt på vitt")
    pdf.set_text_color(0, 0, 0)
    put(pdf, 72, 180, "Pytteliten", 0.5)
    put(pdf, 700, 100, "Utanför sidan")
    with pdf.local_context(fill_opacity=0.0):
        put(pdf, 72, 220, "Genomskinlig")
    extraction = read(save(pdf, tmp_path))
    assert texts(extraction) == ["Det här syns."]
    told = " ".join(extraction.hidden_text)
    for hidden in ("Vitt på vitt", "Pytteliten", "Utanför sidan", "Genomskinlig"):
        assert hidden in told


def test_white_on_a_dark_box_is_visible(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    pdf.set_fill_color(20, 40, 90)
    pdf.rect(60, 80, 300, 40, style="F")
    pdf.set_text_color(255, 255, 255)
    put(pdf, 72, 105, "Vit text på blått")
    extraction = read(save(pdf, tmp_path))
    assert texts(extraction) == ["Vit text på blått"]
    assert extraction.hidden_text == ()


def test_black_on_a_black_box_is_hidden(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put(pdf, 72, 60, "Synlig rad.")
    pdf.set_fill_color(0, 0, 0)
    pdf.rect(60, 80, 300, 40, style="F")
    put(pdf, 72, 105, "Dold rad")
    extraction = read(save(pdf, tmp_path))
    assert texts(extraction) == ["Synlig rad."]
    assert any("Dold rad" in text for text in extraction.hidden_text)


def invisible(folder: Path, scanned: bool) -> Path:
    pdf = a4()
    pdf.add_page()
    if scanned:
        pdf.image(Image.new("RGB", (60, 80), "white"), 0, 0, 595, 842)
    with pdf.local_context(text_mode="INVISIBLE"):
        put(pdf, 72, 100, "Osynlig text")
    return save(pdf, folder)


def test_invisible_text_is_hidden_unless_it_is_what_ocr_read(tmp_path: Path) -> None:
    assert texts(read(invisible(tmp_path, scanned=False))) == []
    assert texts(read(invisible(tmp_path, scanned=True))) == ["Osynlig text"]


def test_text_under_a_solid_box_is_hidden_unless_it_is_set_again_on_top(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    pdf.set_fill_color(255, 255, 255)
    put(pdf, 72, 105, "Överstruket namn")
    put(pdf, 72, 205, "Synlig etikett")
    for y in (80, 180):
        pdf.rect(60, y, 300, 40, style="F")
    put(pdf, 72, 205, "Synlig etikett")
    extraction = read(save(pdf, tmp_path))
    assert texts(extraction) == ["Synlig etikett"]
    assert extraction.hidden_text == ("p. 1: Överstruket namn",)


def test_text_under_a_see_through_marker_is_visible(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put(pdf, 72, 105, "Markerad text")
    pdf.set_fill_color(255, 255, 0)
    with pdf.local_context(fill_opacity=0.4):
        pdf.rect(60, 80, 300, 40, style="F")
    with pdf.local_context(blend_mode="Multiply"):
        pdf.rect(60, 80, 300, 40, style="F")
    assert texts(read(save(pdf, tmp_path))) == ["Markerad text"]
