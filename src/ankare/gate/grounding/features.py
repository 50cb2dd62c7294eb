"""What speaks for and against a claim being entailed by a passage of the evidence?"""

from __future__ import annotations

from collections.abc import Sequence

from ankare.gate.grounding.fits import Fit, Passage, choose_links, find_context, settle_homes
from ankare.gate.grounding.reading import Reading
from ankare.gate.grounding.signals.connectives import connectives
from ankare.gate.grounding.signals.coverage import coverage
from ankare.gate.grounding.signals.names import names
from ankare.gate.grounding.signals.order import order
from ankare.gate.grounding.signals.polarity import polarity
from ankare.gate.grounding.signals.relations import relations
from ankare.gate.grounding.signals.roles import roles
from ankare.gate.grounding.signals.strength import modality, quantity
from ankare.gate.grounding.signals.values import values


def fit(claim: Reading, passage: Passage, near: Sequence[int], homes: Sequence[int] | None = None) -> Fit:
    """Hold the claim against a passage. `near`: sentences that are looked at, `homes`: those that may be home to a clause."""
    found = Fit(claim, passage, tuple(near))
    settle_homes(found, near if homes is None else homes)
    choose_links(found)
    find_context(found)
    for part in (coverage, order, values, names, polarity, modality, quantity, roles, relations, connectives):
        found.signals.update(part(found))
    return found
