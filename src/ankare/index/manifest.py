"""What does one version of the index hold, and what was it made from?

The manifest has no times, no absolute paths and sorted keys: two builds from the same files give the same bytes. What
differs between machines (where a file was found, its size and time) stands beside it in `origins.json`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ankare.domain.document import Document
from ankare.errors import HomeDamagedError, HomeVersionError
from ankare.index.objects import canonical_json, document_from_json, document_to_json
from ankare.messages.remarks import remark_from_json, remark_to_json
from ankare.regular_file import json_of, read_json, read_regular

HOME_FORMAT = 1
MANIFEST_FILE = "manifest.json"
ORIGINS_FILE = "origins.json"
SIZES_FILE = "sizes.json"
VOCABULARY_FILE = "vocabulary.tsv"
PROFILE_FILE = "profile.toml"
INDEX_FOLDER = "tantivy"
_NAME = re.compile(r"\d{6,}-([0-9a-f]{8})")
REBUILD = "Build it again with `ankare ingest --fresh`, giving the same paths."
REPAIR = "Run `ankare ingest` again; it rebuilds what is missing."
_UNSIZED = (ORIGINS_FILE, SIZES_FILE)  # the one is replaced when files are seen elsewhere, the other cannot hold itself


@dataclass(frozen=True, slots=True)
class Entry:
    """One document of the index: the object that holds its chunks, the hash of its sidecar, and remarks for the user."""

    document: Document
    object: str
    sidecar: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything that one version of the index was made from.

    `settings`: what chunks and terms depend on beside the documents. `failed`: (source, message) of files that could
    not be read. `profile`: hash of the profile in use, empty for none.
    """

    entries: tuple[Entry, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    profile: str = ""

    def by_source(self) -> dict[str, Entry]:
        """Entries by their document's source."""
        return {entry.document.source: entry for entry in self.entries}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document was found: the root that was given, the file, and its size and time when it was read.

    `root` is empty for a file that was named on its own.
    """

    source: str
    root: str
    path: str
    size: int
    mtime_ns: int


def manifest_bytes(manifest: Manifest) -> bytes:
    """The manifest as canonical JSON."""
    entries = sorted(manifest.entries, key=lambda entry: entry.document.source)
    return canonical_json(
        {
            "format": HOME_FORMAT,
            "settings": dict(manifest.settings),
            "profile": manifest.profile,
            "failed": sorted([source, message] for source, message in manifest.failed),
            "documents": [
                {
                    **document_to_json(entry.document),
                    "object": entry.object,
                    "sidecar": entry.sidecar,
                    "notes": [remark_to_json(note) for note in entry.notes],
                }
                for entry in entries
            ],
        }
    )


def manifest_digest(data: bytes) -> str:
    """A short name for a manifest's content (8 hex digits)."""
    return hashlib.sha256(data).hexdigest()[:8]


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a version. Raises HomeVersionError for another format, HomeDamagedError for a broken one."""
    path = folder / MANIFEST_FILE
    data, raw = _read_json(path)
    found = raw.get("format")
    if found != HOME_FORMAT:
        raise HomeVersionError(
            f"{path} has index format {found!r}, this ankare reads format {HOME_FORMAT}.",
            REBUILD if not isinstance(found, int) or found < HOME_FORMAT else "Use the newer ankare that made it.",
        )
    digest = _NAME.fullmatch(folder.name)
    if digest and digest[1] != manifest_digest(data):
        raise HomeDamagedError(f"{path} is not the manifest that this version was made with.", REBUILD)
    try:
        return Manifest(
            entries=tuple(_entry(item) for item in raw["documents"]),
            settings=tuple(sorted(raw["settings"].items())),
            failed=tuple((source, message) for source, message in raw["failed"]),
            profile=raw["profile"],
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise HomeDamagedError(f"{path} is not a manifest: {error!r}.", REBUILD) from error


def origins_bytes(origins: Mapping[str, Origin]) -> bytes:
    """Origins as canonical JSON."""
    rows = [origins[source] for source in sorted(origins)]
    return canonical_json([[row.source, row.root, row.path, row.size, row.mtime_ns] for row in rows])


def read_origins(folder: Path) -> dict[str, Origin]:
    """Origins by source; empty where the file is missing or broken, which only costs a re-read of the files."""
    try:
        rows = read_json(folder / ORIGINS_FILE)
        return {row[0]: Origin(*row) for row in rows}
    except (OSError, ValueError, TypeError, LookupError):
        return {}


def sizes_bytes(folder: Path) -> bytes:
    """How many bytes each file of a version has, as canonical JSON."""
    return canonical_json({str(path.relative_to(folder)): path.stat().st_size for path in _sized(folder)})


def cut_short(folder: Path) -> Path | None:
    """A file of a version that is missing or has not the size that it was written with, None where all is as it was.

    Costs one look at each file. A version from before sizes were kept counts as whole.
    """
    try:
        sizes: dict[str, int] = read_json(folder / SIZES_FILE)
        rows = sorted(sizes.items())
    except FileNotFoundError:
        return None
    except (OSError, ValueError, AttributeError):
        return folder / SIZES_FILE
    for name, size in rows:
        try:
            if (folder / name).stat().st_size != size:
                return folder / name
        except (OSError, ValueError):  # a name that no file can have
            return folder / name
    return None


def _sized(folder: Path) -> list[Path]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")
    return sorted(path for path in files if path.name not in _UNSIZED)


def vocabulary_bytes(words: Mapping[str, int]) -> bytes:
    """Words and how often they stand in the corpus, sorted, one a line."""
    return "".join(f"{word}\t{words[word]}\n" for word in sorted(words)).encode("utf-8", "replace")


def read_vocabulary(folder: Path) -> dict[str, int]:
    """How often each word stands in the corpus. Raises HomeDamagedError when the file is missing or broken."""
    path = folder / VOCABULARY_FILE
    try:
        pairs = (line.split("\t") for line in read_regular(path).decode().splitlines())
        return {word: int(count) for word, count in pairs}
    except (OSError, ValueError) as error:
        raise HomeDamagedError(f"{path} cannot be read: {error}.", REBUILD) from error


def _read_json(path: Path) -> tuple[bytes, dict[str, Any]]:
    try:
        data = read_regular(path)
        raw = json_of(data)
    except (OSError, ValueError) as error:
        raise HomeDamagedError(f"{path} cannot be read: {error}.", REBUILD) from error
    if not isinstance(raw, dict):
        raise HomeDamagedError(f"{path} is not a manifest.", REBUILD)
    return data, raw


def _entry(raw: dict[str, Any]) -> Entry:
    raw = dict(raw)
    name, sidecar, notes = raw.pop("object"), raw.pop("sidecar"), tuple(map(remark_from_json, raw.pop("notes")))
    return Entry(document_from_json(raw), name, sidecar, notes)
