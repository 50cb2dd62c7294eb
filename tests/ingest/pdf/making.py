"""Small PDFs and a small lexicon for the tests of the PDF reader."""

from __future__ import annotations

from pathlib import Path

from fpdf import FPDF

from ankare.domain.document import Block, BlockKind, Extraction
from ankare.ingest.pdf import read_pdf

LEXICON = frozenset(
    [
        "acceptanstest",
        "testplan",
        "projektdeltagare",
        "plan",
        "test",
        "och",
        "in",
        "utdata",
        "indata",
        "miljön",
        "det",
        "är",
        "ska",
        "vara",
        "klart",
        "datum",
        "lista",
        "ordning",
        "arbetet",
        "beskriver",
        "mål",
        "system",
        "kommunen",
        "förvaltning",
        "ansvar",
    ]
)


def is_word(word: str) -> bool:
    """The lexicon check that a caller gives."""
    return word in LEXICON


def read(path: Path) -> Extraction:
    """Read with the tests' lexicon."""
    return read_pdf(path, is_word=is_word)


def a4(**options: object) -> FPDF:
    """An empty A4 document in points, with page breaks under the test's own control."""
    pdf = FPDF(unit="pt", format="A4", **options)  # type: ignore[arg-type]
    pdf.set_auto_page_break(False)
    pdf.set_font("Helvetica", size=11)
    return pdf


def put(pdf: FPDF, x: float, y: float, text: str, size: float = 11, style: str = "") -> None:
    """Set one line with its baseline at (x, y), points from the top left."""
    pdf.set_font("Helvetica", style=style, size=size)
    pdf.text(x, y, text)


def put_lines(pdf: FPDF, x: float, y: float, lines: list[str], size: float = 11, step: float = 13.5) -> float:
    """Set lines below each other; returns where the next one would stand."""
    for line in lines:
        put(pdf, x, y, line, size)
        y += step
    return y


def save(pdf: FPDF, folder: Path, name: str = "handbok.pdf") -> Path:
    """Write the document and return its path."""
    path = folder / name
    pdf.output(str(path))
    return path


def raw_pdf(objects: list[bytes]) -> bytes:
    """A PDF of these objects, numbered from 1; the first is the catalogue."""
    out, places = b"%PDF-1.7\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj%bendobj\n" % (number, text)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n" % size
    return out + head + table + b"trailer<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF" % (size, len(out))


def texts(extraction: Extraction, kind: BlockKind | None = None) -> list[str]:
    """The texts of the blocks, of one kind if given."""
    return [block.text for block in extraction.blocks if kind is None or block.kind is kind]


def headings(extraction: Extraction) -> list[tuple[int, str]]:
    """Level and text of the headings."""
    return [(block.level, block.text) for block in extraction.blocks if block.kind is BlockKind.HEADING]


def items(extraction: Extraction) -> list[Block]:
    """The list items."""
    return [block for block in extraction.blocks if block.kind is BlockKind.ITEM]
