"""Which dictionary forms does a Swedish word form have, and which of them are verbs?

The table `packs/sv/lemmas.words` answers for common words, the Hunspell dictionary's paradigms for the rest. The table is
preferred because the Hunspell entries are compressed: one entry may hold forms of several words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path

from ankare.language.hunspell import HunspellLexicon, Origin
from ankare.language.wordtable import WordTable, map_table

_REMEMBERED = 100_000
_VERB_FLAGS = frozenset("KLm")
_VERB_OR_ADJECTIVE_FLAGS = frozenset("MN")
_ADJECTIVE_FLAGS = frozenset("OPQR")
_NOUN_FLAGS = frozenset("ABCDEFGHIJ")
_VOWELS = frozenset("aeiouyåäö")
_NEW_WORD_RULES = {"T": ("isk", "re"), "e": ("bo",), "d": ("sbo",)}


class SwedishLemmas:
    """From forms to dictionary forms; `lexicon` is opened when a form is not in the table. Deterministic, thread-safe."""

    def __init__(self, table: WordTable, lexicon: Callable[[], HunspellLexicon]) -> None:
        self._table = table
        self._lexicon = lexicon
        self._verbs: dict[str, bool] = {}
        self._listed: dict[str, tuple[str, ...]] = {}

    def by_paradigm(self, form: str) -> tuple[str, ...]:
        """The dictionary forms by the Hunspell dictionary's paradigms; those that inflect first. Empty for an unknown form."""
        return self._by_paradigm(form, inflecting=True) or self._by_paradigm(form, inflecting=False)[:1]

    def listed(self, form: str) -> tuple[str, ...]:
        """The dictionary forms that the table gives for a form, or for the form without a genitive s."""
        known = self._listed.get(form)
        if known is None:
            if len(self._listed) >= _REMEMBERED:
                self._listed.clear()
            known = self._listed[form] = self._look_up(form)
        return known

    def _look_up(self, form: str) -> tuple[str, ...]:
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

    def is_noun(self, lemma: str) -> bool:
        """Has it a definite form?"""
        ends = ("n", "t") if lemma[-1:] in _VOWELS else ("en", "et", "n")
        contracted = [lemma[:-2] + lemma[-1] + end for end in ("en", "et")] if lemma[-2:-1] == "e" else []
        return any(lemma in self.listed(form) for form in [*(lemma + end for end in ends), *contracted])

    def _has_verb_forms(self, lemma: str) -> bool:
        if len(lemma) < 2 or lemma[-1] not in _VOWELS:
            return False
        return any(lemma in self.listed(form) for form in _verb_evidence(lemma))

    def _by_paradigm(self, form: str, inflecting: bool) -> tuple[str, ...]:
        origins = [origin for origin in self._lexicon().origins(form) if not origin.joining]
        if not origins and form.endswith("s"):
            origins = [origin for origin in self._lexicon().origins(form[:-1]) if not origin.joining]
        kept = [origin for origin in origins if (kind_of(origin) != "other") is inflecting]
        found: dict[str, None] = {}
        for origin in kept:
            found.setdefault(_lemma_of(origin))
        return tuple(found)


@cache
def swedish_lemma_table() -> WordTable:
    """The compiled lemma table of the language pack."""
    return map_table(Path(str(files("ankare.language").joinpath("packs", "sv", "lemmas.words"))))


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
        return [lemma + "tt"]
    return [lemma + "r", lemma + "de", lemma + "t", stem + "er", stem + "te", stem + "de", stem + "tes", stem + "des"]


def _lemma_of(origin: Origin) -> str:
    """The dictionary form of an origin; rules that make new words ("organ": "organisk") give the new word."""
    for suffix in _NEW_WORD_RULES.get(origin.rule, ()):
        if origin.add.startswith(suffix):
            return origin.stem + suffix
    return origin.stem


def _apply(form: str, edit: str) -> str:
    """`edit` is how many letters to cut (one or two digits), then what to add."""
    digits = 2 if len(edit) > 1 and edit[1].isdecimal() else 1
    return form[: len(form) - int(edit[:digits])] + edit[digits:]
