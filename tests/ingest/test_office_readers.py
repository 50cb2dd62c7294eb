"""What a reader of a Word, PowerPoint or Excel file sees, and what it never gets to see."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pptx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Pt, RGBColor
from pptx.dml.color import RGBColor as SlideColor
from pptx.util import Inches

from ankare.domain.document import Extraction
from ankare.errors import DocumentError
from ankare.ingest.read_docx import read_docx
from ankare.ingest.read_pptx import read_pptx
from ankare.ingest.read_xlsx import read_xlsx


def shape(found: Extraction) -> list[tuple[str, int, str, str]]:
    return [(block.kind.value, block.level, block.marker, block.text) for block in found.blocks]


def word(document: Any, folder: Path) -> Extraction:
    document.save(folder / "fil.docx")
    return read_docx(folder / "fil.docx")


def slides(presentation: Any, folder: Path) -> Extraction:
    presentation.save(folder / "fil.pptx")
    return read_pptx(folder / "fil.pptx")


def sheets(book: openpyxl.Workbook, folder: Path) -> Extraction:
    book.save(folder / "fil.xlsx")
    return read_xlsx(folder / "fil.xlsx")


def test_word_headings_lists_and_tables(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("Plan", 0)
    document.add_heading("Mål", 1)
    document.add_paragraph("Målet är stöd.")
    document.add_paragraph("ett", style="List Bullet")
    document.add_paragraph("inre", style="List Bullet 2")
    document.add_paragraph("först", style="List Number")
    document.add_paragraph("sedan", style="List Number")
    table = document.add_table(2, 2)
    for at, text in enumerate(("Roll", "Ansvar", "Chef", "Beslut")):
        table.cell(at // 2, at % 2).text = text
    found = word(document, tmp_path)
    assert found.title == "Plan"
    assert shape(found) == [
        ("heading", 1, "", "Plan"),
        ("heading", 1, "", "Mål"),
        ("paragraph", 0, "", "Målet är stöd."),
        ("item", 0, "•", "ett"),
        ("item", 1, "•", "inre"),
        ("item", 0, "1.", "först"),
        ("item", 0, "2.", "sedan"),
        ("row", 0, "", "Roll | Ansvar"),
        ("row", 0, "", "Chef | Beslut"),
    ]
    assert [block.header for block in found.blocks[-2:]] == [True, False]


def test_word_hidden_white_and_tiny_text_is_left_out_and_reported(tmp_path: Path) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Syns. ")
    paragraph.add_run("dold").font.hidden = True
    paragraph.add_run("vit").font.color.rgb = RGBColor(255, 255, 255)
    paragraph.add_run("liten").font.size = Pt(1)
    paragraph.add_run("också.")
    document.sections[0].header.paragraphs[0].text = "sidhuvud"
    found = word(document, tmp_path)
    assert shape(found) == [("paragraph", 0, "", "Syns. också.")]
    assert found.hidden_text == ("doldvitliten",)


def test_word_white_text_on_a_colour_stays(tmp_path: Path) -> None:
    document = docx.Document()
    cell = document.add_table(1, 2).cell(0, 0)
    cell.paragraphs[0].add_run("Rubrik").font.color.rgb = RGBColor(255, 255, 255)
    cell._tc.get_or_add_tcPr().append(parse_xml(f'<w:shd {nsdecls("w")} w:fill="003366"/>'))
    document.tables[0].cell(0, 1).text = "b"
    assert shape(word(document, tmp_path)) == [("row", 0, "", "Rubrik | b")]


def test_word_deleted_revisions_are_left_out_and_inserted_ones_stay(tmp_path: Path) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Före ")
    for tag, inner, text in (("w:del", "w:delText", "struket "), ("w:ins", "w:t", "tillagt")):
        change, run, part = OxmlElement(tag), OxmlElement("w:r"), OxmlElement(inner)
        part.text = text
        part.set(qn("xml:space"), "preserve")
        run.append(part)
        change.append(run)
        paragraph._p.append(change)
    found = word(document, tmp_path)
    assert shape(found) == [("paragraph", 0, "", "Före tillagt")]
    assert found.hidden_text == ("struket",)


def test_word_text_boxes_are_read_once(tmp_path: Path) -> None:
    document = docx.Document()
    box = (
        '<w:r {w}><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        '<mc:Choice Requires="wps"><w:txbxContent><w:p><w:r><w:t>Ruta</w:t></w:r></w:p></w:txbxContent></mc:Choice>'
        "<mc:Fallback><w:txbxContent><w:p><w:r><w:t>Ruta</w:t></w:r></w:p></w:txbxContent></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    ).format(w=nsdecls("w"))
    document.add_paragraph("Text.")._p.append(parse_xml(box))
    assert [block.text for block in word(document, tmp_path).blocks] == ["Text.", "Ruta"]


def test_word_footnotes_stand_after_their_paragraph(tmp_path: Path) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Driften testas.")
    paragraph._p.append(parse_xml(f'<w:r {nsdecls("w")}><w:footnoteReference w:id="2"/></w:r>'))
    document.add_paragraph("Sedan mer.")
    notes = (
        f'<w:footnotes {nsdecls("w")}><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote>'
        '<w:footnote w:id="2"><w:p><w:r><w:t>Utom i juli.</w:t></w:r></w:p></w:footnote></w:footnotes>'
    )
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    part = Part(PackURI("/word/footnotes.xml"), kind, notes.encode(), document.part.package)
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    assert [block.text for block in word(document, tmp_path).blocks] == [
        "Driften testas.",
        "Utom i juli.",
        "Sedan mer.",
    ]


def test_word_numbered_headings_and_nested_numbers_count_as_in_word(tmp_path: Path) -> None:
    document = docx.Document()
    numbering = document.part.numbering_part.element
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for level, (form, text) in enumerate([("decimal", "%1"), ("decimal", "%1.%2"), ("lowerLetter", "%3)")])
    )
    numbering.insert(0, parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="90">{levels}</w:abstractNum>'))
    numbering.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="90"><w:abstractNumId w:val="90"/></w:num>'))

    def numbered(paragraph: Any, level: int) -> None:
        paragraph._p.get_or_add_pPr().append(
            parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level}"/><w:numId w:val="90"/></w:numPr>')
        )

    for text, level in (("A", 0), ("B", 1), ("C", 1), ("D", 0), ("E", 1)):
        numbered(document.add_heading(text, level + 1), level)
    for text in ("x", "y"):
        numbered(document.add_paragraph(text), 2)
    found = word(document, tmp_path)
    assert [block.marker for block in found.blocks] == ["1", "1.1", "1.2", "2", "2.1", "a)", "b)"]


def test_powerpoint_slides_are_pages(tmp_path: Path) -> None:
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Mål"
    frame = slide.placeholders[1].text_frame
    frame.text = "ett"
    inner = frame.add_paragraph()
    inner.text, inner.level = "inre", 1
    slide.notes_slide.notes_text_frame.text = "anteckning"
    second = show.slides.add_slide(show.slide_layouts[5])
    second.shapes.title.text = "Roller"
    table = second.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for at, text in enumerate(("Roll", "Ansvar", "Chef", "Beslut")):
        table.cell(at // 2, at % 2).text = text
    outside = second.shapes.add_textbox(Inches(-9), Inches(0), Inches(1), Inches(1))
    outside.text_frame.text = "utanför"
    found = slides(show, tmp_path)
    assert shape(found) == [
        ("heading", 1, "", "Mål"),
        ("item", 0, "•", "ett"),
        ("item", 1, "•", "inre"),
        ("heading", 1, "", "Roller"),
        ("row", 0, "", "Roll | Ansvar"),
        ("row", 0, "", "Chef | Beslut"),
    ]
    assert [block.pieces[0].page for block in found.blocks] == [1, 1, 1, 2, 2, 2]
    assert found.hidden_text == ("utanför",)
    assert found.page_count == 2


def test_powerpoint_white_text_is_left_out_on_white_and_stays_on_a_colour(tmp_path: Path) -> None:
    for filled in (False, True):
        show = pptx.Presentation()
        slide = show.slides.add_slide(show.slide_layouts[6])
        box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1))
        box.text_frame.text = "vit"
        box.text_frame.paragraphs[0].runs[0].font.color.rgb = SlideColor(255, 255, 255)
        if filled:
            box.fill.solid()
            box.fill.fore_color.rgb = SlideColor(0, 0, 90)
        found = slides(show, tmp_path)
        assert [block.text for block in found.blocks] == (["vit"] if filled else [])
        assert found.hidden_text == (() if filled else ("vit",))


def test_powerpoint_hidden_slides_are_left_out_and_told(tmp_path: Path) -> None:
    show = pptx.Presentation()
    for name in ("Syns", "Gömd"):
        show.slides.add_slide(show.slide_layouts[5]).shapes.title.text = name
    show.slides[1]._element.set("show", "0")
    found = slides(show, tmp_path)
    assert [block.text for block in found.blocks] == ["Syns"]
    assert found.warnings == ("slide 2 is hidden and was left out",)
    assert 2 not in found.pages_without_text


def test_excel_sheets_are_pages_with_header_rows(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Risker"
    for values in (["Nr", "Risk", "När"], [1, "Försening", datetime.date(2025, 1, 31)], [], ["A", "B"], [0.25, True]):
        sheet.append(values)
    sheet["A5"].number_format = "0 %"
    found = sheets(book, tmp_path)
    assert shape(found) == [
        ("heading", 1, "", "Risker"),
        ("row", 0, "", "Nr | Risk | När"),
        ("row", 0, "", "1 | Försening | 2025-01-31"),
        ("row", 0, "", "A | B"),
        ("row", 0, "", "25 % | TRUE"),
    ]
    assert [block.header for block in found.blocks] == [False, True, False, True, False]
    assert found.blocks[1].group != found.blocks[3].group


def test_excel_rows_far_down_are_read_and_cells_too_far_out_are_refused(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"], sheet["A900000"] = "Först", "Sist"
    assert [block.text for block in sheets(book, tmp_path).blocks][1:] == ["Först", "Sist"]
    for row in range(1, 1400):
        sheet.cell(row, 16_384, "Långt ut")
    with pytest.raises(DocumentError, match="far apart"):
        sheets(book, tmp_path)


def test_excel_hidden_sheets_rows_and_columns_are_left_out_and_told(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for values in (["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]):
        sheet.append(values)
    sheet.row_dimensions[2].hidden = True
    sheet.column_dimensions["B"].hidden = True
    book.create_sheet("Dold").sheet_state = "hidden"
    found = sheets(book, tmp_path)
    assert [block.text for block in found.blocks][1:] == ["a | c", "g | i"]
    assert len(found.warnings) == 2
    assert found.pages_without_text == ()
