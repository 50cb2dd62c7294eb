"""Agent 1: under which other wordings should the question be searched?

It sees the question, the best titles and how the first search went; never the text of a chunk. What it proposes is screened
before it is searched.
"""

from __future__ import annotations

from collections.abc import Sequence

from ankare.answer.asking import Asking, Reading, Request
from ankare.answer.prompts import prompt, rewrite_messages
from ankare.contracts.rewrite import WIRE_SCHEMA, Rewrite, read_rewrite
from ankare.domain.agents import Agent, Reason, RunStatus
from ankare.domain.evidence import Hit, Relevance
from ankare.domain.question import Question

LEAST_CONFIDENCE = 0.55
"""Below this the question alone is searched."""


def ask_for_rewrites(asking: Asking, question: Question, hits: Sequence[Hit], relevance: Relevance) -> Rewrite | None:
    """What agent 1 proposes; None where it is not to be used: it speaks of another question, or is not sure of itself.

    Raises as `Asking.ask`.
    """
    titles = list(dict.fromkeys(" › ".join((hit.chunk.title, *hit.chunk.section)) for hit in hits))
    messages = rewrite_messages(question.text, titles, diagnosis(hits, relevance), question.language)
    request = Request(Agent.REWRITE, messages, prompt(Agent.REWRITE, question.language).label, WIRE_SCHEMA)
    return asking.ask(request, lambda said: _read(said, question.text))


def _read(said: str, question: str) -> Reading[Rewrite | None]:
    rewrite = read_rewrite(said, question)
    if rewrite.mismatch:
        return Reading(None, RunStatus.RECOVERED, Reason.QUESTION_MISMATCH)
    if rewrite.confidence < LEAST_CONFIDENCE:
        return Reading(None, RunStatus.OK, Reason.LOW_CONFIDENCE)
    return Reading(rewrite)


def diagnosis(hits: Sequence[Hit], relevance: Relevance) -> str:
    """How the first search went, in codes and the user's own words."""
    return f"hits={len(hits)}; covered={', '.join(relevance.covered) or '-'}; missing={', '.join(relevance.missing) or '-'}"
