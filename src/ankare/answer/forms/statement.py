"""How is a question for one statement answered: a definition, a purpose, a time, a party, whether something exists?

The sentence of that kind is preferred by the cue words of its language; what the question is about still has to stand in it.
"""

from __future__ import annotations

from ankare.answer.cues import states_quantity, states_time
from ankare.answer.forms import passage
from ankare.answer.units import Material, Unit
from ankare.domain.answer import Claim
from ankare.domain.document import UnitKind
from ankare.language.cues import cue_pattern, has_cue

CUE_BONUS = 0.3
DEFINED_BONUS = 0.6
HEADING_BONUS = 0.35
SUBJECT_WINDOW = 60


def definition(material: Material) -> tuple[Claim, ...]:
    """The sentence that says what the thing is, else how its own section opens."""

    def bonus(unit: Unit) -> float:
        pattern = cue_pattern(material.language(unit.chunk), "definition_evidence")
        found = pattern.search(unit.text.casefold()) if pattern else None
        if (
            found
            and found.start() <= SUBJECT_WINDOW
            and unit.own > 0
            and _subject_before(material, unit, found.start())
        ):
            return DEFINED_BONUS
        return HEADING_BONUS if _opens_own_section(material, unit) else 0.0

    return passage.answer(material, bonus, passage.Shape(words=60, chunks=1, others_units=1, others=0.8))


def purpose(material: Material) -> tuple[Claim, ...]:
    """The sentence that gives the goal, not the activities."""
    return passage.answer(material, _cue_bonus(material, "purpose_evidence"), passage.Shape(words=60))


def time(material: Material) -> tuple[Claim, ...]:
    """The sentence that gives the time, the frequency or the condition."""

    def bonus(unit: Unit) -> float:
        language = material.language(unit.chunk)
        return CUE_BONUS * (states_time(language, unit) + 0.3 * states_quantity(unit))

    return passage.answer(material, bonus, passage.Shape(words=60))


def party(material: Material) -> tuple[Claim, ...]:
    """The sentence that names who decides, answers for or does it."""
    return passage.answer(material, _cue_bonus(material, "responsibility_evidence"), passage.Shape(words=60))


def planning(material: Material) -> tuple[Claim, ...]:
    """What is to be planned, in the order of the source."""
    return passage.answer(material, shape=passage.Shape(words=100, own=0.45))


def overview(material: Material) -> tuple[Claim, ...]:
    """The section that speaks most broadly of the subject, from its start."""

    def bonus(unit: Unit) -> float:
        return HEADING_BONUS if _opens_own_section(material, unit) else 0.0

    return passage.answer(material, bonus, passage.Shape(words=120, own=0.4))


def existence(material: Material) -> tuple[Claim, ...]:
    """The sentences that say whether it is so. No yes or no of our own: the source's words decide."""
    return passage.answer(material, shape=passage.Shape(words=60))


def _cue_bonus(material: Material, name: str) -> passage.Bonus:
    def bonus(unit: Unit) -> float:
        return CUE_BONUS if has_cue(material.language(unit.chunk), unit.text, name) else 0.0

    return bonus


def _subject_before(material: Material, unit: Unit, end: int) -> bool:
    """Does the thing that is asked about stand before the verb that defines?"""
    terms = frozenset(material.language(unit.chunk).index_terms(unit.text[:end]))
    return material.subject.coverage(terms).share >= max(0.5 * unit.own, 0.01)


def _opens_own_section(material: Material, unit: Unit) -> bool:
    if unit.kind is not UnitKind.SENTENCE or unit.position > 1 or not unit.chunk.section:
        return False
    heading = frozenset(material.language(unit.chunk).index_terms(unit.chunk.section[-1]))
    return material.subject.coverage(heading).share >= 0.75
