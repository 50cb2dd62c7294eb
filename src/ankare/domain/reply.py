"""What does one question lead to, all told: the outcome, what it stands on and how it came about?"""

from __future__ import annotations

from dataclasses import dataclass

from ankare.domain.answer import Answer, Refusal
from ankare.domain.evidence import Hit, Relevance
from ankare.domain.question import Question


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one step took, in milliseconds."""

    step: str
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Reply:
    """Everything about one question. `hits` are the top results whether or not they were used; only an answer cites.

    `index_version` names the version of the home that answered. `route` is "narrative" on the document channel.
    """

    question: Question
    outcome: Answer | Refusal
    route: str
    hits: tuple[Hit, ...]
    relevance: Relevance
    index_version: str
    timings: tuple[Timing, ...] = ()

    @property
    def answered(self) -> bool:
        """True for an answer, false for a refusal."""
        return isinstance(self.outcome, Answer)
