"""What does a document's owner say of it beside it? `plan.pdf` may have a `plan.pdf.meta.toml`.

title = "Avbrottsplan"
version = "2.1"
valid_from = 2025-01-01
supersedes = ["plan_2023.pdf"]
label = "board"

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
from ankare.messages.remarks import remark

SIDECAR_SUFFIX = ".meta.toml"
MAX_BYTES = 100_000
LABEL_KEYS = ("label", "access")
"""Either names the label, here and in `access.toml`."""
_KEYS = ("title", "version", "valid_from", "supersedes", *LABEL_KEYS)


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
        closed = remark("unreadable", name=path.name, error=str(error.strerror))
        raise DocumentError(closed, remark("do_check_permissions")) from error
    return parse_sidecar(data, path.name)


def small_file(path: Path) -> bytes:
    """What stands in the file. Raises OSError, and DocumentError for what is no file or too large to be a sidecar."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
        raise DocumentError(remark("not_small_file", name=path.name, most=MAX_BYTES), remark("do_take_away"))
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
        access=label_in(raw, name),
    )


def parse_toml(data: bytes, name: str, keys: Sequence[str]) -> dict[str, Any]:
    """The keys and values of a small file called `name`. Raises DocumentError, also for a key that is none of `keys`."""
    import tomllib

    try:
        raw = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise DocumentError(remark("not_toml", name=name, error=str(error)), remark("do_correct_or_remove")) from error
    for key in raw:
        if key not in keys:
            raise DocumentError(remark("key_unknown_in", name=name, key=repr(key)), remark("do_keys", keys=tuple(keys)))
    return raw


def label_in(raw: Mapping[str, Any], name: str) -> str:
    """The label in a file called `name`, "" where no key gives one. Raises DocumentError: for an empty label, and for two."""
    found = {key: _label(raw[key], key, name) for key in LABEL_KEYS if key in raw}
    if len(set(found.values())) > 1:
        first, second = (f'{key} = "{label}"' for key, label in found.items())
        raise DocumentError(remark("labels_differ", name=name, first=first, second=second), remark("do_keep_one_label"))
    return next(iter(found.values()), "")


def _label(value: object, key: str, name: str) -> str:
    try:
        return checked_label(value)
    except ValueError as error:
        none = remark("not_label", name=name, key=key, text=repr(value))
        raise DocumentError(none, remark("do_write_label", key=key)) from error


def _text(raw: dict[str, Any], key: str, name: str) -> str:
    value = raw.get(key, "")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise DocumentError(remark("not_text_in", name=name, key=key), remark("do_put_quotes"))
    return str(value).strip()


def _date(value: object, name: str) -> str:
    if isinstance(value, datetime):
        value = value.date()
    if isinstance(value, date):
        return value.isoformat()
    if not isinstance(value, str):
        raise DocumentError(remark("not_date", name=name), remark("do_date"))
    if not value.strip():
        return ""
    try:
        return date.fromisoformat(value.strip()).isoformat()
    except ValueError as error:
        none = remark("not_date_found", name=name, text=repr(value))
        raise DocumentError(none, remark("do_date")) from error


def _names(value: object, name: str) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(item, str) and item.strip() for item in names):
        raise DocumentError(remark("not_names", name=name), remark("do_names"))
    return tuple(item.strip().replace("\\", "/") for item in names)
