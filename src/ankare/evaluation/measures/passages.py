"""Which texts are sentences held against, in which language is each written, and into which sentences does it fall?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ankare.evaluation.measures.said import CHINESE, Said, said
from ankare.index.recent import Recent
from ankare.language.languages import LANGUAGE_CODES, detect_language, get_language

Window = tuple[Said, ...]
"""A sentence, or two that follow each other."""
_READ_FOR_LANGUAGE = 400
_SHORT = 10
_LEAST_FOR_LANGUAGE = 4
_KEPT_PASSAGES = 4_000
_WRAPPED_FROM = 40
_LINE = re.compile(r"\n+")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Passage:
    """A text that sentences are held against: a chunk, a cited stretch, an answer. `heading`: title and section."""

    text: str
    code: str
    heading: str = ""
    source: str = ""
    pages: tuple[int, ...] = ()

    @cached_property
    def sentences(self) -> tuple[Said, ...]:
        """Its sentences, list items and rows."""
        return tuple(said(text, self.code) for text in sentences_of(self.text, self.code))

    @cached_property
    def plain(self) -> frozenset[str]:
        """Its sentences, each as its words alone."""
        return frozenset(sentence.plain for sentence in self.sentences)

    @cached_property
    def words(self) -> str:
        """Its words and numbers alone, between spaces."""
        return f" {' '.join(sentence.plain for sentence in self.sentences)} "

    @cached_property
    def terms(self) -> frozenset[str]:
        """All terms of its sentences."""
        return frozenset().union(*(sentence.terms for sentence in self.sentences))

    @cached_property
    def above(self) -> Said:
        """Its heading, read."""
        return said(self.heading, self.code)


_passages: Recent[tuple[str, str, str, str, tuple[int, ...]], Passage] = Recent(_KEPT_PASSAGES)


def passage(
    text: str, language: str, heading: str = "", source: str = "", pages: tuple[int, ...] = (), *, certain: bool = False
) -> Passage:
    """A text with its language, found by its words unless `certain`; `language` is what it is where nothing tells."""
    key = (text, language, heading, source, pages)
    known = _passages.get(key)
    if known is None:
        code = language if certain else language_of(text, language)
        known = Passage(text, code, heading, source, pages)
        _passages.put(key, known)
    return known


def language_of(text: str, default: str) -> str:
    """The language of a text, by its beginning; of a short one the default, unless its function words are clearly another's."""
    return _detected(text[:_READ_FOR_LANGUAGE], default if default in LANGUAGE_CODES else LANGUAGE_CODES[0])


@lru_cache(_KEPT_PASSAGES)
def _detected(beginning: str, default: str) -> str:
    found = detect_language(beginning, LANGUAGE_CODES, default)
    words = _WORD.findall(beginning)
    if found in (default, CHINESE) or default == CHINESE or len(words) >= _SHORT:
        return found
    if len(words) < _LEAST_FOR_LANGUAGE:
        return default
    theirs, own = (sum(get_language(code).analyze(word).stop for word in words) for code in (found, default))
    return found if theirs > max(own, 1) else default


def sentences_of(text: str, code: str) -> Iterator[str]:
    """The sentences of a text; an item or row that stands on a line of its own is one."""
    for block in _blocks(text):
        for start, end in get_language(code).sentences(block):
            yield block[start:end]


def _blocks(text: str) -> Iterator[str]:
    """Lines, those that only wrap put together."""
    open_line = ""
    for line in map(str.strip, _LINE.split(text)):
        wraps = len(open_line) >= _WRAPPED_FROM and open_line[-1].isalnum() and line[:1].islower() and "|" not in line
        if open_line and not wraps:
            yield open_line
            open_line = ""
        open_line = f"{open_line} {line}".strip()
    if open_line:
        yield open_line


def same_language(code: str, passages: Sequence[Passage]) -> bool:
    """Is any of the passages written in the language? Words can only be compared within one."""
    return any(one.code == code for one in passages)


def terms_of(window: Window) -> frozenset[str]:
    """All terms of the window's sentences."""
    return window[0].terms if len(window) == 1 else frozenset().union(*(sentence.terms for sentence in window))
