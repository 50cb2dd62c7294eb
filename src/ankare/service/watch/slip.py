"""Has the question of this request its record? One that is turned away, or is given up, must have one too, and none two.

A slip goes with the request into the threads that work for it. Whoever closes it writes the record: the turnstile that turned
the question away, the clock that ran out, or the account of the answer. What comes later finds it closed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Lock

RECORDS_A_SECOND = 10


@dataclass(eq=False)
class Slip:
    """`channel`: where the question came from, "" for a request that is none. `key`: the name of its API key, once it is known.
    `asked`: a keyed hash of the question and its length, once it has reached the desk."""

    channel: str = ""
    key: Callable[[], str] = str
    asked: tuple[str, int] = ("", 0)
    started: float = field(default_factory=time.perf_counter)
    _closed: bool = False
    _lock: Lock = field(default_factory=Lock)

    def close(self) -> bool:
        """True for the first who does."""
        with self._lock:
            was, self._closed = self._closed, True
            return not was

    def taken(self) -> float:
        """Milliseconds since the request came."""
        return round((time.perf_counter() - self.started) * 1000, 3)


_CURRENT: ContextVar[Slip | None] = ContextVar("ankare.slip", default=None)


def current_slip() -> Slip | None:
    """The slip of the request that is being answered here; None outside of one."""
    return _CURRENT.get()


@contextmanager
def with_slip(slip: Slip) -> Iterator[None]:
    """What happens inside belongs to the question of this slip."""
    token = _CURRENT.set(slip)
    try:
        yield
    finally:
        _CURRENT.reset(token)


class Ration:
    """At most so many records a second, so that an overload is no flood of the log; the others are counted. Safe for many
    threads."""

    def __init__(self, most: int = RECORDS_A_SECOND, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._lock = Lock()
        self._second = 0
        self._given = 0
        self._left_out = 0

    def take(self) -> bool:
        """May one more be written? If not, it is counted."""
        with self._lock:
            second = int(self._clock())
            if second != self._second:
                self._second, self._given = second, 0
            if self._given < self._most:
                self._given += 1
                return True
            self._left_out += 1
            return False

    def left_out(self, *, now: bool = False) -> int:
        """How many have been left out since this was last asked; 0 while their second lasts, unless it is to be known `now`."""
        with self._lock:
            if not self._left_out or (not now and int(self._clock()) == self._second):
                return 0
            left, self._left_out = self._left_out, 0
            return left
