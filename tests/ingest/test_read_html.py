"""What a reader of a web page sees, and what it never gets to see."""

from __future__ import annotations

import pytest

from ankare.domain.document import Extraction
from ankare.errors import DocumentError
from ankare.ingest.read_html import decode_html, read_html


def read(body: str, head: str = "") -> Extraction:
    return read_html(f"<!DOCTYPE html><html><head>{head}</head><body>{body}</body></html>".encode(), "namn")


def shape(found: Extraction) -> list[tuple[str, int, str, str]]:
    return [(block.kind.value, block.level, block.marker, block.text) for block in found.blocks]


def test_blocks_in_reading_order() -> None:
    found = read(
        "<h1>Plan</h1><p>Ett &amp; <b>två</b>.<br>Tre</p><ul><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ul>"
        "<ol start=3><li>e<li>f</ol><blockquote>g</blockquote>löst<div>i</div>",
        "<title>Sidan</title>",
    )
    assert found.title == "Sidan"
    assert shape(found) == [
        ("heading", 1, "", "Plan"),
        ("paragraph", 0, "", "Ett & två. Tre"),
        ("item", 0, "•", "a"),
        ("item", 1, "•", "b"),
        ("item", 0, "•", "c d"),
        ("item", 0, "3.", "e"),
        ("item", 0, "4.", "f"),
        ("paragraph", 0, "", "g"),
        ("paragraph", 0, "", "löst"),
        ("paragraph", 0, "", "i"),
    ]


def test_tables_and_definitions_are_rows() -> None:
    found = read(
        "<table><caption>Roller</caption><tr><th>Roll</th><th>Ansvar</th></tr><tr><td>Chef</td><td>Beslut</td></tr></table>"
        "<dl><dt>Drift</dt><dd>Att köra.</dd><dt>Stöd</dt><dd>Att hjälpa.</dd></dl>"
    )
    assert [(block.kind.value, block.text, block.header) for block in found.blocks] == [
        ("paragraph", "Roller", False),
        ("row", "Roll | Ansvar", True),
        ("row", "Chef | Beslut", False),
        ("row", "Drift | Att köra.", False),
        ("row", "Stöd | Att hjälpa.", False),
    ]


def test_a_table_for_layout_is_read_as_blocks() -> None:
    found = read("<table><tr><td><h2>Drift</h2><p>Text.</p></td></tr></table>")
    assert [block.kind.value for block in found.blocks] == ["heading", "paragraph"]


@pytest.mark.parametrize(
    "element",
    [
        "<p hidden>gömd</p>",
        "<p aria-hidden=true>gömd</p>",
        '<p style="display: none">gömd</p>',
        '<p style="visibility:hidden">gömd</p>',
        '<p style="color:#FFF">gömd</p>',
        '<p style="color: white !important">gömd</p>',
        '<p style="font-size:0">gömd</p>',
        '<p style="opacity:0.0">gömd</p>',
        '<p style="position:absolute;left:-9999px">gömd</p>',
        "<p class=h>gömd</p>",
        "<p id=i>gömd</p>",
        "<ul><li>syns<li hidden>gömd</ul>",
        "<table><tr><td>syns<td>också<tr hidden><td>gömd<td></table>",
        "<!-- gömd -->",
        "<dialog>gömd</dialog>",
    ],
)
def test_hidden_text_is_left_out_and_reported(element: str) -> None:
    found = read(element + "<p>Kvar.</p>", "<style>.h{display:none} #i { visibility : hidden }</style>")
    assert all("gömd" not in block.text for block in found.blocks)
    assert "gömd" in " ".join(found.hidden_text)
    assert found.blocks[-1].text == "Kvar."


@pytest.mark.parametrize(
    "element",
    [
        '<div style="background:#004"><p style="color:white">syns</p></div>',
        '<table><tr bgcolor="#004"><td style="color:#fff">syns</td><td>b</td></tr></table>',
        "<style>@media print {.x{display:none}}</style><p class=x>syns</p>",
        "<main><header><h1>syns</h1></header></main>",
        "<article><aside>syns</aside></article>",
    ],
)
def test_visible_text_stays(element: str) -> None:
    assert "syns" in " ".join(block.text for block in read(element).blocks)


def test_navigation_and_the_page_frame_are_left_out() -> None:
    found = read(
        "<header>a</header><nav>b</nav><main><p>Text.</p></main><aside>c</aside><footer>d</footer><script>e</script>"
    )
    assert [block.text for block in found.blocks] == ["Text."]


@pytest.mark.parametrize(
    ("data", "charset"),
    [
        ('<meta charset="iso-8859-1"><p>å</p>'.encode("latin-1"), ""),
        ("<p>å</p>".encode("cp1252"), ""),
        ("<p>å</p>".encode(), ""),
        ("<p>å</p>".encode("utf-16"), ""),
        ("<p>å</p>".encode("latin-1"), "iso-8859-1"),
        *(
            (f'<meta charset="{name}"><p>å</p>'.encode(), "")
            for name in ("nonsense", "undefined", "idna", "unicode_escape")
        ),
        ("<p>å</p>".encode(), "nul\0name"),
        ('<?xml version="1.0" encoding="iso-8859-1"?><html><p>å</p></html>'.encode("latin-1"), ""),
    ],
)
def test_charset_is_found(data: bytes, charset: str) -> None:
    assert "<p>å</p>" in decode_html(data, charset)
    assert [block.text for block in read_html(data, "x", charset).blocks] == ["å"]


def test_deep_nesting_is_survived() -> None:
    assert [block.text for block in read("<div>" * 2000 + "kvar").blocks] == ["kvar"]
    with pytest.raises(DocumentError, match="nested"):
        read("<div>" * 50_000 + "kvar")
