"""Does a sentence have the form that a type of question asks for: does it define, give a purpose, a time, a party?

The cue words of the language pack show it. A definition counts only where what is asked about stands before the verb that
defines it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ankare.domain.question import QuestionType
from ankare.language.cues import cue_pattern, has_cue
from ankare.language.protocol import Language

SUBJECT_WINDOW = 60
"""Within how many characters from its start a sentence that defines comes to the verb."""

_CUES = {
    QuestionType.PURPOSE: ("purpose_evidence",),
    QuestionType.TIME: ("time_evidence", "condition"),
    QuestionType.RESPONSIBILITY: ("responsibility_evidence",),
    QuestionType.PROCESS: ("sequence",),
}


def form_signal(
    question_type: QuestionType,
    language: Language,
    text: str,
    share: Callable[[Sequence[str]], float],
    own: float,
) -> float:
    """1 where the text has the form, else 0. `share`: subject weight in terms; `own`: in the whole text."""
    if question_type is QuestionType.DEFINITION:
        return float(own > 0 and _defines(language, text, share, own))
    return float(any(has_cue(language, text, name) for name in _CUES.get(question_type, ())))


def _defines(language: Language, text: str, share: Callable[[Sequence[str]], float], own: float) -> bool:
    pattern = cue_pattern(language, "definition_evidence")
    found = pattern.search(text.casefold()) if pattern else None
    if found is None or found.start() > SUBJECT_WINDOW:
        return False
    before = share(language.index_terms(text[: found.start()]))
    opens_with_cue = found.start() == 0 or share(language.index_terms(text[: found.end() + SUBJECT_WINDOW])) >= own
    return before >= max(0.5 * own, 0.01) or (found.start() < 3 and opens_with_cue)
