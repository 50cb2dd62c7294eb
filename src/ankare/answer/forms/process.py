"""How is "how is it done?" answered: with the steps, in the order of the source?"""

from __future__ import annotations

from ankare.answer.forms import listing, passage
from ankare.answer.units import Material
from ankare.domain.answer import Claim

NEAR = 5
"""A list of steps counts only in one of this many best chunks; further down, prose is more likely what is meant."""


def answer(material: Material) -> tuple[Claim, ...]:
    """The ordered list that fits best, else consecutive sentences of the best section in their order."""
    steps = listing.best_listing(material, ordered=True)
    if steps is not None and steps.chunk.id in {hit.chunk.id for hit in material.hits[:NEAR]}:
        return listing.answer(material, ordered=True)
    return passage.answer(material, shape=passage.Shape(words=120, before=True))
