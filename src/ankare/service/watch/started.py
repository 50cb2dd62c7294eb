"""When do all processes of a service answer? Each notes it in a folder that they share; the one that started them looks.

<folder>/ready-<process that started it>-<process>
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

LOOKS_EVERY = 0.1
"""Seconds."""


def note_started(folder: Path | None) -> None:
    """This worker has opened its index. Nothing is noted without a folder, and one that cannot be written costs nothing."""
    if folder is not None:
        with suppress(OSError):
            (folder / f"ready-{os.getppid()}-{os.getpid()}").touch()


def started(folder: Path | None) -> int:
    """How many workers of this process have noted it; none where the folder is gone, as at the end."""
    with suppress(OSError):
        return 0 if folder is None else sum(1 for _ in folder.glob(f"ready-{os.getpid()}-*"))
    return 0


def forget_started(folder: Path) -> None:
    """Take the notes of this process' workers away."""
    for note in folder.glob(f"ready-{os.getpid()}-*"):
        note.unlink(missing_ok=True)


def wait_until(all_started: Callable[[], bool], host: str, port: int) -> None:
    """Return once all have started and somebody takes connections at the address."""
    while not (all_started() and _listens(host, port)):
        time.sleep(LOOKS_EVERY)


def _listens(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True
