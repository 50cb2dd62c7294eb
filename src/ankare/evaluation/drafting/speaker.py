"""What is needed to draft questions in one language, and how does a draft begin there?"""

from __future__ import annotations

from dataclasses import dataclass

from ankare.domain.question import QuestionType
from ankare.evaluation.drafting.clause import Grammar
from ankare.evaluation.drafting.draft import TYPES, Draft, Evidence
from ankare.evaluation.drafting.nouns import Nouns
from ankare.evaluation.drafting.words import DraftWords
from ankare.language.languages import get_language


@dataclass(frozen=True, slots=True)
class Speaker:
    """What is needed to draft in one language. Chinese has no grammar of clauses: it needs none."""

    words: DraftWords
    nouns: Nouns
    grammar: Grammar | None

    def kind(self, question: str, otherwise: str) -> str:
        """The type of a question by its own words, where they are those of a type that is drafted."""
        found = get_language(self.words.code).question_type(question).value
        return found if found in TYPES and (found != QuestionType.DEFINITION or not otherwise) else otherwise

    def draft(self, question: str, kind: str, sure: int, held: Evidence, topic: str = "") -> Draft:
        """A draft in this language."""
        return Draft(question, str(kind), self.words.code, sure, (held,), topic)

    def headed(self, question: str, kind: str, sure: int, held: Evidence) -> Draft:
        """A draft in the words of headings."""
        return Draft(question, str(kind), self.words.code, sure, (held,), headed=True)


def quoted(title: str, speaker: Speaker) -> str:
    """A title as it is quoted in the language."""
    return (
        f"”{title}”" if speaker.words.code == "sv" else f"《{title}》" if speaker.words.code == "zh" else f"“{title}”"
    )
