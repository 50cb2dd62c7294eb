"""Which contents have broken a bound of reading before, so that they are not read again for nothing?

    home/refused/<bounds>-<content>.json   what was told of the content, one small file each

`<bounds>` is a hash over the reading code and the bounds: when either changes, everything is tried again. `<content>` is a hash
over the bytes: a file under another name is known too, and one that was saved again is read.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path

from ankare.errors import AnkareError
from ankare.index.build import write_once
from ankare.ingest.bounds import Bounds
from ankare.messages.remarks import both, remark, remark_from_json, remark_to_json
from ankare.regular_file import read_json

FOLDER = "refused"
_PASSING = ("reading_crashed", "reading_killed")
MOST = 10_000
"""So many are remembered; then all are forgotten."""


class Refused:
    """The contents that broke a bound in a home. Never raises: what cannot be remembered is but read again."""

    def __init__(self, home: Path, settings: tuple[tuple[str, str], ...], bounds: Bounds) -> None:
        self._folder = home / FOLDER
        reading = repr((dict(settings).get("reading", ""), bounds.memory_bytes, bounds.seconds))
        self._stamp = hashlib.sha256(reading.encode()).hexdigest()[:16]

    def of(self, sha256: str) -> str:
        """What was told of a content, "" for one that broke nothing."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            return remark_from_json(read_json(self._path(sha256)))
        return ""

    def remember(self, path: Path, told: str) -> str:
        """Keep what was told of the content of a file; gives what is to be told of it now. A crash is not kept, nor what
        another process or the system may have done: the next try may do better."""
        if getattr(told, "code", "") in _PASSING:
            return told
        with suppress(OSError, AnkareError):
            with path.open("rb") as file:
                sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            kept = both(told, remark("reading_remembered"))
            self._folder.mkdir(exist_ok=True)
            self._forget()
            write_once(self._path(sha256), json.dumps(remark_to_json(kept)).encode(), again=True)
            return kept
        return told

    def _forget(self) -> None:
        """Take away what was told under other bounds or by other code, and everything where it has become very much."""
        found = [path for path in self._folder.iterdir() if path.suffix == ".json"]
        for path in found:
            if len(found) >= MOST or not path.name.startswith(self._stamp):
                path.unlink(missing_ok=True)

    def _path(self, sha256: str) -> Path:
        return self._folder / f"{self._stamp}-{sha256}.json"
