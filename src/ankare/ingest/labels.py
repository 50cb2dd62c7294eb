"""Which label does a file carry, by what its owner wrote beside it or above it?

    secret/access.toml             label = "board"    for all that lies below, unless something nearer says otherwise
    secret/plan.pdf.meta.toml      label = "legal"    for this file alone; wins over any folder

What cannot be read is an error and never "no label": a file whose label is in doubt is not taken in. Folders are asked up to
the root of the disk, so that naming `secret/2025/plan.pdf` alone does not publish it; a link has the label of the place where
it lies, and where that has none the label of what it leads to.
"""

from __future__ import annotations

import errno
from pathlib import Path

from ankare.errors import DocumentError
from ankare.ingest.sidecar import LABEL_KEYS, Sidecar, label_in, load_sidecar, parse_toml, small_file
from ankare.messages.remarks import remark

ACCESS_FILE = "access.toml"
_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)

_PASSING = (errno.EMFILE, errno.ENFILE, errno.EIO, errno.ESTALE, errno.ENOMEM)


class Labels:
    """The labels of files; each folder is looked at once."""

    def __init__(self) -> None:
        self._folders: dict[Path, str | DocumentError] = {}
        self._real: dict[Path, Path] = {}

    def of(self, path: Path, sidecar: Sidecar | None = None) -> str:
        """The label of a file, "" for none. `sidecar`: its sidecar, where that has been read. `path` is absolute.

        Raises DocumentError that names the file in which the label cannot be read.
        """
        own = (sidecar if sidecar is not None else load_sidecar(path)).access
        return own or self.of_folder(path.parent) or self._behind(path)

    def of_folder(self, folder: Path) -> str:
        """What the nearest `access.toml` at or above a folder says. Raises DocumentError."""
        found = self._folders.get(folder)
        if found is None:
            found = self._folders[folder] = self._looked_up(folder)
        if isinstance(found, DocumentError):
            raise found
        return found

    def _looked_up(self, folder: Path) -> str | DocumentError:
        try:
            own = folder_label(folder)
            above = "" if own or folder.parent == folder else self.of_folder(folder.parent)
            return own or above
        except DocumentError as error:
            return error

    def _behind(self, path: Path) -> str:
        """The label at the place that a path leads to, where links make that another one."""
        if path.is_symlink():
            real = path.resolve()
            return load_sidecar(real).access or self.of_folder(real.parent)
        folder = self._real.get(path.parent)
        if folder is None:
            folder = self._real[path.parent] = path.parent.resolve()
        return "" if folder == path.parent else self.of_folder(folder)


def folder_label(folder: Path) -> str:
    """What `access.toml` in this very folder says, "" where there is none. Raises DocumentError."""
    for name in _misspelt(folder):
        raise DocumentError(remark("misspelt", name=str(folder / name)), remark("do_name_it", better=ACCESS_FILE))
    path = folder / ACCESS_FILE
    try:
        data = small_file(path)
    except OSError as error:
        if error.errno in _NOT_THERE and not _is_there(path):
            return ""
        closed = remark("unreadable", name=str(path), error=str(error.strerror))
        raise DocumentError(closed, remark("do_check_permissions")) from error
    label = label_in(parse_toml(data, str(path), LABEL_KEYS), str(path))
    if not label:
        raise DocumentError(remark("no_label", name=str(path)), remark("do_label_or_remove"))
    return label


def _misspelt(folder: Path) -> list[str]:
    """Files that are `access.toml` but for capitals, where there is no right one. None in a folder that may not be listed.
    Raises DocumentError where it cannot be listed at this moment: then nobody knows."""
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError as error:
        if error.errno not in _PASSING:
            return []
        closed = remark("unreadable", name=str(folder), error=str(error.strerror))
        raise DocumentError(closed, remark("do_check_permissions")) from error
    return [] if ACCESS_FILE in names else sorted(name for name in names if name.casefold() == ACCESS_FILE)


def _is_there(path: Path) -> bool:
    try:
        path.lstat()
    except OSError:
        return False
    return True
