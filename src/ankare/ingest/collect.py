"""Which files do the given paths mean, and under which names do they go in?"""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ankare.errors import BadInputError, DocumentError
from ankare.index.manifest import Origin
from ankare.ingest.figures.mapping import is_mapping, orphan, table_of
from ankare.ingest.labels import ACCESS_FILE, Labels, folder_label
from ankare.ingest.readers import EXTENSIONS, SAVED_AS
from ankare.ingest.sidecar import SIDECAR_SUFFIX
from ankare.messages.remarks import Remark, both, remark

_OFFICE_LOCK = "~$"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file that was found. `root` is the folder that was given, empty for a file given by name.

    `problem` says why it cannot be read (`failed`) or is none of ours (not `failed`); empty where it should be read.
    """

    source: str
    root: str
    path: Path
    size: int = 0
    mtime_ns: int = 0
    problem: str = ""
    failed: bool = False


def collect(
    paths: Sequence[Path],
    origins: Mapping[str, Origin],
    home: Path | None = None,
    labelled: Collection[str] = (),
) -> list[FoundFile]:
    """Files below the given paths, sorted by source; every source is there once.

    `origins`: where the documents of the home were found, so that a file keeps its source, and a second file of the same
    name gets one of its own; `labelled`: the sources of those with a label, which give way to a file without one (and are then
    found too), so that its name does not tell of them. `home`: the home folder, which is never read. Raises BadInputError for a
    path that does not exist.
    """
    found: list[FoundFile] = []
    for path in paths:
        absolute = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links and change the names
        if absolute.is_dir():
            found.extend(_walk(absolute, home))
        elif os.path.lexists(absolute):
            found.append(_file(absolute.name, "", absolute))
        else:
            raise BadInputError(f"{path} does not exist.", "Check the path.")
    unique = {str(file.path): file for file in found}
    named = _named_apart(list(unique.values()), origins, frozenset(labelled), Labels())
    return sorted(named, key=lambda file: file.source)


def printable_source(name: str) -> str:
    """A file name as text: composed letters (NFC), bytes that are no UTF-8 as %XX."""
    raw = os.fsencode(name)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = "".join(sign if not "\udc80" <= sign <= "\udcff" else f"%{ord(sign) - 0xDC00:02X}" for sign in name)
    return unicodedata.normalize("NFC", text)


def _walk(root: Path, home: Path | None) -> Iterator[FoundFile]:
    seen: set[tuple[int, int]] = set()
    own = home.stat() if home is not None and home.is_dir() else None

    def below(folder: Path, prefix: str) -> Iterator[FoundFile]:
        try:
            status = folder.stat()
            if (status.st_dev, status.st_ino) in seen:
                yield FoundFile(printable_source(prefix), str(root), folder, problem=remark("linked_folder"))
                return
            seen.add((status.st_dev, status.st_ino))
            names = sorted(entry.name for entry in os.scandir(folder))
        except OSError as error:
            yield FoundFile(
                printable_source(prefix or root.name), str(root), folder, problem=_reason(error), failed=True
            )
            return
        for name in names:
            path = folder / name
            source = f"{prefix}/{name}" if prefix else name
            if name.startswith((".", _OFFICE_LOCK)):
                continue
            if path.is_dir():
                if own is None or not os.path.samestat(own, path.stat()):
                    yield from below(path, source)
            else:
                yield _file(source, str(root), path)

    return below(root, "")


def _file(source: str, root: str, path: Path) -> FoundFile:
    found = FoundFile(printable_source(source), root, path)
    if path.name.endswith(SIDECAR_SUFFIX):
        if path.with_name(path.name.removesuffix(SIDECAR_SUFFIX)).exists():
            return replace(found, problem=_SIDECAR)
        return replace(found, problem=remark("sidecar_orphan"), failed=True)
    if path.name.casefold() == ACCESS_FILE:
        return _label_file(found)
    if is_mapping(path) and not table_of(path).is_file():
        return replace(found, problem=orphan(path), failed=True)
    try:
        status = path.stat()
    except OSError as error:
        return replace(found, problem=_reason(error), failed=True)
    if not stat.S_ISREG(status.st_mode):
        return replace(found, problem=remark("not_a_file"))
    suffix = path.suffix.lower()
    if root and suffix and suffix not in EXTENSIONS:
        return replace(found, problem=_no_reader(suffix))
    return replace(found, size=status.st_size, mtime_ns=status.st_mtime_ns)


def _no_reader(suffix: str) -> Remark:
    better = SAVED_AS.get(suffix)
    return remark("no_reader_save", type=suffix, better=better) if better else remark("no_reader", type=suffix)


def _label_file(found: FoundFile) -> FoundFile:
    try:
        folder_label(found.path.parent)
    except DocumentError as error:
        return replace(found, problem=both(error.message, error.remedy), failed=True)
    return replace(found, problem=_SIDECAR)


_SIDECAR = "sidecar"


def is_sidecar(file: FoundFile) -> bool:
    """Is this the sidecar of a document that is there, or the label of a folder? Read with what it is about, not reported."""
    return file.problem == _SIDECAR


def _reason(error: OSError) -> Remark:
    return remark("cannot_be_read", error=str(error.strerror or error))


def _named_apart(
    found: list[FoundFile], origins: Mapping[str, Origin], labelled: Collection[str], labels: Labels
) -> Iterator[FoundFile]:
    """Give a second file of the same source the name of its folder, and of the folders above, in front.

    A home remembers where its documents came from; one whose file is gone may be taken over by a file of its name. Files
    without a label choose first.
    """
    taken = {source: origin.path for source, origin in origins.items()}
    known = {origin.path: origin for origin in origins.values()}
    displaced: list[FoundFile] = []
    waiting = sorted(found, key=lambda file: (_has_label(file, labels), file.root == "", str(file.path)))
    for file in waiting:
        path = str(file.path)
        before = known.get(path)
        if before is not None and (not file.root or _is_below(file.root, before.root)):
            if path not in {str(other.path) for other in displaced}:
                yield replace(file, source=before.source, root=before.root)
            continue
        holder = taken.get(file.source)
        if file.source in labelled and _is_other(holder, path) and not _has_label(file, labels):
            origin = origins[file.source]
            displaced.append(_file(_own_name(origin), origin.root, Path(origin.path)))
            taken[file.source] = path
        yield _apart(file, taken)
    for file in displaced:
        yield _apart(file, taken)


def _apart(file: FoundFile, taken: dict[str, str]) -> FoundFile:
    path, source = str(file.path), file.source
    folders = list(file.path.parent.parts)
    while _is_other(taken.get(source), path) and folders:
        source = f"{printable_source(folders.pop().strip('/'))}/{source}".removeprefix("/")
    taken[source] = path
    return replace(file, source=source)


def _own_name(origin: Origin) -> str:
    """What a file would be called that nobody else shares a name with."""
    return printable_source(origin.path.removeprefix(f"{origin.root}/") if origin.root else Path(origin.path).name)


def _has_label(file: FoundFile, labels: Labels) -> bool:
    """One whose label is in doubt counts as one with a label."""
    try:
        return bool(labels.of(file.path))
    except DocumentError:
        return True


def _is_below(folder: str, root: str) -> bool:
    return bool(root) and f"{folder}/".startswith(f"{root}/")


def _is_other(owner: str | None, path: str) -> bool:
    """Is the file at `owner` there, and another one than that at `path`?"""
    try:
        return owner is not None and owner != path and not Path(owner).samefile(path)
    except OSError:
        return False
