"""How is an answer shown to those who rate it?

As its readers see it, with its numbers in brackets, and beneath it what it cites: per number the document, the page and the
cited sentences. An answer comes from whatever was asked, so nothing in it acts: no HTML, no picture, no link but to its list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from ankare.evaluation.captured import Response
from ankare.evaluation.report.safe import seen
from ankare.messages import languages, messages

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LONGEST = 20_000
"""Characters of an answer that are shown."""
MOST_CITED, MOST_QUOTES, LONGEST_QUOTE = 60, 20, 2_000
CUT = " […]"
_NUMBER = re.compile(r"\[(\d{1,3})\]")
_MARK = re.compile(r"\[(\[\d{1,3}\])\]\([^()\s]*\)")
_LINK = re.compile(r"\[((?:[^\[\]\\]|\\.)*)\]\([^()\s]*\)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(frozen=True, slots=True)
class Cited:
    """One number of an answer's list: the document, its pages, and the sentences that are cited there."""

    number: int
    source: str
    pages: tuple[int, ...]
    quotes: tuple[str, ...]

    def place(self, language: str) -> str:
        """Document and page, as a reader of this language is told."""
        page = messages(language)["cite.page"]
        return ", ".join([self.source, *(page.format(page=number) for number in self.pages[:10])])


def cited_of(response: Response) -> tuple[Cited, ...]:
    """What the answer cites, in the order of its own numbers.

    A figure's place is that of its table; where the answer has statements but no list, each cited page has a number.
    """
    quotes: dict[tuple[str, int | None], list[str]] = {}
    for statement in response.statements:
        for span in statement.evidence:
            for page in span.pages or (None,):
                quotes.setdefault((span.source, page), []).append(span.text)
    places = [(one.source, one.pages) for one in response.sources]
    if not places:
        places = [(source, () if page is None else (page,)) for source, page in quotes]
    figures: dict[str, list[str]] = {}
    for figure in response.figures:
        figures.setdefault(figure.source, []).append(_figure(figure.locator, figure.value, figure.unit))
    told = []
    for number, (source, pages) in enumerate(places[:MOST_CITED], start=1):
        found = [quote for page in pages or (None,) for quote in quotes.get((source, page), ())]
        told.append(Cited(number, source, tuple(pages), _bounded(found or figures.get(source, []))))
    return tuple(told)


def plain_answer(response: Response) -> str:
    """The answer as a text without markup, for a cell of a table."""
    said = _MARK.sub(r"\1", without_list(response.markdown))
    return _ESCAPED.sub(r"\1", _LINK.sub(r"\1", said))


def answer_html(response: Response, item: str) -> str:
    """The answer as HTML that does nothing; its numbers lead to `#<item>-<number>`."""
    env = {"item": item, "known": {str(one.number) for one in cited_of(response)}}
    return str(_reader().render(seen(without_list(response.markdown)), env))


def without_list(markdown: str) -> str:
    """The text before the list of sources and what follows it, not longer than is shown."""
    heads = {f"### {messages(code)[key]}" for code in languages() for key in ("cite.sources", "cite.related")}
    kept: list[str] = []
    for line in markdown.splitlines():
        if line.strip() in heads:
            break
        kept.append(line)
    said = "\n".join(kept).strip()
    return said if len(said) <= LONGEST else said[:LONGEST] + CUT


def _figure(locator: str, value: str, unit: str) -> str:
    return ": ".join(filter(None, (locator, " ".join(filter(None, (value, unit))))))


def _bounded(quotes: Sequence[str]) -> tuple[str, ...]:
    """Each once, as many and as much of each as is shown."""
    kept = list(dict.fromkeys(filter(None, quotes)))[:MOST_QUOTES]
    return tuple(quote if len(quote) <= LONGEST_QUOTE else quote[:LONGEST_QUOTE] + CUT for quote in kept)


# --- Markdown


@cache
def _reader() -> MarkdownIt:
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).enable("table")
    reader.disable(["image", "autolink", "html_inline", "html_block", "reference"])
    for name, rule in {
        "link_open": _link,
        "link_close": _link_end,
        "heading_open": _head,
        "heading_close": _end,
    }.items():
        reader.add_render_rule(name, rule)
    return reader


def _link(_: Any, tokens: Sequence[Token], at: int, __: Any, env: Mapping[str, Any]) -> str:
    """A number of the list leads to it; any other link is text."""
    inside = tokens[at + 1].content if at + 1 < len(tokens) else ""
    number = _NUMBER.fullmatch(inside)
    if number and number[1] in env["known"]:
        return f'<a class="cite" href="#{escape(env["item"])}-{number[1]}">'
    return "<a>"  # an anchor without an address is text


def _link_end(*_: Any) -> str:
    return "</a>"


def _head(*_: Any) -> str:
    """The page has headings of its own; one of the answer is a line that stands out."""
    return '<p class="head">'


def _end(*_: Any) -> str:
    return "</p>"
