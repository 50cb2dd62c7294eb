"""Of which words is a Swedish compound made?

A split is the cheapest way through the word: modifiers ("arbets", "gatu", "styr") that the pack lists with their
productivity, or nouns that can stand before another word, and a head that is a known word form. A dictionary word is
split only where it is not much commoner than its parts ("kontakt" is not "kont" and "akt"), and a part that is a common
word itself stays whole ("sjukhus" in "sjukhusbyggnad").
"""

from __future__ import annotations

import gzip
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ankare.language.frequencies import Frequencies
from ankare.language.hunspell import HunspellLexicon, Origin
from ankare.language.lemmas import SwedishLemmas, kind_of
from ankare.language.lexemes import SwedishLexemes
from ankare.language.packs import word_map, word_set

_SHORTEST_WORD, _LONGEST_WORD = 6, 60
_COMMON_PART = 3.6
_LEXICAL_MARGIN = 1.0
_RAREST_PART, _RAREST_SHORT_HEAD = 1.5, 2.8
_MOST_PARTS = 5
_SHORTEST_RARE_HEAD = 6
_JOINING_S_ENDINGS = (
    "ning",
    "ing",
    "tion",
    "sion",
    "het",
    "skap",
    "dom",
    "tet",
    "ör",
    "ment",
    "eri",
    "else",
    "are",
    "an",
    "nad",
)


