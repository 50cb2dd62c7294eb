"""What are the words of a sentence, and what kind is each by its form and its neighbours?

The kinds are few: verb, noun, name, adjective (with adverbs), number, function word. Swedish tells verbs by their endings
and the lemma table; forms that may be two kinds are settled by the words beside them (`verbs`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from ankare.language.dictionary import in_dictionary
from ankare.language.hunspell import swedish_lexicon
from ankare.language.languages import get_language
from ankare.language.lemmas import SwedishLemmas, swedish_lemma_table
from ankare.language.measures import Value
from ankare.language.packs import named_lists
from ankare.language.protocol import Token
from ankare.language.thesaurus import word_keys

VERB, NOUN, NAME, NUMBER, FUNCTION, ADJECTIVE = "verb", "noun", "name", "number", "function", "adjective"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence. `keys`: under which it meets others; `parts`: of a compound; `weight`: what it claims, 0 to 1."""

    at: int
    text: str
    norm: str
    start: int
    end: int
    keys: frozenset[str]
    terms: tuple[str, ...]
    parts: tuple[str, ...]
    kind: str
    weight: float
    finite: bool = False
    passive: bool = False
    code: str = "sv"


def word_of_token(token: Token, at: int, tokens: Sequence[Token], value: int | None, code: str) -> Word:
    """The word of a token, its kind by its form alone. `value`: the number of the value that it is part of."""
    analysis = get_language(code).analyze(token.norm)
    grammar = closed(code)
    kind, finite, passive = NOUN, False, False
    if value is not None:
        kind = NUMBER
    elif token.norm in grammar["weighty"] and token.norm not in grammar["prepositions"]:
        kind = ADJECTIVE
    elif token.norm in grammar["function"]:
        kind = FUNCTION
        finite = token.norm in grammar["finite"]
    elif token.norm in grammar["adverbs"]:
        kind = FUNCTION if analysis.stop else ADJECTIVE
    elif analysis.stop:
        kind = FUNCTION
        finite, passive, verbal = verb_form(token.norm, code)
    elif is_name(token.text, token.norm, at == 0, code):
        kind = NAME
    else:
        finite, passive, verbal = verb_form(token.norm, code)
        kind = VERB if verbal else (ADJECTIVE if _adjectival(token.norm, code) else NOUN)
    weight = _weight(token.norm, analysis.terms, kind, code)
    keys = word_keys(get_language(code), token.norm)
    active = token.norm.removesuffix("s")
    if passive and active in grammar["verb_forms"]:
        keys |= word_keys(get_language(code), active)
    return Word(
        at,
        token.text,
        token.norm,
        token.start,
        token.end,
        keys,
        analysis.terms,
        analysis.parts,
        kind,
        weight,
        finite,
        passive,
        code,
    )


def value_at(token: Token, values: Sequence[Value]) -> int | None:
    """The value that a word is part of; a code ("4A") that only begins like a number is part of none."""
    for number, value in enumerate(values):
        if value.start < token.end and token.start < value.end:
            inside = value.start <= token.start and token.end <= value.end
            return number if inside or not (token.text[:1].isdecimal() and token.text[-1:].isalpha()) else None
    return None


def _weight(norm: str, terms: Sequence[str], kind: str, code: str) -> float:
    grammar = closed(code)
    if kind in (FUNCTION,):
        return 0.0
    if kind == NUMBER:
        return 0.0
    if kind == NAME:
        return 1.0
    if norm in grammar["bounds"]:
        return 0.0
    if norm in grammar["light"] or norm in grammar["modals"] or (terms and terms[0] in grammar["light"]):
        return 0.15
    zipf = get_language(code).frequency(norm)
    return max(0.45, min(1.0, (7.6 - zipf) / 3.0))


@cache
def closed(code: str) -> dict[str, frozenset[str]]:
    """The closed classes of a language as sets of single words."""
    lists = named_lists(code if code in ("sv", "en") else "en", "grammar")
    single = {name: frozenset(word for word in words if " " not in word) for name, words in lists.items()}
    function = frozenset().union(
        *(
            single[name]
            for name in (
                "subordinators",
                "relatives",
                "coordinators",
                "prepositions",
                "pronouns",
                "determiners",
                "auxiliaries",
            )
        )
    )
    modals = frozenset().union(*(words for name, words in single.items() if name.startswith("modal_")))
    finite = single["auxiliaries"] - frozenset(lists.get("nonfinite_auxiliaries", ()))
    return {
        **single,
        "function": function,
        "finite": finite,
        "bounds": single["up_bounds"] | single["down_bounds"],
        "modals": modals,
    }


def is_name(text: str, norm: str, first: bool, code: str) -> bool:
    """A capitalised word, an acronym or a code: not merely the first word of a sentence."""
    if any(sign.isdecimal() for sign in text) and any(sign.isalpha() for sign in text):
        return True
    if not text[:1].isupper():
        return False
    if len(text) > 1 and sum(c.isupper() for c in text) > 1:
        return not first or not in_dictionary(norm, code) or text.isupper()
    plain = norm[:-1] if norm.endswith("s") else norm
    if not first:
        return True
    return not (
        in_dictionary(norm, code) or in_dictionary(plain, code) or len(get_language(code).analyze(norm).parts) > 1
    )


_DEFINITE_ENDINGS = ("orna", "arna", "erna", "ornas", "arnas", "ernas", "arens", "ingen", "ningen", "heten", "ionen")


