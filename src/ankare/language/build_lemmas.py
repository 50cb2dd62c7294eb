"""Where does `packs/sv/lemmas.words` come from? Run `python -m ankare.language.build_lemmas` to make it again.

Source: the Swedish dictionary of simplemma 2 (MIT licence), form -> lemma. Kept are forms that wordfreq lists and all
forms of common lemmas; genitives that only add an s are left out. A form that is a lemma itself keeps itself beside the
lemma that the dictionary gives ("lösa": lösa, lös), except imperatives ("land" of "landa").

Lines are `form/edit[,edit]`, an edit being how many letters to cut and what to add ("löste/2a"), sorted by form. The file is a
compiled word
table (see wordtable.py), so that it is mapped into memory as it stands.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from ankare.language.frequencies import frequencies
from ankare.language.wordtable import compile_table

TARGET = Path(__file__).parent / "packs" / "sv" / "lemmas.words"
COMMON = 2.0


def main() -> None:
    """Write the file."""
    TARGET.write_bytes(compile_table(build().encode()))


def build() -> str:
    """The content of the file."""
    lemmas = dictionary()
    zipf = frequencies("sv").zipf
    weight = Counter(lemmas.values())
    verbs = {lemma for lemma in weight if is_verb(lemma, lemmas)}
    added = _verb_forms(verbs)
    common = {lemma for form, lemma in lemmas.items() if zipf(form) >= COMMON}
    lines = []
    for form, lemma in sorted(lemmas.items()):
        if zipf(form) == 0 and lemma not in common:
            continue
        found = _found(form, lemma, weight, verbs, added)
        if (
            form.endswith("en")
            and lemmas.get(form[:-2]) == form[:-2]
            and lemmas.get(form[:-2] + "et") in (form, form[:-2])
        ):
            found = [form[:-2], *(each for each in found if each not in (form, form[:-2]))]
        if form.endswith("s") and form not in added and lemmas.get(form[:-1]) == lemma and form != lemma:
            continue
        lines.append(f"{form}/{','.join(edit(form, each) for each in found)}")
    return "\n".join(lines) + "\n"


def _found(form: str, lemma: str, weight: Counter[str], verbs: set[str], added: dict[str, str]) -> list[str]:
    """The lemmas of a form after repairs, likeliest first."""
    verb = added.get(form)
    if verb and verb != lemma:
        return [verb] if lemma == verb + "re" or weight[lemma] < 3 else [verb, lemma]
    if lemma.endswith("en") and form.startswith(lemma[:-2]) and weight[lemma[:-2]] + weight[lemma] >= 3:
        stem = lemma[:-2]
        if form in (stem, stem + "et", stem + "ets"):
            return [stem]
    if form != lemma and (weight[form] >= 3 or form in verbs):
        return [form] if lemma == form + "a" else [form, lemma]
    return [lemma]


def is_verb(lemma: str, lemmas: dict[str, str]) -> bool:
    """At least three different forms of a verb in -a have this lemma."""
    if not lemma.endswith("a") or len(lemma) < 4:
        return False
    stem = lemma[:-1]
    weak = [lemma + "de", lemma + "t", lemma + "r", lemma + "des", lemma + "ts"]
    strong = [stem + "er", stem + "de", stem + "te", stem + "t", stem + "des", stem + "tes", stem + "ts", stem + "it"]
    return max(sum(lemmas.get(form) == lemma for form in forms) for forms in (weak, strong)) >= 3


def _verb_forms(verbs: set[str]) -> dict[str, str]:
    """Present forms in -ar of verbs: the dictionary gives some of them to the agent noun in -are."""
    return {verb + "r": verb for verb in sorted(verbs)}


def edit(form: str, lemma: str) -> str:
    """How to get from form to lemma: letters to cut, then letters to add."""
    shared = 0
    while shared < min(len(form), len(lemma)) and form[shared] == lemma[shared]:
        shared += 1
    return f"{len(form) - shared}{lemma[shared:]}"


def dictionary() -> dict[str, str]:
    """Case-folded form -> lemma, words in capitals only where no other is spelt so."""
    from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

    raw = DefaultDictionaryFactory().get_dictionary("sv")
    found: dict[str, str] = {}
    for form, lemma in sorted(raw.items(), key=lambda item: (not item[0].islower(), item)):
        if form.replace("-", "").isalpha():
            found.setdefault(form.casefold(), lemma.casefold())
    return found


if __name__ == "__main__":
    main()
