"""How does a view come to lie on disk, so that nobody ever meets half of one?

    views/<digest>/   laid out like a version: manifest, sizes, vocabulary, profile, tantivy/

Chunks and terms are there already, in the home's objects. A view is put together in a folder of its own and named in one
step; its name says what it holds, so it is never changed, and a change to what its readers may not read leaves it alone. A
large view that only adds documents to another takes over that one's segments by hard link; a smaller one is written in one
piece, which is searched faster. One process builds at a time, the others wait and find it done. Where the home cannot be
written, the view lies in a temporary folder of this process.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from ankare.domain.cancel import TURN_SECONDS, CallCancelledError, current_token
from ankare.errors import HomeError
from ankare.index.build import sync, writing
from ankare.index.home import Home, Snapshot, open_snapshot
from ankare.index.manifest import (
    INDEX_FOLDER,
    MANIFEST_FILE,
    PROFILE_FILE,
    SIZES_FILE,
    VOCABULARY_FILE,
    Entry,
    Manifest,
    manifest_bytes,
    read_manifest,
    read_vocabulary,
    sizes_bytes,
    vocabulary_bytes,
)
from ankare.index.tantivy_index import REWRITE_LIMIT, TantivyIndexWriter

LOG = logging.getLogger("ankare.index")
_BUILDING = ".building-"
_LOCK = "lock"
_CANNOT_WRITE = (errno.EROFS, errno.EACCES, errno.EPERM)
_KEPT_ELSEWHERE = 16
_left: set[str] = set()
"""Views that nobody waited for any more while they were made."""
_NOTHING: tuple[Path | None, frozenset[str]] = (None, frozenset())


def open_view(home: Home, manifest: Manifest, name: str, version: Path) -> Snapshot:
    """Open the view of this manifest, built if it is not there or not whole. `version`: the folder of the version that it is
    of. Raises HomeError."""
    folder = view_folder(home, name)
    found = _opened(folder, home, manifest, name)
    if found is not None:
        return found
    try:
        with _turn(home, name) as building:
            found = _opened(folder, home, manifest, name)  # another process may have built it meanwhile
            if found is None:
                _build(home, manifest, name, version, building)
                _put(building, folder)
    except OSError as error:
        if error.errno not in _CANNOT_WRITE:
            raise HomeError(f"{home.views} cannot be written: {error.strerror}.", "Check the disk.") from error
        folder = _elsewhere(home, manifest, name, version)
    return found if found is not None else open_snapshot(folder, home.originals, name)


def _opened(folder: Path, home: Home, manifest: Manifest, name: str) -> Snapshot | None:
    """The view in a folder, None where it is not there or not what it should be."""
    if not (folder / SIZES_FILE).is_file():
        return None
    try:
        found = open_snapshot(folder, home.originals, name)
    except HomeError as error:
        LOG.warning("A view is built anew. %s", error)
        return None
    return found if found.manifest == manifest else None


@contextmanager
def _turn(home: Home, name: str) -> Iterator[Path]:
    """Wait for the turn to build in this home; gives an empty folder, which is gone afterwards. Raises OSError."""
    home.views.mkdir(exist_ok=True)
    with (home.views / _LOCK).open("a") as lock:
        _wait_for(lock)
        for left in home.views.glob(f"{_BUILDING}*"):  # whoever built there was killed: we hold the lock
            shutil.rmtree(left, ignore_errors=True)
        building = home.views / f"{_BUILDING}{_digest(name)}-{os.getpid()}"
        building.mkdir()
        try:
            yield building
        finally:
            shutil.rmtree(building, ignore_errors=True)


def _wait_for(lock: IO[str]) -> None:
    """Raises CallCancelledError where nobody waits any more before it is our turn."""
    token = current_token()
    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            token.sleep(TURN_SECONDS)


def _build(home: Home, manifest: Manifest, name: str, version: Path, building: Path) -> None:
    """Fill a folder with the view. Raises HomeError."""
    base, held = _base(home, manifest) if _is_large(manifest) else _NOTHING
    words = Counter[str](read_vocabulary(base) if base is not None else {})
    with writing("what readers see of the index"):
        writer = TantivyIndexWriter(building / INDEX_FOLDER, None if base is None else base / INDEX_FOLDER)
        for entry in _while_worth_it(manifest, name):
            if entry.object not in held:
                read = home.read_object(entry.object)
                writer.add(read.chunks)
                words.update(read.words)
        writer.commit()
        (building / MANIFEST_FILE).write_bytes(manifest_bytes(manifest))
        (building / VOCABULARY_FILE).write_bytes(vocabulary_bytes(words))
        with suppress(FileNotFoundError):
            shutil.copyfile(version / PROFILE_FILE, building / PROFILE_FILE)
        (building / SIZES_FILE).write_bytes(sizes_bytes(building))
        for path in (*building.iterdir(), building):
            sync(path)


def _while_worth_it(manifest: Manifest, name: str) -> Iterator[Entry]:
    """The entries, as long as somebody waits for the view. Raises CallCancelledError.

    That is so once: who comes back for it gets it, whether they still wait or not. A view that takes longer than anybody
    waits would otherwise be begun for ever and never be there. Only the end of the process ends it at any time.
    """
    token = current_token()
    again = name in _left
    for entry in manifest.entries:
        if token.cancelled and (token.stopping or not again):
            _left.add(name)
            raise CallCancelledError
        yield entry
    _left.discard(name)


def _is_large(manifest: Manifest) -> bool:
    return sum(len(entry.document.chunk_ids) for entry in manifest.entries) > REWRITE_LIMIT


def _put(building: Path, folder: Path) -> None:
    with writing("what readers see of the index"):
        if folder.exists():  # a damaged one
            shutil.rmtree(folder)
        building.rename(folder)
        sync(folder.parent)


def _base(home: Home, manifest: Manifest) -> tuple[Path | None, frozenset[str]]:
    """The largest view of whose documents all are in this one too, and their objects. Never a version, nor a view with more:
    what is taken out of an index may leave a trace in its statistics."""
    wanted = frozenset(entry.object for entry in manifest.entries)
    best = _NOTHING
    for folder in view_folders(home):
        try:
            other = read_manifest(folder)
        except HomeError:
            continue
        held = frozenset(entry.object for entry in other.entries)
        if other.settings == manifest.settings and held <= wanted and len(held) > len(best[1]) and _whole(folder):
            best = (folder, held)
    return best


def _whole(folder: Path) -> bool:
    try:
        open_snapshot(folder, folder)
    except HomeError:
        return False
    return True


_temporary: dict[tuple[str, str], TemporaryDirectory[str]] = {}
_temporary_lock = threading.Lock()


def _elsewhere(home: Home, manifest: Manifest, name: str, version: Path) -> Path:
    """The view in a temporary folder, for a home that cannot be written. Raises HomeError."""
    with _temporary_lock:
        key = (str(home.path.resolve()), name)
        kept = _temporary.get(key)
        if kept is None:
            LOG.warning(
                "%s cannot be written: each process builds what readers with labels see for itself.", home.views
            )
            with writing("what readers see of the index"):
                kept = TemporaryDirectory(prefix="ankare-view-")
            try:
                _build(home, manifest, name, version, Path(kept.name))
            except BaseException:
                kept.cleanup()
                raise
            while len(_temporary) >= _KEPT_ELSEWHERE:
                _temporary.pop(next(iter(_temporary))).cleanup()
            _temporary[key] = kept
        return Path(kept.name)


def view_folder(home: Home, name: str) -> Path:
    """Where a view lies, once it is built in the home."""
    return home.views / _digest(name)


def view_folders(home: Home) -> list[Path]:
    """The folders of the views that are there."""
    try:
        return sorted(path for path in home.views.iterdir() if path.is_dir() and not path.name.startswith("."))
    except OSError:
        return []


def clear_away(home: Home, unused: list[Path]) -> None:
    """Take away views that nobody uses, and what killed builds left. Nothing is done while one is being built."""
    if not home.views.is_dir():
        return
    with suppress(OSError), (home.views / _LOCK).open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for path in (*unused, *home.views.glob(f"{_BUILDING}*")):
            shutil.rmtree(path, ignore_errors=True)


def _digest(name: str) -> str:
    return name.rpartition("-")[2]
