"""Which index terms does a Swedish word form have?

The forms of one lexeme meet in one term, its dictionary form: `möten` and `mötet` in "möte", `möter` in "möta". Verbs
meet with their action nouns and participles ("godkänna", "godkännande", "godkänd"), so that a question in verbs finds a
text in nouns. The paradigms come from the Hunspell dictionary; what general rules get wrong stands in the pack's lists.
"""

from __future__ import annotations

from dataclasses import dataclass

from ankare.language.frequencies import Frequencies
from ankare.language.hunspell import HunspellLexicon, Origin
from ankare.language.packs import word_map, word_set

_VERB_FLAGS = frozenset("KLm")
_VERB_OR_ADJECTIVE_FLAGS = frozenset("MN")
_ADJECTIVE_FLAGS = frozenset("OPQR")
_NOUN_FLAGS = frozenset("ABCDEFGHIJ")
_PARTICIPLE_RULES = frozenset("OPQRKLMN")
_VOWELS = frozenset("aeiouyåäö")
_NEW_LEXEME_ENDINGS = (("T", ("iska", "iskt", "isk"), "isk"), ("T", ("re", "ren", "rens", "res", "rna", "rnas"), "re"))
_RARER = 1.7


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A dictionary word: its stem, "verb", "noun", "adjective" or "other", and the term it is indexed under."""

    stem: str
    kind: str
    term: str


class SwedishLexemes:
    """From forms to lexemes. Deterministic, safe for many threads."""

    def __init__(self, lexicon: HunspellLexicon, frequency: Frequencies) -> None:
        self._lexicon = lexicon
        self._zipf = frequency.zipf
        self._verbs: dict[str, bool] = {}
        self._actions: dict[str, str | None] = {}

    def of(self, form: str) -> tuple[Lexeme, ...]:
        """The lexemes that a case-folded form may belong to, likeliest first; empty for an unknown form."""
        irregular = word_map("sv", "irregular").get(form)
        if irregular:
            return tuple(Lexeme(stem, "other", self._action_verb(stem) or stem) for stem in irregular)
        origins = [origin for origin in self._lexicon.origins(form) if not origin.joining]
        if not origins and form.endswith("s"):
            origins = [origin for origin in self._lexicon.origins(form[:-1]) if not origin.joining]
        inflecting = [origin for origin in origins if kind_of(origin) != "other"]
        found: dict[str, Lexeme] = {}
        for origin in inflecting or origins:
            lexeme = self._lexeme(origin)
            found.setdefault(lexeme.term, lexeme)
        return self._likely(tuple(found.values()))

    def is_verb(self, stem: str) -> bool:
        """Is this a verb in its dictionary form?"""
        known = self._verbs.get(stem)
        if known is None:
            entries = self._lexicon.entries(stem)
            known = self._verbs[stem] = any(kind_of(Origin(stem, flags)) == "verb" for flags, _ in entries)
        return known

    def _lexeme(self, origin: Origin) -> Lexeme:
        """The lexeme of one origin: its own, or the verb that it is an action noun or participle of."""
        kind, stem = kind_of(origin), origin.stem
        for flag, endings, suffix in _NEW_LEXEME_ENDINGS:
            if origin.rule == flag and origin.add in endings:
                return Lexeme(stem + suffix, "noun", stem + suffix)
        if origin.rule in ("e", "d"):
            base = stem + ("bo" if origin.rule == "e" else "sbo")
            return Lexeme(base, "noun", base)
        if kind == "verb":
            return Lexeme(stem, kind, f"{stem}_v" if stem in word_set("sv", "homographs") else stem)
        return Lexeme(stem, kind, self._action_verb(stem) or stem)

    def _action_verb(self, stem: str) -> str | None:
        """The verb whose action noun or participle this stem is, or None."""
        if stem not in self._actions:
            self._actions[stem] = None
            self._actions[stem] = self._find_action_verb(stem)
        return self._actions[stem]

    def _find_action_verb(self, stem: str) -> str | None:
        if stem in word_set("sv", "own_lexemes"):
            return None
        if stem in word_map("sv", "action_nouns"):
            return word_map("sv", "action_nouns")[stem][0]
        candidates = [verb for verb in action_candidates(stem) if self.is_verb(verb)]
        if candidates:
            return max(candidates, key=lambda verb: (self._zipf(verb), verb))
        if stem.endswith(("d", "t", "n")):
            return self._participle_verb(stem)
        return None

    def _participle_verb(self, stem: str) -> str | None:
        """The verb that the adjective `stem` is a past participle of: another entry generates it with a participle rule."""
        for origin in self._lexicon.origins(stem):
            if origin.rule in _PARTICIPLE_RULES and origin.stem != stem and kind_of(origin) == "verb":
                return origin.stem
        return None

    def _likely(self, lexemes: tuple[Lexeme, ...]) -> tuple[Lexeme, ...]:
        """Lexemes by frequency of their dictionary form, those much rarer than the first left out."""
        if len(lexemes) < 2:
            return lexemes
        ranked = sorted(lexemes, key=lambda lexeme: (-self._zipf(lexeme.stem), lexeme.term))
        best = self._zipf(ranked[0].stem)
        return tuple(lexeme for lexeme in ranked if self._zipf(lexeme.stem) > best - _RARER)


def kind_of(origin: Origin) -> str:
    """Part of speech by the flags of the entry: "verb", "adjective", "noun", or "other" for what does not inflect."""
    flags = frozenset(origin.flags)
    if flags & _VERB_FLAGS or (flags & _VERB_OR_ADJECTIVE_FLAGS and origin.stem[-1:] in _VOWELS):
        return "verb"
    if flags & _ADJECTIVE_FLAGS or flags & _VERB_OR_ADJECTIVE_FLAGS:
        return "adjective"
    return "noun" if flags & _NOUN_FLAGS else "other"


def action_candidates(stem: str) -> list[str]:
    """Verbs that `stem` may be the action noun of, by form: -ning, -ing, -ande and -an."""
    candidates: list[str] = []
    if stem.endswith("ning") and len(stem) > 6:
        candidates += [stem[:-4] + "a", stem[:-3] + "a"]
    elif stem.endswith("ing") and len(stem) > 5:
        candidates.append(stem[:-3] + "a")
    elif stem.endswith("ande") and len(stem) > 6:
        candidates.append(stem[:-3])
    elif stem.endswith("an") and len(stem) > 5:
        candidates.append(stem[:-1])
    return candidates
