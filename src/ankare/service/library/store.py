"""Where do the files lie that came over the service, and how does one get there whole or not at all?

    home/library/documents/   documents, each with its access label in `<name>.meta.toml`
    home/library/facts/       files of figures
    home/library/.incoming/   files on their way in; what a killed upload left is taken away by the next one

An ingest reads both folders like any others.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from ankare.errors import DocumentError
from ankare.ingest.inputs import DOCUMENTS_FOLDER, FACTS_FOLDER
from ankare.ingest.sidecar import SIDECAR_SUFFIX, sidecar_path
from ankare.regular_file import read_regular
from ankare.service.library.file_lock import held, taken
from ankare.service.library.jobs import HalfDoneError
from ankare.service.problem import LOG, ProblemError

FOLDER = "library"
KEPT_FREE_BYTES = 100_000_000
"""So much of the disk is left for the index and everything else."""
_ASIDE = ".before"
_HALF_DONE = (
    "The file could not be replaced, nor left as it was: nobody may read it. Upload it again when there is room."
)
NOBODY = "_being-replaced"
"""The label of a file while another one with another label takes its place; no key carries it."""


@dataclass(frozen=True, slots=True)
class LibraryFile:
    """A file of the library. `kind`: "document" or "figures"; `added`: ISO time in UTC; `label`: "" for everyone."""

    name: str
    kind: str
    path: Path
    size: int
    added: str
    label: str = ""


class Incoming:
    """A file on its way in, to be written, then kept by `Library.keep` or discarded."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self.size = 0
        self._descriptor: int | None = descriptor

    def write(self, data: bytes) -> None:
        """Add to the file. Raises OSError."""
        assert self._descriptor is not None  # noqa: S101 - nobody writes after the end
        view = memoryview(data)
        while view:
            written = os.write(self._descriptor, view)
            view, self.size = view[written:], self.size + written

    def make_durable(self) -> None:
        """Force to disk what was written."""
        assert self._descriptor is not None  # noqa: S101
        os.fsync(self._descriptor)

    def discard(self) -> None:
        """Take the file away, unless it is kept already, and let go of it."""
        if self._descriptor is not None:
            self.path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None


