"""What does a document's owner say of it beside it? `plan.pdf` may have a `plan.pdf.meta.toml`.

title = "Avbrottsplan"
version = "2.1"
valid_from = 2025-01-01
supersedes = ["plan_2023.pdf"]
access = "board"

A file of figures may have one too, for its label (`ankare.ingest.labels`).
"""

from __future__ import annotations

import errno
import hashlib
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from ankare.domain.access import checked_label
from ankare.errors import DocumentError

SIDECAR_SUFFIX = ".meta.toml"
MAX_BYTES = 100_000
_KEYS = ("title", "version", "valid_from", "supersedes", "access")


@dataclass(frozen=True, slots=True)
class Sidecar:
    """What a sidecar says; empty where it says nothing. `digest` is of its bytes, empty without a sidecar.

    `valid_from` is an ISO date. `supersedes`: sources, or file names in the same folder, that this document replaces.
    `access`: the label of those who may read it.
    """

    title: str = ""
    version: str = ""
    valid_from: str = ""
    supersedes: tuple[str, ...] = ()
    digest: str = ""
    access: str = ""


def sidecar_path(document: Path) -> Path:
    """Where the sidecar of a document would be."""
    return document.with_name(document.name + SIDECAR_SUFFIX)


def sidecar_digest(document: Path) -> str:
    """Hash of the sidecar's bytes, empty where there is none; it tells whether the sidecar has changed."""
    try:
        return hashlib.sha256(small_file(sidecar_path(document))).hexdigest()
    except (OSError, DocumentError):
        return ""


def load_sidecar(document: Path) -> Sidecar:
    """The sidecar beside a document, an empty one where there is none. Raises DocumentError naming file and key."""
    path = sidecar_path(document)
    try:
        data = small_file(path)
    except (FileNotFoundError, NotADirectoryError):
        return Sidecar()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # no file can have that name
            return Sidecar()
        raise DocumentError(f"{path.name} cannot be read: {error.strerror}.", "Check its permissions.") from error
    return parse_sidecar(data, path.name)


def small_file(path: Path) -> bytes:
    """What stands in the file. Raises OSError, and DocumentError for what is no file or too large to be a sidecar."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
        raise DocumentError(f"{path.name} is not a file of at most {MAX_BYTES:,} bytes.", "Take it away.")
    return path.read_bytes()


def parse_sidecar(data: bytes, name: str) -> Sidecar:
    """The sidecar in these bytes; `name` is what errors call the file. Raises DocumentError."""
    raw = parse_toml(data, name, _KEYS)
    return Sidecar(
        title=_text(raw, "title", name),
        version=_text(raw, "version", name),
        valid_from=_date(raw.get("valid_from", ""), name),
        supersedes=_names(raw.get("supersedes", []), name),
        digest=hashlib.sha256(data).hexdigest(),
        access=label_in(raw, "access", name),
    )


def parse_toml(data: bytes, name: str, keys: Sequence[str]) -> dict[str, Any]:
    """The keys and values of a small file called `name`. Raises DocumentError, also for a key that is none of `keys`."""
    import tomllib

    try:
        raw = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"{name} is not TOML in UTF-8: {error}.", "Correct it, or take it away.") from error
    for key in raw:
        if key not in keys:
            raise DocumentError(f"{name}: unknown key {key!r}.", f"Known are {', '.join(keys)}.")
    return raw


def label_in(raw: Mapping[str, Any], key: str, name: str) -> str:
    """The label under a key of a file called `name`, "" without the key. Raises DocumentError; an empty label is one."""
    if key not in raw:
        return ""
    try:
        return checked_label(raw[key])
    except ValueError as error:
        raise DocumentError(f"{name}: {key} = {error}.", f'Write {key} = "board", or take the key away.') from error


def _text(raw: dict[str, Any], key: str, name: str) -> str:
    value = raw.get(key, "")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise DocumentError(f"{name}: {key} is not a text.", "Put it in quotes.")
    return str(value).strip()


def _date(value: object, name: str) -> str:
    if isinstance(value, datetime):
        value = value.date()
    if isinstance(value, date):
        return value.isoformat()
    if not isinstance(value, str):
        raise DocumentError(f"{name}: valid_from is not a date.", "Write it as 2025-01-31.")
    if not value.strip():
        return ""
    try:
        return date.fromisoformat(value.strip()).isoformat()
    except ValueError as error:
        raise DocumentError(f"{name}: valid_from is {value!r}, not a date.", "Write it as 2025-01-31.") from error


def _names(value: object, name: str) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(item, str) and item.strip() for item in names):
        raise DocumentError(f"{name}: supersedes is not a list of file names.", 'Write ["older.pdf"].')
    return tuple(item.strip().replace("\\", "/") for item in names)
