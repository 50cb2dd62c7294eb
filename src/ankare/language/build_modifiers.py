"""Where does `packs/sv/modifiers.txt.gz` come from? Run `python -m ankare.language.build_modifiers` to make it again.

It lists what stands before another word in Swedish compounds: the form with its joining sound ("arbets", "gatu",
"skol"), the dictionary form that it stands for, and in how many words of the dictionary of simplemma 2 (MIT licence) it
begins a compound with another dictionary word: a measure of how productive it is.
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from pathlib import Path

from ankare.language.frequencies import frequencies
from ankare.language.hunspell import swedish_lexicon
from ankare.language.lemmas import SwedishLemmas, swedish_lemma_table
from ankare.language.packs import word_set

TARGET = Path(__file__).parent / "packs" / "sv" / "modifiers.txt.gz"
SHORTEST_HEAD, SHORTEST_MODIFIER, FEWEST = 4, 2, 2
FAMILIAR = 2.5


def main() -> None:
    """Write the file."""
    TARGET.write_bytes(gzip.compress(build().encode(), compresslevel=9, mtime=0))


def build() -> str:
    """The content of the file: lines `modifier/lemma/count`, sorted."""
    lemmas = SwedishLemmas(swedish_lemma_table(), swedish_lexicon)
    words = sorted({form for form, _ in swedish_lemma_table() if form in lemmas.listed(form)})
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
            best = max(stems[modifier], key=lambda each: (_preference(modifier, each, zipf(each[0])), each))
            lines.append(f"{modifier}/{best[0]}/{count}")
    return "\n".join(lines) + "\n"


def _preference(modifier: str, candidate: tuple[str, str], zipf: float) -> tuple[bool, bool, float]:
    """A familiar noun that stands whole in it comes first, then the commoner word."""
    lemma, kind = candidate
    whole = kind != "verb" and zipf >= FAMILIAR and modifier in (lemma, lemma + "s")
    return (whole, whole and lemma == modifier, zipf)


def _stems(words: list[str], lemmas: SwedishLemmas) -> dict[str, list[tuple[str, str]]]:
    """Every form that a dictionary word may take as a modifier -> those words and their kind."""
    stems: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for word in words:
        if lemmas.is_noun(word):
            for form in modifier_forms(word):
                stems[form].append((word, "noun"))
        if lemmas.is_verb(word) and word.endswith("a") and not _is_prefixed_stub(word):
            stems[word[:-1]].append((word, "verb"))
        elif word in lemmas.listed(word + "a"):
            stems[word].append((word, "adjective"))
    return stems


def _is_prefixed_stub(verb: str) -> bool:
    """Is it a prefix and hardly more ("förta", "överse")? Its stem begins other words by chance."""
    return any(
        verb.startswith(particle) and len(verb) - len(particle) <= 3
        for particle in word_set("sv", "particles")
        if len(particle) > 1
    )


def modifier_forms(lemma: str) -> list[str]:
    """The forms that a noun may take before another word: bare, with s, or with its final vowel gone or changed."""
    forms = [lemma, lemma + "s"]
    if lemma[-1] == "a":
        forms += [lemma[:-1] + end for end in ("", "o", "u", "e", "s", "es")]
    elif lemma[-1] == "e":
        forms += [lemma[:-1] + end for end in ("", "s", "a")]
    elif lemma[-2:] in ("er", "el", "en"):
        forms += [lemma[:-2] + lemma[-1] + "a", lemma[:-2] + lemma[-1] + "e"]
    elif lemma.endswith("ium"):
        forms.append(lemma[:-2] + "e")
    else:
        forms += [lemma + "e", lemma + "a", lemma + "es"]
    return forms


if __name__ == "__main__":
    main()
