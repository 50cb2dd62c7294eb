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
from collections.abc import Callable
from pathlib import Path

from ankare.language.frequencies import frequencies
from ankare.language.wordtable import compile_table

TARGET = Path(__file__).parent / "packs" / "sv" / "lemmas.words"
COMMON = 2.0
CLOSE = 1.5
FAR = 1.2
DEPONENT = 0.5
INFLECTIONS = ("ar", "er", "or", "n", "en", "et", "na")


def main() -> None:
    """Write the file."""
    TARGET.write_bytes(compile_table(build().encode()))


def build() -> str:
    """The content of the file."""
    lemmas = dictionary()
    zipf = frequencies("sv").zipf
    weight = Counter(lemmas.values())
    verbs = {lemma for lemma in weight if is_verb(lemma, lemmas)}
    verb_forms = {
        form: verb for verb in sorted(verbs) for form in weak_forms(verb, lemmas) + strong_forms(verb, lemmas)
    }
    nouns = noun_forms(lemmas, verbs, zipf)
    common = {lemma for form, lemma in lemmas.items() if zipf(form) >= COMMON}
    kept: dict[str, list[str]] = {}
    lines = []
    for form, lemma in sorted(lemmas.items()):
        if zipf(form) == 0 and lemma not in common:
            continue
        found = _repaired(form, lemma, lemmas, weight, verbs, verb_forms)
        found = _verb_readings(form, found, lemmas, verbs, zipf)
        best = max(zipf(each) for each in found)
        found += [noun for noun in nouns.get(form, ()) if noun not in found and zipf(noun) > best - CLOSE]
        found = _one_reading(form, found, zipf)
        kept[form] = found
        if form.endswith("s") and form not in found and _is_genitive(form, lemma, found, lemmas, kept, verbs):
            continue
        lines.append(f"{form}/{','.join(edit(form, each) for each in found)}")
    return "\n".join(lines) + "\n"


def _is_genitive(
    form: str, lemma: str, found: list[str], lemmas: dict[str, str], kept: dict[str, list[str]], verbs: set[str]
) -> bool:
    """Does the form without its s say as much?"""
    same = kept.get(form[:-1])
    return same == found or (same is not None and lemmas.get(form[:-1]) == lemma and lemma not in verbs)


def _repaired(
    form: str,
    lemma: str,
    lemmas: dict[str, str],
    weight: Counter[str],
    verbs: set[str],
    verb_forms: dict[str, str],
) -> list[str]:
    """The lemmas of a form, likeliest first, where the dictionary's own entries show that it chose badly."""
    base = lemmas.get(lemma, lemma)
    if base != lemma and lemma.startswith(base) and lemma[len(base) :] in INFLECTIONS:
        lemma = base
    verb = verb_forms.get(form)
    if verb and lemma not in (verb, form) and form != lemma + "s":  # given to an agent noun, a participle or a deponent
        return [verb] if lemma != verb + "s" and (lemma.startswith(verb[:-1]) or weight[lemma] < 3) else [verb, lemma]
    if form.endswith("et") and lemma == form[:-1] + "n" and lemmas.get(form[:-2]) == form[:-2]:
        return [form[:-2]]  # "beslutet" is given to the participle "besluten"
    if form.endswith("en") and lemmas.get(form[:-2]) == form[:-2] and lemmas.get(form[:-2] + "et") in (form, form[:-2]):
        return [form[:-2], *(each for each in [lemma] if each not in (form, form[:-2]))]
    if form == lemma + "s" and weight[form] >= 2:
        return [form]
    if lemma == form + "a" and form in (lemmas.get(form + "et"), lemmas.get(form + "en")):
        return [form]
    if form != lemma and (weight[form] >= 3 or form in verbs):
        return [form] if lemma == form + "a" else [form, lemma]
    return [lemma]


def _verb_readings(
    form: str, found: list[str], lemmas: dict[str, str], verbs: set[str], zipf: Callable[[str], float]
) -> list[str]:
    """Present forms that the dictionary knows as a noun's, an adverb's or a deponent's only.

    "leds" and "läggs" are passives more often than genitives, "kör" and "hyr" are presents beside nouns, "saknas" is the
    passive of "sakna" while "hoppas", far commoner than "hoppar", is a verb of its own.
    """
    if form.endswith("ligen") and found == [form] and lemmas.get(form[:-2]) == form[:-2]:
        return [form[:-2]]
    passive = form[:-1] + "a"
    if form.endswith("s") and passive in verbs and lemmas.get(form[:-1] + "er") == passive:
        return [form, passive] if form in found else [passive]
    if form + "a" in verbs and form.endswith("r") and lemmas.get(form + "de") in (form + "a", form + "d"):
        return [form + "a", *(each for each in found if each != form + "a")]
    active = form[:-1]
    if form.endswith("as") and found == [form] and active in verbs and zipf(form) < zipf(active + "r") + DEPONENT:
        return [active]
    return found


