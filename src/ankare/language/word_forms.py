"""Of which words may a word of a question be a form, verbs in every tense and voice included?

Packs that list a word once are read with this, so that no list of its forms can leave one out. For names of things
`ankare.language.inflection` is narrower: there only forms of nouns meet. Chinese has no forms.
"""

from __future__ import annotations

from functools import lru_cache

from ankare.language.dictionary import is_verb_form
from ankare.language.inflection import base_forms

_REMEMBERED = 20_000
_SHORTEST_STEM = 2
_NEUTER = ("et", "ets")


@lru_cache(_REMEMBERED)
def word_forms(word: str, language: str) -> frozenset[str]:
    """The case-folded word and every dictionary form that it may have; of a language without forms, the word alone."""
    if language == "sv":
        inflected = base_forms(word, ("sv",))
        return frozenset(form.removeprefix("sv:") for form in inflected)
    return _english(word) if language == "en" else frozenset((word,))


@lru_cache(_REMEMBERED)
def verb_forms(word: str, language: str) -> frozenset[str]:
    """The same for a word that is hardly anything but a verb ("bor", not "boet"); empty for another. English forms do not
    tell, so there every word may be one."""
    if language != "sv":
        return word_forms(word, language)
    forms = word_forms(word, "sv")
    if any(word in (form + "r", form[:-1] + "er") for form in forms if form != word):
        return forms  # the present tense, though it may be a rare noun as well ("bor", "lever")
    neuter = any(word == form + ending for form in forms for ending in _NEUTER)
    return forms if is_verb_form(word, "sv") and not neuter else frozenset()


def _english(word: str) -> frozenset[str]:
    import simplemma

    found = {word, str(simplemma.lemmatize(word, lang="en"))}
    if word.endswith("s") and not word.endswith("ss"):
        found.add(word[:-1])
    stem = word.removesuffix("ing")
    if stem != word and len(stem) >= _SHORTEST_STEM:
        found |= {stem, stem + "e"}
        if stem[-1] == stem[-2]:
            found.add(stem[:-1])
    return frozenset(found)
