"""How is a question for one statement answered: a definition, a purpose, a time, a party, whether something exists?

The unit's own form has already told in its score (`form_signal`); here is only how much is said.
"""

from __future__ import annotations

from collections.abc import Sequence

from ankare.answer.forms import passage
from ankare.answer.units import Material, Unit
from ankare.domain.answer import Claim
from ankare.domain.document import UnitKind

OPENING_BONUS = 0.35
ASKED_SECTION_BONUS = 0.8
OWN_SECTION = 0.75
OPENING_WORDS = 5


def definition(material: Material) -> tuple[Claim, ...]:
    """The sentence that says what the thing is, else how its own section opens."""
    return passage.answer(material, _opens_own_section(material), passage.Shape(words=60, chunks=1, others=0.8))


def defines(material: Material, claims: Sequence[Claim]) -> bool:
    """Do some claims define what is asked about, begin with it, or open a section that is about nothing else?"""
    cited = {(c.chunk.id, c.start) for claim in claims for c in claim.citations}
    units = [unit for unit in material.units if (unit.chunk.id, unit.sentence.start) in cited]
    return any(
        unit.signals.form or _begins_with_this(material, unit) or _heads_only_this(material, unit) for unit in units
    )


def _begins_with_this(material: Material, unit: Unit) -> bool:
    """As "En testplan anger ...": whatever its verb is, such a sentence may well be the definition."""
    opening = " ".join(unit.text.split()[:OPENING_WORDS])
    return material.share(material.language(unit.chunk).index_terms(opening)) >= OWN_SECTION


def _heads_only_this(material: Material, unit: Unit) -> bool:
    if unit.position > 1 or not unit.chunk.section:
        return False
    heading = material.language(unit.chunk).index_terms(unit.chunk.section[-1])
    return material.share(heading) >= OWN_SECTION and material.question_terms.issuperset(heading)


def statement(material: Material) -> tuple[Claim, ...]:
    """The sentence that gives the purpose, the time or condition, or names the party."""
    return passage.answer(material, _opens_asked_section(material), passage.Shape(words=70))


def planning(material: Material) -> tuple[Claim, ...]:
    """What is to be planned, in the order of the source."""
    return passage.answer(material, shape=passage.Shape(words=100, before=True))


def overview(material: Material) -> tuple[Claim, ...]:
    """The section that speaks most broadly of the subject, from its start."""
    return passage.answer(material, _opens_own_section(material), passage.Shape(words=120, own=0.35, before=True))


def existence(material: Material) -> tuple[Claim, ...]:
    """The sentences that say whether it is so. No yes or no of our own: the source's words decide."""
    return passage.answer(material, shape=passage.Shape(words=70))


def _opens_own_section(material: Material) -> passage.Bonus:
    """Favours the first sentences of the section whose heading is what the question is about."""

    def bonus(unit: Unit) -> float:
        if unit.kind is not UnitKind.SENTENCE or unit.position > 1 or not unit.chunk.section:
            return 0.0
        heading = material.language(unit.chunk).index_terms(unit.chunk.section[-1])
        return OPENING_BONUS if material.share(heading) >= OWN_SECTION else 0.0

    return bonus


def _opens_asked_section(material: Material) -> passage.Bonus:
    """Favours the first sentences of the section whose heading names what is asked for ("1.1 Syfte")."""

    def bonus(unit: Unit) -> float:
        if unit.kind is not UnitKind.SENTENCE or unit.position > 1 or not unit.chunk.section:
            return 0.0
        heading = material.language(unit.chunk).index_terms(unit.chunk.section[-1])
        return ASKED_SECTION_BONUS * material.asked(heading)

    return bonus
