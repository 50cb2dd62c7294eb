"""Text of a document or a question reads as written and never acts as markup."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ankare.cite import escape
from tests.posted import called

RENDERER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
MARKUP = st.text(alphabet="<>&;[]()!`*_~#+-=|:/\\.\"' \t\n1a9åx$^{}\u202e\x00", max_size=40)


def shown(markdown: str) -> tuple[str, set[str]]:
    """What a reader sees, and every kind of markup that was found."""
    kinds: set[str] = set()
    text = ""
    for token in RENDERER.parse(markdown):
        kinds.add(token.type)
        for child in token.children or ():
            kinds.add(child.type)
            text += child.content
    return text, kinds - {"paragraph_open", "paragraph_close", "inline", "text", "text_special"}


@given(MARKUP)
@example("2024. Årsplan")
@example("___")
@example("- [x] klart")
@example("&lt;script&gt;")
@example("a_b_ _c_")
@example("\\<b>")
@example("![bild](http://evil.example/x.png)")
def test_escaped_text_is_shown_as_written(text: str) -> None:
    seen, markup = shown(escape.markdown(text))
    assert markup == set()
    assert seen == escape.plain(text)


@given(MARKUP, MARKUP)
def test_escaped_text_stays_inside_a_link(label: str, rest: str) -> None:
    inside = escape.markdown("x" + label)
    seen, markup = shown(f"före [{inside}](/sources/a#page=1) {escape.markdown('y' + rest)}")
    assert markup == {"link_open", "link_close"}
    assert seen == f"före {escape.plain('x' + label)} {escape.plain('y' + rest)}"


@given(st.lists(MARKUP, min_size=2, max_size=2))
def test_a_cell_never_leaves_its_table(cells: list[str]) -> None:
    row = " | ".join(escape.cell("x" + cell) for cell in cells)
    tokens = RENDERER.parse(f"| a | b |\n| --- | --- |\n| {row} |")
    texts = ["".join(child.content for child in t.children or ()) for t in tokens if t.type == "inline"]
    assert texts[2:] == [escape.plain("x" + cell) for cell in cells]


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "", " https://a", "file:///etc"]
)
def test_only_web_addresses_become_links(address: str) -> None:
    assert escape.url(address) == ""


@given(st.text(max_size=40))
def test_no_address_can_end_its_link(tail: str) -> None:
    address = escape.url("https://example.org/" + tail)
    _, markup = shown(f"[a]({address}) slut")
    assert markup == {"link_open", "link_close"}


CALLS = st.text(alphabet="@#:/.-\\\\&;1aw GHghttps_<|", max_size=40) | st.lists(
    st.sampled_from(
        (
            "@",
            "#1",
            "GH-1",
            "gh-2",
            "http://",
            "https://",
            "ftp://",
            "mailto:",
            "www.",
            "a@b.example",
            "\\",
            "&#64;",
            " ",
        )
    )
).map("".join)


@given(CALLS)
@example("a@b.example, @octocat and @org/team")
@example("\\\\#1 \\@a")
@example("#1")
@example("&#64;octocat &commat;octocat")
@example("see HTTPS://evil.example/x, www.evil.example, GH-1 and owner/repo#12")
def test_text_that_is_posted_calls_nobody_and_reads_as_written(text: str) -> None:
    quiet = escape.unlinked(escape.cell(text))
    assert called(quiet) == []
    tokens = RENDERER.parseInline(quiet)[0].children or ()
    assert "".join(one.content for one in tokens if one.type != "html_inline") == escape.plain(text)
    assert {one.type for one in tokens} <= {"text", "text_special", "html_inline"}


def test_saboteur_an_escape_alone_still_calls() -> None:
    assert called(escape.cell("@octocat")) and called("\\@octocat") and called("&#64;octocat")


def test_common_text_is_left_alone() -> None:
    for text in ("IT-miljön, R&D och 3.2 §: 20 % (ca 5–6 st).", "snake_case i text", "50 000 kr/år!", "Kl. 10:30"):
        assert escape.markdown(text) == text
