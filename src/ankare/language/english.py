"""How is an English text analysed for search?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from ankare.language.base import PackedLanguage
from ankare.language.frequencies import Frequencies, frequencies
from ankare.language.packs import word_set
from ankare.language.protocol import WordAnalysis

_COMMON = 3.8


class English(PackedLanguage):
    """Lemma where the dictionary knows one, then the Snowball stem, so that "decision" and "decisions" meet."""

    code = "en"

    def frequency(self, word: str) -> float:
        """Zipf frequency of a word."""
        return self._frequencies.zipf(self.normalize(word))

    def is_word(self, word: str) -> bool:
        """Is this a form of the lemma dictionary, or a common word of the frequency list?"""
        folded = self.normalize(word)
        return self._is_listed(folded) or self._frequencies.zipf(folded) >= _COMMON

    def analyze(self, word: str) -> WordAnalysis:
        """How one word is indexed; capitals tell an abbreviation ("IT", "US") from a function word."""
        found = super().analyze(word)
        return replace(found, stop=False) if found.stop and len(word) > 1 and word.isupper() else found

    def _analyze(self, norm: str) -> WordAnalysis:
        term = self._stem(self._lemma(norm))
        return WordAnalysis(
            word=norm, terms=(term,), stop=norm in word_set("en", "stop"), generic=norm in word_set("en", "generic")
        )

    @cached_property
    def _frequencies(self) -> Frequencies:
        return frequencies("en")

    @cached_property
    def _lemma(self) -> Callable[[str], str]:
        import simplemma

        return lambda word: str(simplemma.lemmatize(word, lang="en"))

    @cached_property
    def _is_listed(self) -> Callable[[str], bool]:
        import simplemma

        return lambda word: bool(simplemma.is_known(word, lang="en"))

    @cached_property
    def _stem(self) -> Callable[[str], str]:
        import Stemmer

        stemmer = Stemmer.Stemmer("english")
        return lambda word: str(stemmer.stemWord(word))
