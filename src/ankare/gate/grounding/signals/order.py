"""Do words that meet stand on the same side of a point in time or space?"""

from __future__ import annotations

from ankare.gate.grounding.clauses import Clause
from ankare.gate.grounding.fits import HELD, Fit, Mate, word_of
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
        clash += _excluded(found.claim, _marker(found.claim, mate.clause), _marker(mate.reading, mate.mate))
        clash += _sequence_turned(found, mate)
    clash += _turned(found)
    if clash:
        found.notes.append(("not_entailed", "before and after"))
    return {"order_clash": min(clash, 1.0)}


def _marker(reading: Reading, clause: Clause) -> str:
    """The word of time that opens a clause ("before", "after that"), "" for none."""
    grammar = closed(reading.code)
    first = clause.places[0]
    around = (
        clause.opener,
        reading.words[first].norm,
        reading.words[first - 1].norm if first and clause.opener else "",
    )
    return next((norm for norm in around if _side(grammar, norm)), "")


def _side(grammar: dict[str, frozenset[str]], norm: str) -> str:
    return next((side for side in ("side_before", "side_after") if norm in grammar[side]), "")


def _turned(found: Fit) -> float:
    """Has the claim the same word of time over the clause that is the evidence's main one, and the other way round?"""
    grammar = closed(found.claim.code)
    pairs = [
        (_side(grammar, _marker(found.claim, mate.clause)), _side(grammar, _marker(mate.reading, mate.mate)), mate.home)
        for mate in found.mates
    ]
    return float(
        any(
            own and not theirs and not other_own and other_theirs == own and home == other_home
            for own, theirs, home in pairs
            for other_own, other_theirs, other_home in pairs
        )
    )


def _sequence_turned(found: Fit, mate: Mate) -> float:
    """Comes first in the claim what comes later in the evidence, or later what comes first?"""
    grammar = closed(found.claim.code)

    def placed(reading: Reading, clause: Clause, name: str) -> bool:
        return any(reading.words[at].norm in grammar[name] for at in clause.places)

    own_first, own_then = (placed(found.claim, mate.clause, name) for name in ("sequence_first", "sequence_then"))
    first, then = (placed(mate.reading, mate.mate, name) for name in ("sequence_first", "sequence_then"))
    return float(
        (own_first and not own_then and then and not first) or (own_then and not own_first and first and not then)
    )


def _excluded(reading: Reading, one: str, other: str) -> float:
    grammar = closed(reading.code)
    for left, right in _SIDES:
        if (one in grammar[left] and other in grammar[right]) or (one in grammar[right] and other in grammar[left]):
            return 1.0
    return 0.0


_SIDES = (
    ("side_before", "side_after"),
    ("side_before", "side_during"),
    ("side_after", "side_during"),
    ("side_to", "side_from"),
)


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
