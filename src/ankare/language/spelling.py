"""Which word did the user mean?

A known word is never changed: one of the corpus, of the lexicon, or a compound of known parts. For any other the nearest
word of the corpus is taken, then of the language's common words, then a compound of which one part is misspelt. Words
typed without dots ("overlamna") are found first.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ankare.language.compounds import modifiers
from ankare.language.frequencies import frequencies
from ankare.language.neighbours import Neighbours, likelihood_cost
from ankare.language.packs import word_set
from ankare.language.protocol import Language
from ankare.language.swedish import Swedish
from ankare.language.tokens import normalize

_SHORTEST, _LONGEST = 4, 40
_TWO_EDITS_FROM = 7
_CORPUS_LEAD = 0.45
_RARE_CORPUS_WORD = 0.15
_COMMON = {"sv": 2.3, "en": 3.0}
_KNOWN = {"sv": 3.0, "en": 3.8}
_COMPOUND_HANDICAP = 0.3
_SHORTEST_PART = 3
_CLOSE = 0.7
_LARGEST_COST = 2.0
_REMEMBERED = 50_000


class Speller:
    """Corrects single words. Cheap to make: indexes are built when the first unknown word comes. Deterministic."""

    def __init__(self, corpus_counts: Mapping[str, int], language: Language) -> None:
        """`corpus_counts`: normalized word form -> occurrences in the corpus (may be empty)."""
        self._counts = corpus_counts
        self._language = language
        self._corpus = Neighbours(corpus_counts)
        self._answers: dict[str, str | None] = {}

    def correct(self, word: str) -> str | None:
        """The word that was meant, in lower case, or None where the word is known or nothing near enough is."""
        norm = normalize(word)
        if norm not in self._answers:
            if len(self._answers) >= _REMEMBERED:
                self._answers.clear()
            self._answers[norm] = self._find(norm)
        return self._answers[norm]

    def is_known(self, word: str) -> bool:
        """Is this a word of the corpus or of the language, or a compound of known words?"""
        norm = normalize(word)
        if norm in self._counts or norm in word_set(self._language.code, "stop"):
            return True
        if self._language.is_word(norm) or self._language.frequency(norm) >= _KNOWN.get(self._language.code, 2.0):
            return True
        return bool(self._language.analyze(norm).surface_parts)

    def _find(self, norm: str) -> str | None:
        if not _SHORTEST <= len(norm) <= _LONGEST or not norm.isalpha() or self._language.code not in _COMMON:
            return None
        if self.is_known(norm):
            return None
        common = common_words(self._language.code)
        ranked = [self._rank(norm, each, _CORPUS_LEAD) for each in _near(self._corpus, norm)]
        ranked += [self._rank(norm, each, 0.0) for each in _near(common, norm)]
        if not ranked or min(ranked)[0] > _CLOSE:
            ranked += [self._rank(norm, each, -_COMPOUND_HANDICAP) for each in self._compounds(norm)]
            if len(norm) >= _TWO_EDITS_FROM:
                ranked += [self._rank(norm, each, _CORPUS_LEAD) for each in self._corpus.within(norm, 2)]
        if not ranked and len(norm) >= _TWO_EDITS_FROM:
            ranked = [self._rank(norm, each, 0.0) for each in common.within(norm, 2)]
        best = min(ranked, default=None)
        return best[3] if best and best[0] <= _LARGEST_COST else None

    def _rank(self, norm: str, candidate: str, bonus: float) -> tuple[float, int, float, str]:
        """Sort key: the weighted distance less what the corpus is worth, then commoner words first."""
        count = self._counts.get(candidate, 0)
        lead = max(_CORPUS_LEAD, bonus) if count else bonus
        if count == 1 and not self._language.is_word(candidate):
            lead = _RARE_CORPUS_WORD
        frequency = self._language.frequency(candidate) or self._frequency_of_parts(candidate)
        return (round(likelihood_cost(norm, candidate) - lead - 0.05 * frequency, 3), -count, -frequency, candidate)

    def _frequency_of_parts(self, candidate: str) -> float:
        """What an unlisted compound is worth: half the frequency of its rarest part."""
        parts = self._language.analyze(candidate).surface_parts
        return min((self._language.frequency(part) for part in parts), default=0.0) / 2

    def _compounds(self, norm: str) -> list[str]:
        """Compounds with one part misspelt by one edit; only Swedish writes them together."""
        language = self._language
        if not isinstance(language, Swedish):
            return []
        found: set[str] = set()
        common = common_words(language.code)
        for cut in range(_SHORTEST_PART, len(norm) - _SHORTEST_PART + 1):
            left, right = norm[:cut], norm[cut:]
            if language.is_modifier(left):
                found.update(left + each for each in _near(common, right))
            if len(left) > _SHORTEST_PART and len(right) > _SHORTEST_PART and language.is_word(right):
                near = _near(common, left) + _near(_modifier_words(), left)
                found.update(each + right for each in near if language.is_modifier(each))
        return sorted(each for each in found if language.analyze(each).surface_parts)


def _near(index: Neighbours, word: str) -> list[str]:
    """The nearest words: those that differ in dots only, or else those one edit away."""
    return (index.without_dots(word) if len(word) >= _SHORTEST else []) or index.within(word, 1)


@cache
def common_words(code: str) -> Neighbours:
    """The common words of a language."""
    rarest = round((9.0 - _COMMON[code]) * 100)
    words: list[str] = []
    for word, bucket in frequencies(code).table:
        if int(bucket) > rarest:
            break
        if word.isalpha():
            words.append(word)
    return Neighbours(words)


@cache
def _modifier_words() -> Neighbours:
    return Neighbours(modifiers().keys())
