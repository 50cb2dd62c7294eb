"""What must any lexical index do, embedded or for many machines?

Every backend is fed with terms that ankare analysed, so every backend ranks alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ankare.domain.document import Chunk

FIELDS = ("title", "section", "body")


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """An index term of a query and how much a match of it is worth."""

    term: str
    weight: float


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """The terms to look for and what a match in each field is worth."""

    terms: tuple[WeightedTerm, ...]
    field_weights: tuple[tuple[str, float], ...] = (("title", 1.0), ("section", 1.0), ("body", 1.0))


@dataclass(frozen=True, slots=True)
class LexicalHit:
    """A chunk's id and its BM25 score, summed over fields and terms."""

    chunk_id: str
    score: float


@dataclass(frozen=True, slots=True)
class ChunkTerms:
    """The index terms of a chunk per field, in order. Body terms of each sentence also stand in `chunk.sentences[i].terms`."""

    title: tuple[str, ...]
    section: tuple[str, ...]
    body: tuple[str, ...]


class LexicalIndex(Protocol):
    """A read-only view of one version of an index. Safe for many threads."""

    def search(self, query: LexicalQuery, limit: int) -> list[LexicalHit]:
        """The best `limit` chunks, best first; ties are broken by chunk id, so order is the same in every process."""

    def explain(self, query: LexicalQuery, chunk_id: str) -> dict[str, float]:
        """What each field added to this chunk's score; the values sum to the score of `search`."""

    def chunks(self, chunk_ids: Sequence[str]) -> list[Chunk]:
        """The chunks of these ids, in the same order. Raises KeyError for an unknown id."""

    def doc_freq(self, term: str) -> int:
        """In how many chunks the term stands in the body."""

    def __len__(self) -> int:
        """How many chunks there are."""


class LexicalIndexWriter(Protocol):
    """Builds the next version. Nothing is visible before `commit`."""

    def add(self, chunks: Iterable[tuple[Chunk, ChunkTerms]]) -> None:
        """Add chunks."""

    def remove_document(self, document_id: str) -> None:
        """Remove all chunks of a document."""

    def commit(self) -> None:
        """Make the changes durable. The writer cannot be used afterwards."""