class Library:
    """The files of a home's library. Safe for many threads and processes.

    `most_bytes`: how much all files together may take up. Every method may raise OSError.
    """

    def __init__(self, home: Path, most_bytes: int) -> None:
        self._home = home
        self.folder = home / FOLDER
        self.folders = {"document": self.folder / DOCUMENTS_FOLDER, "figures": self.folder / FACTS_FOLDER}
        self._incoming = self.folder / ".incoming"
        self._lock = self.folder / ".lock"
        self._most_bytes = most_bytes

    def begin(self, name: str, size: int) -> Incoming:
        """A new file on its way in, which will have about `size` bytes. Raises ProblemError (507) where there is no room."""
        self._incoming.mkdir(parents=True, exist_ok=True)
        self._sweep()
        self.check_room(size)
        while True:
            path = self._incoming / f"{uuid4().hex}{Path(name).suffix.lower()}"
            descriptor = taken(path)
            if descriptor is not None and path.exists():  # no sweep came between
                return Incoming(path, descriptor)
            if descriptor is not None:
                os.close(descriptor)

    def check_room(self, more: int) -> None:
        """Raises ProblemError (507) where so many bytes more have no room in the library or on the disk."""
        if self._size() + more > self._most_bytes:
            raise ProblemError(507, f"The library may hold {self._most_bytes:,} bytes. Remove something first.")
        if shutil.disk_usage(self._home).free - more < KEPT_FREE_BYTES:
            raise ProblemError(507, "The disk is nearly full. Nothing was changed.")

    def keep(self, incoming: Incoming, name: str, kind: str, label: str | None, *, replace: bool) -> LibraryFile:
        """Put a file in its place. `label` None: that of the file that it replaces, "" where it replaces none.

        Raises ProblemError: 409 where a file of that name is there and `replace` is not set, or one whose name differs only in
        case; 507 where there is no room; HalfDoneError where a failed step could not be taken back.
        """
        incoming.make_durable()
        with held(self._lock):
            before = self.named(name)
            refuse_taken(before, name, replace=replace)
            self.check_room(0)
            target = self.folders[kind] / name
            target.parent.mkdir(parents=True, exist_ok=True)
            chosen = label if label is not None else before.label if before is not None else ""
            moved = before is not None and before.path != target
            with self._undone(incoming, target, None if moved else before):
                self._put(incoming, target, None if moved else before, chosen)
                if before is not None and moved:
                    _take_away(before.path)
        return _described(target, kind)

    @contextmanager
    def _undone(self, incoming: Incoming, target: Path, before: LibraryFile | None) -> Iterator[None]:
        """Where a step fails, all is as it was before it, and OSError is raised. Raises HalfDoneError where that fails too."""
        aside = self._aside(before)
        try:
            yield
        except OSError as error:
            try:
                _undo(incoming, target, before, aside)
            except OSError as further:
                LOG.error("%s was neither replaced nor left as it was: %s, then %s", target.name, error, further)
                raise HalfDoneError(507 if is_full(error) else 503, _HALF_DONE) from error
            raise
        finally:
            if aside is not None:
                with suppress(OSError):
                    aside.unlink(missing_ok=True)

    def _aside(self, before: LibraryFile | None) -> Path | None:
        """A second name of the file that is being replaced, None where the file system knows but one."""
        for left in self._incoming.glob(f"*{_ASIDE}"):  # of a killed process: whoever replaces holds the lock
            left.unlink(missing_ok=True)
        if before is None:
            return None
        path = self._incoming / f"{uuid4().hex}{_ASIDE}"
        try:
            os.link(before.path, path, follow_symlinks=False)
        except OSError as error:
            if is_full(error):
                raise
            return None
        return path

    def _put(self, incoming: Incoming, target: Path, before: LibraryFile | None, label: str) -> None:
        """At no moment does a reader, or a kill, meet a content under a label that is not its own."""
        if before is None:
            sidecar_path(target).unlink(missing_ok=True)
            _write_label(target, label)
        elif before.label != label:
            _write_label(target, NOBODY)
        incoming.path.replace(target)
        _sync(target.parent)
        if before is not None and before.label != label:
            _write_label(target, label)

    def named(self, name: str) -> LibraryFile | None:
        """The file of this name, whatever its case, None for none."""
        wanted = _folded(name)
        found = (pair for pair in self._paths() if _folded(pair[1].name) == wanted)
        return next((_described(path, kind) for kind, path in found), None)

    def files(self) -> Iterator[LibraryFile]:
        """All files, of each folder by name. A link is told as what it is, a file of no size."""
        for kind, path in self._paths():
            with suppress(FileNotFoundError):
                yield _described(path, kind)

    def _paths(self) -> Iterator[tuple[str, Path]]:
        for kind, folder in self.folders.items():
            for path in sorted(folder.iterdir()) if folder.is_dir() else ():
                if not path.name.startswith(".") and not path.name.endswith(SIDECAR_SUFFIX):
                    yield kind, path

    def take_away(self, file: LibraryFile) -> None:
        """Delete a file, and then its label. Raises OSError where the file is still there."""
        with held(self._lock):
            _take_away(file.path)

    def holds(self, path: Path) -> bool:
        """Does a path lie in one of the library's folders?"""
        return path.parent in {Path(os.path.abspath(folder)) for folder in self.folders.values()}  # noqa: PTH100

    def _size(self) -> int:
        waiting = self._incoming.iterdir() if self._incoming.is_dir() else iter(())
        total = 0
        for path in (*(path for _, path in self._paths()), *waiting):
            with suppress(FileNotFoundError):
                total += path.lstat().st_size
        return total

    def _sweep(self) -> None:
        """Take away what killed uploads left: files on their way in that nobody holds."""
        for path in self._incoming.iterdir():
            if path.suffix == _ASIDE:
                continue
            with suppress(FileNotFoundError):
                descriptor = _held_by_nobody(path)
                if descriptor is not None:
                    path.unlink()
                    os.close(descriptor)


