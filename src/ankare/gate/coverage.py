"""How much of the question's subject does a text hold?

Every content word of the question weighs its inverse document frequency (Spärck Jones 1972, in the smoothed form of
Robertson and Zaragoza 2009, eq. 3.2 with one added inside the logarithm so that it never turns negative). A word that the
corpus has never seen weighs the most: it is what the material is silent about.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Set
from dataclasses import dataclass
from functools import cached_property
from operator import mul

from ankare.domain.cancel import while_wanted
from ankare.domain.document import Chunk, Sentence
from ankare.domain.question import QueryWord, Question
from ankare.language.kinds import Kind, asked_kind, holds_kind, kind_stretches

SYNONYM_CREDIT = 0.9
PARTS_CREDIT = 0.6
HALF = 0.5
"""From this credit on a word counts as held."""


_NUMBERED = re.compile(r"\b([^\W\d_]{2,}) (\d{1,4}|[A-ZÅÄÖ])(?![\w%]|[.,:]\d)")

Credits = tuple[float, ...]
"""Per content word of a question, in its order, how far a text holds it: 0 to 1."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """`share` of the subject weight that was found, 0 to 1; `credits` per content word, in the question's order."""

    share: float
    credits: Credits


@dataclass(frozen=True, slots=True)
class SubjectWord:
    """A content word with its weight, and the weight of each part where it is a compound. `known`: the corpus has it."""

    word: QueryWord
    weight: float
    part_weights: tuple[float, ...]
    known: bool = True


@dataclass(frozen=True, slots=True)
class Held:
    """What a chunk holds of a question's subject: per sentence, in its nearest heading, in its title and all headings."""

    sentences: tuple[Credits, ...]
    nearest: Credits
    headings: Credits

    @property
    def everywhere(self) -> tuple[Credits, ...]:
        """All of it."""
        return (*self.sentences, self.headings)


TermsOf = Callable[[str, str], frozenset[str]]
"""The index terms of a short text, by language code and text. Called with the same headings again and again."""


class Subject:
    """The content words of a question, weighed against a corpus of `total` chunks. Belongs to one question."""

    def __init__(self, question: Question, doc_freq: Callable[[str], int], total: int, terms_of: TermsOf) -> None:
        self.question = question
        self._terms_of = terms_of
        self._held: dict[str, Held] = {}
        self.words = tuple(
            SubjectWord(
                word,
                _word_weight(word, doc_freq, total),
                tuple(_idf(doc_freq(part), total) for part in word.parts),
                any(doc_freq(term) for term in word.terms),
            )
            for word in question.content_words
        )
        self._weights = tuple(word.weight for word in self.words)
        self.total_weight = sum(self._weights)

    def coverage(self, terms: Set[str]) -> Coverage:
        """How much of the subject stands in a set of index terms."""
        given = self.credits(terms)
        return Coverage(self.share(given), given)

    def held_by(self, chunk: Chunk) -> Held:
        """What a chunk holds of the subject."""
        if chunk.id not in self._held:
            nearest = self._terms_of(chunk.language, chunk.section[-1]) if chunk.section else frozenset[str]()
            headings = frozenset[str]().union(
                *(self._terms_of(chunk.language, h) for h in (chunk.title, *chunk.section))
            )
            above = self.credits(headings)
            sentences = tuple(self._of_sentence(chunk, sentence, above) for sentence in while_wanted(chunk.sentences))
            self._held[chunk.id] = Held(sentences, self.credits(nearest), above)
        return self._held[chunk.id]

    def _of_sentence(self, chunk: Chunk, sentence: Sentence, above: Credits) -> Credits:
        """What a sentence holds. A word that asks for a kind of thing ("kostar") is held where such a thing stands and the
        sentence, with its headings, is about all the rest of the question."""
        found = self.credits(frozenset(sentence.terms))
        if self._numbered and (others := self._misnumbered(chunk, sentence)):
            found = tuple(0.0 if at in others else credit for at, credit in enumerate(found))
        kind, places = self._asking
        rest = (max(pair) for at, pair in enumerate(zip(found, above, strict=True)) if at not in places)
        if kind is None or not places or min(rest, default=0.0) < HALF:
            return found
        if not holds_kind(chunk.language, kind, chunk.sentence_text(sentence)):
            return found
        return tuple(max(credit, SYNONYM_CREDIT) if at in places else credit for at, credit in enumerate(found))

    def of_another_number(self, chunk: Chunk, sentence: Sentence) -> bool:
        """Does the question number a thing ("prioritet 2"), and does the sentence speak of others of these alone?"""
        return bool(self._numbered) and bool(self._misnumbered(chunk, sentence))

    def _misnumbered(self, chunk: Chunk, sentence: Sentence) -> frozenset[int]:
        """The places of the words that the question numbers and the sentence numbers otherwise."""
        text = chunk.sentence_text(sentence)
        given = _NUMBERED.findall(text)
        found = set()
        for at, asked in self._numbered.items() if given else ():
            terms = self.words[at].word.terms
            others = any(not self._terms_of(chunk.language, noun).isdisjoint(terms) for noun, _number in given)
            if others and not re.search(rf"(?<!\w){re.escape(asked)}(?!\w)", text):
                found.add(at)
        return frozenset(found)

    @cached_property
    def _numbered(self) -> dict[int, str]:
        """The content words that the question numbers, or letters, by their place: "klass C", "etapp 2"."""
        pairs = ((m.start(), m[2]) for m in _NUMBERED.finditer(self.question.text))
        starts = {word.word.start: at for at, word in enumerate(self.words)}
        return {starts[start]: number for start, number in pairs if start in starts}

    @cached_property
    def _asking(self) -> tuple[Kind | None, frozenset[int]]:
        """The kind of thing that is asked for, and which content words ask for it."""
        code, text = self.question.language, self.question.text
        spans = kind_stretches(code, text)
        asking = (at for at, w in enumerate(self.words) if any(s <= w.word.start < e for s, e in spans))
        return asked_kind(code, text), frozenset(asking)

    def credits(self, terms: Set[str]) -> Credits:
        """Per content word how far the terms hold it, 0 to 1."""
        return tuple(_credit(word, terms) for word in self.words)

    def share(self, *credits: Credits) -> float:  # noqa: A002 - the field's word for it
        """The subject weight that is held by any of some texts, as a share of all of it."""
        if not self.total_weight:
            return 0.0
        best = credits[0] if len(credits) == 1 else map(max, *credits)
        return float(sum(map(mul, self._weights, best))) / self.total_weight


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
