"""Which dictionary forms does a Swedish word form have, and which of them are verbs?

The table `packs/sv/lemmas.txt.gz` answers for common words, the Hunspell dictionary's paradigms for the rest. The table is
preferred because the Hunspell entries are compressed: one entry may hold forms of several words.
"""

from __future__ import annotations

import gzip
import hashlib
from functools import cache
from importlib.resources import files

from ankare.language.hunspell import HunspellLexicon, Origin
from ankare.language.wordtable import WordTable, open_table

_VERB_FLAGS = frozenset("KLm")
_VERB_OR_ADJECTIVE_FLAGS = frozenset("MN")
_ADJECTIVE_FLAGS = frozenset("OPQR")
_NOUN_FLAGS = frozenset("ABCDEFGHIJ")
_VOWELS = frozenset("aeiouyåäö")
_NEW_WORD_RULES = {"T": ("isk", "re"), "e": ("bo",), "d": ("sbo",)}


class SwedishLemmas:
    """From forms to dictionary forms. Deterministic, safe for many threads."""

    def __init__(self, table: WordTable, lexicon: HunspellLexicon) -> None:
        self._table = table
        self._lexicon = lexicon
        self._verbs: dict[str, bool] = {}

    def of(self, form: str) -> tuple[str, ...]:
        """The dictionary forms of a case-folded form, likeliest first; empty for an unknown form."""
        return self.listed(form) or self._by_paradigm(form, inflecting=True)

    def uninflected(self, form: str) -> tuple[str, ...]:
        """The last resort: forms that the lexicon lists without a paradigm."""
        return self._by_paradigm(form, inflecting=False)

    def listed(self, form: str) -> tuple[str, ...]:
        """The dictionary forms that the table gives for a form, or for the form without a genitive s."""
        edits = self._table.payloads(form)
        if not edits and form.endswith("s") and len(form) > 3:
            form = form[:-1]
            edits = self._table.payloads(form)
        return tuple(_apply(form, edit) for edit in edits[0].split(",")) if edits else ()

    def is_verb(self, lemma: str) -> bool:
        """Is this a verb in its dictionary form? Its finite forms tell, which no noun has."""
        known = self._verbs.get(lemma)
        if known is None:
            known = self._verbs[lemma] = self._has_verb_forms(lemma)
        return known

    def _has_verb_forms(self, lemma: str) -> bool:
        if len(lemma) < 2 or lemma[-1] not in _VOWELS:
            return False
        if any(lemma in self.listed(form) for form in _verb_evidence(lemma)):
            return True
        if self.listed(lemma):
            return False
        return any(kind_of(Origin(lemma, flags)) == "verb" for flags, _ in self._lexicon.entries(lemma))

    def _by_paradigm(self, form: str, inflecting: bool) -> tuple[str, ...]:
        origins = [origin for origin in self._lexicon.origins(form) if not origin.joining]
        if not origins and form.endswith("s"):
            origins = [origin for origin in self._lexicon.origins(form[:-1]) if not origin.joining]
        kept = [origin for origin in origins if (kind_of(origin) != "other") is inflecting]
        found: dict[str, None] = {}
        for origin in kept:
            found.setdefault(_lemma_of(origin))
        return tuple(found)


@cache
def swedish_lemma_table() -> WordTable:
    """The compiled lemma table of the language pack."""
    packed = files("ankare.language").joinpath("packs", "sv", "lemmas.txt.gz").read_bytes()
    return open_table(f"lemmas-sv-{hashlib.sha256(packed).hexdigest()[:16]}", lambda: gzip.decompress(packed))


def kind_of(origin: Origin) -> str:
    """Part of speech by the flags of the entry: "verb", "adjective", "noun", or "other" for what does not inflect."""
    flags = frozenset(origin.flags)
    if flags & _VERB_FLAGS or (flags & _VERB_OR_ADJECTIVE_FLAGS and origin.stem[-1:] in _VOWELS):
        return "verb"
    if flags & _ADJECTIVE_FLAGS or flags & _VERB_OR_ADJECTIVE_FLAGS:
        return "adjective"
    return "noun" if flags & _NOUN_FLAGS else "other"


def _verb_evidence(lemma: str) -> list[str]:
    """Forms that a verb has and a noun of the same dictionary form has not."""
    stem = lemma[:-1]
    if not lemma.endswith("a"):
        return [lemma + "r"]
    return [lemma + "r", lemma + "de", lemma + "t", stem + "er", stem + "te", stem + "de", stem + "tes", stem + "des"]


def _lemma_of(origin: Origin) -> str:
    """The dictionary form of an origin; rules that make new words ("organ": "organisk") give the new word."""
    for suffix in _NEW_WORD_RULES.get(origin.rule, ()):
        if origin.add.startswith(suffix):
            return origin.stem + suffix
    return origin.stem


def _apply(form: str, edit: str) -> str:
    """`edit` is how many letters to cut (one or two digits), then what to add."""
    digits = 2 if len(edit) > 1 and edit[1].isdigit() else 1
    return form[: len(form) - int(edit[:digits])] + edit[digits:]
