"""Does the claim add a cause or purpose, or drop a condition?"""

from __future__ import annotations

from ankare.gate.grounding.cues import says
from ankare.gate.grounding.fits import Fit
from ankare.gate.grounding.words import closed


def connectives(found: Fit) -> dict[str, float]:
    """`cause_new`: a cause that no home gives; `condition_lost`, `condition_clause_lost`: a condition that the homes set and
    the claim does not; `question_new`, `empty_frame`: the claim only says that something is settled."""
    homes = [found.reading(number) for number in set(found.homes)]

    def new(name: str) -> float:
        return float(says(found.claim, name) and not any(says(home, name) for home in homes))

    return {
        "cause_new": new("cause"),
        "condition_lost": float(any(says(home, "condition") for home in homes) and not says(found.claim, "condition")),
        "condition_clause_lost": float(any(_drops_condition(found, number) for number in set(found.homes))),
        "question_new": new("interrogatives"),
        "empty_frame": new("empty_frames"),
    }


def _drops_condition(found: Fit, number: int) -> bool:
    """Has the home a conditional clause of which the claim says nothing?"""
    reading = found.reading(number)
    used = {link.at for home, link in found.chosen.values() if home == number}
    for clause in reading.clauses:
        if clause.opener in closed(reading.code)["conditional"]:
            inside = {at for at in clause.places if reading.words[at].weight > 0.3}
            if inside and not inside & used:
                return True
    return False
