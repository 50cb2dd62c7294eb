"""Is this a word of the general language, and not only a name?

Swedish by the Hunspell dictionary, which tells names from words, and the lemma table; English by the dictionary of simplemma;
Chinese by the frequency list.
"""

from __future__ import annotations

from functools import cache, lru_cache

from ankare.language.frequencies import frequencies
from ankare.language.hunspell import swedish_lexicon
from ankare.language.lemmas import SwedishLemmas, swedish_lemma_table
from ankare.language.packs import word_set

_REMEMBERED = 50_000


@lru_cache(_REMEMBERED)
def in_dictionary(word: str, code: str) -> bool:
    """Does the dictionary of the language hold this case-folded form, as more than a name? No for an unknown language."""
    check = _CHECKS.get(code)
    return check is not None and check(word)


def is_name(word: str, code: str) -> bool:
    """Does the dictionary hold this case-folded form as a name, be it a word as well ("björn")? Only the Swedish one tells."""
    return code == "sv" and any(origin.proper for origin in swedish_lexicon().origins(word))


def is_swedish_verb_form(word: str) -> bool:
    """Is every dictionary form of this case-folded word a verb?"""
    lemmas = _swedish_lemmas().listed(word) or _swedish_lemmas().by_paradigm(word)
    return bool(lemmas) and all(map(_swedish_lemmas().is_verb, lemmas))


def is_verb_form(word: str, code: str) -> bool:
    """Is this case-folded word a form of a verb and hardly of anything else? No for a language whose forms do not tell."""
    if code == "sv":
        return is_swedish_verb_form(word) and not _may_be_a_swedish_noun(word)
    if code != "en":
        return False
    import simplemma

    return not {word, str(simplemma.lemmatize(word, lang="en"))}.isdisjoint(word_set("en", "verbs"))


def _may_be_a_swedish_noun(word: str) -> bool:
    """Is a form of a verb one of a noun of the same dictionary form, too: "skolan", "hyra", but not "hyr"?"""
    lemmas = _swedish_lemmas().listed(word) or _swedish_lemmas().by_paradigm(word)
    endings = ("", "n", "s", "ns")
    return any(
        word in {*(lemma + end for end in endings), *(lemma[:-1] + end for end in ("or", "ors", "orna", "ornas"))}
        for lemma in lemmas
        if lemma in _swedish_lemmas().listed(f"{lemma}n")
    )


def has_swedish_entry(word: str) -> bool:
    """Does the table of Swedish forms list it for itself? It leaves out genitives that only add an s."""
    return bool(swedish_lemma_table().payloads(word))


def _swedish(word: str) -> bool:
    origins = swedish_lexicon().origins(word) or (swedish_lexicon().origins(word[:-1]) if word.endswith("s") else [])
    if origins:
        return any(not origin.proper and not origin.joining for origin in origins)
    return bool(_swedish_lemmas().listed(word))


def _english(word: str) -> bool:
    import simplemma

    return bool(simplemma.is_known(word, lang="en"))


def _chinese(word: str) -> bool:
    return frequencies("zh").zipf(word) > 0


@cache
def _swedish_lemmas() -> SwedishLemmas:
    return SwedishLemmas(swedish_lemma_table(), swedish_lexicon)


_CHECKS = {"sv": _swedish, "en": _english, "zh": _chinese}
