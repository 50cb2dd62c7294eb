"""Is text read in the order of a reader?"""

from __future__ import annotations

from pathlib import Path

from ankare.domain.document import BlockKind
from tests.ingest.pdf.making import a4, headings, items, put, put_lines, read, save, texts


def test_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    left = [f"vänster rad {sign} som fyller hela spalten" for sign in "abcdefgh"]
    right = [f"höger rad {sign} som fyller hela spalten ut" for sign in "abcdefgh"]
    for number, (one, other) in enumerate(zip(left, right, strict=True)):
        put(pdf, 72, 100 + 14 * number, one)
        put(pdf, 320, 100 + 14 * number, other)
    found = " ".join(texts(read(save(pdf, tmp_path))))
    assert found == " ".join([*left, *right])


def test_side_by_side_boxes_keep_their_items_together(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    for column, (label, names) in enumerate((("Underlag", "abc"), ("Resultat", "xyz"))):
        x = 72 + 220 * column
        pdf.rect(x, 100, 220, 20)
        pdf.rect(x, 120, 220, 80)
        put(pdf, x + 6, 114, label, 11, "B")
        for number, name in enumerate(names):
            put(pdf, x + 6, 136 + 15 * number, f"· punkt {name}")
    extraction = read(save(pdf, tmp_path))
    assert [block.text for block in extraction.blocks] == [
        "Underlag", "punkt a", "punkt b", "punkt c", "Resultat", "punkt x", "punkt y", "punkt z",
    ]  # fmt: skip
    groups = [block.group for block in items(extraction)]
    assert groups[0] == groups[2] != groups[3] == groups[5]
    assert [text for _, text in headings(extraction)] == ["Underlag", "Resultat"]


def test_labels_above_separate_frames_go_with_their_frame(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    for column, (label, names) in enumerate((("Underlag", "abc"), ("Resultat", "xyz"))):
        x = 72 + 250 * column
        put(pdf, x + 60, 110, label, 11, "B")
        pdf.rect(x, 120, 210, 80)
        for number, name in enumerate(names):
            put(pdf, x + 6, 136 + 15 * number, f"· punkt {name}")
    found = texts(read(save(pdf, tmp_path)))
    assert found.index("punkt c") < found.index("Resultat") < found.index("punkt x")


def test_text_set_upwards_is_read_along_its_line(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put_lines(pdf, 100, 100, ["Vanlig text på sidan."])
    with pdf.rotation(90, 60, 400):
        pdf.text(60, 400, "Stående text i marginalen")
    extraction = read(save(pdf, tmp_path))
    block = next(block for block in extraction.blocks if block.text == "Stående text i marginalen")
    box = block.pieces[0].box
    assert box is not None
    assert box.y1 - box.y0 > box.x1 - box.x0


def test_paragraph_over_a_page_break_is_one_block_on_two_pages(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put(pdf, 72, 780, "Projektet avslutas när resultatet har lämnats över till den")
    pdf.add_page()
    put_lines(pdf, 72, 100, ["förvaltning som tar ansvar för det."])
    put(pdf, 72, 160, "Ett nytt stycke.")
    extraction = read(save(pdf, tmp_path))
    first = extraction.blocks[0]
    assert (
        first.text == "Projektet avslutas när resultatet har lämnats över till den förvaltning som tar ansvar för det."
    )
    assert [piece.page for piece in first.pieces] == [1, 2]
    assert extraction.blocks[1].text == "Ett nytt stycke."


def test_nested_items_have_depth_and_share_a_group(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    for number, (x, text) in enumerate(
        ((72, "· yttre ett"), (95, "- inre ett"), (95, "- inre två"), (72, "· yttre två"))
    ):
        put(pdf, x, 100 + 15 * number, text)
    extraction = read(save(pdf, tmp_path))
    assert [(item.level, item.text, item.marker) for item in items(extraction)] == [
        (0, "yttre ett", "·"), (1, "inre ett", "-"), (1, "inre två", "-"), (0, "yttre två", "·"),
    ]  # fmt: skip
    assert len({item.group for item in items(extraction)}) == 1


def test_numbered_items_keep_their_numbers_and_wrapped_lines(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put_lines(
        pdf,
        72,
        100,
        ["1. Beställ utrustningen i god tid innan arbetet", "    ska börja", "2. Utse en ansvarig", "3) Boka lokal"],
    )
    extraction = read(save(pdf, tmp_path))
    assert [(item.marker, item.text) for item in items(extraction)] == [
        ("1.", "Beställ utrustningen i god tid innan arbetet ska börja"), ("2.", "Utse en ansvarig"), ("3)", "Boka lokal"),
    ]  # fmt: skip


def test_paragraphs_part_at_gaps(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    y = put_lines(pdf, 72, 100, ["Första stycket går över två rader och tar slut med en", "punkt på den andra."])
    put_lines(pdf, 72, y + 14, ["Andra stycket är ett eget."])
    extraction = read(save(pdf, tmp_path))
    assert [block.kind for block in extraction.blocks] == [BlockKind.PARAGRAPH] * 2
