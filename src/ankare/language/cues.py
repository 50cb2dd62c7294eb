"""Does a text show by its wording that it states a time, a purpose, a party, or that it asks for one?

The wordings are lists of the language pack (`Language.cues`); here they become patterns that match whole words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ankare.language.protocol import Language

_patterns: dict[tuple[str, str], re.Pattern[str] | None] = {}


def has_cue(language: Language, text: str, name: str) -> bool:
    """Does any cue of the language pack's list stand in the text as whole words?"""
    pattern = cue_pattern(language, name)
    return pattern is not None and pattern.search(text.casefold()) is not None


def opens_with(language: Language, text: str, name: str) -> bool:
    """Does the text begin with a cue of the list?"""
    pattern = cue_pattern(language, name)
    return pattern is not None and pattern.match(text.casefold().lstrip("\"'”»(")) is not None


def cue_pattern(language: Language, name: str) -> re.Pattern[str] | None:
    """The cues of a list as one pattern for case-folded text, longest first; None where the language has no such list."""
    key = (language.code, name)
    if key not in _patterns:
        _patterns[key] = _compiled(language, name)
    return _patterns[key]


def whole_words(code: str, phrases: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern that finds any of the case-folded phrases as whole words; None where there are none."""
    ordered = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    if not ordered:
        return None
    alternatives = "|".join(map(re.escape, ordered))
    # Chinese is written without spaces: there a phrase may stand inside what \w takes for one word.
    return re.compile(alternatives if code == "zh" else rf"(?<!\w)(?:{alternatives})(?!\w)")


def _compiled(language: Language, name: str) -> re.Pattern[str] | None:
    try:
        return whole_words(language.code, language.cues(name))
    except KeyError:
        return None
