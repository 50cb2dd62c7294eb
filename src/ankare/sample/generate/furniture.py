"""What stands on a page besides its text: fonts, emblem, cover and running lines."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time
from importlib import resources
from pathlib import Path

from fpdf import FPDF

from ankare.sample.generate.source import Manuscript

ORGANISATION = "Björkinge kommun"
PAGE_WIDTH, PAGE_HEIGHT = 595.28, 841.89
LEFT, RIGHT, TOP, BOTTOM = 72.0, 68.0, 96.0, 74.0
GREEN, PALE, GREY, BLACK = (28, 74, 56), (233, 240, 234), (96, 100, 98), (20, 22, 21)
FONTS = {"sans": "SourceSans", "helvetica": "Helvetica", "times": "Times"}
COVER_LABELS = {
    "sv": ("Dokumentnummer", "Version", "Datum", "Dokumentägare"),
    "en": ("Document number", "Version", "Date", "Owner"),
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A PDF being written, with the family its text is set in."""

    pdf: FPDF
    family: str

    def style(self, size: float, bold: bool = False, colour: tuple[int, int, int] = BLACK) -> None:
        """Choose size, weight and colour for what is written next."""
        self.pdf.set_font(self.family, "B" if bold else "", size)
        self.pdf.set_text_color(*colour)

    def right(self, x: float, y: float, text: str) -> None:
        """Write a line that ends at `x`."""
        self.pdf.text(x - self.pdf.get_string_width(text), y, text)

    def rule(self, y: float, x0: float = LEFT, x1: float = PAGE_WIDTH - RIGHT) -> None:
        """A thin horizontal line."""
        self.pdf.set_draw_color(*GREEN)
        self.pdf.set_line_width(0.6)
        self.pdf.line(x0, y, x1, y)


def font_folder() -> Path:
    """Where the Source Sans Pro files (SIL OFL 1.1) of the pip package lie."""
    return Path(str(resources.files("font_source_sans_pro"))) / "files"


def open_sheet(manuscript: Manuscript) -> Sheet:
    """An empty PDF with the manuscript's metadata and a creation date that is the document's own."""
    pdf = FPDF(unit="pt", format=(PAGE_WIDTH, PAGE_HEIGHT))
    pdf.core_fonts_encoding = "cp1252"
    pdf.set_auto_page_break(False)
    pdf.set_title(manuscript.title.replace(" / ", " "))
    pdf.set_author(ORGANISATION)
    pdf.set_lang(manuscript.language)
    pdf.set_creation_date(_noon(manuscript))
    if manuscript.font == "sans":
        for style, name in (("", "Regular"), ("B", "Semibold")):
            pdf.add_font("SourceSans", style, font_folder() / f"SourceSansPro-{name}.ttf")
    return Sheet(pdf, FONTS[manuscript.font])


def draw_cover(sheet: Sheet, manuscript: Manuscript) -> None:
    """The first page: emblem, title and what the document is."""
    pdf = sheet.pdf
    pdf.set_fill_color(*GREEN)
    pdf.rect(0, 0, PAGE_WIDTH, 14, style="F")
    draw_emblem(sheet, LEFT, 58, 46)
    sheet.style(17, bold=True, colour=GREEN)
    pdf.text(LEFT + 58, 89, ORGANISATION)
    sheet.style(30, bold=True)
    y = 300.0
    for line in manuscript.title.split(" / "):
        pdf.text(LEFT, y, line)
        y += 38
    sheet.style(15, colour=GREY)
    pdf.text(LEFT, y, manuscript.subtitle)
    y = 640.0
    values = (manuscript.number, manuscript.version, manuscript.date, manuscript.owner)
    for label, value in zip(COVER_LABELS[manuscript.language], values, strict=True):
        sheet.rule(y - 15)
        sheet.style(10.5, colour=GREY)
        pdf.text(LEFT, y, label)
        sheet.style(10.5)
        pdf.text(LEFT + 130, y, value)
        y += 24
    sheet.rule(y - 15)


def draw_emblem(sheet: Sheet, x: float, y: float, height: float) -> None:
    """The municipality's shield with three leaves."""
    pdf, width = sheet.pdf, height * 0.82
    pdf.set_fill_color(*GREEN)
    corners = [(0, 0), (1, 0), (1, 0.62), (0.82, 0.84), (0.5, 1), (0.18, 0.84), (0, 0.62)]
    pdf.polygon([(x + width * across, y + height * down) for across, down in corners], style="F")
    pdf.set_fill_color(255, 255, 255)
    for across, down in ((0.5, 0.16), (0.2, 0.40), (0.8, 0.40)):
        left, top = x + width * (across - 0.1), y + height * down
        pdf.ellipse(left, top, width * 0.2, height * 0.27, style="F")


def draw_running_lines(sheet: Sheet, manuscript: Manuscript, page: int, pages: int) -> None:
    """Header and footer in the look of the document."""
    title = manuscript.title.replace(" / ", " ")
    right = PAGE_WIDTH - RIGHT
    if manuscript.look == "band":
        draw_emblem(sheet, LEFT, 34, 22)
        _row(sheet, 50, (title, "", manuscript.number), LEFT + 28)
        _row(sheet, PAGE_HEIGHT - 40, (f"Version {manuscript.version}", f"Sida {page} av {pages}", manuscript.date))
    elif manuscript.look == "formal":
        _row(sheet, 46, (ORGANISATION, "", f"Dnr {manuscript.number}"))
        _row(sheet, 60, (title, "", manuscript.date))
        sheet.rule(68)
        _row(sheet, PAGE_HEIGHT - 40, (manuscript.owner, "", f"{page} ({pages})"))
        sheet.rule(PAGE_HEIGHT - 54)
    else:
        _row(sheet, 50, (ORGANISATION, "", title))
        sheet.rule(58)
        _row(
            sheet, PAGE_HEIGHT - 40, (f"{manuscript.date}, version {manuscript.version}", "", f"Sida {page} ({pages})")
        )
        sheet.rule(PAGE_HEIGHT - 54, right - 80, right)


def _row(sheet: Sheet, y: float, texts: tuple[str, str, str], left: float = LEFT) -> None:
    sheet.style(8.5, colour=GREY)
    sheet.pdf.text(left, y, texts[0])
    sheet.pdf.text((PAGE_WIDTH - sheet.pdf.get_string_width(texts[1])) / 2, y, texts[1])
    sheet.right(PAGE_WIDTH - RIGHT, y, texts[2])


def _noon(manuscript: Manuscript) -> datetime:
    return datetime.combine(manuscript.day, time(12), tzinfo=UTC)
