"""What did the grounding gate find: does the evidence hold every sentence of a text that a model wrote?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ankare.domain.answer import Citation, Claim, ClaimForm


class Ungrounded(StrEnum):
    """Why a sentence is not supported. The order is that of severity: the first that applies is told."""

    LEAKED_INTERNALS = "leaked_internals"
    NUMBER_MISMATCH = "number_mismatch"
    UNIT_MISMATCH = "unit_mismatch"
    DATE_MISMATCH = "date_mismatch"
    NAME_NOT_IN_EVIDENCE = "name_not_in_evidence"
    NEGATION_FLIPPED = "negation_flipped"
    METADATA_AS_FACT = "metadata_as_fact"
    ONLY_QUESTION_WORDS = "only_question_words"
    NOT_ENTAILED = "not_entailed"
    EMPTY = "empty"
    GATE_ERROR = "gate_error"


@dataclass(frozen=True, slots=True)
class SentenceVerdict:
    """One sentence or item of the text. Supported: `citations` are the stretches of evidence that hold it, the best first.

    `reason` is None for a supported sentence. `score`: how closely it is entailed, 0 to 1. `detail`: what did not agree, for
    people who debug ("90 dagar: the evidence says 30 dagar").
    """

    text: str
    supported: bool
    reason: Ungrounded | None = None
    citations: tuple[Citation, ...] = ()
    score: float = 0.0
    detail: str = ""
    form: ClaimForm = ClaimForm.TEXT

    def claim(self) -> Claim:
        """The sentence as a claim of an answer. Raises ValueError for one that is not supported."""
        if not self.supported:
            raise ValueError(f"not supported: {self.reason}")
        return Claim(self.text, self.citations, self.form)


@dataclass(frozen=True, slots=True)
class Grounding:
    """The verdict on a whole text. One unsupported sentence blocks it; so does an empty text and an error of the gate.

    `removed`: what was cut off before judging (source lists that the model wrote).
    """

    passed: bool
    sentences: tuple[SentenceVerdict, ...]
    reason: Ungrounded | None = None
    removed: tuple[str, ...] = ()

    def claims(self) -> tuple[Claim, ...]:
        """The text as claims with citations. Raises ValueError for a text that did not pass."""
        if not self.passed:
            raise ValueError(f"blocked: {self.reason}")
        return tuple(verdict.claim() for verdict in self.sentences)
