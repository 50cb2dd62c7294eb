"""What looks like the name of a competitor and is none? The rules, and the set that they generate.

The names of `NASTY` are short and sit in many words. The set holds: every frequent word of Swedish and English that contains
one of them (alone and in a question), neighbouring words whose letters join to one, common words that spell one side by
side, and what each rule of `ankare.gate.occurrence` lets pass, written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from ankare.gate.ordinary import COMMON, FREQUENT
from ankare.language.frequencies import frequencies
from ankare.language.languages import get_language

NASTY: dict[str, tuple[str, ...]] = dict.fromkeys(("Axo", "Roe", "Mer", "Ing", "Era", "Sto", "Axa"), ())
CARRIERS = ("Vad är {} i den här rapporten?", "Tell me about {} in the report", "{} 2024", "{}")
MOST_FREQUENT = 50_000
_WORD = re.compile(r"\w+")


@cache
def frequent_words(code: str) -> tuple[str, ...]:
    """The words of a language from Zipf 3 on, at most the 50,000 most frequent."""
    zipf = frequencies(code).zipf
    return tuple(word for word, _ in list(frequencies(code).table)[:MOST_FREQUENT] if zipf(word) >= FREQUENT)


def words_with_a_name_inside(names: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Frequent words that contain a name without being it; "era's" and "mer-" are the name itself with something added."""
    inside = re.compile("|".join(name.casefold() for name in names))
    for code in ("sv", "en"):
        for word in frequent_words(code):
            if inside.search(word) and not any(inside.fullmatch(part) for part in _WORD.findall(word)):
                yield word


def neighbours_with_a_name_between(names: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Two frequent words, the end of the first and the beginning of the second making a name: "lax och" for Axo."""
    for code in ("sv", "en"):
        words = [word for word in frequent_words(code)[:12_000] if word.isalpha() and len(word) > 3]
        for name in map(str.casefold, names):
            for cut in range(1, len(name)):
                firsts = [word for word in words if word.endswith(name[:cut])][:8]
                seconds = [word for word in words if word.startswith(name[cut:])][:8]
                yield from (f"{first} {second}" for first, second in zip(firsts, seconds, strict=False))


def common_words_that_spell_a_name() -> Iterator[tuple[str, str]]:
    """A name made of two common words of one language, and the two words: "för ex" for Förex."""
    for code in ("sv", "en"):
        zipf, lexicon = frequencies(code).zipf, get_language(code)
        words = [word for word in frequent_words(code)[:600] if word.isalpha() and 1 < len(word) < 7]
        for first, second in pairwise(words):
            name = first + second
            if zipf(first) >= COMMON <= zipf(second) and not lexicon.is_word(name) and len(name) > 4:
                yield name.capitalize(), f"{first} {second}"


BY_HAND: dict[str, tuple[str, ...]] = {
    "Atea": ("Would you like a tea or a coffee?", "a tea"),
    "Ica": ("Vi har arbetat så i ca fem år", "i ca 10 % av fallen"),
    "Forex": ("Hur gör vi för ex-anställda?", "for ex"),
    "Ror": ("Vilka rör ska bytas?", "Rör det mig?"),
    "Modem": ("En modern lösning", "modern"),
    "Ist": ("The 1st of May", "1st"),
    "Tex": ("Vissa krav, t.ex. på drift, gäller alltid", "Krav t.ex. på drift"),
    "Inhouse": ("Is the system run in-house?",),
    "Andor": ("and/or", "Reports and/or minutes"),
    "Dell": ("Vilken bra del!", "Del! Och mer."),
    "Mer": ("Är merkostnaden med?", "En merkantil fråga", "Ett 5 m erbjudande", "Mercedes", "En sommarresa"),
    "Era": ("the eras of the report", "eras", "eran i rapporten"),
    "Axo": ("axon", "axons", "saxofonen", "Vad kostar lax och räkor?"),
    "Sto": ("Sweden's to do list", "EU:s to do list", "Name the component(s) to use", "Det är stopp", "storm"),
    "Axa": ("Vad kostar taxan?", "taxan"),
    "Roe": ("Han ska ta det med ro 3 dagar", "Who is Monroe?", "Vem är Monroe?"),
    "Ing": ("Type in gradio here",),
    "In Side": ("inside the report",),
    "Re": ("What if we're late?",),
    "Profit AB": ("profiteering",),
    "竞安": ("竞争和安全", "他们在竞争，安全第一", "安全竞赛", "安心竞选"),
    "中安": ("其中，安全支出是多少？", "他在家中，安静地看书", "中国公安", "安中"),
    "华东水务": ("华东的水务收入", "华东地区有哪些水务公司", "华北水务", "华东电力"),
}
"""Innocent texts by the name that they look like."""
