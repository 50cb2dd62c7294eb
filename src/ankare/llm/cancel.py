"""Who tells a model call that nobody waits for its reply any more?

    token = CancelToken()
    with cancelled_by(token):       # every model call that is made in here, in this thread
        engine.ask(question)
    ...
    token.cancel()                  # from another thread: the client went away

A call that is cancelled ends at once, also in the middle of a read: what it waits for says with `on_cancel` how it is woken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, RLock

from ankare.errors import AnkareError


class CallCancelledError(AnkareError):
    """The call was given up because nobody waits for it. No fault of the model, and nothing to fall back from."""

    def __init__(self) -> None:
        super().__init__("The call of the model was cancelled.")


class CancelToken:
    """Set once, by whoever learns that the reply is not wanted. Safe for many threads."""

    def __init__(self) -> None:
        self._set = Event()
        self._lock = RLock()
        self._wakers: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """Has it been set?"""
        return self._set.is_set()

    def cancel(self) -> None:
        """Set it, and wake whatever waits. A second time it does nothing."""
        with self._lock:
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


@contextmanager
def cancelled_by(token: CancelToken) -> Iterator[None]:
    """Every model call of this context, until it is left, ends when the token is set."""
    before = _current.set(token)
    try:
        yield
    finally:
        _current.reset(before)
