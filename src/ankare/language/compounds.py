"""Of which words is a Swedish compound made?"""

from __future__ import annotations

from dataclasses import dataclass

from ankare.language.frequencies import Frequencies
from ankare.language.hunspell import HunspellLexicon
from ankare.language.lexemes import SwedishLexemes


@dataclass(frozen=True, slots=True)
class Compound:
    """The parts as written, the terms of the parts, and the terms of the whole word."""

    surfaces: tuple[str, ...]
    part_terms: tuple[str, ...]
    whole_terms: tuple[str, ...]


class CompoundSplitter:
    """Splits compounds. Deterministic, safe for many threads."""

    def __init__(self, lexicon: HunspellLexicon, lexemes: SwedishLexemes, frequency: Frequencies) -> None:
        self._lexicon = lexicon
        self._lexemes = lexemes
        self._zipf = frequency.zipf

    def split(self, word: str) -> Compound | None:
        """The parts of a case-folded word, or None where it is no compound."""
        return None
