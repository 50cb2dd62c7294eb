"""Of which answers were scores made, against which suite, and by which measures?

Scores outlive what they were made of: answers are asked again, gold is put right, a measure is changed. A digest of each tells.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from ankare.errors import EvaluationError
from ankare.evaluation.asking.run_folder import ANSWERS, SUITE

SOURCES = (
    ("ankare.evaluation.measures", ""),
    ("ankare.evaluation.asking", "response"),
    ("ankare.evaluation.suites", ""),
)
"""Packages, and how the names of their files begin: what has a part in a score."""
_ENDINGS = (".py", ".toml")
_PIECE = 1_000_000


@dataclass(frozen=True, slots=True)
class ScoredFrom:
    """SHA-256, in hexadecimal, of the answers, the suite, and the source of the measures; "" for what is not there."""

    answers: str = ""
    suite: str = ""
    measures: str = ""

    def differs(self, other: ScoredFrom) -> tuple[str, ...]:
        """What is not the same: "answers", "suite", "measures"."""
        return tuple(name for name in ("answers", "suite", "measures") if getattr(self, name) != getattr(other, name))


def scored_from(folder: Path) -> ScoredFrom:
    """What scores that are made now are made of. Taken before the answers are read, it fits no answers that came after.

    Raises EvaluationError.
    """
    return ScoredFrom(_digest(folder / ANSWERS), _digest(folder / SUITE), measures_version())


def _digest(path: Path) -> str:
    found = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                found.update(piece)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read: {error.strerror or error}.") from error
    return found.hexdigest()


@cache
def measures_version() -> str:
    """A digest of the files that measure: another one for any change of them."""
    return version_of(SOURCES)


def version_of(sources: tuple[tuple[str, str], ...]) -> str:
    """The digest of the source and data files of packages, whatever the order in which they are listed."""
    found = hashlib.sha256()
    for name, data in sorted(one for package, beginning in sources for one in _texts(package, beginning)):
        found.update(f"{name}\0{len(data)}\0".encode() + data)
    return found.hexdigest()


def _texts(package: str, beginning: str) -> Iterator[tuple[str, bytes]]:
    for file in files(package).iterdir():
        if _has_a_part(file, beginning):
            yield f"{package}/{file.name}", file.read_bytes()


def _has_a_part(file: Traversable, beginning: str) -> bool:
    return file.is_file() and file.name.startswith(beginning) and file.name.endswith(_ENDINGS)
