"""What do all languages have in common? Tokens, sentences, word cache, cue lists and question types of their pack."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ankare.domain.question import QuestionType
from ankare.language.packs import named_lists, word_set
from ankare.language.protocol import Token, WordAnalysis
from ankare.language.questions import question_type
from ankare.language.sentences import sentence_spans
from ankare.language.tokens import WORD, normalize, tokenize

_CACHED_WORDS = 200_000


class PackedLanguage(ABC):
    """A language whose word lists stand in a pack; subclasses analyse single words in `_analyze`."""

    code = ""

    def __init__(self) -> None:
        self._analyses: dict[str, WordAnalysis] = {}
        self._indexed: dict[str, tuple[str, ...]] = {}

    def tokens(self, text: str) -> list[Token]:
        """The words of a text, in order."""
        return tokenize(text)

    def analyze(self, word: str) -> WordAnalysis:
        """How one word (a token's text) is indexed."""
        known = self._analyses.get(word)
        if known is None:
            known = self._analyze_any(self.normalize(word))
            if len(self._analyses) >= _CACHED_WORDS:
                self._analyses.clear()
            self._analyses[word] = known
        return known

    def index_terms(self, text: str) -> tuple[str, ...]:
        """Index terms of a text in order: per word its terms then its parts; stop words left out."""
        terms: list[str] = []
        known = self._indexed
        for written in WORD.findall(text):
            word_terms = known.get(written)
            if word_terms is None:
                word_terms = self._index_written(written)
            terms += word_terms
        return tuple(terms)

    def sentences(self, text: str) -> list[tuple[int, int]]:
        """Sentence spans (start, end) that cover all text but white space."""
        return sentence_spans(text, word_set(self.code, "abbreviations"), word_set(self.code, "ordinal_followers"))

    def question_type(self, text: str) -> QuestionType:
        """The form of answer that a question asks for."""
        return question_type(text, self.code)

    def cues(self, name: str) -> tuple[str, ...]:
        """A named list of cue words of the pack. Raises KeyError for an unknown list."""
        return named_lists(self.code, "cues")[name]

    def normalize(self, word: str) -> str:
        """A word as it is looked up."""
        return normalize(word)

    def _index_written(self, written: str) -> tuple[str, ...]:
        """The index terms of what the word pattern matched, kept for the next time."""
        terms: list[str] = []
        for token in self.tokens(written):
            analysis = self.analyze(token.text)
            if not analysis.stop:
                terms += analysis.terms + analysis.parts
        if len(self._indexed) >= _CACHED_WORDS:
            self._indexed.clear()
        self._indexed[written] = tuple(terms)
        return self._indexed[written]

    def _analyze_any(self, norm: str) -> WordAnalysis:
        """A plain word, or one with digits or hyphens, which is indexed whole and by its parts."""
        if norm.isalpha():
            return self._analyze(norm)
        pieces = [piece for piece in norm.split("-") if piece]
        if len(pieces) > 1 and any(piece.isalpha() and len(piece) > 1 for piece in pieces):
            return self._analyze_hyphenated(norm, pieces)
        stop = norm in word_set(self.code, "stop")
        head, colon, _ = norm.partition(":")
        return WordAnalysis(word=norm, terms=(head if colon and head.isalpha() else norm,), stop=stop)

    def _analyze_hyphenated(self, norm: str, pieces: list[str]) -> WordAnalysis:
        analyses = [self._analyze_any(piece) for piece in pieces]
        whole = "-".join([*pieces[:-1], analyses[-1].terms[0]])
        terms = [term for analysis in analyses if not analysis.stop for term in analysis.terms + analysis.parts]
        return WordAnalysis(
            word=norm,
            terms=(whole,),
            parts=tuple(dict.fromkeys(terms)),
            surface_parts=tuple(pieces),
            stop=norm in word_set(self.code, "stop"),
        )

    @abstractmethod
    def _analyze(self, norm: str) -> WordAnalysis:
        """How a normalised word of one piece is indexed."""
