"""Which nominal groups does a clause have, and which preposition governs each?"""

from __future__ import annotations

from collections.abc import Sequence

from ankare.gate.grounding.words import ADJECTIVE, FUNCTION, NAME, NOUN, NUMBER, Word, lemmas
from ankare.language.languages import get_language


def groups_of(
    words: tuple[Word, ...], places: Sequence[int], grammar: dict[str, frozenset[str]], opener: str
) -> list[tuple[str | None, tuple[int, ...]]]:
    """Noun groups of a clause: the preposition that governs each (None without one) and the heads, joined ones together."""
    found: list[tuple[str | None, tuple[int, ...]]] = []
    preposition: str | None = None
    run: list[int] = []

    def close() -> None:
        nonlocal run, preposition
        nouns = [at for at in run if words[at].kind in (NOUN, NAME) and words[at].weight > 0]
        if nouns:
            names = [at for at in nouns if words[at].kind == NAME]
            found.append((preposition, tuple(names) if names and nouns[-1] == names[-1] else (*names, nouns[-1])))
        run = []
        preposition = None

    for index, at in enumerate(places):
        word = words[at]
        if index == 0 and word.norm in grammar["openers"] and opener:
            continue
        if word.norm in grammar["prepositions"] and word.kind == FUNCTION:
            close()
            preposition = word.norm
        elif word.norm in grammar["adverbs"]:
            close()
        elif word.kind in (NOUN, NAME, NUMBER, ADJECTIVE) or word.norm in grammar["determiners"]:
            begins = word.norm in grammar["articles"] and any(words[each].kind in (NOUN, NAME) for each in run)
            if run and (
                begins or places[index - 1] != at - 1 or _definite(words[run[-1]]) or _two_nouns(words[run[-1]], word)
            ):
                close()
            if word.norm not in grammar["time_nouns"]:
                run.append(at)
        elif word.norm in grammar["joins"] and run and index + 1 < len(places):
            mine = preposition
            close()
            preposition = mine
        else:
            close()
    close()
    return _merge(found, words, grammar)


def _merge(
    found: list[tuple[str | None, tuple[int, ...]]], words: tuple[Word, ...], grammar: dict[str, frozenset[str]]
) -> list[tuple[str | None, tuple[int, ...]]]:
    """Groups that "and" joins become one."""
    merged: list[tuple[str | None, tuple[int, ...]]] = []
    for preposition, heads in found:
        if merged:
            last = merged[-1]
            between = words[last[1][-1] + 1 : heads[0]]
            if (
                preposition == last[0]
                and between
                and all(
                    w.kind in (ADJECTIVE, NUMBER) or w.norm in grammar["joins"] or (w.weight < 1 and w.kind == NOUN)
                    for w in between
                )
                and any(w.norm in grammar["joins"] for w in between)
            ):
                merged[-1] = (last[0], (*last[1], *heads))
                continue
        merged.append((preposition, heads))
    return merged


def _two_nouns(one: Word, other: Word) -> bool:
    """Two nouns that do not belong together: the first is neither a genitive nor a title of a name."""
    return (
        one.kind == NOUN and other.kind == NOUN and one.code == "sv" and not one.norm.endswith("s") and one.weight > 0
    )


_DEFINITE = ("en", "et", "na", "orna", "arna", "erna")


def _definite(word: Word) -> bool:
    """A noun in definite form ends its group."""
    return word.kind == NOUN and word.code == "sv" and word.norm.endswith(_DEFINITE) and word.norm not in word.terms


def is_pronoun(words: tuple[Word, ...], word: Word, grammar: dict[str, frozenset[str]]) -> bool:
    """A pronoun that stands alone, and not before a noun."""
    if word.norm not in grammar["subject_pronouns"]:
        return False
    after = words[word.at + 1] if word.at + 1 < len(words) else None
    if word.norm not in grammar["determiners"] or after is None or after.norm in grammar["adverbs"]:
        return True
    return after.kind not in (NOUN, NAME, ADJECTIVE, NUMBER)


def is_participle(norm: str, code: str) -> bool:
    """May the form be the past participle of a verb?"""
    if code != "sv":
        return norm.endswith(("ed", "en"))
    return norm.endswith(("ad", "at", "ade", "ats", "d", "t", "dda", "da", "na", "en", "et", "dd", "tt", "ta")) and any(
        lemmas().is_verb(term) for term in get_language("sv").analyze(norm).terms
    )