@contextmanager
def changing() -> Iterator[None]:
    """Turn a failed write into a ProblemError: 507 for a full disk, 503 for a folder that cannot be written."""
    try:
        yield
    except OSError as error:
        LOG.error("the library cannot be written: %s", error)
        if is_full(error):
            raise ProblemError(507, "The disk is full. Nothing was changed.") from error
        raise ProblemError(503, "The library cannot be written. Nothing was changed. It has been logged.") from error


def is_full(error: OSError) -> bool:
    """Is it that the disk has no room?"""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


def refuse_taken(before: LibraryFile | None, name: str, *, replace: bool) -> None:
    """Raises ProblemError (409) where a file that is there stands in the way of one of this name."""
    if before is not None and before.name != name:
        raise ProblemError(409, f"The library holds {before.name}: take that name, or remove it first.", field="name")
    if before is not None and not replace:
        raise ProblemError(
            409, f"The library holds a file called {name}. Add ?replace=true to replace it.", field="name"
        )


def label_of(document: Path) -> str:
    """The access label that the sidecar of a file gives, "" for none. One that cannot be read is told as nobody's."""
    import tomllib

    try:
        label = tomllib.loads(read_regular(sidecar_path(document)).decode("utf-8-sig")).get("access", "")
    except FileNotFoundError:
        return ""
    except (OSError, ValueError, RecursionError, DocumentError):
        return NOBODY
    return label if isinstance(label, str) else NOBODY


def _described(path: Path, kind: str) -> LibraryFile:
    status = path.lstat()
    added = datetime.fromtimestamp(status.st_mtime, UTC).isoformat(timespec="seconds")
    size = 0 if path.is_symlink() else status.st_size
    return LibraryFile(unicodedata.normalize("NFC", path.name), kind, path, size, added, label_of(path))


def _write_label(document: Path, label: str) -> None:
    """Set the label in a document's sidecar, in one step; other lines that somebody wrote there stay."""
    path = sidecar_path(document)
    kept = [line for line in _lines(path) if line.split("=")[0].strip().strip("\"'") != "access"]
    lines = [f"access = {json.dumps(label, ensure_ascii=False)}"] * bool(label) + kept
    if not any(line.strip() for line in lines):
        path.unlink(missing_ok=True)
        _sync(path.parent)
        return
    temporary = path.with_name(f".{path.name}.tmp")
    with temporary.open("w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    _sync(path.parent)


def _lines(path: Path) -> list[str]:
    try:
        return read_regular(path).decode("utf-8-sig").splitlines()
    except (FileNotFoundError, UnicodeDecodeError):
        return []


def _take_away(path: Path) -> None:
    """Once the file has gone, nothing can be taken back: a label that is left over belongs to no file any more."""
    path.unlink(missing_ok=True)
    try:
        _sync(path.parent)
        sidecar_path(path).unlink(missing_ok=True)
    except OSError as error:
        LOG.warning("%s is taken away, but not all that belongs to it: %s", path.name, error)


def _undo(incoming: Incoming, target: Path, before: LibraryFile | None, aside: Path | None) -> None:
    """Put back what was there. Raises OSError."""
    if before is None:
        target.unlink(missing_ok=True)
        sidecar_path(target).unlink(missing_ok=True)
        return
    if aside is not None:
        aside.replace(target)
    elif not incoming.path.exists():
        raise OSError(errno.ENOENT, os.strerror(errno.ENOENT), str(target))
    if label_of(target) != before.label:
        _write_label(target, before.label)


def _held_by_nobody(path: Path) -> int | None:
    return taken(path) if path.exists() else None


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
