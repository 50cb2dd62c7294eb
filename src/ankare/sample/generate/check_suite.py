"""Does every gold snippet of the suite stand on the page that the suite names, and every expected figure in a fact file?

Reads documents and fact files with plain libraries, apart from ankare's own readers, so that the suite is no mirror of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pptx
import pypdfium2

from ankare.sample.generate.stated import Slots, stated_figures

FIGURE = "figure"
_BROKEN_WORD = re.compile("[\ufffe\x02\u00ad]\\s*")
_MARKS = re.compile(r"\*\*")


def misplaced(pack: Path) -> list[str]:
    """One line per gold snippet that does not stand on each of its pages, empty when all do."""
    faults = []
    for case in read_suite(pack):
        for gold in case["gold"] if case["type"] != FIGURE else ():
            pages = page_texts(pack / "documents" / gold["source"])
            found = [number for number, text in enumerate(pages, start=1) if plain(gold["snippet"]) in text]
            if not set(gold["pages"]) <= set(found):
                faults.append(f"{case['id']}: {gold['snippet']!r} stands on {found} of {gold['source']}")
    return faults


def misstated(pack: Path) -> list[str]:
    """One line per expected figure that the fact files do not state, or state where none is expected; empty when all is well.

    A case expects every value that is approved for its slots: two where sources disagree.
    """
    stated = stated_figures(pack)
    faults = []
    for case in read_suite(pack):
        wanted: dict[Slots, set[tuple[Decimal, str]]] = {}
        for expected in expected_figures(case):
            values = wanted.setdefault(slots_of(expected), set())
            if "value" in expected:
                values.add((Decimal(expected["value"]), expected["unit"]))
        for slots, values in wanted.items():
            if stated.get(slots, set()) != values:
                faults.append(
                    f"{case['id']}: {slots} is stated as {stated.get(slots, 'nothing')}, not {values or 'nothing'}"
                )
    return faults


def expected_figures(case: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What a figure case expects of each of its look-ups: a value, or none; empty where nothing is looked up."""
    expected = case.get("expected", [])
    listed = expected if isinstance(expected, list) else [expected]
    return [item for item in listed if case["type"] == FIGURE and "metric" in item]


def slots_of(expected: Mapping[str, Any]) -> Slots:
    """What an expected figure is about."""
    return Slots(expected["metric"], expected["entity"], expected["period"], expected.get("channel", "TOTAL"))


def read_suite(pack: Path) -> list[dict[str, Any]]:
    """The cases of `suite.jsonl`, as they stand."""
    return [json.loads(line) for line in (pack / "suite.jsonl").read_text(encoding="utf-8").splitlines()]


def plain(text: str) -> str:
    """Text as it is compared: words broken at line ends joined, any white space one space."""
    return " ".join(_MARKS.sub("", _BROKEN_WORD.sub("", text)).split())


@cache
def page_texts(path: Path) -> tuple[str, ...]:
    """The comparable text of each page, slide or sheet; formats without pages have one."""
    return tuple(plain(text) for text in _READERS[path.suffix](path))


class _TextOnly(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def _pdf(path: Path) -> Iterator[str]:
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            yield page.get_textpage().get_text_range()


def _docx(path: Path) -> Iterator[str]:
    yield "\n".join(paragraph.text for paragraph in docx.Document(str(path)).paragraphs)


def _pptx(path: Path) -> Iterator[str]:
    for slide in pptx.Presentation(str(path)).slides:
        texts = [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]
        rows = [row for shape in slide.shapes if shape.has_table for row in shape.table.rows]
        yield "\n".join([*texts, *(cell.text for row in rows for cell in row.cells)])


def _xlsx(path: Path) -> Iterator[str]:
    for sheet in openpyxl.load_workbook(path, read_only=True).worksheets:
        yield "\n".join(str(value) for row in sheet.iter_rows(values_only=True) for value in row if value is not None)


def _html(path: Path) -> Iterator[str]:
    parser = _TextOnly()
    parser.feed(path.read_text(encoding="utf-8"))
    yield "".join(parser.texts)


def _text(path: Path) -> Iterator[str]:
    yield path.read_text(encoding="utf-8")


_READERS = {".pdf": _pdf, ".docx": _docx, ".pptx": _pptx, ".xlsx": _xlsx, ".html": _html, ".md": _text, ".txt": _text}