@lru_cache(50_000)
def verb_form(norm: str, code: str) -> tuple[bool, bool, bool]:
    """(finite, passive, verbal) as far as the form alone tells."""
    if code != "sv":
        return _english_verb(norm)
    if norm.endswith(_DEFINITE_ENDINGS) or _definite_of_verb(norm):
        return False, False, False
    if norm in closed(code)["verb_forms"]:
        return True, norm.endswith("s") and norm not in ("finns",), True
    table = lemmas()
    if _verb_only(norm, table):
        return True, norm.endswith("s"), True
    if table.is_verb(norm + "a") and not norm.endswith("r"):
        return False, False, False  # an imperative, or a noun of the same form
    known = table.listed(norm) or table.by_paradigm(norm)
    verbs = [lemma for lemma in known if table.is_verb(lemma)]
    if not known and len(norm) > 6 and norm.endswith(("erar", "erade", "eras", "erades")):
        return True, norm.endswith("s"), True
    if not known and norm.endswith(("er", "ar", "de", "te", "as", "es")):
        last = get_language(code).analyze(norm).surface_parts[-1:]
        return verb_form(last[0], code) if last and last[0] != norm else (False, False, False)
    if not verbs:
        return False, False, False
    only = len(verbs) == len(known)
    if norm.endswith(("ande", "ende")):
        return False, False, False
    passive = norm.endswith("s") and not norm.endswith("ss") and len(norm) > 3
    bare = norm[:-1] if passive else norm
    infinitive = bare in verbs
    participle = norm.endswith(("ad", "at", "ade", "ats")) and not norm.endswith("ade") and not infinitive
    supine = norm.endswith(("t", "ts")) and not infinitive
    if infinitive:
        return passive, passive, only or passive
    if supine or (participle and not norm.endswith("ade")):
        return False, passive, only and supine
    return only, passive, only


def _verb_only(norm: str, table: SwedishLemmas) -> bool:
    """A finite form that can be nothing else: "föreslår", "uppgick", "ajournerades", "gås", "byts"."""
    strong = norm.endswith(_SHORT_PRESENT) or (norm.endswith(_STRONG_PAST) and not table.is_noun(norm))
    return strong or _passive_only(norm, table)


def _passive_only(norm: str, table: SwedishLemmas) -> bool:
    """A passive that can be nothing else: "ajournerades", "gås", "byts"."""
    active = norm.removesuffix("s")
    if active == norm or len(norm) < 3:
        return False
    if active.endswith(("erade", *_SHORT_VERBS)):
        return True
    lemmas_of = table.listed(active)
    return active[-1] not in _VOWELS and bool(lemmas_of) and all(map(table.is_verb, lemmas_of))


_SHORT_VERBS = ("slå", "gå", "stå", "nå")
_SHORT_PRESENT = tuple(verb + "r" for verb in _SHORT_VERBS)
_STRONG_PAST = (
    "slog",
    "slogs",
    "gick",
    "stod",
    "höll",
    "hölls",
    "gav",
    "gavs",
    "tog",
    "togs",
    "skrev",
    "skrevs",
    "drog",
    "drogs",
)


def is_imperative(norm: str, code: str) -> bool:
    """Could the form, at the beginning of a sentence, tell to do something ("Lämna", "Skriv"), and is it no noun in use?"""
    if code != "sv" or not (lemmas().is_verb(norm) or lemmas().is_verb(norm + "a")):
        return False
    frequency = get_language(code).frequency
    return all(frequency(norm + ending) < IN_USE for ending in ("n", "en", "et"))


IN_USE = 2.5
"""Zipf frequency from which on a form is in use."""


_VOWELS = "aeiouyåäö"


def _definite_of_verb(norm: str) -> bool:
    """A noun that is spelled like an infinitive, in its definite form ("hyran", "taxans")."""
    bare = norm.removesuffix("s").removesuffix("n")
    return bare.endswith("a") and norm.removesuffix("s") == bare + "n" and lemmas().is_verb(bare)


@lru_cache(50_000)
def _adjectival(norm: str, code: str) -> bool:
    """A known word that is neither noun nor verb in its form: an adjective, a participle or an adverb."""
    if code != "sv":
        return norm.endswith(("ly", "ous", "ful", "able", "al", "ive"))
    if norm.endswith(_ADJECTIVE_ENDINGS):
        return True
    table = lemmas()
    return any(
        not table.is_noun(lemma)
        and lemma in table.listed(lemma + "a")
        and (lemma in table.listed(lemma + "t") or lemma.endswith("t"))
        for lemma in table.listed(norm)
    )


_ADJECTIVE_ENDINGS = (
    "ligen",
    "igt",
    "iga",
    "lig",
    "ska",
    "skt",
    "isk",
    "vis",
    "bar",
    "bart",
    "bara",
    "sam",
    "samt",
    "samma",
    "ande",
    "ende",
    "aste",
)


@cache
def lemmas() -> SwedishLemmas:
    """The dictionary forms of Swedish words."""
    return SwedishLemmas(swedish_lemma_table(), swedish_lexicon)


def _english_verb(norm: str) -> tuple[bool, bool, bool]:
    if norm.endswith("ed") and len(norm) > 4:
        return True, False, True
    return False, False, norm.endswith("ing") and len(norm) > 5
