"""How would a model say what an answer from the documents says, without adding to it?"""

from __future__ import annotations

from collections.abc import Sequence

from ankare.answer.aliases import Aliased
from ankare.answer.asking import Asking, Reading, Request
from ankare.answer.prompts import prompt, synthesis_messages
from ankare.contracts.correction import WIRE_SCHEMA, Correction, read_correction
from ankare.domain.agents import Agent
from ankare.domain.answer import Answer, ClaimForm
from ankare.domain.document import Chunk
from ankare.domain.question import Question


def ask_for_synthesis(asking: Asking, question: Question, answer: Answer, chunks: Sequence[Chunk]) -> Correction:
    """The answer in other words, by the chunks that it cites. Raises as `Asking.ask`."""
    given = Aliased(chunks)
    messages = synthesis_messages(question.text, plain_text(answer), given.shown, question.language)
    request = Request(Agent.SYNTHESIS, messages, prompt(Agent.SYNTHESIS, question.language).label, WIRE_SCHEMA)
    return asking.ask(request, lambda said: Reading(read_correction(said, given.known)))


def plain_text(answer: Answer) -> str:
    """What an answer says, a line for each item."""
    return "\n".join(claim.text if claim.form is ClaimForm.TEXT else f"- {claim.text}" for claim in answer.claims)
