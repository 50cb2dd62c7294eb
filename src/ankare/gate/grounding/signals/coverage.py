"""How much of a claim does its home say, and what is left?"""

from __future__ import annotations

from ankare.gate.grounding.align import SIBLING
from ankare.gate.grounding.fits import HELD, Fit, content, held
from ankare.gate.grounding.words import NOUN, VERB, Word, closed

FULL = 0.6
"""From this weight on a word that nobody says counts in full."""


def coverage(found: Fit) -> dict[str, float]:
    """Weights of words. `unsaid`: of the claim and found nowhere in the passage; `unsaid_share`: the same as a share of all;
    `predicate_unsaid`: is a main verb among them; `missing_unanswered`: for which the home has nothing over that could say the
    same; `sibling`: for which the home has another kind of the same; `context`, `borrowed`: found elsewhere in the passage,
    where the home leaves it open and where not; `residual_near`: of the homes' clauses, that the claim does not use."""
    words = content(found.claim)
    elsewhere = {*found.context, *found.borrowed}
    missing = [
        word for word in words if not held(found, word.at) and word.at not in elsewhere and not _supports(found, word)
    ]
    used = {(number, link.at) for number, link in (*found.chosen.values(), *found.context.values())}
    left = sum(
        mate.reading.words[at].weight for mate in found.mates for at in mate.mate.places if (mate.home, at) not in used
    )
    lost = sum(1.0 if word.weight >= FULL else word.weight for word in missing)
    unheld = {word.at for word in missing}
    return {
        "predicate_unsaid": float(any(clause.verb in unheld for clause in found.claim.clauses)),
        "unsaid_share": lost / (sum(word.weight for word in words) or 1.0),
        "unsaid": lost,
        "sibling": sum(
            word.weight
            for word in words
            if word.at in found.chosen and found.chosen[word.at][1].how == SIBLING and word.at not in found.context
        ),
        "missing_unanswered": max(0.0, lost - left),
        "context": sum(found.claim.words[at].weight for at in found.context),
        "borrowed": sum(found.claim.words[at].weight for at in found.borrowed),
        "residual_near": min(left, 6.0),
    }


def _supports(found: Fit, word: Word) -> bool:
    """Is it a verb that only carries a noun, which the evidence says as its verb ("fattar beslut" for "beslutar")?"""
    if word.kind != VERB or word.keys.isdisjoint(closed(found.claim.code)["carrier_verbs"]):
        return False
    for mate in found.mates:
        if word.at == mate.clause.verb:
            return any(
                found.claim.words[at].kind == NOUN
                and at in found.chosen
                and found.chosen[at][0] == mate.home
                and found.chosen[at][1].worth >= HELD
                and found.chosen[at][1].at == mate.mate.verb
                for at in mate.clause.places
            )
    return False
