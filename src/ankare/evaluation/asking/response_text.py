"""Which statements does a text in Markdown make, where a server tells no claims?

Lists of sources, related pages, notes and marks of citations are none of them; a mark says which source the words before
it stand on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from ankare.evaluation.captured import CitedSpan, Statement
from ankare.gate.plain_text import plain_text
from ankare.gate.source_sections import strip_sources
from ankare.language.languages import get_language
from ankare.messages import languages, messages

LONGEST = 50_000
"""Characters of an answer that are read."""
_OURS = ("cite.sources", "cite.related", "cite.choices")
_WIDEST = 20
"""Of blanks side by side: more say nothing, and patterns elsewhere take the square of their number."""
_BLANKS = re.compile(rf"([^\S\n]{{{_WIDEST}}})[^\S\n]+")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_BOLD = re.compile(r"\s{0,3}\*\*([^*]{1,100})\*\*:?\s*")
_LINKED = re.compile(r"\s?\[\[(\d{1,3})\]\]\([^()\s]{0,2000}\)")
_PLAIN = re.compile(r"\s?\[\^?(\d{1,3})\](?![(:\[])")
_OPEN, _CLOSE = "\u27e6", "\u27e7"
_MARK = re.compile(rf"\s?{_OPEN}(\d{{1,3}}){_CLOSE}")
_LINK = re.compile(r"\[([^\[\]\n]{1,500})\]\([^()\s]{0,2000}\)")
_ITEM = re.compile(r"\s*(?:[-*+•]\s+(?:\d{1,3}\\?[.)]\s+)?|(?P<number>\d{1,3})\\?[.)]\s+)(?P<text>.+)")
_ROW = re.compile(r"\s*\|(?P<cells>.+)\|\s*")
_RULE = re.compile(r"[\s|:-]+")
_NOTE = re.compile(r"\s*(?:>.*|_[^_].*_|\*[^*].*\*)\s*")
_ESCAPED = re.compile(r"\\([\\`*\[\]~_#=+.)|-])")


def statements_of(markdown: str, language: str, cited: Mapping[int, CitedSpan]) -> tuple[Statement, ...]:
    """The statements of an answer in their order. `cited`: the sources by their numbers in the text. A `language` that is not
    known is read as the first of ours."""
    code = language if language in languages() else languages()[0]
    marked = _PLAIN.sub(rf"{_OPEN}\1{_CLOSE}", _LINKED.sub(rf"{_OPEN}\1{_CLOSE}", narrowed(markdown)))
    said = strip_sources("\n".join(_without_lists(marked)), languages()).text
    return tuple(_statements(said, code, cited))


def narrowed(text: str) -> str:
    """The first `LONGEST` characters of a text, with no more than so many blanks side by side."""
    return _BLANKS.sub(r"\1", text[:LONGEST])


def _without_lists(text: str) -> Iterator[str]:
    """The lines, less headings and the parts that our own headings of lists begin."""
    inside = False
    for line in text.split("\n"):
        heading = _heading(line)
        if heading is None:
            if not inside:
                yield line
            continue
        inside = heading.strip(" :").casefold() in _list_headings()
        yield ""


def _heading(line: str) -> str | None:
    """The words of a heading, None for any other line."""
    if begun := _HEADING.match(line):
        return line[begun.end() :].strip().rstrip("#").strip()
    bold = _BOLD.fullmatch(line)
    return bold[1] if bold else None


@cache
def _list_headings() -> frozenset[str]:
    return frozenset(messages(code)[key].casefold() for code in languages() for key in _OURS)


def _statements(text: str, language: str, cited: Mapping[int, CitedSpan]) -> Iterator[Statement]:
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if not line.strip() or _NOTE.fullmatch(line) or _is_head(lines, at):
            continue
        row, item = _ROW.fullmatch(line), _ITEM.fullmatch(line)
        if row is not None:
            yield from _one(" | ".join(cell.strip() for cell in row["cells"].split("|")), "row", cited)
        elif item is not None:
            yield from _one(item["text"], "step" if item["number"] else "item", cited)
        else:
            yield from _sentences(line, language, cited)


def _is_head(lines: list[str], at: int) -> bool:
    """Is this the rule of a table, or the line of names above it?"""
    under = lines[at + 1] if at + 1 < len(lines) else ""
    return any("|" in line and "--" in line and _RULE.fullmatch(line) for line in (lines[at], under))


def _sentences(line: str, language: str, cited: Mapping[int, CitedSpan]) -> Iterator[Statement]:
    """The sentences of a line; a mark belongs to the one that it stands behind."""
    bare, marks = _apart(line)
    spans = get_language(language).sentences(bare)
    starts = [start for start, _ in spans]
    for (start, end), following in zip(spans, [*starts, len(bare)][1:], strict=True):
        last = following == len(bare)
        own = [number for place, number in marks if start < place and (last or place <= following)]
        yield from _one(bare[start:end], "text", cited, own)


def _apart(line: str) -> tuple[str, list[tuple[int, int]]]:
    """The line without marks, and each mark's place in it and number."""
    kept, marks, at, length = [], [], 0, 0
    for found in _MARK.finditer(line):
        kept.append(line[at : found.start()])
        length += len(kept[-1])
        marks.append((length, int(found[1])))
        at = found.end()
    return "".join([*kept, line[at:]]), marks


def _one(
    words: str, form: str, cited: Mapping[int, CitedSpan], numbers: Sequence[int] | None = None
) -> Iterator[Statement]:
    """The statement, unless nothing but marks is there. `numbers`: of its marks, None where they stand in its words."""
    text, marks = _apart(words)
    own = dict.fromkeys(number for _, number in marks) if numbers is None else dict.fromkeys(numbers)
    bare = _ESCAPED.sub(r"\1", plain_text(_LINK.sub(r"\1", text))).strip()
    if any(sign.isalnum() for sign in bare):
        yield Statement(bare, tuple(cited[number] for number in own if number in cited), form)
