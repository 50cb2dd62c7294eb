"""Does another value or name of the evidence fit the claim's words better than the one that the claim gives?"""

from __future__ import annotations

from collections.abc import Sequence

from ankare.gate.grounding.fits import HELD, Fit, content
from ankare.gate.grounding.words import NAME, NUMBER, Word
from ankare.language.measures import same_dimension, same_value


def rivalry(found: Fit, claimed: int, own: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> float:
    """By how much the best rival place draws more of the claim's words than the own place, 0 where none does."""
    if not rivals:
        return 0.0
    context = [
        (word, word.weight / (1 + 0.4 * abs(word.at - claimed)))
        for word in content(found.claim)
        if word.kind != NUMBER and abs(word.at - claimed) > 0
    ]
    context = sorted(context, key=lambda near: -near[1])[:MOST_CONTEXT]
    mine = _pull(found, context, *own)
    nearest = sorted(rivals, key=lambda rival: abs(rival[1] - own[1]))[:MOST_RIVALS]
    return max(0.0, *(_pull(found, context, *rival) - mine for rival in nearest))


MOST_RIVALS = 16
MOST_CONTEXT = 24
"""So many places and words are looked at; a sentence that repeats one word a hundred times would take for ever."""


def _pull(found: Fit, context: Sequence[tuple[Word, float]], number: int, at: int) -> float:
    """How strongly the claim's words stand around a place of the evidence: nearer ones pull more, other clauses less."""
    reading = found.reading(number)
    clause = reading.clause_of[at]
    total = sum(weight for _, weight in context) or 1.0
    pull = 0.0
    for word, weight in context:
        best = 0.0
        for link in found.table(number).get(word.at, ()):
            if link.worth < HELD or link.at == at:
                continue
            near = 1.0 / (1 + 0.4 * abs(link.at - at))
            if reading.clause_of[link.at] != clause:
                near *= 0.5
            best = max(best, link.worth * near)
        pull += weight * best
    return pull / total


def crossed_by(found: Fit, claimed: int | None, number: int, at: int | None) -> float:
    """Does another value or name of the kind stand between this one and the word that the claim puts beside it?"""
    if claimed is None or at is None:
        return 0.0
    claim = found.claim
    kind = claim.words[claimed].kind
    mine = claim.value_of[claimed]
    crossed = 0.0
    for step in (-1, 1):
        position = claimed + step
        while 0 <= position < len(claim.words) and abs(position - claimed) <= 6:
            word = claim.words[position]
            if claim.clause_of[position] != claim.clause_of[claimed]:
                break
            if word.weight >= 0.3 and word.kind != NUMBER and (word.kind != NAME or kind != NAME):
                crossed = max(crossed, _between(found, word.at, number, at, kind))
                break
            if word.kind == kind and (kind == NAME or claim.value_of[position] != mine) and kind == NUMBER:
                break
            position += step
    return crossed


def _between(found: Fit, word: int, number: int, at: int, kind: str) -> float:
    reading = found.reading(number)
    links_here = [
        link
        for link in found.table(number).get(word, ())
        if link.worth >= HELD and (kind == NUMBER or reading.clause_of[link.at] == reading.clause_of[at])
    ]
    if not links_here:
        return 0.0
    taken = {link.at for n, link in found.chosen.values() if n == number}
    own_value = reading.value_of[at]
    fewest = 1.0
    for link in links_here:
        low, high = sorted((link.at, at))
        rivals = 0
        if kind == NUMBER and reading.clause_of[link.at] != reading.clause_of[at]:
            rivals += _rival_in_clause(found, number, reading.clause_of[link.at], own_value)
        for place in range(low + 1, high):
            other = reading.words[place]
            if kind == NAME and other.kind == NAME and place not in taken:
                rivals += 1
            elif kind == NUMBER and other.kind == NUMBER and reading.value_of[place] != own_value:
                value = reading.values[reading.value_of[place]]  # type: ignore[index]
                mine = reading.values[own_value] if own_value is not None else None
                if (
                    mine is not None
                    and same_dimension(mine, value)
                    and not same_value(mine, value)
                    and not value.article
                ):
                    rivals += 1
        fewest = min(fewest, float(rivals > 0))
    return fewest


def _rival_in_clause(found: Fit, number: int, clause: int, own: int | None) -> int:
    """Holds the clause of the word another value of the kind, so that the word belongs to that one?"""
    reading = found.reading(number)
    if own is None:
        return 0
    mine = reading.values[own]
    inside = {reading.value_of[at] for at in reading.clauses[clause].places} - {None, own}
    return int(
        any(
            same_dimension(mine, reading.values[index]) and not same_value(mine, reading.values[index])  # type: ignore[index]
            for index in inside
        )
    )
