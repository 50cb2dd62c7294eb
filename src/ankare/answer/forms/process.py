"""How is "how is it done?" answered: with the steps, in the order of the source?"""

from __future__ import annotations

from ankare.answer.forms import listing, passage
from ankare.answer.units import Material, Unit
from ankare.domain.answer import Claim
from ankare.language.cues import has_cue

SEQUENCE_BONUS = 0.2


def answer(material: Material) -> tuple[Claim, ...]:
    """The ordered list that fits best, else consecutive sentences of the best section in their order."""
    steps = listing.best_listing(material, ordered=True)
    if steps is not None and steps.chunk.id in {hit.chunk.id for hit in material.hits[:2]}:
        return listing.answer(material, ordered=_numbered(steps))
    return passage.answer(material, _tells_sequence(material), passage.Shape(words=120, own=0.4))


def _numbered(steps: listing.Listing) -> bool:
    return any(ch.isdigit() for ch in steps.chunk.sentences[steps.positions[0]].marker)


def _tells_sequence(material: Material) -> passage.Bonus:
    def bonus(unit: Unit) -> float:
        return SEQUENCE_BONUS if has_cue(material.language(unit.chunk), unit.text, "sequence") else 0.0

    return bonus
