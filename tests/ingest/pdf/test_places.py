"""Does every character know its page and rectangle, whatever the page looks like?"""

from __future__ import annotations

import tempfile
from pathlib import Path

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ankare.domain.document import Extraction
from tests.ingest.pdf.making import a4, put, put_lines, read, save, texts

WORDS = st.text("abcdefghijklmnopqrstuvwxyzåäö", min_size=1, max_size=9)
LINES = st.lists(st.lists(WORDS, min_size=1, max_size=7).map(" ".join), min_size=1, max_size=12)


def assert_lawful(extraction: Extraction, width: float, height: float) -> None:
    for block in extraction.blocks:
        assert block.pieces
        covered = 0
        for piece in block.pieces:
            assert piece.start == covered
            covered = piece.end
            assert 1 <= piece.page <= extraction.page_count
            box = piece.box
            assert box is not None
            assert 0 <= box.x0 <= box.x1 <= width + 0.01
            assert 0 <= box.y0 <= box.y1 <= height + 0.01
        assert covered == len(block.text)


@settings(max_examples=25)
@given(pages=st.lists(LINES, min_size=1, max_size=3), x=st.floats(10, 400), size=st.floats(5, 24))
def test_pieces_cover_the_text_inside_the_page(pages: list[list[str]], x: float, size: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        pdf = a4()
        for lines in pages:
            pdf.add_page()
            put_lines(pdf, x, 60, lines, size, size * 1.25)
        assert_lawful(read(save(pdf, Path(folder))), 595.28, 841.89)


@settings(max_examples=20)
@given(lines=st.lists(st.lists(WORDS, min_size=2, max_size=6), min_size=2, max_size=15))
def test_no_letter_is_lost(lines: list[list[str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        pdf = a4()
        pdf.add_page()
        put_lines(pdf, 72, 200, [" ".join(line) for line in lines])
        extraction = read(save(pdf, Path(folder)))
    found = sorted("".join("".join(block.marker + block.text for block in extraction.blocks).split()).replace("|", ""))
    assert found == sorted("".join("".join(line) for line in lines))


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_boxes_are_where_the_page_shows_the_text(tmp_path: Path, turn: int) -> None:
    pdf = a4()
    pdf.add_page()
    put(pdf, 72, 100, "Texten står här.")
    path = save(pdf, tmp_path)
    document = pypdfium2.PdfDocument(str(path))
    document[0].set_rotation(turn)
    turned = tmp_path / "vriden.pdf"
    document.save(str(turned))
    extraction = read(turned)
    assert texts(extraction) == ["Texten står här."]
    box = extraction.blocks[0].pieces[0].box
    assert box is not None
    width, height = (842, 595) if turn % 180 else (595, 842)
    expected = {0: (72, 90), 90: (742, 72), 180: (445, 740), 270: (90, 440)}[turn]
    assert abs(box.x0 - expected[0]) < 16
    assert abs(box.y0 - expected[1]) < 16
    assert_lawful(extraction, width, height)
    image = pypdfium2.PdfDocument(str(turned))[0].render(scale=1).to_pil().convert("L")
    inked = image.point(lambda value: 255 if value < 128 else 0).getbbox()
    assert inked is not None
    assert box.x0 - 3 <= inked[0]
    assert inked[2] <= box.x1 + 3
    assert box.y0 - 3 <= inked[1]
    assert inked[3] <= box.y1 + 3


def test_crop_box_moves_the_origin_and_hides_what_is_cut(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put(pdf, 150, 200, "Innanför beskärningen.")
    put(pdf, 150, 700, "Bortskuren text.")
    document = pypdfium2.PdfDocument(str(save(pdf, tmp_path)))
    document[0].set_cropbox(100, 442, 500, 742)
    cropped = tmp_path / "beskuren.pdf"
    document.save(str(cropped))
    extraction = read(cropped)
    assert texts(extraction) == ["Innanför beskärningen."]
    assert any("Bortskuren" in text for text in extraction.hidden_text)
    box = extraction.blocks[0].pieces[0].box
    assert box is not None
    assert abs(box.x0 - 50) < 2
    assert abs(box.y1 - 103) < 6


def test_many_pages_are_read_in_order(tmp_path: Path) -> None:
    pdf = a4()
    for number in range(300):
        pdf.add_page()
        put(pdf, 57, 40, "Kommunens handbok", 9)
        put(pdf, 72, 200, f"Avsnitt nummer {number} börjar på den här sidan.")
    extraction = read(save(pdf, tmp_path))
    assert extraction.page_count == 300
    assert [block.pieces[0].page for block in extraction.blocks] == list(range(1, 301))


def test_reading_twice_gives_the_same(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put_lines(pdf, 72, 100, ["Rubrik", "· punkt", "Text som går vidare."])
    path = save(pdf, tmp_path)
    assert read(path) == read(path)


@pytest.mark.parametrize(
    "box", [(0, 0, 1, 1), (-500, -500, 9000, 14000), (600, 900, 0, 0), (0, 0, 0, 0), (1e7, 1e7, 2e7, 2e7)]
)
def test_odd_page_boxes_do_no_harm(tmp_path: Path, box: tuple[float, float, float, float]) -> None:
    pdf = a4()
    pdf.add_page()
    put_lines(pdf, 72, 100, ["Text på en underlig sida."])
    pdf.add_page()
    put_lines(pdf, 72, 100, ["Text på en vanlig sida."])
    document = pypdfium2.PdfDocument(str(save(pdf, tmp_path)))
    document[0].set_mediabox(*box)
    odd = tmp_path / "underlig.pdf"
    document.save(str(odd))
    extraction = read(odd)
    assert extraction.page_count == 2
    assert "Text på en vanlig sida." in texts(extraction)
    assert_lawful(extraction, 2e7, 2e7)


def test_page_that_cannot_be_read_is_a_warning_and_the_rest_goes_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ankare.ingest.pdf.read as reader

    whole = reader.read_page

    def broken(document: object, index: int) -> object:
        if index == 1:
            raise ValueError("the page cannot be loaded")
        return whole(document, index)

    monkeypatch.setattr(reader, "read_page", broken)
    pdf = a4()
    for sign in "abc":
        pdf.add_page()
        put(pdf, 72, 200, f"Sidan {sign} har text.")
    extraction = read(save(pdf, tmp_path))
    assert texts(extraction) == ["Sidan a har text.", "Sidan c har text."]
    assert extraction.pages_without_text == (2,)
    assert "page 2" in extraction.warnings[0]
