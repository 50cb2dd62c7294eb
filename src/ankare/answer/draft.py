"""Agent 2: which answer do these chunks give to the question?

It never stops the chain. What it says of its own doubts goes to the reviewer; where it names no chunk, the gate finds out what
holds its sentences. A text without the form is taken as the answer where it is whole. One that was cut off is not: its last
words may be half a sentence, and an exception or condition that was to follow is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ankare.answer.aliases import Aliased
from ankare.answer.asking import Asking, Reading, Request
from ankare.answer.prompts import draft_messages, prompt
from ankare.contracts.draft import WIRE_SCHEMA, Draft, read_draft
from ankare.domain.agents import Agent, Reason, RunStatus
from ankare.domain.document import Chunk
from ankare.domain.question import Question


def ask_for_draft(asking: Asking, question: Question, searched: str, chunks: Sequence[Chunk]) -> Draft:
    """A draft from these chunks, which it cites by their ids. `searched`: what is told of the search, on one line.

    Raises as `Asking.ask`.
    """
    given = Aliased(chunks)
    messages = draft_messages(question.text, searched, given.shown, question.language)
    request = Request(Agent.DRAFT, messages, prompt(Agent.DRAFT, question.language).label, WIRE_SCHEMA)
    return asking.ask(request, lambda said: _read(said, given))


def _read(said: str, given: Aliased) -> Reading[Draft]:
    read = read_draft(said, given.known)
    draft = replace(read, evidence=given.resolved(read.evidence))
    if draft.recovered is not None:
        return Reading(draft, RunStatus.RECOVERED, Reason.RAW_TEXT, open_ended=True)
    if draft.evidence:
        return Reading(draft)
    return Reading(
        draft, RunStatus.RECOVERED, Reason.UNKNOWN_EVIDENCE if draft.unknown_ids else Reason.MISSING_EVIDENCE
    )
