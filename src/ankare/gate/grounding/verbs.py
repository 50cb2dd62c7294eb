"""Which of the forms that may be a verb or something else are verbs in this sentence?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ankare.gate.grounding.words import ADJECTIVE, NAME, NOUN, VERB, Word, closed, lemmas


def settled_words(words: tuple[Word, ...], code: str) -> tuple[Word, ...]:
    """Forms that may be a verb or a noun: a noun after a determiner, an infinitive after its mark; a sentence without a finite
    verb takes the first form that may be one."""
    grammar = closed(code)
    settled = list(words)
    for word in words:
        if word.kind == VERB:
            settled[word.at] = _settled_verb(settled, word, grammar)
    for word in list(settled):
        if (
            word.kind in (NOUN, ADJECTIVE)
            and _infinitive(word.norm, code)
            and settled[word.at - 1 if word.at else 0].norm not in grammar["articles"]
        ):
            later = any(w.kind == VERB for w in settled[word.at + 1 : word.at + 4])
            if _after_auxiliary(settled, word.at, grammar) and not later:
                settled[word.at] = with_changes(word, kind=VERB)
    if code == "en":
        for word in list(settled):
            if (
                word.finite
                and word.kind == VERB
                and word.norm.endswith("ed")
                and _follows_be(settled, word.at, grammar)
            ):
                settled[word.at] = with_changes(word, finite=False)
            if word.kind == NOUN and word.at and _follows_modal(settled, word.at, grammar):
                settled[word.at] = with_changes(word, kind=VERB)
    for word in list(settled):
        if word.kind == NOUN and _maybe_verb(word.norm, code) and _lacks_verb(settled, word.at, grammar):
            settled[word.at] = with_changes(word, kind=VERB, finite=True)
    return tuple(settled)


def _settled_verb(words: Sequence[Word], word: Word, grammar: dict[str, frozenset[str]]) -> Word:
    before = words[word.at - 1] if word.at else None
    after = words[word.at + 1] if word.at + 1 < len(words) else None
    norm = before.norm if before is not None else ""
    if norm in grammar["articles"] and not (word.finite and word.passive):
        return with_changes(word, kind=ADJECTIVE if _is_nominal(after) else NOUN, finite=False, passive=False)
    attributive = before is None or before.kind == ADJECTIVE or norm in grammar["prepositions"] | grammar["determiners"]
    if attributive and _is_nominal(after) and word.norm.endswith(_ATTRIBUTIVE):
        return with_changes(word, kind=ADJECTIVE, finite=False, passive=False)
    infinitive = word.code != "sv" or _infinitive(word.norm, "sv")
    governed = norm in grammar["infinitive_mark"] or _after_auxiliary(words, word.at, grammar, infinitive=True)
    if word.finite and infinitive and governed:
        return with_changes(word, finite=False)
    if (
        not word.finite
        and word.norm.endswith(("t", "ts"))
        and word.code == "sv"
        and not _after_auxiliary(words, word.at, grammar)
    ):
        return with_changes(word, kind=ADJECTIVE)
    return word


_ATTRIBUTIVE = ("ade", "da", "ta", "na", "de", "te", "ed")


def _is_nominal(word: Word | None) -> bool:
    return word is not None and word.kind in (NOUN, NAME)


def _lacks_verb(words: Sequence[Word], at: int, grammar: dict[str, frozenset[str]]) -> bool:
    """No finite verb from the opener before to the next opener: then the form here is likely it."""
    before = words[at - 1] if at else None
    if (
        before is None
        or before.norm in grammar["articles"]
        or (before.norm in grammar["prepositions"] and before.norm not in grammar["openers"])
    ):
        return False
    if before.kind == ADJECTIVE:
        return False
    left = at - 1
    while left >= 0 and words[left].norm not in grammar["openers"] and not _joins_clause(words, left, grammar):
        if words[left].finite:
            return False
        left -= 1
    right = at + 1
    while (
        right < len(words) and words[right].norm not in grammar["openers"] and not _joins_clause(words, right, grammar)
    ):
        if words[right].finite:
            return False
        right += 1
    return True


def _follows_be(words: Sequence[Word], at: int, grammar: dict[str, frozenset[str]]) -> bool:
    """Does the word stand right after a form of "be" or "have", adverbs and "not" aside?"""
    back = at - 1
    while back > 0 and (words[back].norm in grammar["adverbs"] or words[back].norm in grammar["negators"]):
        back -= 1
    return back >= 0 and words[back].norm in grammar["be_forms"] | {"has", "have", "had"}


def _follows_modal(words: Sequence[Word], at: int, grammar: dict[str, frozenset[str]]) -> bool:
    """Does the word stand right after an English modal, adverbs and "not" aside?"""
    back = at - 1
    while back > 0 and (words[back].norm in grammar["adverbs"] or words[back].norm in grammar["negators"]):
        back -= 1
    norm = words[back].norm
    return norm in grammar["auxiliaries"] and norm in grammar["modals"] | {"will", "would", "do", "does", "did"}


def _joins_clause(words: Sequence[Word], at: int, grammar: dict[str, frozenset[str]]) -> bool:
    """Stands an English conjunction there before what may be a subject ("and the agency")?"""
    if words[at].code != "en" or words[at].norm not in grammar["joins"] or at + 1 >= len(words):
        return False
    return words[at + 1].norm in grammar["articles"] | grammar["determiners"] | grammar["pronouns"]


@lru_cache(50_000)
def _infinitive(norm: str, code: str) -> bool:
    """Could the form be an infinitive?"""
    if code != "sv":
        return False
    bare = norm[:-1] if norm.endswith("s") else norm
    return bare.endswith("a") and lemmas().is_verb(bare)


@lru_cache(50_000)
def _maybe_verb(norm: str, code: str) -> bool:
    """Could the form be a finite verb, though it is a noun too?"""
    if code != "sv":
        return norm.endswith("s") and len(norm) > 3
    known = lemmas().listed(norm) or lemmas().by_paradigm(norm)
    return any(lemmas().is_verb(lemma) for lemma in known) and norm.endswith(("r", "s", "de", "te"))


def _after_auxiliary(
    words: Sequence[Word], at: int, grammar: dict[str, frozenset[str]], *, infinitive: bool = False
) -> bool:
    """Does a modal or auxiliary govern the form (at most six words before, no other verb between)? "Is" governs no
    infinitive."""
    for back in range(1, 7):
        if at - back < 0:
            return False
        word = words[at - back]
        if word.norm in grammar["auxiliaries"] and not (infinitive and word.norm in grammar["be_forms"]):
            return True
        if word.kind == VERB or (
            word.norm in grammar["subordinators"] and word.norm not in grammar["ambiguous_openers"]
        ):
            return False
        if word.norm in grammar["joins"]:
            continue
    return False


def with_changes(word: Word, **changes: object) -> Word:
    """The word with some fields changed."""
    values = {name: getattr(word, name) for name in Word.__slots__} | changes
    return Word(**values)