def noun_forms(lemmas: dict[str, str], verbs: set[str], zipf: Callable[[str], float]) -> dict[str, list[str]]:
    """Plurals and definite forms that the dictionary gives to a verb or agent noun alone -> the nouns they also are."""
    found: dict[str, list[str]] = {}
    for noun in sorted(set(lemmas.values()) - verbs):
        stem, plural = _plural(noun, lemmas)
        owner = lemmas.get(stem + plural, "")
        if plural and (owner == noun or zipf(stem + plural + "na") > 0 or zipf(noun) > zipf(owner) + FAR):
            for form in (stem + plural, stem + plural + "na"):
                found.setdefault(form, []).append(noun)
    return found


def _plural(noun: str, lemmas: dict[str, str]) -> tuple[str, str]:
    """Stem and plural ending of a noun of common gender, or an empty ending where its forms do not show one."""
    if noun.endswith("a") and lemmas.get(noun[:-1] + "or") == noun:
        return noun[:-1], "or"
    if noun.endswith("e") and not noun.endswith(("are", "nde")):
        marked = lemmas.get(noun + "n") == noun or lemmas.get(noun[:-1] + "arna") == noun
        marked = marked and lemmas.get(noun + "t") != noun
        return noun[:-1], "ar" if marked and noun[:-1] + "arna" in lemmas else ""
    if noun[-2:] in ("er", "el", "en"):
        stem = noun[:-2] + noun[-1]
        if stem + "arna" in lemmas:
            return stem, "ar"
    if lemmas.get(noun + "en") != noun or lemmas.get(noun + "et") == noun or noun.endswith("ik"):
        return noun, ""
    own = [ending for ending in ("ar", "er") if lemmas.get(noun + ending) == noun]
    seen = [ending for ending in ("ar", "er") if noun + ending in lemmas and noun + ending + "na" in lemmas]
    return noun, (own or seen or [""])[0] if len(own or seen) < 2 else ""


def _one_reading(form: str, found: list[str], zipf: Callable[[str], float]) -> list[str]:
    """A form in -ar that is noun and verb keeps the reading whose other forms are far commoner."""
    if len(found) != 2 or not form.endswith("ar"):
        return found
    verb, noun = form[:-1], next((lemma for lemma in found if lemma != form[:-1]), "")
    if verb not in found:
        return found
    lead = zipf(form + "na") - max(zipf(verb + "de"), zipf(verb + "t"))
    return [noun] if lead > FAR else [verb] if lead < -FAR else found


def is_verb(lemma: str, lemmas: dict[str, str]) -> bool:
    """Has the dictionary at least three finite forms of it?"""
    if not lemma.endswith("a") or len(lemma) < 4 or lemmas.get(lemma) is None:
        return False
    return max(len(weak_forms(lemma, lemmas)), len(strong_forms(lemma, lemmas))) >= 3


def weak_forms(verb: str, lemmas: dict[str, str]) -> list[str]:
    """Forms of a first conjugation verb ("samla") that the dictionary gives to it, "samlare", "samlad" or "samlas"."""
    owners = (verb, verb + "re", verb + "d", verb + "s")
    return [verb + end for end in ("r", "de", "t", "s", "des", "ts", "d") if lemmas.get(verb + end) in owners]


def strong_forms(verb: str, lemmas: dict[str, str]) -> list[str]:
    """Forms of another verb in -a ("lära") that the dictionary gives to it, or to its participle ("lärd", "köpt")."""
    stem = verb[:-1]
    owners = (verb, stem + "d", stem + "t", verb + "s")
    ends = ("er", "de", "te", "t", "it", "des", "tes", "ts", "its", "as", "s", "d")
    forms = [stem + end for end in ends]
    if stem.endswith("d"):
        forms += [stem[:-1] + "tt", stem[:-1] + "tts"]
    return [form for form in forms if lemmas.get(form) in owners]


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
