"""Would a file that was read earlier be read the same way today?

Its chunks and terms depend on the code and data of the readers, the chunker and the analysis, so a hash over those is
part of an object's key and of a version's settings: whoever changes them need not remember to raise a number. The same
code gives the same hash on every machine. Hashing some megabytes is done once for each installation and kept in the
user's cache folder under the sizes and times of the files.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ankare.language.wordtable import cache_folder, write_if_possible

_PACKAGE = Path(__file__).parent.parent
_READING = ("domain", "index/payload.py", "index/terms.py", "ingest", "language")
_ENDINGS = (".gz", ".py", ".toml", ".tsv", ".txt", ".words")
_LIBRARIES = (
    "PyStemmer",
    "hunspell-sv",
    "lxml",
    "markdown-it-py",
    "openpyxl",
    "pypdfium2",
    "python-docx",
    "python-pptx",
    "wordfreq",
)
_CACHE_FILE = "reading.txt"


@cache
def reading_fingerprint() -> str:
    """16 hex digits that change with every change of code, data or libraries that could give other chunks or terms."""
    return fingerprint(_PACKAGE, library_versions())


def fingerprint(package: Path, libraries: Sequence[str]) -> str:
    """The fingerprint of the reading code below the folder `package`, together with the versions of libraries."""
    files = _files(package)
    stamp = _stamp(files, libraries)
    folder = cache_folder()
    kept = folder / _CACHE_FILE if folder is not None else None
    if kept is not None and (known := _known(kept, stamp)):
        return known
    found = _digest(package, files, libraries)
    if kept is not None and _stamp(files, libraries) == stamp:
        write_if_possible(kept, f"{stamp} {found}\n".encode("ascii"))
    return found


def library_versions() -> tuple[str, ...]:
    """Names and versions of the libraries that decide what is read from a file."""
    from importlib import metadata

    versions = []
    for name in _LIBRARIES:
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            versions.append(name)
    return tuple(versions)


def _files(package: Path) -> list[str]:
    found: list[str] = []
    for name in _READING:
        path = package / name
        if path.suffix:
            found.append(str(path))
        for folder, _folders, names in os.walk(path):
            found += [f"{folder}{os.sep}{file}" for file in names if file.endswith(_ENDINGS)]
    return sorted(found)


def _stamp(files: Sequence[str], libraries: Sequence[str]) -> str:
    """Tells whether anything on this machine may have changed; of no use on another one."""
    seen = []
    for file in files:
        status = os.stat(file)  # noqa: PTH116 - a hundred of them on every run
        seen.append((file, status.st_size, status.st_mtime_ns, status.st_ctime_ns))
    return hashlib.sha256(repr((seen, libraries)).encode()).hexdigest()


def _digest(package: Path, files: Sequence[str], libraries: Sequence[str]) -> str:
    total = hashlib.sha256(repr(libraries).encode())
    for file in files:
        path = Path(file)
        total.update(path.relative_to(package).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:16]


def _known(path: Path, stamp: str) -> str:
    try:
        before, _, found = path.read_text("ascii").strip().partition(" ")
    except (OSError, ValueError):
        return ""
    return found if before == stamp and len(found) == 16 else ""
