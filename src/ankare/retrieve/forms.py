"""Does a text have the form that a question of a type asks for: does it define, list, order, name a party or a time?

The wording that shows a form stands in the language pack (lists `<form>_evidence`, `condition`, `sequence`).
"""

from __future__ import annotations

from ankare.domain.document import Chunk, UnitKind
from ankare.domain.question import QuestionType
from ankare.language.cues import has_cue
from ankare.language.protocol import Language

CUES_OF_TYPE: dict[QuestionType, tuple[str, ...]] = {
    QuestionType.DEFINITION: ("definition_evidence",),
    QuestionType.PURPOSE: ("purpose_evidence",),
    QuestionType.TIME: ("time_evidence", "condition"),
    QuestionType.RESPONSIBILITY: ("responsibility_evidence",),
    QuestionType.PROCESS: ("sequence",),
}
LISTED_TYPES = frozenset({QuestionType.LIST, QuestionType.PROCESS, QuestionType.PLANNING})


def has_form(question_type: QuestionType) -> bool:
    """Is there a form that texts answering this type tend to have?"""
    return question_type in CUES_OF_TYPE or question_type in LISTED_TYPES


def form_mask(chunk: Chunk, question_type: QuestionType, language: Language) -> int:
    """Bit i is set where sentence i of the chunk has the form that the type asks for."""
    lists = CUES_OF_TYPE.get(question_type, ())
    listed = question_type in LISTED_TYPES
    mask = 0
    for number, sentence in enumerate(chunk.sentences):
        if (listed and sentence.kind is not UnitKind.SENTENCE) or any(
            has_cue(language, chunk.sentence_text(sentence), name) for name in lists
        ):
            mask |= 1 << number
    return mask
