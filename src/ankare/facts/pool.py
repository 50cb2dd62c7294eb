"""How do many threads share connections to one store?

A connection is taken for one statement or one transaction and given back, so that at no time two threads use the same one;
the one used last is taken first, since its statements are prepared. It is opened in the thread that needs it: a server that is
gone is told at once and by its own reason, and nothing has to be waited for once it is back. After a fork the child leaves its
parent's connections alone and opens its own.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Generic, Protocol, TypeVar
from weakref import WeakSet

from ankare.errors import FactStoreError

IDLE_CONNECTIONS = 32
"""As many are kept for the next time; more have been open only while more threads than that were reading at once."""
WAIT_SECONDS = 30.0


class Closable(Protocol):
    """A connection, as far as a pool cares."""

    def close(self) -> None:
        """Give the connection back to the system."""


C = TypeVar("C", bound=Closable)


class Held(Generic[C]):
    """A connection that is taken. `fresh` until it has been given back once."""

    __slots__ = ("connection", "era", "fresh")

    def __init__(self, connection: C, era: object) -> None:
        self.connection = connection
        self.era = era
        self.fresh = True


class ConnectionPool(Generic[C]):
    """At most `size` connections at a time (None: as many as there are threads), opened by `open_connection` when needed.

    `turn` is the lock for those of this process that write.
    """

    def __init__(self, open_connection: Callable[[], C], size: int | None = None) -> None:
        self._open = open_connection
        self._size = size
        self._begin()
        _pools.add(self)

    def take(self) -> Held[C]:
        """A connection for this thread alone, until it is given back or dropped.

        Raises what `open_connection` raises, and FactStoreError where all are in use for `WAIT_SECONDS`.
        """
        if self._free is not None and not self._free.acquire(timeout=WAIT_SECONDS):
            raise busy(f"All {self._size} connections to the store of figures are in use.")
        while True:
            try:
                held = self._idle.pop()
            except IndexError:
                return self._opened()
            if held.era is self._era:
                return held
            held.connection.close()

    def give(self, held: Held[C]) -> None:
        """Give back a connection that is fit for use."""
        if held.era is self._era and len(self._idle) < IDLE_CONNECTIONS:
            held.fresh = False
            self._idle.append(held)
        else:
            held.connection.close()
        if self._free is not None:
            self._free.release()

    def drop(self, held: Held[C]) -> None:
        """Give back a connection that is not to be used again."""
        held.era = None
        self.give(held)

    def close(self) -> None:
        """Close what is idle now, and what is in use when it is given back."""
        self._era = object()
        while self._idle:
            try:
                self._idle.pop().connection.close()
            except IndexError:  # another thread took it meanwhile
                break

    def begin_anew(self) -> None:
        """In a forked child: leave the parent's connections alone. Closing them, also by forgetting them, would speak to its
        server or file."""
        _inherited.append(self._idle)
        self._begin()

    def _begin(self) -> None:
        self._era = object()
        self._idle: deque[Held[C]] = deque()
        self._free = None if self._size is None else threading.BoundedSemaphore(self._size)
        self.turn: AbstractContextManager[Any] = threading.Lock()

    def _opened(self) -> Held[C]:
        era = self._era
        try:
            return Held(self._open(), era)
        except BaseException:
            if self._free is not None:
                self._free.release()
            raise


_inherited: list[object] = []
_pools: WeakSet[ConnectionPool[Any]] = WeakSet()


def _after_fork() -> None:
    for pool in list(_pools):
        pool.begin_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def busy(message: str) -> FactStoreError:
    """The error for what succeeds when others have finished."""
    error = FactStoreError(message, "Try again in a moment.")
    error.retry = True
    return error
