"""Do the names of a claim stand in the evidence, beside what the claim puts them with?"""

from __future__ import annotations

from ankare.gate.grounding.fits import Fit, held
from ankare.gate.grounding.signals.rivals import crossed_by, rivalry
from ankare.gate.grounding.words import NAME


def names(found: Fit) -> dict[str, float]:
    """`name_unknown`: how many stand nowhere; `name_unbound`, `name_crossed`: said of another."""
    unknown, unbound, crossed = 0.0, 0.0, 0.0
    for word in found.claim.words:
        if word.kind != NAME:
            continue
        if not held(found, word.at):
            if word.at not in found.context and word.at not in found.borrowed:
                unknown += 1.0
                found.notes.append(("name_not_in_evidence", word.text))
            continue
        number, link = found.chosen[word.at]
        taken = {other.at for n, other in found.chosen.values() if n == number}
        rivals = [(number, w.at) for w in found.reading(number).words if w.kind == NAME and w.at not in taken]
        pull = rivalry(found, word.at, (number, link.at), rivals)
        if pull > 0.1:
            found.notes.append(("name_not_in_evidence", f"{word.text}: said of another"))
        unbound = max(unbound, min(1.0, 4 * pull))
        crossed = max(crossed, crossed_by(found, word.at, number, link.at))
    return {"name_unknown": unknown, "name_unbound": unbound, "name_crossed": crossed}
