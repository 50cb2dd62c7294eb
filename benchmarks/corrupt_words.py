"""Which names and negations of a sentence can be changed so that it is surely no longer true?"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from benchmarks.corrupt_values import any_of, words
from benchmarks.grounding import Pair

_RUN = re.compile(r"[A-ZÅÄÖÉ][\w&-]*(?:[ \u00a0][A-ZÅÄÖÉ][\w&-]*)*")
_HISSING = ("s", "x", "z")
OTHERS = 6
"""Names of other texts that are tried."""


# --- names


def other_names(base: Pair, chance: random.Random, pairs: Sequence[Pair]) -> Iterator[str]:
    """A name is changed for another one: of the same text, where no sentence has both, or of another text."""
    own = names(base.evidence, base.language)
    here = [name for name in own if name.lower() not in base.claim.lower()]
    elsewhere = [name for name in _all_names(tuple(pairs), base.language) if not _held(base.evidence, name)]
    for found in _names_in(base.claim, base.language):
        name = found[0]
        if not _held(base.evidence, name):
            continue
        beside = [other for other in here if not _related(other, name) and not _together(base.evidence, name, other)]
        for other in (*beside, *chance.sample(elsewhere, min(OTHERS, len(elsewhere)))):
            if not _related(other, name):
                yield base.claim[: found.start()] + _formed(other, name, base.language) + base.claim[found.end() :]


def names(texts: Sequence[str], language: str) -> list[str]:
    """The names of some texts: capitalised words that open no sentence, those side by side together."""
    return list(dict.fromkeys(found[0] for text in texts for found in _names_in(text, language)))


@lru_cache(4)
def _all_names(pairs: tuple[Pair, ...], language: str) -> list[str]:
    return names(
        [text for pair in pairs if pair.supported and pair.language == language for text in pair.evidence], language
    )


def _names_in(text: str, language: str) -> Iterator[re.Match[str]]:
    lists = words(language)
    apart = {*lists["months"], *lists["weekdays"], *lists["not_names"]}
    for found in _RUN.finditer(text):
        before = text[: found.start()].rstrip()
        opens = (
            not before
            or before[-1] in '.!?:;|•–-"”(»'
            or text[found.start() - 1 : found.start()] not in (" ", "\u00a0")
        )
        if not opens and len(found[0]) > 1 and not found[0].endswith("-") and apart.isdisjoint(found[0].split()):
            yield found


def _held(evidence: Sequence[str], name: str) -> bool:
    return any(name.lower().removesuffix("s") in text.lower() for text in evidence)


def _related(one: str, other: str) -> bool:
    """May they name the same: does one share a word with the other, or its initials?"""
    first, second = ({word.lower().rstrip("s") for word in name.split()} for name in (one, other))
    letters = {"".join(word[0] for word in name.split()).lower() for name in (one, other)}
    return bool(first & second) or not letters.isdisjoint({one.lower(), other.lower()})


def _together(evidence: Sequence[str], one: str, other: str) -> bool:
    """Does a sentence have both, so that what is said of one may be said of the other?"""
    sentences = [sentence for text in evidence for sentence in re.split(r"(?<=[.!?])\s|\n", text)]
    return any(one.removesuffix("s") in sentence and other.removesuffix("s") in sentence for sentence in sentences)


def _formed(other: str, name: str, language: str) -> str:
    """In the form of the one it replaces: with the s of a genitive where that has one."""
    bare = other.removesuffix("s") if language == "sv" and len(other) > 3 else other
    if language == "sv" and name.endswith("s") and not bare.endswith(_HISSING):
        return bare + "s"
    return other


# --- negations


def negations(base: Pair, chance: random.Random, _pairs: Sequence[Pair]) -> Iterator[str]:
    """A negation is put in after the finite verb, taken out, or changed for its opposite."""
    lists, lowered = words(base.language), base.claim.lower()
    if _any(lists["double"], lowered):
        return
    yield from _inserted(base.claim, lists)
    yield from _removed(base.claim, lists)
    yield from _exchanged(base.claim, lists)
    del chance


def _inserted(text: str, lists: dict[str, Any]) -> Iterator[str]:
    """After the first finite verb, where the subject stands before it and nothing else is said in between."""
    first = text.split()[0].strip(",").lower()
    if first in lists["openers"] or first in lists["finite"] or _any(lists["no_insert"], text.lower()):
        return
    found = re.search(rf"(?<![\w-])(?:{any_of(lists['finite'])})(?![\w-])", text)
    if found is None or re.search(
        rf"[,;:]|(?<!\w)(?:{any_of(('som', 'att', 'that', 'which', 'who', 'om'))})(?!\w)", text[: found.start()]
    ):
        return
    follower = re.match(r"\s+([\w-]+)", text[found.end() :])
    if follower and follower[1].lower() not in lists["pronouns"]:
        yield f"{text[: found.end()]} {lists['negation']}{text[found.end() :]}"


def _removed(text: str, lists: dict[str, Any]) -> Iterator[str]:
    if re.search(r"(?<!\w)utan(?!\w)|(?<!\w)but(?!\w)", text):  # "not this but that"
        return
    for found in re.finditer(rf" (?:{any_of(lists['dropped'])})(?=[ .,;])", text):
        yield text[: found.start()] + text[found.end() :]


def _exchanged(text: str, lists: dict[str, Any]) -> Iterator[str]:
    """One word for its opposite. Not where the sentence has another denial, which might go with it."""
    for word, other in lists["replaced"]:
        for found in re.finditer(rf"(?<![\w,-])(?<!, ){re.escape(word)} (?=(\w+))", text):
            rest = (text[: found.start()] + text[found.end() :]).lower()
            held = {"utan", "med", "with", "without"} & {word.lower()}
            kept = found[1].isdigit() or found[1].lower() in lists["keeps_with"]
            if _any(lists["no_insert"], rest) or (held and kept):
                continue
            if other.startswith(f"{word} ") and found[1].lower() in lists["pronouns"]:
                continue
            yield f"{text[: found.start()]}{other} {text[found.end() :]}"


def _any(phrases: Sequence[str], lowered: str) -> bool:
    return re.search(rf"(?<!\w)(?:{any_of(phrases)})(?!\w)", lowered) is not None
