"""A cited row is shown in its table: under the names of its columns, marked alone, with what stands around it."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest

from ankare.domain.answer import Citation
from ankare.domain.document import Chunk, Sentence, UnitKind
from ankare.service.page.passage import passages_html
from tests.service.scripted import make_chunk

HEAD = "Nr | Risk | Ägare"
ROWS = tuple(f"R{n} | Risk nummer {n} | Ägare {n}" for n in range(1, 10))


def sheet(*rows: str, head: str = HEAD, source: str = "risker.xlsx", before: str = "") -> Chunk:
    lines = [*filter(None, (before, head)), *rows]
    chunk = make_chunk("\n".join(lines), source=source)
    found, at = [], 0
    for line in lines:
        kind = UnitKind.SENTENCE if line == before else UnitKind.ROW
        place = {"kind": kind, "group": 0 if line == before else 1, "places": chunk.sentences[0].places}
        found.append(Sentence(at, at + len(line), header=line == head, **place))
        at += len(line) + 1
    return replace(chunk, sentences=tuple(found))


def shown(chunk: Chunk, *rows: str) -> str:
    spans = [(chunk.text.index(row), chunk.text.index(row) + len(row)) for row in rows]
    return passages_html([Citation(chunk, start, end, chunk.sentences[0].places) for start, end in spans], "Tabell")


def cells(html: str, tag: str = "td") -> list[str]:
    return [unescape(re.sub("<[^>]*>", "", one)) for one in re.findall(f"<{tag}[ >].*?</{tag}>", html)]


def marked(html: str) -> list[str]:
    return re.findall("<mark>(.*?)</mark>", html)


@pytest.mark.parametrize("source", ["risker.xlsx", "risker.csv", "risker.docx"])
def test_a_cited_row_is_marked_under_the_names_of_its_columns(source: str) -> None:
    html = shown(sheet(*ROWS, source=source), ROWS[4])
    assert re.findall('<th scope="col">(.*?)</th>', html) == ["Nr", "Risk", "Ägare"]
    assert marked(html) == ["R5", "Risk nummer 5", "Ägare 5"]
    assert [cell for cell in cells(html) if cell.startswith("R") and len(cell) == 2] == ["R3", "R4", "R5", "R6", "R7"]
    assert "|" not in html
    assert "<blockquote>" not in html


def test_rows_that_are_left_out_are_told() -> None:
    html = shown(sheet(*ROWS), ROWS[0], ROWS[8])
    assert html.count("<table>") == 1
    assert html.count("⋮") == 1
    assert shown(sheet(*ROWS), ROWS[4]).count("⋮") == 2


def test_a_part_of_a_row_marks_its_cell() -> None:
    assert marked(shown(sheet(*ROWS), "Risk nummer 3")) == ["Risk nummer 3"]


def test_names_of_columns_that_are_cited_are_marked_too() -> None:
    assert marked(shown(sheet(*ROWS), HEAD)) == ["Nr", "Risk", "Ägare"]


def test_a_table_without_names_has_no_heading_and_short_rows_are_filled() -> None:
    html = shown(sheet("A | 1 | x", "B | 2", head=""), "B | 2")
    assert "<thead>" not in html
    assert marked(html) == ["B", "2"]
    assert html.count("<td>") == 6


def test_what_is_cited_beside_the_rows_stays_a_passage() -> None:
    html = shown(sheet(*ROWS, before="Riskerna är nio."), "Riskerna är nio.", ROWS[0])
    assert "<blockquote><mark>Riskerna är nio.</mark>" in html
    assert html.count("<table>") == 1


def test_no_cell_is_markup() -> None:
    html = shown(sheet("<script>x</script> | <b>y</b> | z"), "<script>x</script> | <b>y</b> | z")
    assert "<script" not in html and "<b>" not in html
    assert "&lt;script&gt;x" in html
