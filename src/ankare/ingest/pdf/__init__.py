"""How does a PDF become blocks of text in reading order, each with its place on the page?

`read_pdf` (in `read`) is the way in. The steps stand in this order: `glyphs` and `graphics` (what pdfium knows of every
character, rule and box), `fragments` (runs of characters on one line, words), `hidden` (what no reader sees), `regions`
(ruled tables and frames), `artefacts` (running headers and footers, tables of contents), `layout` with `lines` and `order`
(reading order), `paragraphs` with `headings` and `tables` (lines to drafts of blocks), `assemble` (drafts to blocks, with
levels and places) and `title`.
"""

from __future__ import annotations

from ankare.ingest.pdf.read import read_pdf

__all__ = ["read_pdf"]
