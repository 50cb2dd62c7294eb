"""Which documents does the service hand out, and which profile do its links follow?

Only what the index version in use holds: a path of the caller never reaches the disk.
"""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Protocol

from ankare.domain.document import Chunk, Document
from ankare.index.home import Home, Snapshot
from ankare.profile.load import load_profile
from ankare.profile.model import Profile

CHECK_SECONDS = 1.0


class Shelf(Protocol):
    """The documents of the index in use. Safe for many threads; every method raises HomeError where there is none."""

    def version(self) -> str:
        """The name of the index version in use."""

    def chunk_count(self) -> int:
        """How many chunks it has."""

    def document(self, document_id: str) -> Document:
        """Raises KeyError for a document that is not in the index."""

    def original(self, document_id: str) -> Path:
        """The document's bytes as they were ingested. Raises KeyError for one that is not in the index."""

    def chunk(self, chunk_id: str) -> Chunk:
        """Raises KeyError for a chunk that is not in the index."""

    def profile(self) -> Profile:
        """The profile in use: links, related pages, accepted languages and example questions."""


class HomeShelf:
    """The shelf of a home folder. Looks once a second whether there is a newer version.

    `profile` wins over the one that the documents went in with.
    """

    def __init__(self, home: Path, profile: Profile | None = None) -> None:
        self._home = Home(home)
        self._given = profile
        self._lock = Lock()
        self._open: tuple[Snapshot, Profile] | None = None
        self._checked = 0.0

    def version(self) -> str:
        """The name of the index version in use."""
        return self._current()[0].name

    def chunk_count(self) -> int:
        """How many chunks it has."""
        return len(self._current()[0].index)

    def document(self, document_id: str) -> Document:
        """The document. Raises KeyError."""
        return self._current()[0].documents[document_id]

    def original(self, document_id: str) -> Path:
        """The copy that ingest kept. Raises KeyError."""
        return self._current()[0].original(document_id)

    def chunk(self, chunk_id: str) -> Chunk:
        """The chunk. Raises KeyError."""
        return self._current()[0].index.chunks([chunk_id])[0]

    def profile(self) -> Profile:
        """The profile in use."""
        return self._current()[1]

    def _current(self) -> tuple[Snapshot, Profile]:
        with self._lock:
            now = monotonic()
            if self._open is None or now - self._checked > CHECK_SECONDS:
                if self._open is None or self._home.current_version() != self._open[0].name:
                    self._open = self._read()
                self._checked = now
            return self._open

    def _read(self) -> tuple[Snapshot, Profile]:
        snapshot = self._home.open_current()
        if self._given is not None:
            return snapshot, self._given
        return snapshot, load_profile(snapshot.profile_path) if snapshot.profile_path else Profile()
