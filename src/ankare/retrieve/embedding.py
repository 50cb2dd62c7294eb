"""What does it take to embed a version of the index, and how far has it come?

Embedding takes some 30 ms a passage, so it goes on after ingest, in a process or thread of its own. Every vector is kept
by its text as soon as it is there: a killed run goes on where it was, and an unchanged text is never embedded twice.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ankare.domain.document import Chunk
from ankare.retrieve.embed import Embedder
from ankare.retrieve.embedding_cache import EmbeddingCache
from ankare.retrieve.passages import Pieces, pieces
from ankare.retrieve.vectors import Layout, Vectors, write_vectors

BATCH = 16
SECONDS_PER_TOKEN = 0.001
"""A guess for one slow core, until there is a measurement."""


@dataclass(frozen=True, slots=True)
class EmbeddingWork:
    """What is left to embed: how many texts, of how many tokens together, and how long that takes by a rough guess."""

    texts: int
    tokens: int

    @property
    def seconds(self) -> float:
        """The guess, in seconds."""
        return self.tokens * SECONDS_PER_TOKEN


class VersionEmbedding:
    """Embeds the chunks of one version. `folder` is the home's folder for embeddings, `version` the version's name."""

    def __init__(self, folder: Path, version: str, embedder: Embedder) -> None:
        self._folder = folder
        self._target = folder / version
        self._embedder = embedder
        self._cache = EmbeddingCache(folder, embedder.name, embedder.dimensions)

    def work(self, chunks: Iterable[Chunk]) -> EmbeddingWork:
        """What is left to do for these chunks. Takes some milliseconds per hundred chunks."""
        missing = self._cache.missing(_texts([self._pieces(chunk) for chunk in chunks]))
        return EmbeddingWork(len(missing), sum(self._embedder.token_count(text) for text in missing))

    def run(
        self,
        chunks: Iterable[Chunk],
        progress: Callable[[int, int], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Embed what is missing and write the version's vectors. False where `stop` said so before it was done.

        `progress` is told (texts done, texts in all). Raises OSError where the home cannot be written.
        """
        ordered = sorted(chunks, key=lambda chunk: chunk.id)
        cut = [self._pieces(chunk) for chunk in ordered]
        missing = self._cache.missing(_texts(cut))
        for start in range(0, len(missing), BATCH):
            if stop():
                return False
            batch = missing[start : start + BATCH]
            self._cache.add(dict(zip(batch, self._embedder.passages(batch), strict=True)))
            if progress:
                progress(start + len(batch), len(missing))
        self._write([chunk.id for chunk in ordered], cut)
        return True

    def _pieces(self, chunk: Chunk) -> Pieces:
        return pieces(chunk, self._embedder.token_count, self._embedder.token_limit)

    def _write(self, chunk_ids: Sequence[str], cut: Sequence[Pieces]) -> None:
        layout = Layout(
            self._embedder.name,
            tuple(chunk_ids),
            np.cumsum([0, *(len(piece.passages) for piece in cut)], dtype=np.int64),
            np.cumsum([0, *(len(piece.sentences) for piece in cut)], dtype=np.int64),
        )
        write_vectors(
            self._target,
            layout,
            self._cache.vectors([text for piece in cut for text in piece.passages]),
            self._cache.vectors([text for piece in cut for text in piece.sentences]),
        )


def open_vectors(folder: Path, version: str, embedder: Embedder) -> Vectors | None:
    """The vectors of a version, None where they are not there yet or come from another model. Cheap when not there."""
    target = folder / version
    if not (target / "layout.json").is_file():
        return None
    vectors = Vectors(target)
    return vectors if vectors.layout.model == embedder.name else None


def prune_vectors(folder: Path, versions: Iterable[str]) -> None:
    """Take away the vectors of versions that are no more. The cache by text stays."""
    keep = frozenset(versions)
    if not folder.is_dir():
        return
    for path in folder.iterdir():
        old = path.name.startswith(".") and time.time() - path.stat().st_mtime > 3600
        if path.is_dir() and (old if path.name.startswith(".") else path.name not in keep):
            shutil.rmtree(path, ignore_errors=True)


def _texts(cut: Iterable[Pieces]) -> list[str]:
    return [text for piece in cut for text in (*piece.passages, *piece.sentences)]
