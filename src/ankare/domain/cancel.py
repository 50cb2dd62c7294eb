"""Who tells the work on a question that nobody waits for its answer any more?

    token = CancelToken()
    with cancelled_by(token):       # all that is done in here, in this thread
        engine.ask(question)
    ...
    token.cancel()                  # from another thread: the client went away, the time is up, the service stops

Work is never broken off from outside: it looks by itself where a stage begins and in every loop that may be long
(`while_wanted`, `check_wanted`; a look costs a tenth of a microsecond), so that nothing half done stays behind. A call of a
model ends at once, also in the middle of a read: what it waits for says with `on_cancel` how it is woken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Lock, RLock
from typing import TypeVar

from ankare.errors import AnkareError

Thing = TypeVar("Thing")
TURN_SECONDS = 0.05
"""How often who waits for its turn looks whether it is still wanted."""


class CallCancelledError(AnkareError):
    """The question, or the call of a model, was given up because nobody waits for it. No fault of anybody, and nothing to fall
    back from."""

    def __init__(self) -> None:
        super().__init__("Nobody waits for the answer any more.")


class CancelToken:
    """Set once, by whoever learns that the reply is not wanted. Safe for many threads.

    `cancelled`: has it been set? `stopping`: nothing else will be asked for either, since the process ends. `stage`: the last
    one that has begun.
    """

    def __init__(self) -> None:
        self.cancelled = False
        self.stopping = False
        self.stage = ""
        self._set = Event()
        self._lock = RLock()
        self._wakers: list[Callable[[], None]] = []

    def cancel(self, *, stopping: bool = False) -> None:
        """Set it, and wake whatever waits. A second time it only tells that the process ends, where it does."""
        with self._lock:
            self.stopping = self.stopping or stopping
            self.cancelled = True
            self._set.set()
            wakers, self._wakers = self._wakers, []
            for wake in wakers:
                wake()

    def check(self) -> None:
        """Raises CallCancelledError once it is set."""
        if self.cancelled:
            raise CallCancelledError

    def sleep(self, seconds: float) -> None:
        """Let time pass. Raises CallCancelledError as soon as it is set."""
        self._set.wait(seconds)
        self.check()

    @contextmanager
    def on_cancel(self, wake: Callable[[], None]) -> Iterator[None]:
        """While this lasts, `wake` is called when the token is set; at once where it is. It must not raise or wait.

        Afterwards `wake` is not called any more, nor is it still at work.
        """
        with self._lock:
            if self.cancelled:
                wake()
            else:
                self._wakers.append(wake)
        try:
            yield
        finally:
            with self._lock:
                if wake in self._wakers:
                    self._wakers.remove(wake)


_current: ContextVar[CancelToken | None] = ContextVar("cancel", default=None)


def current_token() -> CancelToken:
    """The token of this context; one that nobody sets where there is none."""
    return _current.get() or CancelToken()


def check_wanted() -> None:
    """Raises CallCancelledError once nobody waits for what is done in this context."""
    token = _current.get()
    if token is not None and token.cancelled:
        raise CallCancelledError


def enter_stage(name: str) -> None:
    """A stage begins. Raises CallCancelledError where nobody waits for it any more."""
    token = _current.get()
    if token is not None:
        token.check()
        token.stage = name


def while_wanted(things: Iterable[Thing]) -> Iterator[Thing]:
    """The same things, each as long as somebody waits for what is made of them. Raises CallCancelledError."""
    token = _current.get()
    if token is None:
        yield from things
        return
    for thing in things:
        if token.cancelled:
            raise CallCancelledError
        yield thing


@contextmanager
def in_turn(lock: Lock) -> Iterator[None]:
    """Hold the lock inside. Raises CallCancelledError where nobody waits any more before it is our turn."""
    while not lock.acquire(timeout=TURN_SECONDS):
        check_wanted()
    try:
        yield
    finally:
        lock.release()


@contextmanager
def cancelled_by(token: CancelToken) -> Iterator[None]:
    """All work of this context, until it is left, ends when the token is set."""
    before = _current.set(token)
    try:
        yield
    finally:
        _current.reset(before)
