"""Do words that meet stand on the same side of a point in time or space?"""

from __future__ import annotations

from ankare.gate.grounding.fits import HELD, Fit, word_of
from ankare.gate.grounding.reading import Reading
from ankare.gate.grounding.words import NAME, NOUN, VERB, closed
from ankare.language.measures import same_value


def order(found: Fit) -> dict[str, float]:
    """Do nominals and clauses that meet stand under words that exclude each other ("before", "after")?"""
    clash = 0.0
    for at, (number, link) in found.chosen.items():
        if link.worth >= HELD and found.claim.words[at].kind in (NOUN, NAME):
            clash += _excluded(found.claim, governor(found.claim, at), governor(found.reading(number), link.at))
    for at, word in enumerate(found.claim.words):
        value = found.claim.value_of[at]
        if value is None or at != word_of(found.claim, found.claim.values[value]):
            continue
        for number in set(found.homes):
            reading = found.reading(number)
            for other in reading.values:
                place = word_of(reading, other)
                if place is not None and same_value(found.claim.values[value], other):
                    clash += _excluded(found.claim, governor(found.claim, word.at), governor(reading, place))
    for mate in found.mates:
        clash += _excluded(found.claim, mate.clause.opener, mate.mate.opener)
    if clash:
        found.notes.append(("not_entailed", "before and after"))
    return {"order_clash": min(clash, 1.0)}


def _excluded(reading: Reading, one: str, other: str) -> float:
    grammar = closed(reading.code)
    for left, right in (("side_before", "side_after"), ("side_to", "side_from")):
        if (one in grammar[left] and other in grammar[right]) or (one in grammar[right] and other in grammar[left]):
            return 1.0
    return 0.0


def governor(reading: Reading, at: int) -> str:
    """The preposition or time word that a nominal stands under, "" for none."""
    grammar = closed(reading.code)
    clause = reading.clause_of[at]
    for back in range(1, 5):
        place = at - back
        if place < 0 or reading.clause_of[place] != clause:
            return ""
        word = reading.words[place]
        if (
            word.norm in grammar["prepositions"]
            or word.norm in grammar["side_before"]
            or word.norm in grammar["side_after"]
        ):
            return word.norm
        if word.kind == VERB or word.finite:
            return ""
    return ""
