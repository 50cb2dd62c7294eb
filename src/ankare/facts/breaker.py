"""Is the server worth asking now, after it has kept a read waiting in vain?

Whoever asks a server that has stopped waits for as long as a read may take, and keeps a thread meanwhile. After the first one
nobody does so again: what was asked in vain is tried again in a thread of its own, by one at a time, and all others are told
at once that the figures cannot be read. As soon as a try does not have to wait, everybody asks again, whatever came of it: a
server that refuses tells so by itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from time import monotonic

from ankare.errors import FactStoreError

WORTH_SECONDS = 0.5
"""So long a try is waited for before a question fails: a server that is back answers within that."""
SLOW_SECONDS = 1.0
"""What fails after so long has failed of waiting."""


class Breaker:
    """Stands before what may keep a thread waiting. Safe for many threads, and in the child of a fork."""

    def __init__(self, slow_seconds: float = SLOW_SECONDS) -> None:
        self._slow = slow_seconds
        self._begin()

    @contextmanager
    def watching(self, again: Callable[[], object]) -> Iterator[None]:
        """Ask the server within this. `again` asks it the same once more, on a connection of its own.

        Raises FactStoreError at once where it is known not to answer.
        """
        if self._failure is not None:
            self._check()
        started = monotonic()
        try:
            yield
        except FactStoreError as error:
            if error.retry and monotonic() - started >= self._slow:
                self._open(error, again)
            raise

    def check(self) -> None:
        """Raises FactStoreError where the server is known not to answer."""
        if self._failure is not None:
            self._check()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._lock = Lock()
        self._failure: FactStoreError | None = None
        self._again: Callable[[], object] | None = None
        self._try: _Try | None = None

    def _open(self, error: FactStoreError, again: Callable[[], object]) -> None:
        with self._lock:
            if self._failure is None:
                self._failure, self._again, self._try = error, again, None

    def _check(self) -> None:
        if self._process != os.getpid():
            self._begin()  # the thread of a try stayed behind in the fork, and so may who holds the lock
            return
        with self._lock:
            failure, attempt = self._failure, self._under_way()
        if failure is None or attempt is None:
            return
        if attempt.waited_for():
            self._close(attempt)
            return
        told = FactStoreError(failure.message, failure.remedy)
        told.retry = True
        raise told

    def _under_way(self) -> _Try | None:
        """The try that is made now, begun if there is none."""
        if self._failure is None or self._again is None:
            return None
        if self._try is None or self._try.failed:
            self._try = _Try(self._again, self._slow)
        return self._try

    def _close(self, attempt: _Try) -> None:
        with self._lock:
            if self._try is attempt:
                self._failure = self._again = self._try = None


class _Try:
    """One try, in a thread that nobody waits for at the end of the process. `failed`: it is over, and was kept waiting."""

    def __init__(self, again: Callable[[], object], slow_seconds: float) -> None:
        self.failed = False
        self._again = again
        self._slow = slow_seconds
        self._started = monotonic()
        self._answered = Event()
        try:
            Thread(target=self._run, name="ankare-facts-try", daemon=True).start()
        except RuntimeError:  # no thread is to be had now
            self.failed = True

    def waited_for(self) -> bool:
        """Has the server answered? Waits for it as long as the try is young."""
        return not self.failed and self._answered.wait(max(0.0, self._started + WORTH_SECONDS - monotonic()))

    def _run(self) -> None:
        try:
            with suppress(FactStoreError):
                self._again()
        finally:
            if monotonic() - self._started < self._slow:
                self._answered.set()
            else:
                self.failed = True
