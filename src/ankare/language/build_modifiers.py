"""Where does `packs/sv/modifiers.txt.gz` come from? Run `python -m ankare.language.build_modifiers` to make it again.

It lists what stands before another word in Swedish compounds: the form with its joining sound ("arbets", "gatu",
"skol"), the dictionary form that it stands for, and in how many words of the dictionary of simplemma 2 (MIT licence) it
begins a compound with another dictionary word: a measure of how productive it is.
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from pathlib import Path

from ankare.language.build_lemmas import dictionary, is_verb
from ankare.language.frequencies import frequencies
from ankare.language.packs import word_set

TARGET = Path(__file__).parent / "packs" / "sv" / "modifiers.txt.gz"
SHORTEST_HEAD, SHORTEST_MODIFIER, FEWEST = 4, 2, 2
FAMILIAR = 2.5


def main() -> None:
    """Write the file."""
    TARGET.write_bytes(gzip.compress(build().encode(), compresslevel=9, mtime=0))


def build() -> str:
    """The content of the file: lines `modifier/lemma/count`, sorted."""
    lemmas = dictionary()
    words = sorted(set(lemmas.values()))
    stems = _stems(words, lemmas)
    heads = {word for word in words if len(word) >= SHORTEST_HEAD and word not in word_set("sv", "bound")}
    particles = word_set("sv", "particles")
    counts: dict[str, int] = defaultdict(int)
    for word in words:
        for cut in range(SHORTEST_MODIFIER, len(word) - SHORTEST_HEAD + 1):
            modifier, head = word[:cut], word[cut:]
            if head in heads and modifier in stems and modifier not in particles:
                counts[modifier] += 1
    zipf = frequencies("sv").zipf
    lines = []
    for modifier, count in sorted(counts.items()):
        if count >= FEWEST and (len(modifier) > 3 or modifier in word_set("sv", "short_parts")):
            best = max(
                stems[modifier], key=lambda lemma: (lemma == modifier and zipf(lemma) >= FAMILIAR, zipf(lemma), lemma)
            )
            lines.append(f"{modifier}/{best}/{count}")
    return "\n".join(lines) + "\n"


def _stems(words: list[str], lemmas: dict[str, str]) -> dict[str, list[str]]:
    """Every form that a dictionary word may take as a modifier -> those words."""
    stems: dict[str, list[str]] = defaultdict(list)
    for word in words:
        if is_noun(word, lemmas):
            for form in modifier_forms(word):
                stems[form].append(word)
        elif is_verb(word, lemmas):
            stems[word[:-1]].append(word)
        elif word + "a" in lemmas and lemmas[word + "a"] == word:
            stems[word].append(word)
    return stems


def is_noun(lemma: str, lemmas: dict[str, str]) -> bool:
    """Does a definite form have this lemma?"""
    ends = ("n", "t") if lemma[-1:] in "aeiouyåäö" else ("en", "et", "n")
    contracted = [lemma[:-2] + lemma[-1] + end for end in ("en", "et")] if lemma[-2:-1] == "e" else []
    return any(lemmas.get(form) == lemma for form in [*(lemma + end for end in ends), *contracted])


def modifier_forms(lemma: str) -> list[str]:
    """The forms that a noun may take before another word: bare, with s, or with its final vowel gone or changed."""
    forms = [lemma, lemma + "s"]
    if lemma[-1] == "a":
        forms += [lemma[:-1] + end for end in ("", "o", "u", "e", "s")]
    elif lemma[-1] == "e":
        forms += [lemma[:-1] + end for end in ("", "s", "a")]
    else:
        forms += [lemma + "e", lemma + "a", lemma + "es"]
    return forms


if __name__ == "__main__":
    main()
