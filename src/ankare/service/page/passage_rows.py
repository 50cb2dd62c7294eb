"""How does a cited row read in its table, where a document's format has no pages to show?

The names of the columns, the cited rows marked, and a few rows around them; HTML that we wrote around escaped text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape as quoted

from ankare.cite.blocks import COLUMNS
from ankare.cite.escape import plain
from ankare.domain.document import Chunk, Sentence, UnitKind

AROUND = 2
"""So many rows are shown before and after a cited one."""
Span = tuple[int, int]


def cited_rows(chunk: Chunk, spans: Sequence[Span]) -> dict[int, list[Sentence]]:
    """The rows that the spans touch, by the table that they stand in; none where a table has a single column."""
    found: dict[int, list[Sentence]] = {}
    for row in chunk.sentences:
        if row.kind is UnitKind.ROW and COLUMNS in chunk.sentence_text(row) and any(_meet(row, s) for s in spans):
            found.setdefault(row.group, []).append(row)
    return found


def table_html(chunk: Chunk, cited: Sequence[Sentence], spans: Sequence[Span], name: str) -> str:
    """The table of some cited rows. `name`: what it is to those who do not see it."""
    rows = [row for row in chunk.sentences if row.kind is UnitKind.ROW and row.group == cited[0].group]
    width = max(len(_cells(chunk, row)) for row in rows)
    head = next((_heading(chunk, row, width) for row in rows if row.header and row not in cited), "")
    body = "".join(_body(chunk, [row for row in rows if not row.header or row in cited], cited, spans, width))
    return (
        f'<div class="ak-scroll ak-excerpt" role="region" tabindex="0" aria-label="{quoted(name)}">'
        f"<table>{head}<tbody>{body}</tbody></table></div>"
    )


def _heading(chunk: Chunk, row: Sentence, width: int) -> str:
    cells = "".join(f'<th scope="col">{quoted(plain(text))}</th>' for text, _ in _filled(chunk, row, width))
    return f"<thead><tr>{cells}</tr></thead>"


def _body(
    chunk: Chunk, rows: Sequence[Sentence], cited: Sequence[Sentence], spans: Sequence[Span], width: int
) -> Iterator[str]:
    marked = {place for place, row in enumerate(rows) if row in cited}
    shown = [p for p in range(len(rows)) if any(abs(p - place) <= AROUND for place in marked)]
    before = -1
    for place in shown:
        if place > before + 1:
            yield _gap(width)
        before = place
        cells = "".join(_cell(text, span, spans) for text, span in _filled(chunk, rows[place], width))
        yield f'<tr class="{"ak-own" if place in marked else "ak-near"}">{cells}</tr>'
    if before < len(rows) - 1:
        yield _gap(width)


def _gap(width: int) -> str:
    return f'<tr class="ak-gap" aria-hidden="true"><td colspan="{width}">⋮</td></tr>'


def _cell(text: str, span: Span, spans: Sequence[Span]) -> str:
    said = quoted(plain(text))
    touched = said and any(start < span[1] and span[0] < end for start, end in spans)
    return f"<td><mark>{said}</mark></td>" if touched else f"<td>{said}</td>"


def _filled(chunk: Chunk, row: Sentence, width: int) -> list[tuple[str, Span]]:
    cells = _cells(chunk, row)
    return [*cells, *[("", (row.end, row.end))] * (width - len(cells))]


def _cells(chunk: Chunk, row: Sentence) -> list[tuple[str, Span]]:
    """The cells of a row, each with its place in the chunk's text."""
    cells, at = [], row.start
    for text in chunk.sentence_text(row).split(COLUMNS):
        cells.append((text, (at, at + len(text))))
        at += len(text) + len(COLUMNS)
    return cells


def _meet(row: Sentence, span: Span) -> bool:
    return span[0] < row.end and row.start < span[1]
