"""Which words is this word a form of, by inflection alone?

For names of metrics and entities, where the search index is too generous: it lets "omsätta" and "omsättning" meet, and stems
of different words. Here only forms of one word meet: number, definiteness, case.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from ankare.language.frequencies import frequencies
from ankare.language.hunspell import swedish_lexicon
from ankare.language.lemmas import SwedishLemmas, swedish_lemma_table

_REMEMBERED = 50_000
_RARER = 2.0
_SHORTEST = 3
_TAIL = re.compile(r"[:'\u2019]\w{0,6}$")
_SWEDISH_ENDINGS = (
    *("arnas", "ernas", "ornas", "arna", "erna", "orna", "ens", "ets", "nas", "ars", "ers", "ors"),
    *("en", "et", "na", "ar", "er", "or", "ns", "ts", "n", "t", "s"),
)


@lru_cache(_REMEMBERED)
def base_forms(word: str, languages: tuple[str, ...]) -> frozenset[str]:
    """The word itself and, as "language:form", its dictionary forms in each language. `word` is case-folded.

    Two words are forms of one word where their sets meet.
    """
    plain = _TAIL.sub("", word) or word
    found = {word, plain}
    for code in languages:
        if code in _FORMS:
            found.update(f"{code}:{form}" for form in (plain, *_FORMS[code](plain)))
    return frozenset(found)


_HOW = {"sv": ("ligen", "igt", "vis"), "en": ("ly", "ed", "ing")}
"""Endings of words that say how something is or was done."""


def names_a_part(word: str, language: str) -> bool:
    """May this word, left over in a question about a figure, name a part of what is counted ("managers", "65")?

    Verbs and words that say how do not, nor does anything in Chinese, where words cannot be told apart.
    """
    folded = word.casefold()
    if folded.isdecimal():
        return True
    if language not in _HOW or folded.endswith(_HOW[language]):
        return False
    if language != "sv":
        return True
    lemmas = _swedish_lemmas()
    return not any(map(lemmas.is_verb, lemmas.listed(folded) or lemmas.by_paradigm(folded)))


def _swedish(word: str) -> tuple[str, ...]:
    lemmas = _swedish_lemmas()
    known = lemmas.listed(word) or lemmas.by_paradigm(word)
    if known:
        return known
    return tuple(
        word[: -len(end)] for end in _SWEDISH_ENDINGS if word.endswith(end) and len(word) - len(end) >= _SHORTEST
    )


def _english(word: str) -> tuple[str, ...]:
    if not word.endswith("s") or len(word) <= _SHORTEST:
        return ()
    singular = [word[:-1]]
    if word.endswith("ies"):
        singular.append(word[:-3] + "y")
    elif word.endswith("es"):
        singular.append(word[:-2])
    zipf = frequencies("en").zipf
    return tuple(form for form in singular if not zipf(word) or zipf(form) >= zipf(word) - _RARER)


@cache
def _swedish_lemmas() -> SwedishLemmas:
    return SwedishLemmas(swedish_lemma_table(), swedish_lexicon)


_FORMS = {"sv": _swedish, "en": _english}
