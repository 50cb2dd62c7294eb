"""How do many threads and processes append whole lines of JSON to one file that does not grow without end?

A file that has grown large is set aside under the time at which that happened, and of these the newest are kept:

    usage.jsonl   usage.20260131T101112345678Z.old.jsonl   ...

Whoever writes holds a lock on the file that it writes to, and looks whether that is still the one of its name: two processes
never set the same file aside twice.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from io import SEEK_END, FileIO
from pathlib import Path
from threading import Lock

from ankare.service.watch.redaction import Redaction

LOG = logging.getLogger("ankare.service")
MAX_BYTES = 50_000_000
SET_ASIDE = 4
"""How many files that were set aside are kept beside the one that is written to."""


@dataclass(frozen=True, slots=True)
class Limits:
    """`bytes`: a file larger than this is set aside. `kept`: how many of these stay, None for all. `synced`: a line is on the
    disk before it counts as written."""

    bytes: int = MAX_BYTES
    kept: int | None = SET_ASIDE
    synced: bool = False


class JsonLines:
    """Appends lines to one file. Safe for many threads and processes. `folder` None keeps nothing."""

    def __init__(self, folder: Path | None, name: str, redaction: Redaction, limits: Limits | None = None) -> None:
        self._redaction = redaction
        self._path = None if folder is None else folder / name
        self._limits = limits or Limits()
        self._lock = Lock()
        self._failing = False

    def write(self, **line: object) -> None:
        """Append one line with the time in UTC. A file that cannot be written costs the line, and is told once."""
        try:
            self.append(line)
            self._failing = False
        except OSError as error:
            if not self._failing:
                LOG.warning("the log %s cannot be written: %s", self._path, error)
            self._failing = True

    def append(self, line: Mapping[str, object]) -> None:
        """Append one line with the time in UTC. Raises OSError where that cannot be done."""
        if self._path is None:
            return
        told = {"time": now(), **self._redaction.value(line)}
        text = json.dumps(told, ensure_ascii=False)
        with self._lock:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            while not self._appended(self._path, f"{text}\n".encode("utf-8", "backslashreplace")):
                pass

    def _appended(self, path: Path, line: bytes) -> bool:
        """False where the file is no longer, or should not be, the one that is written to: it is to be tried anew."""
        with path.open("a+b", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            held = os.fstat(file.fileno())
            if not _is_at(held, path):
                return False
            if held.st_size > self._limits.bytes:
                _set_aside(path, self._limits.kept)
                return False
            rest = line if _ends_whole(file) else b"\n" + line
            while rest:
                rest = rest[file.write(rest) :]
            if self._limits.synced:
                os.fsync(file.fileno())
            return True


def now() -> str:
    """The time in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def parts(path: Path) -> list[Path]:
    """The files that were set aside, the oldest first; the one without a time is of an earlier ankare."""
    first = path.with_suffix(".old.jsonl")
    return [*([first] if first.is_file() else []), *sorted(path.parent.glob(f"{path.stem}.*.old.jsonl"))]


def _set_aside(path: Path, kept: int | None) -> None:
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    path.rename(path.with_name(f"{path.stem}.{moment}.old.jsonl"))
    if kept is not None:
        for old in parts(path)[:-kept]:
            old.unlink(missing_ok=True)


def _is_at(held: os.stat_result, path: Path) -> bool:
    """Is the open file the one that has the name now?"""
    try:
        return os.path.samestat(held, path.stat())
    except FileNotFoundError:
        return False


def _ends_whole(file: FileIO) -> bool:
    """Is nothing, or a whole line, at the end of the file? A full disk or a killed process leaves half a line."""
    if not file.seek(0, SEEK_END):
        return True
    file.seek(-1, SEEK_END)
    return file.read(1) == b"\n"