@dataclass(frozen=True, slots=True)
class Compound:
    """The parts as words (nouns before it in dictionary form, the head as written), their terms, and the whole word's terms."""

    surfaces: tuple[str, ...]
    part_terms: tuple[str, ...]
    whole_terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A part as it stands in the word, its dictionary form, and what using it costs."""

    written: str
    lemma: str
    cost: float


class CompoundSplitter:
    """Splits compounds. Deterministic, safe for many threads."""

    def __init__(
        self,
        lemmas: SwedishLemmas,
        lexemes: SwedishLexemes,
        frequency: Frequencies,
        lexicon: Callable[[], HunspellLexicon],
    ) -> None:
        self._lexicon = lexicon
        self._lemmas = lemmas
        self._lexemes = lexemes
        self._zipf = frequency.zipf
        self._modifiers = modifiers()
        self._known_modifiers: dict[str, Part | None] = {}
        self._known_heads: dict[str, Part | None] = {}

    def split(self, word: str) -> Compound | None:
        """The parts of a case-folded word, or None where it is no compound."""
        if not _SHORTEST_WORD <= len(word) <= _LONGEST_WORD:
            return None
        parts = self._parts(word)
        if parts is None:
            return None
        head = self._lexemes.terms(parts[-1].written) or self._lexemes.rare_terms(parts[-1].written)
        left = "".join(part.written for part in parts[:-1])
        left = left[: len(word) - len(parts[-1].written)]
        terms = [term for part in parts[:-1] for term in (self._lexemes.term(part.lemma),)]
        return Compound(
            surfaces=(*(self._as_word(part) for part in parts[:-1]), parts[-1].written),
            part_terms=tuple(dict.fromkeys([*terms, *head])),
            whole_terms=tuple(left + term for term in head),
        )

    def _as_word(self, part: Part) -> str:
        """A modifier as a word: nouns in dictionary form ("arbete"), verbs as they stand ("styr")."""
        return part.written if self._lemmas.is_verb(part.lemma) and not self._lemmas.is_noun(part.lemma) else part.lemma

    def is_modifier(self, written: str) -> bool:
        """May this stand before another word?"""
        return self._modifier(written, inner=False) is not None

    def _parts(self, word: str) -> tuple[Part, ...] | None:
        """The parts of a word, those that are rarer compounds themselves split further."""
        lemmas = self._lemmas.listed(word)
        if any(lemma in word_set("sv", "whole_words") for lemma in (word, *lemmas)) or word in word_set("sv", "stop"):
            return None
        if any(self._lexemes.is_verbal(lemma) for lemma in lemmas):
            return None
        best = self._cheapest(word)
        if (
            best is None
            or (best[-1].written == best[-1].lemma and self._is_name(word))
            or (lemmas and not self._is_transparent(word, lemmas, best))
        ):
            return None
        split: list[Part] = []
        for index, part in enumerate(best):
            split.extend(self._inner_parts(part, last=index == len(best) - 1))
        return tuple(split)

    def _inner_parts(self, part: Part, last: bool) -> tuple[Part, ...]:
        if max(self._zipf(part.lemma), self._zipf(part.written)) >= _COMMON_PART or len(part.written) < _SHORTEST_WORD:
            return (part,)
        inner = self._parts(part.written if last else part.lemma)
        if inner is None:
            return (part,)
        if last:
            return inner
        *first, head = inner
        rest = part.written[sum(len(each.written) for each in first) :]
        return (*first, Part(rest, head.lemma, head.cost))

    def _is_transparent(self, word: str, lemmas: tuple[str, ...], parts: tuple[Part, ...]) -> bool:
        """Does this dictionary word inflect as its head, and is it no commoner than a meeting of its parts allows?"""
        heads = (*self._lemmas.listed(parts[-1].written), *((parts[-1].written,) if word in lemmas else ()))
        if not any(lemma.endswith(head) for lemma in lemmas for head in heads):
            return False
        whole = max(self._zipf(word), *(self._zipf(lemma) for lemma in lemmas))
        rarest = min(max(self._zipf(part.lemma), self._zipf(part.written)) for part in parts)
        return whole <= rarest + _LEXICAL_MARGIN

    def _is_name(self, word: str) -> bool:
        """Does the lexicon know it as a name only ("lindberg", "stockholms")?"""
        entries = self._lexicon().entries(word) or self._lexicon().entries(word.removesuffix("s"))
        return bool(entries) and all(proper for _, proper in entries)

    def _cheapest(self, word: str) -> tuple[Part, ...] | None:
        """The cheapest split into two parts or more."""
        found: dict[int, tuple[float, tuple[Part, ...]] | None] = {}

        def from_position(start: int, depth: int) -> tuple[float, tuple[Part, ...]] | None:
            if start in found:
                return found[start]
            head = self._head(word[start:]) if start else None
            best: tuple[float, tuple[Part, ...]] | None = (head.cost, (head,)) if head else None
            if depth < _MOST_PARTS:
                for end in range(start + 2, len(word) - 1):
                    modifier = self._modifier(word[start:end], inner=start > 0)
                    if modifier is None:
                        continue
                    for following in self._next_positions(word, end):
                        rest = from_position(following, depth + 1)
                        if rest and (best is None or modifier.cost + rest[0] < best[0]):
                            best = (modifier.cost + rest[0], (modifier, *rest[1]))
            found[start] = best
            return best

        result = from_position(0, 1)
        return result[1] if result and len(result[1]) > 1 else None

    def _next_positions(self, word: str, end: int) -> tuple[int, ...]:
        """Where the next part may begin: three like consonants are written as two ("tillägg", "glasskål")."""
        doubled = word[end - 1] == word[end - 2] and word[end - 1] not in "aeiouyåäö"
        return (end, end - 1) if doubled else (end,)

    def _modifier(self, written: str, inner: bool) -> Part | None:
        if written not in self._known_modifiers:
            self._known_modifiers[written] = self._find_modifier(written)
        found = self._known_modifiers[written]
        if inner and len(written) < 3:
            return None
        if found is None and inner and written.endswith("s") and len(written) > 4:
            bare = self._modifier(written[:-1], inner=False)
            return Part(written, bare.lemma, bare.cost + 0.5) if bare else None
        return found

    def _find_modifier(self, written: str) -> Part | None:
        listed = self._modifiers.get(written)
        particles = word_set("sv", "particles")
        if written in particles or written.removesuffix("s") in particles:
            return None
        if listed is not None:
            lemma, count = listed
            rarity = max(0.0, 4.5 - self._zipf(lemma))
            return Part(written, lemma, 4.0 + rarity + max(0.0, 3.0 - 0.6 * math.log2(count)) + _shortness(written))
        if len(written) < 4 or written in word_set("sv", "stop"):
            return None
        agent = f"{written}e" if written.endswith("ar") else written
        if agent != written and agent in self._lemmas.listed(agent) and self._lemmas.is_noun(agent):
            return Part(written, agent, 6.5 + max(0.0, 4.5 - self._zipf(agent)))  # handläggare: "handläggarkurs"
        for bare in (written, written.removesuffix("s")):
            joined = bare != written
            if bare in self._lemmas.listed(bare) and self._lemmas.is_noun(bare) and self._zipf(bare) >= _RAREST_PART:
                usual = not joined or bare.endswith(_JOINING_S_ENDINGS) or len(bare) > 7
                return Part(written, bare, 6.5 + (0.0 if usual else 1.5) + max(0.0, 4.5 - self._zipf(bare)))
        return None

    def _head(self, written: str) -> Part | None:
        if written not in self._known_heads:
            self._known_heads[written] = self._find_head(written)
        return self._known_heads[written]

    def _find_head(self, written: str) -> Part | None:
        lemmas = self._lemmas.listed(written) or self._rare_head(written)
        barred = word_set("sv", "bound") | word_set("sv", "stop")
        if not lemmas or len(written) < 3 or written in barred or lemmas[0] in barred:
            return None
        if len(written) < 4 and written not in word_set("sv", "short_parts"):
            return None
        if len(lemmas[0]) < 4 and lemmas[0] not in word_set("sv", "short_parts"):
            return None
        frequency = self._zipf(written)
        if len(written) > 4:
            frequency = max(frequency, self._zipf(lemmas[0]))
        if self._lemmas.listed(written) and frequency < (_RAREST_PART if len(lemmas[0]) > 4 else _RAREST_SHORT_HEAD):
            return None
        return Part(written, lemmas[0], 4.0 + max(0.0, 5.0 - frequency) + _shortness(written))

    def _rare_head(self, written: str) -> tuple[str, ...]:
        """A noun or verb that only the Hunspell dictionary has, in its dictionary form."""
        if len(written) < _SHORTEST_RARE_HEAD:
            return ()
        entries = self._lexicon().entries(written)
        return (
            (written,)
            if any(not name and kind_of(Origin(written, flags)) != "other" for flags, name in entries)
            else ()
        )


@cache
def modifiers() -> dict[str, tuple[str, int]]:
    """Modifier -> its dictionary form, and in how many dictionary words it begins a compound."""
    packed = files("ankare.language").joinpath("packs", "sv", "modifiers.txt.gz").read_bytes()
    found: dict[str, tuple[str, int]] = {}
    for line in gzip.decompress(packed).decode().splitlines():
        written, lemma, count = line.split("/")
        found[written] = (lemma, int(count))
    found.update({written: (lemma[0], 20) for written, lemma in word_map("sv", "modifiers").items()})
    return found


def _shortness(written: str) -> float:
    """Short parts occur by chance."""
    return max(0.0, 4 - len(written)) * 1.5
