"""Which texts have been embedded before, in this home?

One append-only file per model: records of one length, each a hash of the text, its vector and a checksum. A process
that is killed leaves at most one half record at the end, which the next one to write cuts off.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from zlib import crc32

import numpy as np

from ankare.retrieve.embed import Matrix

_KEY = 32
_CHECK = 4


class EmbeddingCache:
    """Vectors by text. Several processes may add to one file; each sees what was there when it last looked."""

    def __init__(self, folder: Path, model: str, dimensions: int) -> None:
        """Opens nothing yet; the file is `<folder>/<model>.vectors`."""
        self._path = folder / f"{model}.vectors"
        self._dimensions = dimensions
        self._record = _KEY + 4 * dimensions + _CHECK
        self._places: dict[bytes, int] = {}
        self._seen = 0

    def missing(self, texts: Iterable[str]) -> list[str]:
        """The texts that have no vector yet, each once, in the given order."""
        self._look()
        wanted = {_key(text): text for text in texts}
        return [text for key, text in wanted.items() if key not in self._places]

    def add(self, vectors: Mapping[str, Matrix]) -> None:
        """Keep the vectors of some texts. Raises OSError where they cannot be written."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._writable() as descriptor:
            for text, vector in vectors.items():
                body = _key(text) + np.asarray(vector, dtype="<f4").tobytes()
                os.write(descriptor, body + crc32(body).to_bytes(_CHECK, "little"))

    def vectors(self, texts: list[str]) -> Matrix:
        """The vectors of these texts, shape (len(texts), dimensions). Raises KeyError for one that has none."""
        self._look()
        rows = np.empty((len(texts), self._dimensions), dtype=np.float32)
        if not texts:
            return rows
        with self._path.open("rb") as stream:
            for number, text in enumerate(texts):
                stream.seek(self._places[_key(text)] + _KEY)
                rows[number] = np.frombuffer(stream.read(4 * self._dimensions), dtype="<f4")
        return rows

    def _look(self) -> None:
        """Take in the records that were added since the last look; those whose checksum is wrong do not count."""
        if not self._path.is_file():
            return
        with self._path.open("rb") as stream:
            stream.seek(self._seen)
            while len(record := stream.read(self._record)) == self._record:
                if crc32(record[:-_CHECK]) == int.from_bytes(record[-_CHECK:], "little"):
                    self._places[record[:_KEY]] = self._seen
                self._seen += self._record

    @contextmanager
    def _writable(self) -> Iterator[int]:
        """The file, locked, its end at a whole record."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            size = os.fstat(descriptor).st_size
            os.ftruncate(descriptor, size - size % self._record)
            os.lseek(descriptor, 0, os.SEEK_END)
            yield descriptor
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()
