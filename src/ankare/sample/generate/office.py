"""How does a manuscript become a DOCX or PPTX, and a table of rows an XLSX?

The libraries stamp the time of day into what they write; `sealed` packs the archive again with fixed dates and sorted
entries, so that every run gives the same bytes.
"""

from __future__ import annotations

import io
import re
import tomllib
import zipfile
from collections.abc import Callable
from datetime import datetime, time
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pptx
from docx.enum.text import WD_TAB_ALIGNMENT
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt as DocxPt
from docx.shared import RGBColor as DocxColour
from openpyxl.styles import Alignment, Font, PatternFill
from pptx.dml.color import RGBColor
from pptx.util import Cm, Pt

from ankare.sample.generate.furniture import GREEN, ORGANISATION
from ankare.sample.generate.lines import split_words
from ankare.sample.generate.source import Block, Group, Heading, Item, Manuscript, Paragraph, Table

_STAMP = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*(<)")
_EPOCH = (1980, 1, 1, 0, 0, 0)


def write_docx(manuscript: Manuscript) -> bytes:
    """A word-processor document with the styles, running lines and lists that such documents have."""
    document = docx.Document()
    _styles(document)
    document.core_properties.title = manuscript.title
    document.core_properties.author = ORGANISATION
    document.core_properties.comments = ""
    _page(document.sections[0])
    document.sections[0].header.paragraphs[0].text = f"{ORGANISATION}\t{manuscript.title}"
    footer = document.sections[0].footer.paragraphs[0]
    footer.text = f"{manuscript.date}, version {manuscript.version}\tSida "
    _page_field(footer)
    document.add_heading(manuscript.title, 0)
    document.add_paragraph(manuscript.subtitle, style="Subtitle")
    for block in manuscript.blocks:
        _docx_block(document, block)
    return _saved(document.save, manuscript)


def write_pptx(manuscript: Manuscript) -> bytes:
    """A slide show: every level-1 heading opens a slide with the items and paragraphs that follow it."""
    show = pptx.Presentation()
    show.core_properties.title = manuscript.title
    show.core_properties.author = ORGANISATION
    show.slide_width, show.slide_height = Cm(33.87), Cm(19.05)
    first = show.slides.add_slide(show.slide_layouts[0])
    _slide_title(first, manuscript.title)
    first.placeholders[1].text = f"{manuscript.subtitle}\n{ORGANISATION}, {manuscript.date}"
    for holder, top in ((first.shapes.title, 6.0), (first.placeholders[1], 10.0)):
        holder.left, holder.top, holder.width, holder.height = Cm(2.5), Cm(top), Cm(28.8), Cm(3.4)
    slides: list[tuple[Heading, list[Block]]] = []
    for block in manuscript.blocks:
        if isinstance(block, Heading):
            slides.append((block, []))
        else:
            slides[-1][1].append(block)
    for heading, blocks in slides:
        _slide(show, heading, blocks)
    return _saved(show.save, manuscript)


def workbook(path: Path) -> dict[str, bytes]:
    """The workbook that a `.sheets.toml` file describes: its name and its bytes."""
    source = tomllib.loads(path.read_text(encoding="utf-8"))
    book = openpyxl.Workbook()
    book.remove(book.active)
    book.properties.title, book.properties.creator = source["title"], ORGANISATION
    for sheet in source["sheets"]:
        _sheet(book.create_sheet(sheet["name"]), sheet)
    stream = io.BytesIO()
    book.save(stream)
    return {source["file"]: sealed(stream.getvalue(), source["date"])}


WRITERS: dict[str, Callable[[Manuscript], bytes]] = {".docx": write_docx, ".pptx": write_pptx}


# -- DOCX


def _styles(document: Any) -> None:
    normal = document.styles["Normal"]
    normal.font.name, normal.font.size = "Calibri", DocxPt(11)
    normal.paragraph_format.space_after = DocxPt(6)
    for language in document.styles.element.iter(qn("w:lang")):
        language.set(qn("w:val"), "sv-SE")
    for name in ("Title", "Heading 1", "Heading 2", "Heading 3"):
        document.styles[name].font.color.rgb = DocxColour(*GREEN)


def _page(section: Any) -> None:
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.5)
    for part in (section.header, section.footer):
        stops = part.paragraphs[0].paragraph_format.tab_stops
        part.paragraphs[0].style.paragraph_format.tab_stops.clear_all()
        stops.add_tab_stop(Cm(16), WD_TAB_ALIGNMENT.RIGHT)


