"""Which documents does the service hand out, and which profile do its links follow?

Only what the index version in use holds: a path of the caller never reaches the disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Protocol

from ankare.cite.links import versions_of
from ankare.domain.access import Access
from ankare.domain.document import Chunk, Document
from ankare.index.home import Home, Snapshot
from ankare.profile.load import load_profile
from ankare.profile.model import Profile

CHECK_SECONDS = 0.0
"""Looking costs twelve microseconds; a link of an answer from a newer version that is not found yet costs more."""


class Shelf(Protocol):
    """The documents of the index in use. Safe for many threads; every method raises HomeError where there is none."""

    def of(self, access: Access) -> Shelf:
        """The shelf as this reader sees it: what the reader may not read is not there."""

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

    def versions(self) -> Mapping[str, str]:
        """The versions that documents' metadata give them, by document id."""

    def embedded(self) -> bool:
        """Are the vectors for search by meaning there?"""

    def profile(self) -> Profile:
        """The profile in use: links, related pages, accepted languages and example questions."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """One version of the index, opened."""

    snapshot: Snapshot
    profile: Profile
    versions: Mapping[str, str]


class HomeShelf:
    """The shelf of a home folder. Looks each time whether there is a newer version.

    `profile` wins over the one that the documents went in with.
    """

    def __init__(self, home: Path, profile: Profile | None = None) -> None:
        self._home = Home(home)
        self._given = profile
        self._lock = Lock()
        self._open: _Opened | None = None
        self._checked = 0.0

    def of(self, access: Access) -> Shelf:
        """The shelf as this reader sees it."""
        return self

    def version(self) -> str:
        """The name of the index version in use."""
        return self._current().snapshot.name

    def chunk_count(self) -> int:
        """How many chunks it has."""
        return len(self._current().snapshot.index)

    def document(self, document_id: str) -> Document:
        """The document. Raises KeyError."""
        return self._current().snapshot.documents[document_id]

    def original(self, document_id: str) -> Path:
        """The copy that ingest kept. Raises KeyError."""
        return self._current().snapshot.original(document_id)

    def chunk(self, chunk_id: str) -> Chunk:
        """The chunk. Raises KeyError."""
        return self._current().snapshot.index.chunks([chunk_id])[0]

    def profile(self) -> Profile:
        """The profile in use."""
        return self._current().profile

    def versions(self) -> Mapping[str, str]:
        """The versions of documents, by id."""
        return self._current().versions

    def embedded(self) -> bool:
        """Are the vectors there? Looks at the disk: they come after the index."""
        return (self._home.embeddings / self.version() / "layout.json").is_file()

    def _current(self) -> _Opened:
        with self._lock:
            now = monotonic()
            if self._open is None or now - self._checked >= CHECK_SECONDS:
                if self._open is None or self._home.current_version() != self._open.snapshot.name:
                    self._open = self._read()
                self._checked = now
            return self._open

    def _read(self) -> _Opened:
        snapshot = self._home.open_current()
        profile = self._given
        if profile is None:
            profile = load_profile(snapshot.profile_path) if snapshot.profile_path else Profile()
        return _Opened(snapshot, profile, versions_of(snapshot.documents.values()))
