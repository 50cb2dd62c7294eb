"""Which separate things does a right answer hold, and does a text hold the words of one?

Words are compared as a reader would: case, line breaks, words broken at the end of a line, marks of Markdown, the numbers of
citations and punctuation make no difference; every word and number does. A number is the same however its thousands are set
off and whatever its decimal mark ("10.000" is "10 000"), and so is a percent in words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from itertools import pairwise
from typing import NamedTuple

from ankare.evaluation.case import Case, Gold
from ankare.evaluation.suites.same_source import same_source
from ankare.language.numbers import parse_decimal
from ankare.language.units import parse_unit

_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_BROKEN = re.compile("[\ufffe\x02]\\s*")
"""A hyphen at the end of a line, as some readers of PDF hand it over."""
_CITATION = re.compile(r"\[?\[\d{1,4}\]\]?(?:\([^()\s]*\))?")
_LINK = re.compile(r"\[([^\[\]]+)\]\([^()\s]*\)")
_MINUS = re.compile(r"(?:(?<=^)|(?<=[\s(]))[-\u2010-\u2015\u2212](?=\d)")
_GROUPED = re.compile(r"(?<![\w.,])\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?![\w])")
_HYPHEN = re.compile("(?<=[^\\W\\d_])[-\u2010-\u2015](?:[ \t]*\r?\n\\s*)?(?=[^\\W\\d_])")
_DASH = re.compile("(?<=\\d)(?:[\u2010-\u2015]|[-\u2010-\u2015][ \\t]*\\r?\\n\\s*)(?=\\d)")
_QUOTE = re.compile(r"^[ \t]*(?:>[ \t]*)+", re.MULTILINE)
_ESCAPE = re.compile(r"\\(?=[^\w\s])")
_CHINESE = r"[\u3400-\u4dbf\u4e00-\u9fff]"
_TOKEN = re.compile(
    rf"-?\d+(?:[.,:/\-]\d+)*(?:(?!{_CHINESE})[^\W\d_])*"  # a number, with the letters that are written to it
    rf"|{_CHINESE}"  # each sign is a word
    rf"|(?:(?!{_CHINESE})[^\W_])+"
    r"|[%\u2030§$€£¥°<>±]"
)
_MARKED = re.compile(r"\d+(?:[.,]\d+)+")
_OTHER_MARK = {",": ".", ".": ","}
_BETWEEN_NUMBERS = "\x1f"
"""What is kept between two numbers, so that "1, 2" does not hold "12"."""


class Place(NamedTuple):
    """A page of a document; `page` None where any would do, or where the format has none."""

    source: str
    page: int | None = None

    def within(self, source: str, pages: tuple[int, ...]) -> bool:
        """Does something that stands on these pages of a source stand here? Names are compared by `same_source`."""
        return same_source(self.source, source) and (self.page is None or self.page in pages)


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a right answer holds, and every place that says it.

    `snippets`: wordings as the documents write them, the shortest first: it suffices. Empty where only the place is known.
    """

    places: frozenset[Place]
    snippets: tuple[str, ...] = ()

    @property
    def sources(self) -> frozenset[str]:
        """The documents that say it."""
        return frozenset(place.source for place in self.places)

    def stands_in(self, source: str, pages: tuple[int, ...]) -> bool:
        """Do these pages of a source (any of them) say it, as far as the suite knows?"""
        return any(place.within(source, pages) for place in self.places)

    def said_in(self, text: str) -> bool:
        """Does a text say it in one of its wordings? False where no wording is known."""
        return any(holds(text, snippet) for snippet in self.snippets)


def parts_of(case: Case) -> tuple[Part, ...]:
    """The separate things that the case's gold asks for, in the order of the file.

    Snippets that are the same words are one part with several places. A snippet that holds a shorter one says that part too, so
    its places count for each of those that it holds. Gold without a snippet: one part per document, any page of it that is
    named; nothing of its own where a snippet is known on one of these pages.
    """
    worded = [gold for gold in case.gold if words(gold.snippet).text]
    parts = [_part(least, worded) for least in _least(worded)]
    bare: dict[str, list[Gold]] = {}
    for gold in case.gold:
        if not words(gold.snippet).text and not _known(gold, worded):
            source = next((name for name in bare if same_source(name, gold.source)), gold.source)
            bare.setdefault(source, []).append(gold)
    parts += [Part(frozenset(place for gold in golds for place in _places(gold))) for golds in bare.values()]
    return tuple(parts)


