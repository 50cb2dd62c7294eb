"""How does a plain text become evidence that the gate can judge by?

Where there are documents, ingest makes the chunks. A text that comes without one (on the command line, in a benchmark, in a
test) is cut here: a list item or table row is a sentence of its own, lines that only wrap prose are one, headings ("## ...")
become the section path and are no evidence. The text keeps its length, so that a span of the chunk is a span of what was given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ankare.domain.document import Chunk, Sentence, UnitKind
from ankare.language.languages import get_language
from ankare.language.packs import word_set
from ankare.language.protocol import Language

_HEADING = re.compile(r"\s*#{1,6}[ \t]+(?P<text>\S.*?)[ \t#]*$")
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?P<marker>[-*•▪●◦‣–+]|\d{1,2}[.)]|[a-zåäö]\))[ \t]+(?=\S)")
_DAY = re.compile(r"\s*\d{1,2}\.[ \t]+(?P<word>[^\W\d_]+)")
_RULE = re.compile(r"[ \t|:+=-]{3,}$")
_ENDED = re.compile(r"[.!?:;…][\"'”’»)\]]*\s*$")
_BREAKS = str.maketrans(dict.fromkeys("\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", "\n"))
_SPACES = str.maketrans("\n\t", "  ")
_INDENT = 2
_WRAPPED_FROM = 40
"""A line of at least so many characters that ends in the middle of a sentence was wrapped there."""
_WINDOW = 200


@dataclass
class _Unit:
    """A stretch of the text while it is read: prose, an item or a row."""

    kind: UnitKind
    start: int
    end: int
    marker: str = ""
    group: int = 0
    level: int = 0
    header: bool = False


def chunk_of(text: str, language: str, *, id: str = "e1", title: str = "", section: Sequence[str] = ()) -> Chunk:  # noqa: A002
    """A plain text as a chunk of one page. `len(chunk.text) == len(text)`: only line breaks and tabs became spaces.

    The gate keeps what it has read under the id, so two texts of one process should not share one. Raises BadInputError for
    an unknown language.
    """
    speak = get_language(language)
    level = text.replace("\r\n", " \n").translate(_BREAKS)
    units, headings = _units(level, word_set(language, "ordinal_followers"))
    level = _flat(level, units)
    sentences = tuple(sentence for unit in units for sentence in _sentences(level, unit, speak))
    return Chunk(id, id, id, "txt", title, (*section, *headings), (1,), level, language, 0, sentences)


def _units(text: str, months: frozenset[str]) -> tuple[list[_Unit], list[str]]:
    """The units of a text in order, and its headings."""
    units: list[_Unit] = []
    headings: list[str] = []
    start, joins = 0, False
    for line in text.split("\n"):
        end = start + len(line)
        last = units[-1] if units and joins else None
        heading = _HEADING.match(line)
        if heading:
            headings.append(heading["text"])
        elif _is_rule(line):
            _mark_header(last)
        elif last is not None and _goes_on(last, text, line, months):
            last.end = end
        elif line.strip():
            units.append(_opened(line, start, units))
        joins = bool(line.strip()) and not heading
        start = end + 1
    return units, headings


def _opened(line: str, start: int, before: Sequence[_Unit]) -> _Unit:
    """The unit that a line opens; one of the kind of the last goes on with its list or table."""
    end, item = start + len(line), _ITEM.match(line)
    kind = UnitKind.ROW if _is_row(line) else UnitKind.ITEM if item else UnitKind.SENTENCE
    if kind is UnitKind.SENTENCE:
        return _Unit(kind, start, end)
    group = next((unit.group for unit in reversed(before) if unit.group), 0)
    group += not before or before[-1].kind is not kind
    if kind is UnitKind.ROW or item is None:
        return _Unit(kind, start, end, group=group)
    return _Unit(kind, start + item.end(), end, item["marker"], group, len(item["indent"].expandtabs(4)) // _INDENT)


def _is_row(line: str) -> bool:
    bare = line.strip()
    return " | " in bare or (len(bare) > 1 and bare[0] == bare[-1] == "|")


def _is_rule(line: str) -> bool:
    """Is it the line under a table's header ("|---|---|")?"""
    return "-" in line and _RULE.match(line) is not None


def _mark_header(last: _Unit | None) -> None:
    if last is not None and last.kind is UnitKind.ROW:
        last.header = True


def _goes_on(last: _Unit, text: str, line: str, months: frozenset[str]) -> bool:
    """Does a line go on with the unit of the line before it?"""
    before = text[max(last.start, last.end - _WINDOW) : last.end].rstrip()
    if not line.strip() or last.kind is UnitKind.ROW or _is_row(line):
        return False
    if _ITEM.match(line):
        day = _DAY.match(line)  # "den / 3. maj" only looks like an item
        return day is not None and day["word"].casefold() in months and not _ENDED.search(before)
    if line.lstrip()[0].islower() or (last.kind is UnitKind.ITEM and line[0] in " \t"):
        return True
    length = len(before) - before.rfind("\n") - 1
    return last.kind is UnitKind.SENTENCE and length >= _WRAPPED_FROM and not _ENDED.search(before)


def _flat(text: str, units: Sequence[_Unit]) -> str:
    """The text with the breaks inside its units as spaces; those between them stay."""
    parts, at = [], 0
    for unit in units:
        parts += [text[at : unit.start], text[unit.start : unit.end].translate(_SPACES)]
        at = unit.end
    return "".join((*parts, text[at:]))


def _sentences(text: str, unit: _Unit, speak: Language) -> list[Sentence]:
    """A row is one sentence, without the frame around it; prose and items are cut where the language says."""
    piece = text[unit.start : unit.end]
    if unit.kind is UnitKind.ROW:
        inner = piece.strip(" |")
        spans = [(piece.index(inner), piece.index(inner) + len(inner))] if inner else []
    else:
        spans = speak.sentences(piece)
    return [
        Sentence(
            unit.start + start,
            unit.start + end,
            unit.kind,
            (),
            unit.marker,
            unit.group,
            unit.level,
            unit.header,
            speak.index_terms(piece[start:end]),
        )
        for start, end in spans
    ]
