"""Does a sentence show by its wording that it states a time, a purpose, a party, a definition?"""

from __future__ import annotations

import re
from functools import lru_cache

from ankare.answer.units import Unit
from ankare.language.protocol import Language

_NUMBER = re.compile(r"\d")


def has_cue(language: Language, text: str, name: str) -> bool:
    """Does any cue of the language pack's list stand in the text as whole words?"""
    pattern = cue_pattern(language, name)
    return pattern is not None and pattern.search(text.casefold()) is not None


@lru_cache(maxsize=256)
def cue_pattern(language: Language, name: str) -> re.Pattern[str] | None:
    """The cues of a list as one pattern, longest first; None where the language has no such list."""
    try:
        cues = sorted(language.cues(name), key=lambda cue: (-len(cue), cue))
    except KeyError:
        return None
    if not cues:
        return None
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, cues)) + r")(?!\w)")


def opens_with(language: Language, text: str, name: str) -> bool:
    """Does the text begin with a cue of the list?"""
    pattern = cue_pattern(language, name)
    return pattern is not None and pattern.match(text.casefold().lstrip("\"'”»(")) is not None


def states_time(language: Language, unit: Unit) -> bool:
    """Does the unit state a time, a frequency, a deadline or a condition for when?"""
    return has_cue(language, unit.text, "time_evidence") or has_cue(language, unit.text, "condition")


def states_quantity(unit: Unit) -> bool:
    """Does the unit hold a figure?"""
    return _NUMBER.search(unit.text) is not None
