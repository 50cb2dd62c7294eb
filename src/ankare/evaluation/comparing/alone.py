"""How do two jobs move one file without undoing each other's work?

Each reads, changes and writes while it holds the file's folder, so that the second reads what the first has written. The lock
goes with the process, and leaves no file behind.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ankare.errors import EvaluationError

PATIENCE_S = 60.0
_AGAIN_S = 0.05


@contextmanager
def alone_with(path: Path, patience_s: float = PATIENCE_S) -> Iterator[None]:
    """Nobody else who asks for it moves a file of this folder meanwhile. Waits for whoever does.

    Raises EvaluationError where that takes longer than `patience_s` seconds, and for a folder that is not there.
    """
    try:
        descriptor = os.open(path.absolute().parent, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise EvaluationError(f"{path.parent} cannot be opened: {error.strerror or error}.") from error
    try:
        _wait(descriptor, path, time.monotonic() + patience_s)
        yield
    finally:
        os.close(descriptor)


def _wait(descriptor: int, path: Path, until: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= until:
                raise EvaluationError(f"Another process is moving {path}.", "Wait for it, and try again.") from None
            time.sleep(_AGAIN_S)
