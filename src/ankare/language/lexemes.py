"""Under which terms is a Swedish word form indexed?

The forms of one word meet in one term, its dictionary form: `möten` and `mötet` in "möte", `möter` in "möta". Verbs
meet with their action nouns and participles ("godkänna", "godkännande", "godkänd"), so that a question in verbs finds a
text in nouns. What general rules get wrong stands in the pack's lists.
"""

from __future__ import annotations

from ankare.language.frequencies import Frequencies
from ankare.language.lemmas import SwedishLemmas
from ankare.language.packs import word_map, word_set

_RARER = 2.5


class SwedishLexemes:
    """From forms to terms. Deterministic, safe for many threads."""

    def __init__(self, lemmas: SwedishLemmas, frequency: Frequencies) -> None:
        self._lemmas = lemmas
        self._zipf = frequency.zipf
        self._actions: dict[str, str | None] = {}

    def terms(self, form: str) -> tuple[str, ...]:
        """The terms of a case-folded form of the lemma table, likeliest first; empty for any other."""
        irregular = word_map("sv", "irregular").get(form)
        return self._terms(form, irregular or self._likely(self._lemmas.listed(form)))

    def rare_terms(self, form: str) -> tuple[str, ...]:
        """The terms of a form that only the Hunspell dictionary knows; empty for an unknown form."""
        return self._terms(form, self._likely(self._lemmas.by_paradigm(form)))

    def _terms(self, form: str, lemmas: tuple[str, ...]) -> tuple[str, ...]:
        if form in lemmas and form in word_set("sv", "homographs"):
            return (form, f"{form}_v")
        return tuple(dict.fromkeys(self.term(lemma, form) for lemma in lemmas))

    def term(self, lemma: str, form: str = "") -> str:
        """The term of a dictionary form: its own, or the verb that it is an action noun or participle of.

        `form` tells noun and verb of one dictionary form apart where they are two concepts ("skolan", "skolade").
        """
        if lemma in word_set("sv", "homographs") and form and self._is_verb_form(lemma, form):
            return f"{lemma}_v"
        return self._action_verb(lemma) or lemma

    def is_verbal(self, lemma: str) -> bool:
        """Is it a verb or a past participle?"""
        return self._lemmas.is_verb(lemma) or (lemma.endswith(("d", "t")) and self._action_verb(lemma) is not None)

    def _is_verb_form(self, lemma: str, form: str) -> bool:
        endings = ("r", "de", "t", "des", "ts", "d", "s", "nde")
        return form in [lemma + ending for ending in endings]

    def _action_verb(self, lemma: str) -> str | None:
        """The verb whose action noun or participle this dictionary form is, or None."""
        if lemma not in self._actions:
            self._actions[lemma] = self._find_action_verb(lemma)
        return self._actions[lemma]

    def _find_action_verb(self, lemma: str) -> str | None:
        if lemma in word_set("sv", "own_lexemes"):
            return None
        if lemma in word_map("sv", "action_nouns"):
            return word_map("sv", "action_nouns")[lemma][0]
        candidates = action_candidates(lemma)
        if not candidates and self._is_adjective(lemma):
            candidates = participle_candidates(lemma)
        verbs = [verb for verb in candidates if self._lemmas.is_verb(verb)]
        return max(verbs, key=lambda verb: (self._zipf(verb), verb)) if verbs else None

    def _is_adjective(self, lemma: str) -> bool:
        """Does it have the plural of an adjective and no definite form of a noun?"""
        listed = self._lemmas.listed
        plural = lemma.endswith("ad") or lemma in listed(lemma + "a")
        return plural and lemma not in (*listed(lemma + "en"), *listed(lemma + "et"))

    def _likely(self, lemmas: tuple[str, ...]) -> tuple[str, ...]:
        """Dictionary forms without those much rarer than the commonest."""
        if len(lemmas) < 2:
            return lemmas
        best = max(self._zipf(lemma) for lemma in lemmas)
        return tuple(lemma for lemma in lemmas if self._zipf(lemma) > best - _RARER)


def action_candidates(lemma: str) -> list[str]:
    """Verbs that `lemma` may be the action noun of, by form: -ning, -ing, -ande, -else and -an."""
    if lemma.endswith("ning") and len(lemma) > 5:
        doubled = [lemma[:-4] + "ma"] if lemma.endswith("mning") else []
        return [lemma[:-4] + "a", lemma[:-3] + "a", *doubled]
    if lemma.endswith("ing") and len(lemma) > 5:
        return [lemma[:-3] + "a"]
    if lemma.endswith("ande") and len(lemma) > 6:
        return [lemma[:-3]]
    if lemma.endswith("else") and len(lemma) > 6:
        return [lemma[:-4] + "a", lemma[:-4]]
    if lemma.endswith("an") and len(lemma) > 5:
        return [lemma[:-1]]
    return []


def participle_candidates(lemma: str) -> list[str]:
    """Verbs that the adjective `lemma` may be the past participle of, by form: -ad, -d, -t and -dd."""
    if lemma.endswith("ad") and len(lemma) > 4:
        return [lemma[:-1]]
    if lemma.endswith("dd") and len(lemma) > 4:
        return [lemma[:-2], lemma[:-2] + "a"]
    if lemma.endswith(("d", "kt", "pt", "st", "nt")) and len(lemma) > 4:
        return [lemma[:-1] + "a", lemma[:-1] + lemma[-2] + "a"]
    return []
