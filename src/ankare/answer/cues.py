"""Does a unit state the kind of thing that a question of some type asks for?"""

from __future__ import annotations

import re

from ankare.answer.units import Unit
from ankare.language.cues import has_cue
from ankare.language.protocol import Language

_NUMBER = re.compile(r"\d")


def states_time(language: Language, unit: Unit) -> bool:
    """Does the unit state a time, a frequency, a deadline or a condition for when?"""
    return has_cue(language, unit.text, "time_evidence") or has_cue(language, unit.text, "condition")


def states_quantity(unit: Unit) -> bool:
    """Does the unit hold a figure?"""
    return _NUMBER.search(unit.text) is not None
