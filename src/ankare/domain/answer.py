"""What does the user get back: an answer with citations, or a refusal with a reason?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ankare.domain.document import Chunk, Place
from ankare.domain.question import QuestionType


@dataclass(frozen=True, slots=True)
class Citation:
    """A stretch of a chunk that a claim stands on: `chunk.text[start:end]`, and where it is printed."""

    chunk: Chunk
    start: int
    end: int
    places: tuple[Place, ...]

    @property
    def quote(self) -> str:
        """The cited text, verbatim."""
        return self.chunk.text[self.start : self.end]

    @property
    def pages(self) -> tuple[int, ...]:
        """The pages that the citation touches, ascending."""
        return tuple(sorted({place.page for place in self.places})) or self.chunk.pages[:1]


class ClaimForm(StrEnum):
    """How a claim is set in the text of an answer: running text, a bullet, a numbered step or a table row."""

    TEXT = "text"
    ITEM = "item"
    STEP = "step"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence or list item of an answer with the citations it stands on. A connective without content has none."""

    text: str
    citations: tuple[Citation, ...]
    form: ClaimForm = ClaimForm.TEXT


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: claims in reading order. `partial` where the evidence covers only part of the question, told in `note`."""

    question_type: QuestionType
    language: str
    claims: tuple[Claim, ...]
    note: str = ""
    partial: bool = False


@dataclass(frozen=True, slots=True)
class NearSection:
    """A section that a refused question comes close to: its heading, in which document."""

    heading: str
    title: str
    document_id: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """The material does not hold the answer. Carries no sources. `message` is for the user, `reason` for machines."""

    reason: str
    language: str
    message: str
    nearby: tuple[NearSection, ...] = ()