def _least(worded: list[Gold]) -> Iterator[Gold]:
    """One gold for each wording that holds no shorter one."""
    seen: set[str] = set()
    for gold in worded:
        same = words(gold.snippet).text
        if same in seen or any(
            words(other.snippet).text != same and holds(gold.snippet, other.snippet) for other in worded
        ):
            continue
        seen.add(same)
        yield gold


def _part(least: Gold, worded: list[Gold]) -> Part:
    saying = [gold for gold in worded if holds(gold.snippet, least.snippet)]
    snippets = dict.fromkeys([least.snippet, *sorted((gold.snippet for gold in saying), key=len)])
    return Part(frozenset(place for gold in saying for place in _places(gold)), tuple(snippets))


def _places(gold: Gold) -> Iterator[Place]:
    if not gold.pages:
        yield Place(gold.source)
    for page in gold.pages:
        yield Place(gold.source, page)


def _known(gold: Gold, worded: list[Gold]) -> bool:
    """Is one of these places that of a snippet?"""
    return any(
        same_source(other.source, gold.source) and (not gold.pages or not other.pages or {*gold.pages} & {*other.pages})
        for other in worded
    )


def holds(text: str, snippet: str) -> bool:
    """Do the snippet's words stand in the text, in order and unbroken, as whole words? False for a snippet without words."""
    wanted, within = words(snippet), words(text)
    if not wanted.text:
        return False
    at = within.text.find(wanted.text)
    while at >= 0:
        if at in within.edges and at + len(wanted.text) in within.edges:
            return True
        at = within.text.find(wanted.text, at + 1)
    return False


def normalise(text: str) -> str:
    """The words and numbers of a text as they are compared, with a space between them."""
    return " ".join(_tokens(text))


@dataclass(frozen=True, slots=True)
class Words:
    """A text as it is compared: its words run together, since a break may stand anywhere, and its numbers kept apart.

    `edges`: where a word begins or ends.
    """

    text: str
    edges: frozenset[int]


@lru_cache(maxsize=8192)
def words(text: str) -> Words:
    """The words of a text, run together."""
    tokens = _tokens(text)
    pieces, edges, at = [], {0}, 0
    for before, token in pairwise(["", *tokens]):
        if before[-1:].isdecimal() and token[:1].isdecimal():
            pieces.append(_BETWEEN_NUMBERS)
            at += 1
        pieces.append(token)
        edges |= {at, at + len(token)}
        at += len(token)
    return Words("".join(pieces), frozenset(edges))


def _tokens(text: str) -> list[str]:
    plain = _ESCAPE.sub("", _QUOTE.sub("", _UNSEEN.sub("", _BROKEN.sub("", text))))
    plain = unescape(plain)  # after the quote's mark: a written &lt; or &gt; is a word
    plain = _LINK.sub(r"\1", _CITATION.sub(" ", plain))
    plain = unicodedata.normalize("NFKC", _GROUPED.sub(_together, plain))
    plain = _DASH.sub("-", _HYPHEN.sub("", _MINUS.sub("-", plain)))
    return list(_alike(_TOKEN.findall(plain.casefold())))


def _alike(tokens: list[str]) -> Iterator[str]:
    """The words with numbers and percents in one writing."""
    for before, token in pairwise(["", *tokens]):
        if token[-1:].isdecimal():
            yield _MARKED.sub(_in_one_writing, token)
        else:
            yield "%" if before[-1:].isdecimal() and _is_percent(token) else token


def _in_one_writing(number: re.Match[str]) -> str:
    """A number with its decimals after a point and nothing between thousands, read as grouped where it could be either; what
    is no number ("1.2.3") as it stands."""
    mark = re.search("[.,]", number[0])
    try:
        return format(parse_decimal(number[0], decimal=_OTHER_MARK[mark[0]] if mark else None), "f")
    except ValueError:
        return number[0]


@lru_cache(maxsize=8192)
def _is_percent(word: str) -> bool:
    unit = parse_unit(word)
    return unit is not None and unit.kind == "percent"


def _together(number: re.Match[str]) -> str:
    return re.sub(r"\s", "", number[0])
