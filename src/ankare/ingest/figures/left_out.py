"""Which faults of which file did its owner choose to leave out, so that the same file is taken in again without being told?

    home/left_out.json    {"<path>": {"sha256": ..., "mapping": ..., "places": ["row 12", "Blad1!C7"]}}

A choice (`--skip-bad`) holds for the bytes that it was made for, the file's and its mapping's, and for the places that had
faults then. Other bytes, or a fault at another place (the profile has changed), are checked as if nothing had been chosen.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import uuid4

from ankare.ingest.figures.model import FactFile
from ankare.regular_file import read_json

FILE = "left_out.json"


@dataclass(frozen=True, slots=True)
class Choice:
    """What was left out of a file. `sha256` of its bytes, `mapping` of its mapping's, "" without one."""

    sha256: str
    mapping: str
    places: tuple[str, ...]

    def covers(self, read: FactFile) -> bool:
        """Is this the same file, with no fault at another place?"""
        return read.sha256 == self.sha256 and {fault.place for fault in read.faults} <= set(self.places)


class LeftOut:
    """The choices for all files of a home. `path`: where they are kept. What cannot be read counts as none."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def chosen(self, path: Path, mapping: Path | None) -> Choice | None:
        """The choice that was made for a file and its mapping as they are now."""
        choice = self._all().get(str(path))
        as_now = choice is not None and (choice.sha256, choice.mapping) == (_digest(path), _digest(mapping))
        return choice if as_now else None

    def note(self, path: Path, mapping: Path | None, read: FactFile) -> None:
        """Remember that the faults of a file, and of these bytes, may be left out. Raises OSError."""
        places = tuple(sorted({fault.place for fault in read.faults}))
        self._write({**self._all(), str(path): Choice(read.sha256, _digest(mapping), places)})

    def keep_only(self, files: Mapping[str, str]) -> None:
        """Forget what belongs to none of these files (path to hash of its bytes). Raises OSError."""
        held = self._all()
        kept = {path: choice for path, choice in held.items() if files.get(path) == choice.sha256}
        if kept != held:
            self._write(kept)

    def _all(self) -> dict[str, Choice]:
        with suppress(OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
            raw = read_json(self._path)
            return {
                path: Choice(str(item["sha256"]), str(item["mapping"]), tuple(map(str, item["places"])))
                for path, item in raw.items()
            }
        return {}

    def _write(self, choices: Mapping[str, Choice]) -> None:
        text = json.dumps({path: asdict(choice) for path, choice in sorted(choices.items())}, indent=1)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self._path.with_name(f".{uuid4().hex}.tmp")
        try:
            temporary.write_text(text, "ascii")
            temporary.replace(self._path)
        finally:
            temporary.unlink(missing_ok=True)


def _digest(path: Path | None) -> str:
    """SHA-256 of a file, "" for none and for one that cannot be read."""
    try:
        if path is None or not path.is_file():
            return ""
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
