"""Which chunks were found, why, and which of them may be used as evidence?"""

from __future__ import annotations

from dataclasses import dataclass

from ankare.domain.document import Chunk


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One summand of a hit's score: `weight * value` is what it added."""

    name: str
    value: float
    weight: float

    @property
    def contribution(self) -> float:
        """What this part added to the score."""
        return self.value * self.weight


@dataclass(frozen=True, slots=True)
class Hit:
    """A scored chunk. `score` is the sum of its parts' contributions.

    `lexical`: the raw BM25 score (0 where only the semantic search found it). `semantic`: cosine of the best window with
    the question, None where the semantic part is off. `duplicates`: (source, page) of places with the same text.
    `pages`: the chunk's pages, the one that matches best first.
    """

    chunk: Chunk
    score: float
    parts: tuple[ScorePart, ...]
    lexical: float
    semantic: float | None = None
    duplicates: tuple[tuple[str, int], ...] = ()
    pages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Relevance:
    """Does the evidence cover the subject of the original question?

    `reason` is machine readable. `covered`: content words of the question, as the user wrote them, that the
    evidence holds; `missing`: those that stand nowhere in the material.
    `coverage`: share of the question's subject weight that the best chunk holds, 0 to 1. `probability`: how likely the
    evidence answers, by the gate's model; `semantic`: the best hit's cosine, None without the semantic part.
    """

    supported: bool
    reason: str
    covered: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    coverage: float = 0.0
    probability: float = 0.0
    semantic: float | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """The hits that the relevance gate admitted, best first, with its verdict."""

    hits: tuple[Hit, ...]
    relevance: Relevance
