"""Under which short names does a model see the chunks, and which chunk does it mean by one?

Real ids are long and cost tokens, small models copy them wrongly, and they are no business of a model's. A model sees c1, c2,
... in the order of the evidence; what it cites is led back here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ankare.answer.prompts.fence import PromptChunk
from ankare.contracts.ids import EvidenceUse
from ankare.domain.document import Chunk


class Aliases:
    """The chunks that one prompt shows, under their aliases."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = {f"c{number}": chunk for number, chunk in enumerate(chunks, 1)}
        self._aliases = {chunk.id: alias for alias, chunk in self._chunks.items()}

    @property
    def known(self) -> tuple[str, ...]:
        """All aliases, in the order of the chunks."""
        return tuple(self._chunks)

    def shown(self, chunks: Sequence[Chunk] | None = None) -> tuple[PromptChunk, ...]:
        """All chunks as the model sees them; with `chunks`, those of them. Raises KeyError for one that was not given."""
        wanted = self._chunks if chunks is None else [self._aliases[chunk.id] for chunk in chunks]
        return tuple(
            PromptChunk(alias, chunk.title, " › ".join(chunk.section), chunk.text, chunk.language)
            for alias in wanted
            for chunk in (self._chunks[alias],)
        )

    def cited(self, uses: Iterable[EvidenceUse]) -> tuple[Chunk, ...]:
        """The chunks that are cited, each once, in the order of citing. Raises KeyError for an unknown alias."""
        return tuple(self._chunks[alias] for alias in dict.fromkeys(use.chunk_id for use in uses))
