"""How does cited text read in its context, with what is cited marked, where its format has no pages to show?

Everything here is HTML that we wrote around escaped text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape as quoted

from ankare.cite.escape import plain
from ankare.domain.answer import Citation
from ankare.service.page.passage_rows import cited_rows, table_html

CONTEXT_CHARS = 160
Span = tuple[int, int]


def passages_html(citations: Sequence[Citation], table: str = "") -> str:
    """The cited text in its context, marked; rows in their table. Citations that stand close to each other share one passage.
    `table`: what a table is to those who do not see it."""
    return "".join(_passages(citations, table))


def _passages(citations: Sequence[Citation], table: str) -> Iterator[str]:
    by_chunk: dict[str, list[Citation]] = {}
    for citation in citations:
        by_chunk.setdefault(citation.chunk.id, []).append(citation)
    for together in by_chunk.values():
        chunk, spans = together[0].chunk, [(c.start, c.end) for c in together]
        tables = cited_rows(chunk, spans)
        in_rows = [(row.start, row.end) for rows in tables.values() for row in rows]
        yield from (table_html(chunk, rows, spans, table) for rows in tables.values())
        for marks in _neighbours(_merged(span for span in spans if not _within(span, in_rows))):
            yield f"<blockquote>{_passage(chunk.text, marks)}</blockquote>"


def _within(span: Span, rows: Sequence[Span]) -> bool:
    """Is a cited stretch told by rows alone? From the first it touches to the last it reaches."""
    return any(start <= span[0] < end for start, end in rows) and any(start < span[1] <= end for start, end in rows)


def _merged(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, those that overlap made one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _neighbours(spans: Sequence[Span]) -> list[list[Span]]:
    """Spans whose contexts meet stand together."""
    together: list[list[Span]] = []
    for span in spans:
        if together and span[0] - together[-1][-1][1] <= 2 * CONTEXT_CHARS:
            together[-1].append(span)
        else:
            together.append([span])
    return together


def _passage(text: str, marks: Sequence[Span]) -> str:
    """Some text before the first mark, everything up to the last one, and some text after it; cut between words."""
    first, last = marks[0][0], marks[-1][1]
    start, end = max(0, first - CONTEXT_CHARS), min(len(text), last + CONTEXT_CHARS)
    if start and (gap := re.search(r"\s", text[start:first])):
        start += gap.end()
    if end < len(text) and (gap := re.search(r"\s\S*$", text[last:end])):
        end = last + gap.start()
    shown, at = "… " if start else "", start
    for mark_start, mark_end in marks:
        shown += _lines(text[at:mark_start]) + f"<mark>{_lines(text[mark_start:mark_end])}</mark>"
        at = mark_end
    return shown + _lines(text[at:end]) + (" …" if end < len(text) else "")


def _lines(text: str) -> str:
    """Text as HTML with its line breaks, and with the space at its ends."""
    return "<br>".join(quoted(_spaced(line)) for line in re.split(r"\s*\n\s*", text))


def _spaced(line: str) -> str:
    inner = plain(line)
    if not inner:
        return " " if line else ""
    return " " * line[0].isspace() + inner + " " * line[-1].isspace()
