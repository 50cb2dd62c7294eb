"""How is a Swedish text analysed for search?"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from ankare.language.base import PackedLanguage
from ankare.language.compounds import CompoundSplitter
from ankare.language.frequencies import Frequencies, frequencies
from ankare.language.hunspell import swedish_lexicon
from ankare.language.lemmas import SwedishLemmas, swedish_lemma_table
from ankare.language.lexemes import SwedishLexemes
from ankare.language.packs import word_set
from ankare.language.protocol import WordAnalysis


class Swedish(PackedLanguage):
    """Lexemes from the Hunspell dictionary, compounds whole and in parts, Snowball stems for what neither knows."""

    code = "sv"

    def frequency(self, word: str) -> float:
        """Zipf frequency of a word."""
        return self._frequencies.zipf(self.normalize(word))

    def is_word(self, word: str) -> bool:
        """Is this a form of the lexicon, or a common word of the frequency list?"""
        folded = self.normalize(word)
        return bool(
            self._lexemes.terms(folded) or self._frequencies.zipf(folded) >= 3.0 or self._lexemes.rare_terms(folded)
        )

    def is_modifier(self, word: str) -> bool:
        """May this case-folded word stand before another in a compound?"""
        return self._splitter.is_modifier(word)

    def _analyze(self, norm: str) -> WordAnalysis:
        terms = self._lexemes.terms(norm)
        compound = self._splitter.split(norm)
        if not terms and compound is not None:
            terms = compound.whole_terms
        parts = compound.part_terms if compound is not None else ()
        return WordAnalysis(
            word=norm,
            terms=terms or self._lexemes.rare_terms(norm) or (self._stem(norm),),
            parts=parts,
            surface_parts=compound.surfaces if compound is not None else (),
            stop=norm in word_set("sv", "stop"),
            generic=norm in word_set("sv", "generic"),
        )

    @cached_property
    def _frequencies(self) -> Frequencies:
        return frequencies("sv")

    @cached_property
    def _lemmas(self) -> SwedishLemmas:
        return SwedishLemmas(swedish_lemma_table(), swedish_lexicon)

    @cached_property
    def _lexemes(self) -> SwedishLexemes:
        return SwedishLexemes(self._lemmas, self._frequencies)

    @cached_property
    def _splitter(self) -> CompoundSplitter:
        return CompoundSplitter(self._lemmas, self._lexemes, self._frequencies, swedish_lexicon)

    @cached_property
    def _stem(self) -> Callable[[str], str]:
        import Stemmer

        stemmer = Stemmer.Stemmer("swedish")
        return lambda word: str(stemmer.stemWord(word))
