"""What does it take to embed a version of the index, and how far has it come?

Embedding takes some 30 ms a passage, so it goes on after ingest, in a process or thread of its own. Every vector is kept
by its text as soon as it is there: a killed run goes on where it was, and an unchanged text is never embedded twice.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ankare.domain.document import Chunk
from ankare.errors import HomeDamagedError
from ankare.regular_file import read_json
from ankare.retrieve.embed import Embedder
from ankare.retrieve.embedding_cache import EmbeddingCache
from ankare.retrieve.passages import Pieces, cutting, pieces
from ankare.retrieve.vectors import LAYOUT_FILE, Layout, Rows, Vectors, bounds, write_vectors

BATCH = 16
SECONDS_PER_TOKEN = 0.001
SECONDS_PER_CHUNK = 0.0015
"""Guesses for one slow core: embedding a token, and cutting a chunk into texts and finding these among the vectors."""


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
    """Embeds the chunks of one version. `folder` is the home's folder for embeddings, `version` the version's name.

    `objects`: the version's objects by key, each with the ids of its chunks. What an earlier version had of them is taken
    over as it is; without objects everything goes by its text.
    """

    def __init__(
        self, folder: Path, version: str, embedder: Embedder, objects: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self._folder = folder
        self._target = folder / version
        self._embedder = embedder
        self._cache = EmbeddingCache(folder, embedder.name, embedder.dimensions)
        self._objects = objects or {}
        self._earlier = _work_saved(folder, version, embedder) if objects else None
        self.carried = frozenset(self._objects) & (self._earlier.layout.objects if self._earlier else frozenset())
        """The objects whose chunks need no work."""

    def work(self, chunks: Iterable[Chunk]) -> EmbeddingWork:
        """What is left to do for these chunks. Takes one or two milliseconds a chunk."""
        missing = self._cache.missing(_texts([self._pieces(chunk) for chunk in chunks]))
        return EmbeddingWork(len(missing), sum(self._embedder.token_count(text) for text in missing))

    def run(
        self,
        chunks: Iterable[Chunk],
        progress: Callable[[int, int], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Embed what is missing and write the version's vectors. False where `stop` said so before it was done.

        `chunks`: those of the version, less those of the `carried` objects. `progress` is told (texts done, texts in all).
        Raises OSError where the home cannot be written.
        """
        cut = {chunk.id: self._pieces(chunk) for chunk in chunks}
        missing = self._cache.missing(_texts([cut[chunk_id] for chunk_id in sorted(cut)]))
        for start in range(0, len(missing), BATCH):
            if stop():
                return False
            batch = missing[start : start + BATCH]
            self._cache.add(dict(zip(batch, self._embedder.passages(batch), strict=True)))
            if progress:
                progress(start + len(batch), len(missing))
        self._write(cut)
        return True

    def _pieces(self, chunk: Chunk) -> Pieces:
        return pieces(chunk, self._embedder.token_count, self._embedder.token_limit)

    def _write(self, cut: Mapping[str, Pieces]) -> None:
        rows = self._carried_rows() | self._cached_rows(cut)
        ordered = sorted(rows)
        layout = Layout(
            self._embedder.name,
            tuple(ordered),
            bounds(len(rows[chunk_id][0]) for chunk_id in ordered),
            bounds(len(rows[chunk_id][1]) for chunk_id in ordered),
            frozenset(self._objects),
            cutting(),
        )
        none = np.empty((0, self._embedder.dimensions), dtype=np.float32)
        write_vectors(
            self._target,
            layout,
            np.concatenate([none, *(rows[chunk_id][0] for chunk_id in ordered)]),
            np.concatenate([none.astype(np.float16), *(rows[chunk_id][1] for chunk_id in ordered)]),
        )

    def _carried_rows(self) -> dict[str, Rows]:
        if self._earlier is None:
            return {}
        return {key: self._earlier.rows(key) for held in sorted(self.carried) for key in self._objects[held]}

    def _cached_rows(self, cut: Mapping[str, Pieces]) -> dict[str, Rows]:
        passages = self._cache.vectors([text for piece in cut.values() for text in piece.passages])
        sentences = self._cache.vectors([text for piece in cut.values() for text in piece.sentences]).astype(np.float16)
        p_ends = bounds(len(piece.passages) for piece in cut.values())
        s_ends = bounds(len(piece.sentences) for piece in cut.values())
        return {
            chunk_id: (passages[p_ends[at] : p_ends[at + 1]], sentences[s_ends[at] : s_ends[at + 1]])
            for at, chunk_id in enumerate(cut)
        }


def _work_saved(folder: Path, version: str, embedder: Embedder) -> Vectors | None:
    """Earlier vectors of which those of a version may be made."""
    try:
        earlier = open_earlier_vectors(folder, version, embedder)
    except HomeDamagedError:
        return None
    return earlier if earlier is not None and earlier.layout.cutting == cutting() else None


def open_vectors(folder: Path, version: str, embedder: Embedder, only: Collection[str] | None = None) -> Vectors | None:
    """The vectors of a version, None where they are not there yet or come from another model. Cheap when not there.

    `only`: the chunks that are wanted, all if None. Raises HomeDamagedError.
    """
    target = folder / version
    if not (target / LAYOUT_FILE).is_file():
        return None
    vectors = Vectors(target, only)
    return vectors if vectors.layout.model == embedder.name else None


def embedded_version(folder: Path, version: str) -> str | None:
    """The version whose vectors serve best: this one, else the newest before it that has any. Cheap."""
    if (folder / version / LAYOUT_FILE).is_file():
        return version
    try:
        return max((name for name in _versions(folder) if _number(name) < _number(version)), key=_number, default=None)
    except OSError:
        return None


def embedded_objects(folder: Path, version: str) -> frozenset[str]:
    """The objects whose chunks have vectors where those of `version` are asked for (see `embedded_version`). Takes a while for
    a large index. Empty where there are none, or they do not say. Raises OSError where that cannot be read now."""
    found = embedded_version(folder, version)
    try:
        return frozenset(read_json(folder / (found or version) / LAYOUT_FILE).get("objects", ()))
    except (FileNotFoundError, NotADirectoryError, ValueError, AttributeError, TypeError):
        return frozenset()


def open_earlier_vectors(
    folder: Path, version: str, embedder: Embedder, only: Collection[str] | None = None
) -> Vectors | None:
    """The newest vectors from before a version, where there are any of this model and they are whole.

    Raises HomeDamagedError, to be tried again, where that cannot be found out now.
    """
    try:
        names = sorted(_versions(folder), key=_number, reverse=True)
    except OSError as error:
        told = HomeDamagedError(f"{folder} cannot be read: {error}.", "It is tried again soon.")
        told.retry = True
        raise told from error
    for name in names:
        if _number(name) < _number(version):
            try:
                found = open_vectors(folder, name, embedder, only)
            except HomeDamagedError as error:
                if error.retry:
                    raise
                continue  # they would only save work, and go when the version's own are there
            if found is not None:
                return found
    return None


def _versions(folder: Path) -> list[str]:
    """Those that have vectors. Raises OSError."""
    try:
        return [entry.name for entry in os.scandir(folder) if (folder / entry.name / LAYOUT_FILE).is_file()]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _number(version: str) -> int:
    head = version.partition("-")[0]
    return int(head) if head.isdecimal() else -1


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
