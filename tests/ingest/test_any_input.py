"""Whatever bytes lie in a file, a reader gives text with right offsets or says what is wrong."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ankare.errors import DocumentError
from ankare.ingest.readers import read_document, source_type_of
from tests.ingest.making import pdf

_PIECES = [
    *(
        "<html",
        "<body",
        "<!doctype html>",
        "<?",
        "<p>",
        "</p>",
        "<table>",
        "<tr>",
        "<td>",
        "<ul>",
        "<li>",
        "<ol start=x>",
        "<!--",
        "-->",
        "<style>a{",
        "}",
        "&amp;",
    ),
    *(
        "<dl><dt>",
        "<dd>",
        "<div hidden>",
        "<h1>",
        "<br>",
        "# ",
        "- ",
        "1. ",
        "| a | b |\n|---|---|\n",
        "```",
        "> ",
        "\n",
    ),
    *("\n\n", "====", "    ", "\t", "ord ", "å", "\0", "\x1b[2J", "\ud7ff", "﻿", "　", "]]>", "<?xml?>", "{{7*7}}", '"'),
]
_TEXT = st.lists(st.sampled_from(_PIECES), max_size=40).map("".join).map(lambda text: text.encode("utf-8", "replace"))
_BYTES = st.one_of(_TEXT, st.binary(max_size=300), _TEXT.map(lambda data: data.decode().encode("utf-16")))


@settings(max_examples=150)
@given(_BYTES, st.sampled_from(["a.html", "a.md", "a.txt", "a.csv", "a", "a.pdf", "a.docx"]))
def test_a_reader_gives_whole_blocks_or_a_document_error(tmp_path_factory: object, data: bytes, name: str) -> None:
    folder: Path = tmp_path_factory.mktemp("any", numbered=True)  # type: ignore[attr-defined]
    path = folder / name
    path.write_bytes(data)
    try:
        found = read_document(path, source_type_of(path), lambda _word: True)
    except DocumentError as error:
        assert error.message
        assert error.remedy
        return
    for block in found.blocks:
        assert block.text == block.text.strip() != ""
        assert all(0 <= piece.start <= piece.end <= len(block.text) for piece in block.pieces)
        assert "\x1b" not in block.text
        assert "\0" not in block.text


@settings(max_examples=40)
@given(st.integers(0, 900), st.binary(min_size=1, max_size=8))
def test_a_pdf_with_wrong_bytes_in_it_is_read_or_told(tmp_path_factory: object, place: int, wrong: bytes) -> None:
    data = bytearray(pdf([["Planen testas av beställaren."], ["Driften tar vid."]]))
    data[place : place + len(wrong)] = wrong
    path: Path = tmp_path_factory.mktemp("pdf", numbered=True) / "a.pdf"  # type: ignore[attr-defined]
    path.write_bytes(data)
    try:
        found = read_document(path, source_type_of(path), lambda _word: True)
    except DocumentError as error:
        assert error.remedy
    else:
        assert found.page_count >= 1
