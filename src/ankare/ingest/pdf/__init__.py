"""How does a PDF become blocks of text in reading order, each with its place on the page?

`read_pdf` (in `read`) is the way in. The steps stand in this order: `glyphs` (what pdfium knows of every character),
`fragments` (runs of characters on one line), `hidden` (what no reader sees), `artefacts` (running headers and footers,
tables of contents), `regions` (ruled tables and boxes), `order` (reading order), `paragraphs` (lines to blocks),
`headings` (which blocks are headings, and of which level) and `title`.
"""

from __future__ import annotations

from ankare.ingest.pdf.read import read_pdf

__all__ = ["read_pdf"]
