"""What does one question lead to, all told: the outcome, what it stands on and how it came about?"""

from __future__ import annotations

from dataclasses import dataclass

from ankare.domain.agents import Origin, Pipeline
from ankare.domain.answer import Answer, Refusal
from ankare.domain.evidence import Hit, Relevance
from ankare.domain.figures import FigureAnswer, Figures
from ankare.domain.question import Question


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one step took, in milliseconds."""

    step: str
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Shadow:
    """What the chain would have answered, beside an answer that it has no part in.

    `outcome` and `hits` are None and empty where it broke off: `pipeline.reason` says why. `milliseconds`: what it took.
    """

    pipeline: Pipeline
    outcome: Answer | Refusal | None = None
    hits: tuple[Hit, ...] = ()
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Reply:
    """Everything about one question. `hits` are the top results whether or not they were used; only an answer cites.

    `index_version` names the version of the home that answered. `route` is "narrative", "structured" or "composite".
    `documents`: on the composite route, what the documents say beside the figures. `figures`: what the structured channel
    has to tell, None where the question did not pass through it. `pipeline`: what models had to do with it, None where none
    was to have a part. `shadow`: what the chain did beside it.
    """

    question: Question
    outcome: Answer | Refusal | FigureAnswer
    route: str
    hits: tuple[Hit, ...]
    relevance: Relevance
    index_version: str
    timings: tuple[Timing, ...] = ()
    documents: Answer | Refusal | None = None
    figures: Figures | None = None
    pipeline: Pipeline | None = None
    shadow: Shadow | None = None

    @property
    def answered(self) -> bool:
        """True for an answer from documents or figures, false for a refusal and for a question asked back."""
        return not isinstance(self.outcome, Refusal) or self.narrative is not None

    @property
    def narrative(self) -> Answer | None:
        """The answer from the documents, where there is one."""
        for outcome in (self.outcome, self.documents):
            if isinstance(outcome, Answer):
                return outcome
        return None

    @property
    def by_model(self) -> bool:
        """Did a model write what the documents are said to say? Of figures it writes nothing."""
        return self.pipeline is not None and self.pipeline.by_model and self.narrative is not None

    @property
    def origin(self) -> str:
        """Where the answer comes from: "figures", "refusal", or an `Origin`."""
        if not self.answered:
            return "refusal"
        if isinstance(self.outcome, FigureAnswer):
            return "figures"
        return (self.pipeline.origin if self.pipeline else Origin.EXTRACTIVE).value
