"""Which sentences, list items and rows of the evidence speak to the question, and how strongly?

A unit's score says how much of the question's subject stands in it, with half credit for what stands in its context (the
headings above it, the sentence that leads into its list), plus what its chunk's rank and its likeness in meaning say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ankare.domain.document import Chunk, Sentence, UnitKind
from ankare.domain.evidence import Hit
from ankare.domain.question import Question
from ankare.gate.coverage import Subject
from ankare.language.protocol import Language

CONTEXT_CREDIT = 0.5
RANK_CREDIT = 0.35
RANK_DECAY = 0.75
MEANING_CREDIT = 1.5

Similarity = Callable[[Chunk, int], float | None]


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, item or row of a chunk, scored. `position` is its index in `chunk.sentences`."""

    chunk: Chunk
    position: int
    rank: int
    score: float
    own: float
    context: float

    @property
    def sentence(self) -> Sentence:
        """The unit's sentence."""
        return self.chunk.sentences[self.position]

    @property
    def text(self) -> str:
        """The unit's text, verbatim."""
        return self.chunk.sentence_text(self.sentence)

    @property
    def kind(self) -> UnitKind:
        """Sentence, item or row."""
        return self.sentence.kind


@dataclass(frozen=True)
class Material:
    """What an answer may be made of: the question and the admitted hits, best first.

    `language_of` gives the analysis of a language code; `following` the next chunk of the same document or None;
    `similarity` the likeness in meaning of a sentence with the question (cosine), None where that is not known.
    """

    question: Question
    subject: Subject
    hits: tuple[Hit, ...]
    language_of: Callable[[str], Language]
    following: Callable[[Chunk], Chunk | None]
    similarity: Similarity = lambda _chunk, _position: None

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """All units of all hits, in the order of hits and text."""
        return tuple(unit for rank, hit in enumerate(self.hits) for unit in self._of_chunk(hit.chunk, rank))

    @cached_property
    def best(self) -> tuple[Unit, ...]:
        """All units, best first; ties go to the earlier one."""
        return tuple(sorted(self.units, key=lambda unit: (-unit.score, unit.rank, unit.position)))

    def of(self, chunk: Chunk) -> tuple[Unit, ...]:
        """The units of one of the hits' chunks, in order of text."""
        return tuple(unit for unit in self.units if unit.chunk.id == chunk.id)

    def language(self, chunk: Chunk) -> Language:
        """The analysis of the chunk's language."""
        return self.language_of(chunk.language)

    def _of_chunk(self, chunk: Chunk, rank: int) -> Iterator[Unit]:
        language = self.language(chunk)
        headings = frozenset(language.index_terms(" ".join((chunk.title, *chunk.section))))
        near = frozenset(language.index_terms(chunk.section[-1])) if chunk.section else frozenset()
        for position, sentence in enumerate(chunk.sentences):
            own = self.subject.coverage(frozenset(sentence.terms)).share
            lead = lead_in(chunk, position)
            around = near if lead is None else near | frozenset(chunk.sentences[lead].terms)
            context = self.subject.coverage(around | frozenset(sentence.terms)).share
            wide = self.subject.coverage(headings | around | frozenset(sentence.terms)).share
            score = own + CONTEXT_CREDIT * (context - own) + 0.5 * CONTEXT_CREDIT * (wide - context)
            score += RANK_CREDIT * RANK_DECAY**rank
            likeness = self.similarity(chunk, position)
            if likeness is not None:
                score += MEANING_CREDIT * likeness
            yield Unit(chunk, position, rank, score, own, context)


def lead_in(chunk: Chunk, position: int) -> int | None:
    """The index of the sentence that leads into the list or table of this unit, or None."""
    group = chunk.sentences[position].group
    if not group:
        return None
    first = position
    while first and chunk.sentences[first - 1].group == group:
        first -= 1
    before = first - 1
    return before if before >= 0 and chunk.sentences[before].kind is UnitKind.SENTENCE else None


def group_members(chunk: Chunk, group: int) -> tuple[int, ...]:
    """The positions of a list's items or a table's rows in this chunk, in order."""
    return tuple(i for i, sentence in enumerate(chunk.sentences) if sentence.group == group)
