"""How does a noun of a heading stand in a question: in the definite form, in small letters, in the plural?

The corpus is asked first: what it writes is right there. Then endings that leave no choice, then the table of forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from ankare.evaluation.drafting.clause import bare
from ankare.language.dictionary import in_dictionary, is_name, is_verb_form
from ankare.language.hunspell import swedish_lexicon
from ankare.language.languages import get_language
from ankare.language.lemmas import SwedishLemmas, swedish_lemma_table

_NUMBERED = re.compile(r"^(?:\d+(?:\.\d+)*\.?|[A-Z]\.|§ ?\d+|Bilaga \d+:?|Appendix \w+:?)\s+")
_SURE = {"ning": "en", "ing": "en", "else": "n", "ande": "t", "ende": "t", "tion": "en", "sion": "en", "het": "en"}
_ENDINGS = ("en", "et", "n", "t")
_PLURALS = ("ar", "er", "or", "r", "n", "")


class Nouns:
    """Forms of the words of one language, as a corpus writes them."""

    def __init__(self, code: str, texts: Iterable[str]) -> None:
        self.code = code
        self._texts = tuple(texts)

    @cached_property
    def _within(self) -> frozenset[str]:
        """Words as they stand inside sentences, not first."""
        found: set[str] = set()
        for text in self._texts:
            for line in re.split(r"[.!?:\n|]\s*", text):
                found.update(word.strip(".,;:()\"'”") for word in line.split()[1:])
        return frozenset(found)

    def lowered(self, text: str) -> str:
        """A phrase that stood first, as it stands inside a sentence: a name keeps its capital."""
        first, _, rest = text.partition(" ")
        mixed = first[1:] != first[1:].lower() or first[1:2] in ("-", "")
        if self.code == "zh" or not first[:1].isupper() or (mixed and (self.code, first) != ("en", "A")):
            return text
        small = first[0].lower() + first[1:]
        word = small.strip(".,;:()")
        named = first.strip(".,;:()") in self._within or is_name(word, self.code)
        stop = get_language(self.code).analyze(word).stop
        known = stop or word in self._within or (not named and (in_dictionary(word, self.code) or self._compound(word)))
        return " ".join(filter(None, (small if known else first, rest)))

    def _compound(self, word: str) -> bool:
        return self.code == "sv" and bool(get_language("sv").analyze(word).parts)

    @staticmethod
    def heading(text: str) -> str:
        """A heading without its number."""
        return _NUMBERED.sub("", text).strip().rstrip(":. ")

    def definite(self, word: str) -> str:
        """The definite form of a noun in small letters; "" where it is not sure. Swedish only."""
        plain = word.casefold()
        if self.code != "sv" or not plain.isalpha() or is_verb_form(plain, "sv"):
            return ""
        if plain.endswith(("ar", "er", "or")) and self.plural(plain):
            return plain + "na"
        for ending, added in _SURE.items():
            if plain.endswith(ending) and len(plain) > len(ending) + 2:
                return plain + added
        prefix, plain = self._head(plain)
        forms = [plain + ending for ending in _ENDINGS]
        if plain.endswith(("el", "en", "er")):
            forms += [plain[:-2] + plain[-1] + ending for ending in ("en", "et")]
        found = [form for form in forms if prefix + form in self._within or plain in self._lemmas.listed(form)]
        neuter = [form for form in found if form.endswith("t")]  # beside it "-en" is the plural: "målet", "målen"
        return prefix + (neuter or found)[0] if len(neuter or found) == 1 else ""

    def is_definite(self, word: str) -> bool:
        """Is this word, in small letters, the definite form of a noun and nothing else? Swedish only."""
        if self.code != "sv" or not word.islower() or not word.isalpha() or not word.endswith(("n", "t", "na")):
            return False
        if word.endswith("t") and any(in_dictionary(word[:-1] + ending, "sv") for ending in ("a", "de")):
            return False  # a participle or an adjective: "bokat", "möjligt"
        parts = get_language("sv").analyze(word).surface_parts
        head = parts[-1] if parts and word.endswith(parts[-1]) else word
        lemmas = [one for one in self._lemmas.listed(head) or self._lemmas.by_paradigm(head) if one != head]
        return all(map(self._lemmas.is_noun, lemmas)) and any(self._defines(head, lemma) for lemma in lemmas)

    def _defines(self, form: str, lemma: str) -> bool:
        """Is this the definite form of a noun, not its plural without article ("flöden", beside "flödet")?"""
        if form.endswith("na"):
            return form != lemma
        neuter = any(lemma in self._lemmas.listed(lemma + ending) for ending in ("t", "et"))
        endings = ("t", "et") if neuter else ("n", "en")
        doubled = {lemma + lemma[-1] + ending for ending in endings}
        shortened = (
            {lemma[:-2] + lemma[-1] + ending for ending in endings} if lemma[-2:] in ("el", "en", "er") else set()
        )
        return form in {lemma + ending for ending in endings} | doubled | shortened

    def _head(self, word: str) -> tuple[str, str]:
        """A compound as what stands before its last part, and that part, which alone is inflected."""
        parts = get_language("sv").analyze(word).surface_parts
        head = parts[-1] if parts else word
        known = word.endswith(head) and any(head in self._lemmas.listed(head + ending) for ending in _ENDINGS)
        return (word.removesuffix(head), head) if known else ("", word)

    def bidden(self, sentence: str) -> str:
        """What an imperative asks to be done, in the passive: "Ange" gives "anges"; "" where the first word is none."""
        first = sentence.split(" ", 1)[0]
        plain = first.casefold()
        if self.code != "sv" or not first.isalpha() or not is_verb_form(plain, "sv") or plain.endswith(("r", "s", "t")):
            return ""
        passive = plain + ("s" if plain.endswith(("a", "e", "å")) else "as")
        return passive if is_verb_form(passive, "sv") else ""

    def of_gerund(self, word: str) -> str:
        """The verb of an English word in -ing: "reporting" -> "report", "removing" -> "remove"; "" where it is not sure."""
        import simplemma

        stem = word.casefold().removesuffix("ing")
        if self.code != "en" or stem == word.casefold() or len(stem) < 3 or not re.search("[aeiou]", stem):
            return ""
        doubled = stem[-1] == stem[-2] and stem[-1] not in "lsfze"
        bases = (stem[:-1],) if doubled else (stem, f"{stem}e")
        return next((base for base in bases if simplemma.is_known(base, lang="en")), "")

    def plural(self, word: str) -> bool:
        """Is this word a plural without article ("faser", "krav")? Where singular and plural are alike it is not said to be."""
        plain = bare(word)
        if self.code == "en":
            return plain.endswith("s") and not plain.endswith("ss") and in_dictionary(plain, "en")
        if self.code != "sv" or is_verb_form(plain, "sv"):
            return False
        parts = get_language("sv").analyze(plain).surface_parts
        plain = parts[-1] if parts and plain.endswith(parts[-1]) else plain
        known = self._lemmas.listed(plain) or self._lemmas.by_paradigm(plain)
        return any(
            lemma != plain
            and self._lemmas.is_noun(lemma)
            and plain.endswith(("ar", "er", "or", "n", "r"))
            and not plain.endswith(("en", "an"))
            for lemma in known
        )

    def several(self, words: str) -> bool:
        """May a phrase without article begin with a plural: "faser", "viktiga frågor", "krav", which has but one form?"""
        first, *more = words.split()
        if self.code == "en":
            return any(map(self.plural, (first, *more[:2])))
        alike = self.definite(first).endswith("t")
        return self.plural(first) or alike or (first.endswith("a") and bool(more) and not self.definite(first))

    @cached_property
    def _lemmas(self) -> SwedishLemmas:
        return SwedishLemmas(swedish_lemma_table(), swedish_lexicon)
