"""How much of the question's subject does a text hold?

Every content word of the question weighs its inverse document frequency (Spärck Jones 1972, in the smoothed form of
Robertson and Zaragoza 2009, eq. 3.2 with one added inside the logarithm so that it never turns negative). A word that the
corpus has never seen weighs the most: it is what the material is silent about.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Set
from dataclasses import dataclass

from ankare.domain.question import QueryWord, Question

SYNONYM_CREDIT = 0.9
PARTS_CREDIT = 0.8


@dataclass(frozen=True, slots=True)
class Coverage:
    """`share` of the subject weight that was found, 0 to 1; `credits` per content word, in the question's order."""

    share: float
    credits: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SubjectWord:
    """A content word with its weight, and the weight of each part where it is a compound."""

    word: QueryWord
    weight: float
    part_weights: tuple[float, ...]


class Subject:
    """The content words of a question, weighed against a corpus of `total` chunks."""

    def __init__(self, question: Question, doc_freq: Callable[[str], int], total: int) -> None:
        self.question = question
        self.words = tuple(
            SubjectWord(word, _word_weight(word, doc_freq, total), tuple(_idf(doc_freq(p), total) for p in word.parts))
            for word in question.content_words
        )
        self.total_weight = sum(word.weight for word in self.words)

    def coverage(self, terms: Set[str]) -> Coverage:
        """How much of the subject stands in a set of index terms."""
        given = tuple(_credit(word, terms) for word in self.words)
        if not self.total_weight:
            return Coverage(0.0, given)
        found = sum(word.weight * credit for word, credit in zip(self.words, given, strict=True))
        return Coverage(found / self.total_weight, given)


def _credit(subject: SubjectWord, terms: Set[str]) -> float:
    """1 for the word itself in any form, less for a controlled synonym or for parts of the compound."""
    word = subject.word
    if not terms.isdisjoint(word.terms):
        return 1.0
    best = (
        SYNONYM_CREDIT if any(all(term in terms for term in synonym) for synonym in word.synonyms if synonym) else 0.0
    )
    if word.parts:
        found = sum(w for part, w in zip(word.parts, subject.part_weights, strict=True) if part in terms)
        best = max(best, PARTS_CREDIT * found / (sum(subject.part_weights) or 1.0))
    return best


def _word_weight(word: QueryWord, doc_freq: Callable[[str], int], total: int) -> float:
    return _idf(max((doc_freq(term) for term in word.terms), default=0), total)


def _idf(frequency: int, total: int) -> float:
    return math.log(1.0 + (total - frequency + 0.5) / (frequency + 0.5)) if total else 1.0
