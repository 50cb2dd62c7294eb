"""What does the rest of ankare ask of a language?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ankare.domain.question import QuestionType


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text: `text == source[start:end]`; `norm` is it case-folded, NFC, soft hyphens and zero-width removed."""

    text: str
    start: int
    end: int
    norm: str


@dataclass(frozen=True, slots=True)
class WordAnalysis:
    """How one word is indexed.

    `terms`: whole-word index terms, the main one first (usually one). `parts`: terms of the compound's parts, in order,
    empty when it is no compound. `surface_parts`: the parts as words, modifiers in dictionary form, the head as written.
    `stop`: a function word. `generic`: a word that never shows a subject alone.
    """

    word: str
    terms: tuple[str, ...]
    parts: tuple[str, ...] = ()
    surface_parts: tuple[str, ...] = ()
    stop: bool = False
    generic: bool = False


class Language(Protocol):
    """Analysis of one language. Deterministic, thread-safe, caches per word; loads its lexicons on first use."""

    code: str

    def tokens(self, text: str) -> list[Token]:
        """The words of a text, in order. Numbers and codes ("3.2", "IT-miljö", "2024-03") stay one token."""

    def analyze(self, word: str) -> WordAnalysis:
        """How one word (a token's text) is indexed."""

    def index_terms(self, text: str) -> tuple[str, ...]:
        """Index terms of a text in order: per word its terms then its parts; stop words left out."""

    def sentences(self, text: str) -> list[tuple[int, int]]:
        """Sentence spans (start, end), stripped of outer white space, that cover all non-space text; abbreviations,
        ordinals and decimal numbers do not end a sentence."""

    def question_type(self, text: str) -> QuestionType:
        """The form of answer that a question asks for, by cue words of the language pack."""

    def cues(self, name: str) -> tuple[str, ...]:
        """A named list of cue words or phrases of the pack (case-folded), e.g. "purpose", "condition", "sequence".
        Raises KeyError for an unknown list."""

    def frequency(self, word: str) -> float:
        """Zipf frequency (log10 per billion words, 0 for unknown), after Van Heuven et al. 2014."""

    def is_word(self, word: str) -> bool:
        """Is this a word form of the language's general lexicon?"""
