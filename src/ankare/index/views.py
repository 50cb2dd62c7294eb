"""What of an index does a reader see, who may not read all of it?

    version in use  ->  the documents that the reader may read  ->  a view: an index, a vocabulary and a manifest of just these

Hits are not filtered: how rare a word is, how it is spelt, what stands nearby and what replaces what is told by the whole
corpus, so a document that is only left out of the hits still shows in them. A view is what a home would be that had never held
anything else, down to its scores and its name, which is derived from what it holds. Where nothing has a label, every reader's
view is the version itself, under that name.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from ankare.domain.access import PUBLIC, Access
from ankare.errors import HomeError
from ankare.index.home import Home, Snapshot, open_snapshot
from ankare.index.manifest import Manifest, manifest_bytes, read_manifest
from ankare.index.view_build import clear_away, open_view, view_folders

LOG = logging.getLogger("ankare.index")
_NAME = "view-"
_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Standing:
    """How a reader stands to the version in use; all is empty where there is none.

    `name`: under which the reader knows the corpus; it tells of nothing else. `index`: the version, or the view, that holds
    just this corpus. `version`: the one on disk. The last two are for nobody but ourselves.
    """

    name: str = ""
    index: str = ""
    version: str = ""


def readable(manifest: Manifest, access: Access) -> Manifest:
    """The manifest of a home that holds nothing but what a reader may read."""
    entries = tuple(
        replace(entry, document=replace(entry.document, access="")) if entry.document.access else entry
        for entry in manifest.entries
        if access.admits(entry.document.access)
    )
    return replace(manifest, entries=entries, failed=())


def view_name(manifest: Manifest) -> str:
    """The name of what a `readable` manifest holds."""
    return _NAME + hashlib.sha256(manifest_bytes(manifest)).hexdigest()[:_DIGITS]


def labels_in(manifest: Manifest) -> frozenset[str]:
    """The labels of its documents."""
    return frozenset(entry.document.access for entry in manifest.entries if entry.document.access)


class Views:
    """What readers see of one home. Safe for many threads. Making one reads nothing."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._lock = threading.Lock()
        self._known: _Labelled | None = None

    def standing(self, access: Access) -> Standing:
        """How a reader stands to the version in use. Cheap once a version is known. Raises HomeError for a damaged one."""
        version = self._home.current_version()
        if version is None:
            return Standing()
        if access.everything:
            return Standing(version, version, version)
        known = self._labelled(version)
        name = known.name(access)
        return Standing(name, name if known.labels else known.version, known.version)

    def open(self, access: Access) -> Snapshot:
        """What a reader sees of the version in use; a view that is not there yet is built. Its name is that of the index in
        the reader's standing. Raises HomeError."""
        return self._home.of_current(lambda folder: self._open(folder, access))

    def _open(self, folder: Path, access: Access) -> Snapshot:
        if not access.everything:
            manifest = read_manifest(folder)
            if labels_in(manifest):
                view = readable(manifest, access)
                return replace(open_view(self._home, view, view_name(view), folder), version=folder.name)
        return open_snapshot(folder, self._home.originals)

    def _labelled(self, version: str) -> _Labelled:
        known = self._known
        if known is None or known.version != version:
            with self._lock:
                known = self._known
                if known is None or known.version != version:
                    known = self._known = self._home.of_current(_Labelled.of)
        return known


@dataclass(frozen=True, slots=True)
class _Labelled:
    """One version, as far as labels go. `manifest` is let go where there are none."""

    version: str
    labels: frozenset[str]
    manifest: Manifest
    names: dict[frozenset[str], str] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: Path) -> _Labelled:
        manifest = read_manifest(folder)
        labels = labels_in(manifest)
        if labels:
            return cls(folder.name, labels, manifest)
        name = view_name(readable(manifest, Access()))
        return cls(folder.name, labels, Manifest(), {frozenset(): name})

    def name(self, access: Access) -> str:
        seen = access.among(self.labels)
        name = self.names.get(seen)
        if name is None:
            name = self.names[seen] = view_name(readable(self.manifest, Access(seen)))
        return name


def in_use(name: str, view: Manifest, versions: Iterable[Manifest]) -> bool:
    """Does some reader of one of these versions see this view?"""
    for manifest in versions:
        held = manifest.by_source()
        entries = [held.get(entry.document.source) for entry in view.entries]
        labels = frozenset(entry.document.access for entry in entries if entry is not None)
        if None not in entries and labels_in(manifest) and view_name(readable(manifest, Access(labels))) == name:
            return True
    return False


def settle(home: Home) -> None:
    """After a new version: build what the public sees of it, and take away what readers of no living version see.

    Whatever goes wrong is told in the log: a view that is not there is built when it is asked for.
    """
    versions: dict[str, Manifest] = {}
    for folder in home.versions.iterdir() if home.versions.is_dir() else ():
        with suppress(HomeError):
            versions[folder.name] = read_manifest(folder)
    try:
        if any(map(labels_in, versions.values())):
            Views(home).open(PUBLIC)
        unused = [folder for folder in view_folders(home) if not _is_used(folder, versions.values())]
    except HomeError as error:
        LOG.warning("What readers without a label see is built when it is asked for. %s", error)
        return
    clear_away(home, unused)


def _is_used(folder: Path, versions: Iterable[Manifest]) -> bool:
    try:
        return in_use(_NAME + folder.name, read_manifest(folder), versions)
    except HomeError:
        return False
