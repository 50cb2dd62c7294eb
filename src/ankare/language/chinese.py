"""How is a Chinese text analysed for search? By characters and pairs of characters; other scripts by words."""

from __future__ import annotations

import re
from functools import cached_property

from ankare.language.base import PackedLanguage
from ankare.language.frequencies import Frequencies, frequencies
from ankare.language.packs import word_set
from ankare.language.protocol import WordAnalysis
from ankare.language.tokens import CJK

_CHARACTER = re.compile(f"[{CJK}]")


class Chinese(PackedLanguage):
    """A run of characters is one token; its terms are its characters without stop characters, and its pairs."""

    code = "zh"

    def frequency(self, word: str) -> float:
        """Zipf frequency of a word of wordfreq's list."""
        return self._frequencies.zipf(self.normalize(word))

    def is_word(self, word: str) -> bool:
        """Is this a word of the frequency list?"""
        return self.frequency(word) > 0

    def _analyze(self, norm: str) -> WordAnalysis:
        if not _CHARACTER.match(norm):
            return WordAnalysis(word=norm, terms=(norm,))
        stops = word_set("zh", "stop")
        pairs = tuple(norm[i : i + 2] for i in range(len(norm) - 1) if not (norm[i] in stops or norm[i + 1] in stops))
        characters = tuple(character for character in norm if character not in stops)
        stop = not characters
        return WordAnalysis(
            word=norm, terms=pairs + characters or (norm,), stop=stop, generic=norm in word_set("zh", "generic")
        )

    @cached_property
    def _frequencies(self) -> Frequencies:
        return frequencies("zh")
