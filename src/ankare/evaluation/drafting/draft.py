"""What is a drafted question before it becomes a case, and where does its answer stand?"""

from __future__ import annotations

from dataclasses import dataclass

from ankare.domain.document import Chunk, Sentence
from ankare.evaluation.case import Gold

OUT_OF_DOMAIN = "out_of_domain"
TYPES = (
    *("definition", "list", "process", "responsibility", "planning", "time", "existence", "purpose"),
    *("misspelled", "weak", "ambiguous", OUT_OF_DOMAIN, "figure"),
)
"""The types that are drafted, in the order of a suite."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Sentences, items or rows of one chunk, in their order: what answers the question."""

    chunk: Chunk
    sentences: tuple[Sentence, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """Their words."""
        return tuple(self.chunk.sentence_text(sentence) for sentence in self.sentences)

    def golds(self) -> tuple[Gold, ...]:
        """One gold for each of them, where it stands."""
        return tuple(
            Gold(self.chunk.source, tuple(dict.fromkeys(place.page for place in sentence.places)), text)
            for sentence, text in zip(self.sentences, self.texts, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Draft:
    """A question with its evidence. `sure`: how sure its wording is, 3 best. `topic`: what it is about, "" where not told.

    `headed`: its words are those of headings, not of the evidence itself. `made_from`: a question that it is a variant of.
    `stem`: how its id begins, where not by its type. `doubt`: what a person has to look at.
    """

    question: str
    type: str
    language: str
    sure: int
    evidence: tuple[Evidence, ...] = ()
    topic: str = ""
    headed: bool = False
    made_from: str = ""
    stem: str = ""
    doubt: str = ""

    @property
    def source(self) -> str:
        """The document of its first evidence."""
        return self.evidence[0].chunk.source if self.evidence else ""

    @property
    def answer(self) -> str:
        """The words of the evidence: sentences as they stand, items of a list divided by semicolons."""
        texts = [text for held in self.evidence for text in held.texts]
        listed = len(texts) > 1 and self.evidence[0].sentences[0].group
        return "; ".join(text.rstrip(".;, ") for text in texts) + "." if listed else " ".join(texts)
