"""Do tables keep their rows, cells and header?"""

from __future__ import annotations

from pathlib import Path

from ankare.domain.document import Block, BlockKind, Extraction
from tests.ingest.pdf.making import a4, headings, items, put, put_lines, read, save, texts

ROWS = (("Roll", "Ansvar"), ("Projektledare", "leder arbetet"), ("Styrgrupp", "beslutar"))


def rows(extraction: Extraction) -> list[Block]:
    return [block for block in extraction.blocks if block.kind is BlockKind.ROW]


def ruled(folder: Path, cells: tuple[tuple[str, ...], ...], bold: bool = True) -> Path:
    pdf = a4()
    pdf.add_page()
    put(pdf, 72, 80, "Rollerna visas i tabellen nedan.")
    for number, row in enumerate(cells):
        for column, text in enumerate(row):
            pdf.rect(72 + 180 * column, 100 + 40 * number, 180, 40)
            style = "B" if bold and number == 0 else ""
            for line, part in enumerate(text.split("\n")):
                put(pdf, 77 + 180 * column, 115 + 40 * number + 13 * line, part, 11, style)
    return save(pdf, folder)


def test_ruled_table_becomes_rows_with_a_header(tmp_path: Path) -> None:
    found = rows(read(ruled(tmp_path, ROWS)))
    assert [row.text for row in found] == ["Roll | Ansvar", "Projektledare | leder arbetet", "Styrgrupp | beslutar"]
    assert [row.header for row in found] == [True, False, False]
    assert len({row.group for row in found}) == 1
    assert found[0].group > 0


def test_lines_of_a_cell_are_joined(tmp_path: Path) -> None:
    found = rows(read(ruled(tmp_path, (ROWS[0], ("Projektledare", "leder arbetet\noch rapporterar")))))
    assert found[1].text == "Projektledare | leder arbetet och rapporterar"
    assert len(found[1].pieces) == 3


def test_empty_cells_of_a_form_do_no_harm(tmp_path: Path) -> None:
    found = rows(read(ruled(tmp_path, (("Datum", "Namn", "Ort"), ("", "", ""), ("", "", "")))))
    assert [row.text for row in found] == ["Datum | Namn | Ort"]


def test_table_headers_are_no_headings(tmp_path: Path) -> None:
    assert headings(read(ruled(tmp_path, ROWS))) == []


def test_table_without_rules_keeps_its_rows(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    for number, row in enumerate(
        (("Etapp", "Start", "Slut"), ("Test", "mars", "april"), ("Drift", "maj", "juni"), ("Avslut", "juli", "juli"))
    ):
        for column, text in enumerate(row):
            put(pdf, 72 + 150 * column, 100 + 16 * number, text)
    assert [row.text for row in rows(read(save(pdf, tmp_path)))] == [
        "Etapp | Start | Slut", "Test | mars | april", "Drift | maj | juni", "Avslut | juli | juli",
    ]  # fmt: skip


def test_row_of_a_label_and_a_list_becomes_heading_and_items(tmp_path: Path) -> None:
    cells = (
        ("Roll", "Ansvar"),
        ("Projektledare", "· leder arbetet\n· rapporterar"),
        ("Styrgrupp", "beslutar om start"),
    )
    extraction = read(ruled(tmp_path, cells))
    assert [text for _, text in headings(extraction)] == ["Projektledare", "Styrgrupp"]
    assert [item.text for item in items(extraction)] == ["leder arbetet", "rapporterar"]
    assert texts(extraction)[-1] == "beslutar om start"


def test_text_after_a_table_follows_it(tmp_path: Path) -> None:
    pdf = a4()
    pdf.add_page()
    for number in range(2):
        for column in range(2):
            pdf.rect(72 + 100 * column, 100 + 20 * number, 100, 20)
            put(pdf, 76 + 100 * column, 114 + 20 * number, f"{'ab'[number]}{'xy'[column]}")
    put_lines(pdf, 72, 180, ["Efter tabellen."])
    assert texts(read(save(pdf, tmp_path))) == ["ax | ay", "bx | by", "Efter tabellen."]
