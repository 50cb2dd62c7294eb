"""Does a piece of text point to a source, or does it say something?

A pointer names a file, a page, an id or an address. A sentence has a verb; the finite verbs are a list of the pack, so that
the name of a document ("Handbok för införande") is told from what stands in it.
"""

from __future__ import annotations

import re
from functools import cache

from ankare.gate.leak_words import CLOSE, OPEN, listed

ALIAS = rf"(?<!-){OPEN}c\d{{1,3}}{CLOSE}(?!-)"
HEX = rf"(?<!-){OPEN}(?=[a-f]{{0,15}}\d)(?=\d{{0,15}}[a-f])[0-9a-f]{{8,64}}{CLOSE}(?!-)"
_WORD = re.compile(r"\w+")
_GLUE = re.compile(r"[\s,;:.·–—&+/\-\d†#^\"'“”*_]+")
_MARK = re.compile(r"^[\s(]*(?:[-*+•◦▪‣·–—]|\d{1,3}[.)]|[a-z][.)]|\[\^?\d{1,3}\]:?)\s+")
_SENTENCE_END = "。！？"
_MOST = 2000
"""Characters of a line that are looked at; no reference is longer."""


class References:
    """Reads pieces of text in these languages."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        pages = "|".join(re.escape(word) for word in listed("page_words", languages) if word.isascii() or len(word) > 1)
        self._page = re.compile(rf"(?<!\w)(?:{pages})\.?\s{{0,3}}\d|§\s?\d|第\s?\d+\s?[页章节]", re.IGNORECASE)
        self._sure = re.compile(rf"{file_pattern()}|{ALIAS}|{HEX}|\w://\S|(?<!\w)www\.", re.IGNORECASE)
        self._bracketed = re.compile(r"[\[【]\s?(?:\^?\d{1,3}|c\d{1,3})")
        words = listed("page_words", languages) + listed("pointers", languages)
        self._pointers = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)|[第页章节†]", re.IGNORECASE)
        self._verbs = frozenset(listed("clause_words", languages))
        self._chinese_verbs = [word for word in self._verbs if word > "\u3000"]

    def names_source(self, text: str) -> bool:
        """Does it hold a file, an id, an address: something that only a reference holds?"""
        return self._sure.search(text, 0, _MOST) is not None

    def points(self, text: str) -> bool:
        """Does it hold anything that a reference holds, be it a page or a number in brackets?"""
        text = text[:_MOST]
        return self.names_source(text) or bool(self._page.search(text) or self._bracketed.search(text))

    def says_something(self, text: str) -> bool:
        """Is it a sentence: four words or more, one of them a finite verb?"""
        text = _MARK.sub("", text[:_MOST].casefold())
        if any(mark in text for mark in _SENTENCE_END):
            return True
        words = _WORD.findall(text)
        if any("\u4e00" <= char <= "\u9fff" for char in text):
            return len(text) >= 10 and any(verb in text for verb in self._chinese_verbs)
        return len(words) >= 4 and not self._verbs.isdisjoint(words)

    def only_points(self, text: str) -> bool:
        """Is it nothing but names of files, pages and ids, at least one of which is more than a name or number?"""
        rest, files = _file().subn(" ", text[:_MOST])
        rest, ids = re.subn(rf"{ALIAS}|{HEX}", " ", rest)
        pages = self._page.search(rest) is not None
        return bool(ids or (files and pages)) and not _GLUE.sub("", self._pointers.sub("", rest))


def is_item(line: str) -> bool:
    """Does the line begin with the mark of a list item?"""
    return _MARK.match(line) is not None


@cache
def file_pattern() -> str:
    """A pattern for the name of a file: a word or several joined by points, strokes and dashes, and a known ending."""
    types = "|".join(sorted(listed("file_types", ("und",)), key=len, reverse=True))
    return rf"(?<![\w./@-])\w(?:[\w.()+/-]{{0,150}}[\w)])?\.(?:{types})(?![\w/@-])(?!\.\w)"


@cache
def _file() -> re.Pattern[str]:
    return re.compile(file_pattern(), re.IGNORECASE)


def files_in(text: str) -> tuple[str, ...]:
    """The names of files in a text, in their order."""
    return tuple(match[0] for match in _file().finditer(text))
