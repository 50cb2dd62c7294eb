"""Does a sentence have the form that a type of question asks for: does it define, give a purpose, a time, a party?

The cue words of the language pack show it. A definition counts only where what is asked about stands where the verb wants
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ankare.domain.question import QuestionType
from ankare.language.cues import cue_pattern, has_cue
from ankare.language.protocol import Language

SUBJECT_WINDOW = 60
"""Within how many characters from its start a sentence that defines comes to the verb."""

NAME_WINDOW = 30
"""Within how many characters after a verb that names the name stands."""

HELD = 0.5
"""How much of what the sentence holds of the subject must stand in that place."""

_ENTRY = re.compile(r"([^–—:|]{2,60}?)(?: [–—-] |: | \| )\S")
"""How an entry of a glossary begins: the word, then a dash, a colon or the next cell of a table."""

_CUES = {
    QuestionType.PURPOSE: ("purpose_evidence",),
    QuestionType.TIME: ("time_evidence", "condition"),
    QuestionType.RESPONSIBILITY: ("responsibility_evidence",),
    QuestionType.PROCESS: ("sequence",),
}


def has_form(question_type: QuestionType, language: Language, text: str) -> bool:
    """Does the wording have the form? True for a definition: there the place of the subject decides (`defines`)."""
    if question_type is QuestionType.DEFINITION:
        return True
    return any(has_cue(language, text, name) for name in _CUES.get(question_type, ()))


def defines(language: Language, text: str, share: Callable[[Iterable[str]], float], own: float) -> bool:
    """The thing stands before a verb that defines ("X är en ..."), as the entry of a glossary ("X – ..."), or after a verb
    that names it ("... kallas X")."""
    folded = text.casefold()
    defining = cue_pattern(language, "definition_evidence")
    found = defining.search(folded) if defining else None
    if found and found.start() <= SUBJECT_WINDOW and share(language.index_terms(text[: found.start()])) >= HELD * own:
        return True
    entry = _ENTRY.match(text)
    if entry and share(language.index_terms(entry[1])) >= HELD * own:
        return True
    naming = cue_pattern(language, "naming_evidence")
    named = naming.search(folded) if naming else None
    return (
        named is not None and share(language.index_terms(text[named.end() : named.end() + NAME_WINDOW])) >= HELD * own
    )
