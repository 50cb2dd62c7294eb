"""How does a new version of the index come about so that a reader never meets half of one?

Everything is written into `versions/.building`, made durable, moved to its final name, and only then does CURRENT name
it. A build that is killed leaves a `.building` folder or objects that nobody names; the next build takes them away.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from ankare.domain.document import Chunk
from ankare.errors import HomeError, HomeLockedError
from ankare.index.home import Home, original_name
from ankare.index.manifest import (
    INDEX_FOLDER,
    MANIFEST_FILE,
    ORIGINS_FILE,
    PROFILE_FILE,
    SIZES_FILE,
    VOCABULARY_FILE,
    Entry,
    Manifest,
    Origin,
    manifest_bytes,
    manifest_digest,
    origins_bytes,
    read_manifest,
    sizes_bytes,
    vocabulary_bytes,
)
from ankare.index.protocol import ChunkTerms, LexicalIndexWriter

_BUILDING = ".building"
_TEMPORARY = ".tmp"
_locks: set[int] = set()
"""Descriptors of the locks that this process holds."""


@contextmanager
def locked(home: Home) -> Iterator[None]:
    """Hold the home's lock. Raises HomeLockedError when another process does, HomeError when it cannot be made.

    The lock goes with the process, so one that was killed leaves none behind.
    """
    with writing(f"the home folder {home.path}"):
        home.path.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(home.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise HomeLockedError(
                f"Another process is building in {home.path}.", "Wait until it is done and try again."
            ) from error
        _locks.add(descriptor)
        yield
    finally:
        _locks.discard(descriptor)
        os.close(descriptor)


def leave_locks() -> None:
    """For a forked process: let go of the locks of the one that it was forked from, which must end with that one."""
    while _locks:
        os.close(_locks.pop())


class Build:
    """One new version in the making. Use it under `locked`; nothing is visible before `commit`.

    `base` is the version to start from (its unchanged documents are kept), None for an empty one.
    """

    def __init__(self, home: Home, base: Path | None) -> None:
        self.home = home
        self.base = base
        self._folder = home.versions / _BUILDING
        self._writer: LexicalIndexWriter | None = None

    def prepare(self) -> None:
        """Make the folders, and take away what a killed build left."""
        with writing(f"the home folder {self.home.path}"):
            for folder in (self.home.versions, self.home.objects, self.home.originals, self.home.embeddings):
                folder.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder.mkdir()
            for folder in (self.home.objects, self.home.originals):
                for left in folder.glob(f"*{_TEMPORARY}"):
                    left.unlink(missing_ok=True)

    def add(self, chunks: Iterable[tuple[Chunk, ChunkTerms]]) -> None:
        """Add the chunks of one document."""
        with writing("the search index"):
            self._open_writer().add(chunks)

    def remove(self, document_id: str) -> None:
        """Take out a document that the base version has."""
        with writing("the search index"):
            self._open_writer().remove_document(document_id)

    def commit(
        self, manifest: Manifest, words: Mapping[str, int], origins: Mapping[str, Origin], profile: bytes | None
    ) -> str:
        """Make the version durable and current; gives its name. Raises HomeError and leaves the old one in use."""
        data = manifest_bytes(manifest)
        with writing("the search index"):
            self._open_writer().commit()
        with writing("the new version of the index"):
            (self._folder / MANIFEST_FILE).write_bytes(data)
            (self._folder / VOCABULARY_FILE).write_bytes(vocabulary_bytes(words))
            (self._folder / ORIGINS_FILE).write_bytes(origins_bytes(origins))
            if profile is not None:
                (self._folder / PROFILE_FILE).write_bytes(profile)
            (self._folder / SIZES_FILE).write_bytes(sizes_bytes(self._folder))
            self._make_durable(manifest)
            name = f"{self._next_number():06d}-{manifest_digest(data)}"
            self._folder.rename(self.home.versions / name)
            sync(self.home.versions)
            _replace(self.home.current_file, name.encode("ascii") + b"\n")
        return name

    def abandon(self) -> None:
        """Take the unfinished version away."""
        self._writer = None
        shutil.rmtree(self._folder, ignore_errors=True)
        shutil.rmtree(self.home.fetched, ignore_errors=True)

    def _open_writer(self) -> LexicalIndexWriter:
        if self._writer is None:
            from ankare.index.tantivy_index import TantivyIndexWriter

            base = self.base / INDEX_FOLDER if self.base is not None else None
            self._writer = TantivyIndexWriter(self._folder / INDEX_FOLDER, base)
        return self._writer

    def _make_durable(self, manifest: Manifest) -> None:
        """Force to disk what is new; what the base version names was forced when it was made."""
        known: set[str] = set()
        if self.base is not None:
            known = {entry.object for entry in _entries(self.base)}
        paths = [path for path in self._folder.rglob("*") if path.is_file()]
        for entry in manifest.entries:
            if entry.object not in known:
                paths.append(self.home.object_path(entry.object))
                paths.append(self.home.originals / original_name(entry.document.sha256, entry.document.source_type))
        folders = [self._folder, self._folder / INDEX_FOLDER, self.home.objects, self.home.originals]
        # Many small files: the disk joins requests that wait at the same time.
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(sync, [*sorted(set(paths)), *folders]))

    def _next_number(self) -> int:
        return max((_number(path) for path in self.home.versions.iterdir()), default=0) + 1


def write_once(path: Path, data: bytes, *, again: bool = False) -> None:
    """Write a file whose content its name decides, if it is not there whole or `again`. Raises OSError; never leaves half a
    file."""
    if not again and path.exists() and path.stat().st_size == len(data):
        return
    temporary = path.with_name(f"{path.name}.{os.getpid()}{_TEMPORARY}")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)  # on a full disk also half a file is too much
        raise


def rewrite_origins(folder: Path, origins: Mapping[str, Origin]) -> None:
    """Replace where the files of a version were seen. Only times and places change, nothing that a search sees."""
    with writing("where the files were found"):
        _replace(folder / ORIGINS_FILE, origins_bytes(origins))


def prune(home: Home) -> None:
    """Take away versions older than the one before the current, and objects and copies that no version names."""
    current = home.current_version()
    if current is None:
        return
    versions = sorted((path for path in home.versions.iterdir() if path.is_dir() and _number(path)), key=_number)
    names = [path.name for path in versions]
    keep = versions[max(0, names.index(current) - 1) : names.index(current) + 1] if current in names else versions
    for path in versions:
        if path not in keep:
            shutil.rmtree(path, ignore_errors=True)
    used: set[str] = set()
    for path in keep:
        for entry in _entries(path):
            used.add(home.object_path(entry.object).name)
            used.add(original_name(entry.document.sha256, entry.document.source_type))
    for folder in (home.objects, home.originals):
        for path in folder.iterdir():
            if path.name not in used:
                path.unlink(missing_ok=True)


def _entries(folder: Path) -> tuple[Entry, ...]:
    try:
        return read_manifest(folder).entries
    except HomeError:  # another format or broken: nothing of it is of use to this build
        return ()


@contextmanager
def writing(what: str) -> Iterator[None]:
    """Turn a failed write into a HomeError that names what was not written."""
    try:
        yield
    except (OSError, ValueError) as error:  # tantivy tells of a failed write with a ValueError
        raise HomeError(
            f"{what[:1].upper()}{what[1:]} could not be written: {getattr(error, 'strerror', None) or error}.",
            _write_remedy(error),
        ) from error


def _write_remedy(error: Exception) -> str:
    full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT) or "No space left" in str(error)
    if full:
        return "The disk is full: make room and run it again. The index as it was before is untouched."
    return "Check that the folder can be written. The index as it was before is untouched."


def _replace(path: Path, data: bytes) -> None:
    temporary = path.with_name(path.name + _TEMPORARY)
    temporary.write_bytes(data)
    sync(temporary)
    temporary.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Force a file, or what stands in a folder, to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _number(path: Path) -> int:
    head = path.name.split("-")[0]
    return int(head) if head.isdigit() else 0
