"""What does a sentence of an answer say, rather than list?

Words in a row claim nothing: in running text a sentence needs a verb, and words that follow each other alone between marks are
only named. Items, steps and rows are lists by their form; a word with what it means, and a short answer that leaves out what
the question has said, are whole without a verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ankare.evaluation.measures.answer_statements import Claimed
from ankare.evaluation.measures.language_fragments import has_verb
from ankare.evaluation.measures.said import CHINESE, Said, said
from ankare.evaluation.measures.support import FRAGMENT
from ankare.evaluation.suites.gold import normalise
from ankare.language.languages import get_language

TEXT = "text"
_ENTRY = re.compile(r"[^–—:|,;]{2,60}?(?: [–—-] |: | \| )\S")
_MARKS = re.compile(r"[,;:]\s")
_FEWEST_IN_A_ROW = 3


def spoken(one: Claimed) -> Said | None:
    """The sentence without words that it only names; None where it says nothing."""
    text, code = one.said.text, one.said.code
    if one.form != TEXT or code == CHINESE or is_short(one):
        return one.said
    if not (_ENTRY.match(text) or has_verb(text, code)):
        return None
    stretches = _MARKS.split(text)
    return one.said if len(stretches) < _FEWEST_IN_A_ROW else said(", ".join(_not_in_a_row(stretches, code)), code)


def _not_in_a_row(stretches: Sequence[str], code: str) -> Iterator[str]:
    """The stretches between marks without words that stand alone beside another that does."""
    alone = [False, *(len(get_language(code).tokens(stretch)) < 2 for stretch in stretches), False]
    for at, stretch in enumerate(stretches, start=1):
        if not (alone[at] and (alone[at - 1] or alone[at + 1])):
            yield stretch


def is_short(one: Claimed) -> bool:
    """Has a sentence so few words that it answers only together with its question ("Five days.")?"""
    return length(one) < FRAGMENT


def length(one: Claimed) -> int:
    """How much a sentence says, in content words and values."""
    return len(one.said.words) + len(one.said.amounts)


def leads(claims: Iterable[Claimed]) -> Iterator[Said | None]:
    """Of each sentence, the one that leads into the list that it is an item of; None for running text."""
    lead = None
    for one in claims:
        if one.form == TEXT:
            lead = one.said if one.committed or one.said.text.rstrip().endswith(":") else None
        yield None if one.form == TEXT else lead


def repeated(claims: Iterable[Claimed]) -> Iterator[bool]:
    """Of each sentence: was it said before, word for word?"""
    seen: set[str] = set()
    for one in claims:
        words = normalise(one.said.text)
        yield words in seen
        seen.add(words)
