"""Under which short names does a model see chunks, and which chunks does it mean by them?

Ids of chunks are long, and a model that copies them makes mistakes; "c1", "c2", ... it copies well. An id is understood too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ankare.answer.prompts import PromptChunk
from ankare.contracts.ids import EvidenceUse
from ankare.domain.document import Chunk


@dataclass(frozen=True)
class Aliased:
    """Chunks in the order in which a model sees them."""

    chunks: Sequence[Chunk]

    @cached_property
    def shown(self) -> tuple[PromptChunk, ...]:
        """The chunks as a prompt shows them."""
        return tuple(
            PromptChunk(_alias(place), chunk.title, " › ".join(chunk.section), chunk.text, chunk.language)
            for place, chunk in enumerate(self.chunks)
        )

    @cached_property
    def known(self) -> dict[str, str]:
        """Chunk ids by everything that a model may call them."""
        return {
            **{chunk.id: chunk.id for chunk in self.chunks},
            **{_alias(place): chunk.id for place, chunk in enumerate(self.chunks)},
        }

    def resolved(self, uses: Iterable[EvidenceUse]) -> tuple[EvidenceUse, ...]:
        """The uses under the ids of their chunks, each chunk once."""
        found: dict[str, EvidenceUse] = {}
        for use in uses:
            found.setdefault(self.known[use.chunk_id], EvidenceUse(self.known[use.chunk_id], use.claim_supported))
        return tuple(found.values())


def _alias(place: int) -> str:
    return f"c{place + 1}"
