"""Is text read in the order of a reader?"""

from __future__ import annotations

from pathlib import Path

from ankare.domain.document import BlockKind
from tests.ingest.pdf.making import a4, headings, items, put, put_lines, raw_pdf, read, save, texts


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


def test_longer_left_column_is_read_to_its_end_first(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    put(pdf, 72, 70, "En rubrik över båda spalterna på sidan", 18, "B")
    left = [f"vänster rad {sign} som fyller hela spalten" for sign in "abcdefghij"]
    right = [f"höger rad {sign} som fyller hela spalten ut" for sign in "abcdef"]
    put_lines(pdf, 72, 100, left)
    put_lines(pdf, 320, 103, right)
    found = texts(read(save(pdf, tmp_path)))
    assert " ".join(found) == " ".join(["En rubrik över båda spalterna på sidan", *left, *right])


def test_text_below_two_columns_comes_after_both(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    left = [f"vänster rad {sign} som fyller hela spalten" for sign in "abcd"]
    right = [f"höger rad {sign} som fyller hela spalten ut" for sign in "abcdef"]
    put_lines(pdf, 72, 100, left)
    put_lines(pdf, 320, 100, right)
    put_lines(pdf, 72, 210, ["Ett stycke som går över hela sidans bredd och som kommer efter de båda spalterna."])
    assert texts(read(save(pdf, tmp_path)))[-1].startswith("Ett stycke som går över hela")


def test_filled_form_field_is_read(tmp_path: Path) -> None:
    label, value = b"BT /F1 11 Tf 72 735 Td (Namn:) Tj ET", b"/Tx BMC q BT /F1 11 Tf 2 6 Td (Anna Ek) Tj ET Q EMC"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]>>>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 6 0 R>>>>/Annots[5 0 R]>>",
        b"<</Length %d>>stream\n%b\nendstream" % (len(label), label),
        b"<</Type/Annot/Subtype/Widget/FT/Tx/T(n)/V(Anna Ek)/Rect[120 730 300 750]/F 4/P 3 0 R/AP<</N 7 0 R>>>>",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Type/XObject/Subtype/Form/BBox[0 0 180 20]/Resources<</Font<</F1 6 0 R>>>>/Length %d>>stream\n%b\nendstream"
        % (len(value), value),
    ]
    path = tmp_path / "blankett.pdf"
    path.write_bytes(raw_pdf(objects))
    assert "Anna Ek" in " ".join(texts(read(path)))
