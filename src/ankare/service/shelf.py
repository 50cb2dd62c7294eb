"""Which documents does the service hand out, and which profile do its links follow?

Only what the index version in use holds: a path of the caller never reaches the disk.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Protocol

from ankare.cite.links import versions_of
from ankare.domain.access import OWNER, Access
from ankare.domain.cancel import in_turn
from ankare.domain.document import Chunk, Document
from ankare.domain.fact import Fact
from ankare.facts.surroundings import FOLDER, Excerpt, KeptTables
from ankare.index.home import Home, Snapshot
from ankare.index.manifest import SIZES_FILE
from ankare.index.view_build import view_folder
from ankare.index.views import Standing, Views
from ankare.profile.load import load_profile
from ankare.profile.model import Profile
from ankare.retrieve.embedding import embedded_objects, embedded_version

MOST_READERS = 64
"""Readers of different labels whose place is kept; each costs little, what they see is shared."""


class Shelf(Protocol):
    """The documents of the index in use. Safe for many threads; every method raises HomeError where there is none."""

    def of(self, access: Access) -> Shelf:
        """The shelf as this reader sees it: what the reader may not read is not there."""

    def version(self) -> str:
        """The name of the index version in use."""

    def chunk_count(self) -> int:
        """How many chunks it has."""

    def built(self) -> float:
        """When what is seen of it was put in place, seconds since the epoch; 0 where that is not known."""

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

    def excerpt(self, fact: Fact) -> Excerpt | None:
        """The cell of a figure that the reader may read, in its table; None where nothing of that is kept."""

    def profile(self) -> Profile:
        """The profile in use: links, related pages, accepted languages and example questions."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """What a reader sees of one version of the index, opened."""

    standing: Standing
    snapshot: Snapshot
    profile: Profile
    versions: Mapping[str, str]


class HomeShelf:
    """The shelf of a home folder, by itself as its owner sees it. Looks each time whether there is a newer version.

    `profile` wins over the one that the documents went in with.
    """

    def __init__(self, home: Path, profile: Profile | None = None) -> None:
        self._home = Home(home)
        self._access = OWNER
        self._opener = _Opener(self._home, profile)

    def of(self, access: Access) -> HomeShelf:
        """The shelf as this reader sees it: a document that the reader may not read is unknown to it."""
        other = copy(self)
        other._access = access
        return other

    def version(self) -> str:
        """The name of what is seen of the index version in use."""
        return self._current().standing.name

    def chunk_count(self) -> int:
        """How many chunks it has."""
        return len(self._current().snapshot.index)

    def built(self) -> float:
        """When it was put in place. A change to what the reader may not read leaves this as it is."""
        standing = self._current().standing
        if standing.index == standing.version:
            return _changed(self._home.current_file)
        return _changed(view_folder(self._home, standing.index) / SIZES_FILE)

    def document(self, document_id: str) -> Document:
        """The document. Raises KeyError."""
        return self._current().snapshot.documents[document_id]

    def original(self, document_id: str) -> Path:
        """The copy that ingest kept. Raises KeyError."""
        return self._current().snapshot.original(document_id)

    def chunk(self, chunk_id: str) -> Chunk:
        """The chunk. Raises KeyError."""
        return self._current().snapshot.index.chunks([chunk_id])[0]

    def excerpt(self, fact: Fact) -> Excerpt | None:
        """The cell of a figure in its table, as ingest kept it. Whoever has the figure may read the file that it came from."""
        return KeptTables(self._home.path / FOLDER).around(fact)

    def profile(self) -> Profile:
        """The profile in use."""
        return self._current().profile

    def versions(self) -> Mapping[str, str]:
        """The versions of documents, by id."""
        return self._current().versions

    def embedded(self) -> bool:
        """Are the vectors there? Looks at the disk: they come after the index."""
        opened = self._current()
        if self._access.everything:
            return (self._home.embeddings / opened.snapshot.version / "layout.json").is_file()
        return self._opener.embedded(opened.snapshot)

    def _current(self) -> _Opened:
        return self._opener.at(self._access)


class _Opener:
    """Keeps open what readers see. Safe for many threads; while one reader's is being opened, the others do not wait."""

    def __init__(self, home: Home, profile: Profile | None) -> None:
        self._home = home
        self._views = Views(home)
        self._given = profile
        self._lock = Lock()
        self._seats: OrderedDict[Access, _Seat] = OrderedDict()
        self._objects: tuple[str | None, frozenset[str]] = (None, frozenset())

    def at(self, access: Access) -> _Opened:
        """What a reader sees now. Looking whether that has changed costs twelve microseconds."""
        with self._lock:
            seat = self._seats.setdefault(access, _Seat())
            self._seats.move_to_end(access)
            while len(self._seats) > MOST_READERS:
                self._seats.popitem(last=False)
        with in_turn(seat.lock):
            standing = self._views.standing(access)
            if seat.opened is not None and seat.opened.standing == standing:
                return seat.opened
            opened = self._same(standing) or self._read(access, standing)
            # Kept only under its own name: the home may have moved on between looking and opening.
            seat.opened = opened if opened.snapshot.name == standing.index else None
            return opened

    def embedded(self, snapshot: Snapshot) -> bool:
        """Do all chunks that are seen have vectors? What else is still to be embedded does not count."""
        serving = embedded_version(self._home.embeddings, snapshot.version)
        if serving is None or serving == snapshot.version:
            return serving is not None
        if self._objects[0] != serving:
            try:
                self._objects = (serving, embedded_objects(self._home.embeddings, snapshot.version))
            except OSError:
                return False
        held = self._objects[1]
        return all(entry.object in held for entry in snapshot.manifest.entries)

    def _same(self, standing: Standing) -> _Opened | None:
        """The same, where another reader has it open already."""
        with self._lock:
            kept = [seat.opened for seat in self._seats.values() if seat.opened is not None]
        found = next((opened for opened in kept if opened.standing.index == standing.index), None)
        return None if found is None else replace(found, standing=standing)

    def _read(self, access: Access, standing: Standing) -> _Opened:
        snapshot = self._views.open(access)
        profile = self._given
        if profile is None:
            profile = load_profile(snapshot.profile_path) if snapshot.profile_path else Profile()
        return _Opened(standing, snapshot, profile, versions_of(snapshot.documents.values()))


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


@dataclass(slots=True)
class _Seat:
    """One reader's place."""

    opened: _Opened | None = None
    lock: Lock = field(default_factory=Lock)
