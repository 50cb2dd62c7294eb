"""Agent 4: what does the evidence say, where the reviewer turned the draft down?

Asked once for a question, after a rejection and nothing else; its text passes the gate like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ankare.answer.aliases import Aliased
from ankare.answer.asking import Asking, Reading, Request
from ankare.answer.prompts import correction_messages, prompt
from ankare.contracts.correction import WIRE_SCHEMA, Correction, read_correction
from ankare.contracts.draft import Draft
from ankare.contracts.review import Review
from ankare.domain.agents import Agent
from ankare.domain.document import Chunk
from ankare.domain.question import Question


def ask_for_correction(
    asking: Asking, question: Question, draft: Draft, review: Review, chunks: Sequence[Chunk]
) -> Correction:
    """The corrected answer from these chunks, which it cites by their ids. Raises as `Asking.ask`."""
    given = Aliased(chunks)
    messages = correction_messages(question.text, draft.answer, review.reason, given.shown, question.language)
    request = Request(Agent.CORRECTION, messages, prompt(Agent.CORRECTION, question.language).label, WIRE_SCHEMA)
    return asking.ask(request, lambda said: _read(said, given))


def _read(said: str, given: Aliased) -> Reading[Correction]:
    read = read_correction(said, given.known)
    return Reading(replace(read, evidence=given.resolved(read.evidence)))
