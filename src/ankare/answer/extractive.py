"""What does the evidence say in answer to this question, in its own words?

Nothing is written that the evidence does not say: an answer is sentences, items and rows of the admitted chunks, chosen and
ordered in the form that fits the question's type. Same question, same evidence, same answer, in every process.
"""

from __future__ import annotations

from ankare.answer.forms import listing, passage, process, statement
from ankare.answer.units import Material
from ankare.domain.answer import Claim
from ankare.domain.question import QuestionType

FORMS = {
    QuestionType.DEFINITION: statement.definition,
    QuestionType.PURPOSE: statement.statement,
    QuestionType.LIST: listing.answer,
    QuestionType.OVERVIEW: statement.overview,
    QuestionType.PROCESS: process.answer,
    QuestionType.TIME: statement.statement,
    QuestionType.RESPONSIBILITY: statement.statement,
    QuestionType.PLANNING: statement.planning,
    QuestionType.EXISTENCE: statement.existence,
    QuestionType.GENERAL: passage.answer,
}


def extract(material: Material) -> tuple[Claim, ...]:
    """The claims that answer the question, in reading order; none where the evidence holds nothing that can be quoted."""
    return FORMS[material.question.type](material)