def _docx_block(document: Any, block: Block) -> None:
    if isinstance(block, Heading):
        document.add_heading(block.label, block.level)
    elif isinstance(block, Paragraph):
        _bold_runs(document.add_paragraph(), block.text)
    elif isinstance(block, Item):
        style = "List Bullet" if block.marker == "-" else "List Number"
        _bold_runs(document.add_paragraph(style=style + (" 2" if block.depth else "")), block.text)
    elif isinstance(block, Table):
        _docx_table(document, block)
    elif isinstance(block, Group):
        for inner in block.blocks:
            _docx_block(document, inner)


def _docx_table(document: Any, table: Table) -> None:
    grid = document.add_table(rows=0, cols=len(table.rows[0]), style="Table Grid")
    for number, row in enumerate(table.rows):
        for cell, text in zip(grid.add_row().cells, row, strict=True):
            cell.paragraphs[0].add_run(text).bold = number == 0
            cell.paragraphs[0].paragraph_format.space_after = DocxPt(2)
    repeated = OxmlElement("w:tblHeader")
    grid.rows[0]._tr.get_or_add_trPr().append(repeated)
    document.add_paragraph()


def _bold_runs(paragraph: Any, text: str) -> None:
    for index, word in enumerate(split_words(text)):
        space = "" if index == 0 or word.glued else " "
        paragraph.add_run(space + word.text).bold = word.bold


def _page_field(paragraph: Any) -> None:
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), "PAGE")
    paragraph._p.append(field)


# -- PPTX


def _slide(show: Any, heading: Heading, blocks: list[Block]) -> None:
    table = next((block for block in blocks if isinstance(block, Table)), None)
    slide = show.slides.add_slide(show.slide_layouts[5 if table else 1])
    _slide_title(slide, heading.text)
    if table:
        _slide_table(slide, table)
        return
    body = slide.placeholders[1]
    body.left, body.top, body.width, body.height = Cm(2), Cm(4.4), Cm(29.8), Cm(12.6)
    frame = body.text_frame
    for index, block in enumerate(block for block in blocks if isinstance(block, Item | Paragraph)):
        paragraph = frame.paragraphs[0] if index == 0 else frame.add_paragraph()
        paragraph.text = block.text
        paragraph.level = block.depth if isinstance(block, Item) else 0
        paragraph.font.size = Pt(22 if paragraph.level == 0 else 18)


def _slide_title(slide: Any, text: str) -> None:
    title = slide.shapes.title
    title.text = text
    title.left, title.top, title.width, title.height = Cm(2), Cm(1.2), Cm(29.8), Cm(2.6)
    title.text_frame.paragraphs[0].font.size = Pt(34)
    title.text_frame.paragraphs[0].font.color.rgb = _green()


def _slide_table(slide: Any, table: Table) -> None:
    rows, columns = len(table.rows), len(table.rows[0])
    grid = slide.shapes.add_table(rows, columns, Cm(2), Cm(4.6), Cm(29.8), Cm(1.3 * rows)).table
    for column, share in enumerate(table.widths):
        grid.columns[column].width = Cm(29.8 * share / sum(table.widths))
    for row, cells in enumerate(table.rows):
        for column, text in enumerate(cells):
            cell = grid.cell(row, column)
            cell.text = text
            cell.text_frame.paragraphs[0].font.size = Pt(16)
            if row == 0:
                cell.fill.solid()
                cell.fill.fore_color.rgb = _green()


def _green() -> Any:
    colour: Any = RGBColor
    return colour(*GREEN)


# -- XLSX


def _sheet(sheet: Any, source: dict[str, Any]) -> None:
    rows = source["rows"]
    for number, row in enumerate(rows, start=1):
        for column, value in enumerate(row, start=1):
            cell = sheet.cell(number, column, value)
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            if number == 1:
                cell.font = Font(bold=True, color="FFFFFF")
                cell.fill = PatternFill("solid", fgColor="{:02X}{:02X}{:02X}".format(*GREEN))
    for index, width in enumerate(source["widths"]):
        sheet.column_dimensions[openpyxl.utils.get_column_letter(index + 1)].width = width
    sheet.freeze_panes = "A2"


# -- archives


def _saved(save: Callable[[io.BytesIO], None], manuscript: Manuscript) -> bytes:
    stream = io.BytesIO()
    save(stream)
    return sealed(stream.getvalue(), manuscript.date)


def sealed(archive: bytes, date: str) -> bytes:
    """The same archive with sorted entries, fixed dates and no trace of when it was made. `date` is ISO."""
    noon = datetime.combine(datetime.fromisoformat(date), time(12)).isoformat() + "Z"
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as source, zipfile.ZipFile(stream, "w") as target:
        for name in sorted(source.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            content = source.read(name)
            if name == "docProps/core.xml":
                content = _STAMP.sub(rb"\g<1>" + noon.encode() + rb"\g<2>", content)
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            target.writestr(entry, content, compresslevel=9)
    return stream.getvalue()
