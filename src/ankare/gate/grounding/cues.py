"""Does a sentence or a clause hold a cue word of the grammar pack?"""

from __future__ import annotations

import re
from functools import cache

from ankare.gate.grounding.clauses import Clause
from ankare.gate.grounding.reading import Reading
from ankare.language.cues import whole_words
from ankare.language.packs import named_lists

LANGUAGES = ("sv", "en")


@cache
def cue(code: str, name: str) -> re.Pattern[str] | None:
    """The cues of a list of the grammar pack as one pattern for small letters; None where there are none."""
    return whole_words(code, named_lists(code if code in LANGUAGES else "en", "grammar").get(name, ()))


def says(reading: Reading, name: str, clause: Clause | None = None) -> bool:
    """Does a cue of the list stand in the sentence, or in one clause of it? Remembered by the reading."""
    key = (name, -1 if clause is None else clause.places[0])
    known = reading.said.get(key)
    if known is None:
        pattern = cue(reading.code, name)
        text = without_values(reading) if clause is None else clause_text(reading, clause)
        known = reading.said[key] = pattern is not None and pattern.search(text) is not None
    return known


def without_values(reading: Reading) -> str:
    """The sentence in small letters, without its values."""
    text = reading.text.lower()
    for value in reading.values:
        if value.kind in ("rhythm", "ordinal"):
            text = text[: value.start] + " " * (value.end - value.start) + text[value.end :]
    return text


def clause_text(reading: Reading, clause: Clause) -> str:
    """The words of a clause as they are compared."""
    return " ".join(reading.words[at].norm for at in clause.places)


def cue_count(reading: Reading, name: str) -> int:
    """How many cues of the list stand in the sentence."""
    pattern = cue(reading.code, name)
    return len(pattern.findall(reading.text.lower())) if pattern else 0
