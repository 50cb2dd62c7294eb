"""Which chunks mean something like the question, whatever words they use?

    embeddings/<version>/passages.npy    one row per passage (float32), chunks sorted by id
                         sentences.npy   one row per sentence (float16), in the same order
                         layout.json     model, how many rows each chunk has, and the objects that these chunks are in

The same version gives the same bytes on every machine with the same processor features. The folder appears whole, by
one rename, when the last text is embedded; until then search goes by words alone.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ankare.errors import HomeDamagedError
from ankare.regular_file import read_json
from ankare.retrieve.embed import Embedder, Matrix
from ankare.retrieve.fuse import Likeness

LAYOUT_FILE = "layout.json"
QUESTIONS_IN_MEMORY = 1024
QUESTIONS_UNDER_WAY = 32
"""Questions whose cosines with all passages are kept, for the steps after the search."""

SPREAD = 0.15
"""Cosines of e5 crowd together: this far above the middle of the corpus counts as full likeness."""


Rows = tuple[Matrix, NDArray[np.float16]]
"""The vectors of one chunk's passages and of its sentences."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Which rows belong to which chunk: of chunk i, passages `passages[i]` up to `passages[i + 1]`, sentences alike.

    `objects`: the keys of the objects that hold these chunks; the same key always means the same chunks. `cutting`: by
    which code they were cut into passages.
    """

    model: str
    chunk_ids: tuple[str, ...]
    passages: NDArray[np.int64]
    sentences: NDArray[np.int64]
    objects: frozenset[str] = frozenset()
    cutting: str = ""


class Vectors:
    """The vectors of one version, memory mapped. Safe for many threads."""

    def __init__(self, folder: Path, only: Collection[str] | None = None) -> None:
        """Open them, or those of the chunks in `only`. Raises HomeDamagedError where a file is missing or does not fit the
        others; its `retry` tells whether it is the reading that failed."""
        try:
            self.layout = _read_layout(folder)
            self._passages: Matrix = np.load(folder / "passages.npy")
            self._sentences = np.asarray(np.load(folder / "sentences.npy", mmap_mode="r"))
        except (OSError, EOFError, ValueError, LookupError, TypeError, OverflowError) as error:
            raise _unreadable(folder, error) from error
        if len(self._passages) != self.layout.passages[-1] or len(self._sentences) != self.layout.sentences[-1]:
            raise HomeDamagedError(
                f"The vectors in {folder} are not complete.", "Delete that folder; the next ingest makes it anew."
            )
        if only is not None:
            self._keep(only)
        self._number = {chunk_id: number for number, chunk_id in enumerate(self.layout.chunk_ids)}

    def _keep(self, chunk_ids: Collection[str]) -> None:
        wanted = frozenset(chunk_ids)
        layout = self.layout
        if not wanted.issuperset(layout.chunk_ids):
            kept = [number for number, chunk_id in enumerate(layout.chunk_ids) if chunk_id in wanted]
            self._passages = self._passages[_rows(layout.passages, kept)]
            self._sentences = self._sentences[_rows(layout.sentences, kept)]
            self.layout = Layout(
                layout.model,
                tuple(layout.chunk_ids[number] for number in kept),
                bounds(np.diff(layout.passages)[kept]),
                bounds(np.diff(layout.sentences)[kept]),
            )

    def rows(self, chunk_id: str) -> Rows:
        """The vectors of a chunk's passages and of its sentences. Raises KeyError for a chunk that has none."""
        number = self._number[chunk_id]
        passages, sentences = self.layout.passages, self.layout.sentences
        return (
            self._passages[passages[number] : passages[number + 1]],
            self._sentences[sentences[number] : sentences[number + 1]],
        )

    def passage_cosines(self, query: Matrix) -> tuple[Matrix, float]:
        """Per chunk, in the layout's order, the cosine of its best passage; and the mean over all passages."""
        cosines = self._passages @ query
        return np.maximum.reduceat(cosines, self.layout.passages[:-1]), float(cosines.mean())

    def sentence_cosines(self, query: Matrix, chunk_id: str) -> Matrix:
        """Per sentence of the chunk its cosine; empty for a chunk that has no vectors."""
        number = self._number.get(chunk_id)
        if number is None:
            return np.empty(0, dtype=np.float32)
        rows = self._sentences[self.layout.sentences[number] : self.layout.sentences[number + 1]]
        cosines: Matrix = rows.astype(np.float32) @ query
        return cosines

    def best_sentences(self, query: Matrix, numbers: Sequence[int]) -> dict[int, float]:
        """Per chunk (its place in the layout) the cosine of its best sentence; chunks without sentences are left out."""
        ends = self.layout.sentences
        held = [number for number in numbers if ends[number + 1] > ends[number]]
        if not held:
            return {}
        rows = _rows(ends, held)
        starts = np.cumsum([0, *(ends[number + 1] - ends[number] for number in held[:-1])])
        cosines = np.asarray(self._sentences[rows], dtype=np.float32) @ query
        return dict(zip(held, np.maximum.reduceat(cosines, starts).tolist(), strict=True))

    def numbers(self, chunk_ids: Iterable[str]) -> list[int]:
        """The places of some chunks in the layout; those without vectors are left out."""
        return [self._number[chunk_id] for chunk_id in chunk_ids if chunk_id in self._number]

    def __len__(self) -> int:
        """How many chunks have vectors."""
        return len(self.layout.chunk_ids)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question against all passages: its vector, the best cosine per chunk, and the middle of the corpus."""

    vector: Matrix
    cosines: Matrix
    middle: float


class SemanticSearch:
    """Search by meaning over the vectors of one version. Safe for many threads."""

    def __init__(self, embedder: Embedder, vectors: Vectors) -> None:
        self._vectors = vectors
        self._embedded = lru_cache(QUESTIONS_IN_MEMORY)(embedder.query)
        self._asked = lru_cache(QUESTIONS_UNDER_WAY)(self._ask)

    def search(self, text: str, limit: int, also: Iterable[str] = ()) -> dict[str, tuple[float, Likeness]]:
        """Cosine and likeness of the `limit` nearest chunks, nearest first, then of the chunks in `also`."""
        if not len(self._vectors):
            return {}
        asked = self._asked(text)
        chosen = list(dict.fromkeys((*_nearest(asked.cosines, limit), *self._vectors.numbers(also))))
        ids = self._vectors.layout.chunk_ids
        sentences = self._vectors.best_sentences(asked.vector, chosen)
        found = {}
        for number in chosen:
            passage = float(asked.cosines[number])
            best = sentences.get(number, passage)
            likeness = Likeness(_scaled(passage, asked.middle), _scaled(best, asked.middle))
            found[ids[number]] = (passage, likeness)
        return found

    def sentences(self, text: str, chunk_id: str) -> tuple[float, ...]:
        """The likeness (0 to 1) of each sentence of a chunk with a text; empty for a chunk without vectors."""
        if not len(self._vectors):
            return ()
        asked = self._asked(text)
        cosines = self._vectors.sentence_cosines(asked.vector, chunk_id)
        return tuple(_scaled(float(cosine), asked.middle) for cosine in cosines)

    def _ask(self, text: str) -> _Asked:
        vector = self._embedded(text)
        return _Asked(vector, *self._vectors.passage_cosines(vector))


def _unreadable(folder: Path, error: Exception) -> HomeDamagedError:
    passes = isinstance(error, OSError) and not isinstance(error, FileNotFoundError | NotADirectoryError)
    remedy = "It is tried again soon." if passes else "Delete that folder; the next ingest makes it anew."
    told = HomeDamagedError(f"The vectors in {folder} cannot be read: {error}.", remedy)
    told.retry = passes
    return told


def bounds(sizes: Iterable[int]) -> NDArray[np.int64]:
    """Where the rows of each chunk begin, and after the last one where they end."""
    return np.cumsum([0, *sizes], dtype=np.int64)


def _rows(ends: NDArray[np.int64], numbers: Sequence[int]) -> NDArray[np.int64]:
    """The rows of some chunks, one chunk after the other."""
    spans = [np.arange(ends[number], ends[number + 1]) for number in numbers]
    return np.concatenate(spans) if spans else np.empty(0, dtype=np.int64)


def write_vectors(folder: Path, layout: Layout, passages: Matrix, sentences: NDArray[np.float16]) -> None:
    """Write the vectors of a version; the folder appears whole or not at all. Raises OSError."""
    building = folder.with_name(f".{folder.name}.{os.getpid()}")
    shutil.rmtree(building, ignore_errors=True)
    building.mkdir(parents=True)
    np.save(building / "passages.npy", passages.astype(np.float32))
    np.save(building / "sentences.npy", sentences)
    (building / LAYOUT_FILE).write_text(_layout_json(layout), encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    building.rename(folder)


def _nearest(cosines: Matrix, limit: int) -> Sequence[int]:
    """The numbers of the `limit` largest, largest first; ties go to the lower number."""
    if limit < len(cosines):
        floor = np.partition(cosines, len(cosines) - limit)[len(cosines) - limit]
        candidates = np.flatnonzero(cosines >= floor)
    else:
        candidates = np.arange(len(cosines))
    order = np.lexsort((candidates, -cosines[candidates]))[:limit]
    return [int(number) for number in candidates[order]]


def _scaled(cosine: float, middle: float) -> float:
    return min(1.0, max(0.0, (cosine - middle) / SPREAD))


def _layout_json(layout: Layout) -> str:
    passages = np.diff(layout.passages).tolist()
    sentences = np.diff(layout.sentences).tolist()
    rows = [list(row) for row in zip(layout.chunk_ids, passages, sentences, strict=True)]
    content = {"chunks": rows, "cutting": layout.cutting, "model": layout.model, "objects": sorted(layout.objects)}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _read_layout(folder: Path) -> Layout:
    content = read_json(folder / LAYOUT_FILE)
    rows = content["chunks"]
    return Layout(
        content["model"],
        tuple(row[0] for row in rows),
        bounds(row[1] for row in rows),
        bounds(row[2] for row in rows),
        frozenset(content.get("objects", ())),
        content.get("cutting", ""),
    )
