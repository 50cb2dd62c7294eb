"""What may the reading of one file cost, and which bound did a reader break?

A reader is a process of its own, so the system can hold it to its bounds whatever foreign code does: address space (RLIMIT_AS)
and processor time (RLIMIT_CPU). Where a system has no such bound, reading goes on without it; `unbounded` tells which are
missing.
"""

from __future__ import annotations

import resource
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ankare.messages.remarks import both, remark

MEMORY_BYTES = 2_000_000_000
"""An honest PDF of 2,000 pages of text takes 0.17 GB beside what a reader begins with."""
SECONDS = 40.0
"""For a small file. An honest PDF of 2,000 pages (3 MB) takes 16 s of a processor, and is given 185."""
STEP_BYTES = 2_000_000
STEP_PAGES = 1000
PAGE_BYTES = 300
"""More pages than the file has of these are not counted: they are the same ones again."""
PATIENCE = 4
LEAST_PATIENCE_SECONDS = 600
"""How long a file may take by the clock, where the processor has other work or a disk does not answer."""
FULL = 0.6
"""A reader that died with so much of its memory in use died of that."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one file may cost. `memory_bytes`: address space beside what a reader begins with. `seconds` of a processor, for a
    small file; a larger one gets more."""

    memory_bytes: int = MEMORY_BYTES
    seconds: float = SECONDS

    def seconds_for(self, size: int, pages: int = 0) -> float:
        """Processor time for a file of so many bytes and pages, in seconds."""
        counted = min(pages, size // PAGE_BYTES)
        return self.seconds * (1 + size / STEP_BYTES + counted / STEP_PAGES)

    def broken(self, exit_code: int | None, memory: int, seconds: float) -> str:
        """What is told of a file whose reader ended: with this code (negative: by this signal), when it had `memory` bytes
        beside those it began with and had been given so many seconds of a processor."""
        if exit_code == -signal.SIGXCPU:
            return both(remark("reading_seconds", most=round(seconds)), remark("do_bound_seconds"))
        if exit_code == -signal.SIGALRM:
            return remark("reading_stuck", most=round(patience(seconds)))
        if memory >= FULL * self.memory_bytes:
            return self.out_of_memory()
        if exit_code == -signal.SIGKILL:
            return remark("reading_killed")
        return remark("reading_crashed")

    def out_of_memory(self) -> str:
        """What is told of a file that needs more memory than the bound."""
        return both(remark("reading_memory", most=self.memory_bytes), remark("do_bound_memory"))


def patience(seconds: float) -> float:
    """How long a file may take by the clock that is given so many seconds of a processor."""
    return max(LEAST_PATIENCE_SECONDS, PATIENCE * seconds)


def limit_memory(more: int) -> bool:
    """Hold this process to so many bytes of address space beside those it has. Tells whether the system does that."""
    with suppress(OSError, ValueError, AttributeError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        held = memory_in_use("self")
        return held is not None and _lowered(resource.RLIMIT_AS, held + more)
    return False


def limit_seconds(more: float) -> bool:
    """End this process (SIGXCPU) once it has used a processor for so many further seconds. Tells whether the system does so."""
    with suppress(OSError, ValueError, AttributeError):
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        return _lowered(resource.RLIMIT_CPU, int(time.process_time() + more) + 1)
    return False


def unbounded() -> tuple[str, ...]:
    """The bounds that this system cannot hold a reader to: "memory", "seconds". Changes nothing."""
    missing = []
    for name, kind in (("memory", "RLIMIT_AS"), ("seconds", "RLIMIT_CPU")):
        number = getattr(resource, kind, None)
        blind = name == "memory" and memory_in_use("self") is None  # macOS takes the bound, and does not hold to it
        if number is None or blind or not _can_set(number):
            missing.append(name)
    return tuple(missing)


def memory_in_use(pid: int | str) -> int | None:
    """The address space of a process in bytes, None where the system does not tell."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return None


def _lowered(kind: int, soft: int) -> bool:
    """Set the soft bound alone, so that it can be raised for the next file."""
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))
    return True


def _can_set(kind: int) -> bool:
    try:
        resource.setrlimit(kind, resource.getrlimit(kind))
    except (OSError, ValueError):
        return False
    return True
