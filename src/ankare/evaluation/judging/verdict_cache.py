"""What has a judge decided already, so that nothing is asked twice?

`verdicts.jsonl` in the run's folder: one verdict a line, appended whole as soon as it is there, under a key of the model, the
prompt and every word that the model was shown. A killed process leaves at most half a line at the end, which the next one takes
away. A line that is no verdict counts for nothing, and its verdict is asked for again. That a service failed is written down
too, and is asked again; a reply that could not be read is not.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from ankare.errors import EvaluationError
from ankare.evaluation.measures.scores_file import LARGEST, line_of, whole

FILE = "verdicts.jsonl"
LONGEST_LINE = 1_000_000
MOST_BYTES = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """One verdict, or why there is none. `value` from 0 to 1, None without one.

    `fault`: why the reply could not be read (a reason of `ankare.errors.ContractError`); `failure`: why there was no reply (a
    kind of `ankare.errors.ProviderError`). Tokens are None where nobody told them.
    """

    key: str
    measure: str
    case_id: str
    repeat: int
    part: int
    model: str
    prompt: str
    value: float | None = None
    noncommittal: bool = False
    reason: str = ""
    fault: str = ""
    failure: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    ms: float | None = None
    at: str = ""

    @property
    def settled(self) -> bool:
        """Is there nothing to be gained from asking again?"""
        return not self.failure


class VerdictCache:
    """The verdicts of one run's folder. Safe for many threads; several processes may append.

    `broken`: how many lines were no verdicts when it was read.
    """

    def __init__(self, folder: Path) -> None:
        """Reads what is there. Raises EvaluationError for what is no plain file, such as a link, and OSError."""
        self.path = folder / FILE
        self._lock = Lock()
        self._held: dict[str, Verdict] = {}
        self.broken = 0
        for verdict in _verdicts(self.path):
            if verdict is None:
                self.broken += 1
            elif verdict.settled or verdict.key not in self._held:
                self._held[verdict.key] = verdict

    def get(self, key: str) -> Verdict | None:
        """What was decided under this key; None where nothing was, or where the service failed."""
        found = self._held.get(key)
        return found if found is not None and found.settled else None

    def add(self, verdict: Verdict) -> None:
        """Keep a verdict; its line is in the file afterwards. Raises OSError."""
        line = json.dumps({**asdict(verdict)}, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
        with self._lock:
            self._held[verdict.key] = verdict
            _append(self.path, line)

    def __len__(self) -> int:
        return sum(verdict.settled for verdict in self._held.values())


def _append(path: Path, line: bytes) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    try:
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            os.ftruncate(descriptor, _whole(descriptor, size))
        while line:
            line = line[os.write(descriptor, line) :]
    finally:
        os.close(descriptor)


def _whole(descriptor: int, size: int) -> int:
    """Where the last whole line ends."""
    at = size
    while at > 0:
        start = max(0, at - LONGEST_LINE)
        found = os.pread(descriptor, at - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        at = start
    return 0


def _verdicts(path: Path) -> Iterator[Verdict | None]:
    """Every line, None for one that is no verdict; half a line at the end is passed over."""
    if not os.path.lexists(path):
        return
    found = path.lstat()
    if not stat.S_ISREG(found.st_mode):
        raise EvaluationError(f"{path} is no plain file.", "Move it away; verdicts are asked for anew.")
    if found.st_size > MOST_BYTES:
        raise EvaluationError(
            f"{path} is larger than {MOST_BYTES:,} bytes.", "Move it away; verdicts are asked for anew."
        )
    with path.open("rb") as file:
        while line := file.readline(LONGEST_LINE):
            if not line.endswith(b"\n") and len(line) < LONGEST_LINE:
                return
            try:
                yield _verdict(line_of(line))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                yield None


def _verdict(told: Mapping[str, Any]) -> Verdict:
    """Raises ValueError or TypeError for what is no verdict."""
    verdict = Verdict(**told)
    if not all(isinstance(getattr(verdict, name), str) for name in _TEXTS) or not verdict.key:
        raise TypeError("a text is no text")
    if not isinstance(verdict.noncommittal, bool):
        raise TypeError("noncommittal is no truth")
    whole(verdict.repeat)
    whole(verdict.part)
    _number(verdict.value, 1)
    for name in _COUNTS:
        _number(getattr(verdict, name), LARGEST)
    return verdict


_TEXTS = ("key", "measure", "case_id", "model", "prompt", "reason", "fault", "failure", "at")
_COUNTS = ("prompt_tokens", "completion_tokens", "ms")


def _number(value: object, most: float) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise ValueError("a number is out of its bounds")
