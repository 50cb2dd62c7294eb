"""Is this just an ordinary word, or ordinary words side by side?

Measured with dictionaries and word frequencies (Zipf values) of the languages in which questions are accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from ankare.language.dictionary import has_swedish_entry, in_dictionary, is_swedish_verb_form
from ankare.language.frequencies import frequencies
from ankare.language.languages import LANGUAGE_CODES, get_language
from ankare.language.packs import word_set

FREQUENT = 3.0
"""From this Zipf value on a word is frequent: once in a million words."""
COMMON = 4.5
"""From this value on two words may well meet by chance: some two thousand words of a language."""
COMMON_BY_NUMBER = 4.0
COMMON_CHINESE, COMMONEST_CHINESE = 3.0, 5.5
_SHORTEST_PART = 2


class OrdinaryWords:
    """What is known of the words of some languages. Words are given as `ankare.language.tokens.normalize` writes them."""

    def __init__(self, languages: Sequence[str]) -> None:
        self._codes = tuple(code for code in languages if code in LANGUAGE_CODES)
        self._alphabetic = tuple(code for code in self._codes if code != "zh")

    def zipf(self, word: str) -> float:
        """The highest frequency of the word in any of the languages, 0 where none lists it."""
        return max((frequencies(code).zipf(word) for code in self._alphabetic), default=0.0)

    def known(self, word: str) -> bool:
        """Does a dictionary hold it, as more than a name?"""
        return any(in_dictionary(word, code) for code in self._alphabetic)

    def ordinary(self, word: str) -> bool:
        """Is it a number, or a word of a dictionary that is in use?"""
        return word.isdigit() or (self.zipf(word) > 0 and self.known(word))

    def common(self, word: str) -> bool:
        """Is it among the commonest words of one of the languages?"""
        return self.zipf(word) >= COMMON

    def is_more_than_genitive(self, word: str, base: str, *, capital: bool) -> bool:
        """Is `word`, which is `base` with an s, a frequent word of its own and not only a genitive?

        It is where it is commoner than `base` ("finns"), or, without a `capital` that makes it a name, an English plural
        ("eras"), a Swedish passive ("görs") or a form with an entry of its own in the Swedish table ("vits").
        """
        for code in self._alphabetic:
            zipf = frequencies(code).zipf
            if zipf(word) < FREQUENT:
                continue
            if zipf(word) >= zipf(base) or (not capital and _HAS_OWN_FORM[code](word, base)):
                return True
        return False

    def neighbours(self, words: Sequence[str]) -> bool:
        """May these words stand side by side by chance? Each must be common, all of them in one language.

        A single letter is a common word only where a language has it as one, and in front of others ("i", "a"). Beside a
        number less common words do.
        """
        least = COMMON_BY_NUMBER if any(map(str.isdigit, words)) else COMMON
        return any(self._are_common(words, code, least) for code in self._alphabetic)

    def _are_common(self, words: Sequence[str], code: str, least: float) -> bool:
        zipf, single = frequencies(code).zipf, word_set(code, "one_letter")
        return all(
            word.isdigit() or (zipf(word) >= least and (len(word) > 1 or (index == 0 and word in single)))
            for index, word in enumerate(words)
        )

    def is_abbreviation(self, written: str) -> bool:
        """Is it one of the abbreviations with points of a language ("t.ex.")?"""
        return any(written in word_set(code, "abbreviations") for code in self._alphabetic)

    def closes_compound(self, rest: str) -> bool:
        """May this end a word that is written together, after its first part and a joining s or not?"""
        return any(self.is_swedish(form) for form in (rest, rest[1:] if rest.startswith("s") else ""))

    def parts_elsewhere(self, whole: str, rest: str) -> bool:
        """Is this a Swedish compound with no joint before `rest`?"""
        parts = get_language("sv").analyze(whole).surface_parts if "sv" in self._codes else ()
        ends = {"".join(parts[cut:]) for cut in range(1, len(parts))}
        return bool(parts) and ends.isdisjoint((rest, rest[1:]))

    def is_swedish(self, word: str) -> bool:
        """Is it a Swedish word or compound of three letters or more?"""
        if len(word) <= _SHORTEST_PART or "sv" not in self._codes:
            return False
        swedish = get_language("sv")
        return swedish.is_word(word) or bool(swedish.analyze(word).parts)

    def splits(self, run: str) -> bool:
        """Is this run of letters made of common words of one language and nothing else?"""
        return any(self._splits(run, code) for code in self._alphabetic)

    def _splits(self, run: str, code: str) -> bool:
        zipf = frequencies(code).zipf
        reached = {0}
        for end in range(_SHORTEST_PART, len(run) + 1):
            if any(start in reached and zipf(run[start:end]) >= COMMON for start in range(max(0, end - 20), end - 1)):
                reached.add(end)
        return bool(run) and len(run) in reached

    def is_chinese_word(self, word: str) -> bool:
        """Is it a common Chinese word? Of a single character only where it is among the commonest."""
        least = COMMON_CHINESE if len(word) > 1 else COMMONEST_CHINESE
        return "zh" in self._codes and frequencies("zh").zipf(word) >= least


_HAS_OWN_FORM: Mapping[str, Callable[[str, str], bool]] = MappingProxyType(
    {
        "en": lambda word, _: in_dictionary(word, "en"),
        "sv": lambda word, base: is_swedish_verb_form(base) or has_swedish_entry(word),
    }
)
"""Whether the form with s of a word is more than its genitive, per language."""
