"""Is there a place for one more question? Beyond so many, the next one is turned away at once instead of made to wait.

Questions that wait for a model are slow, and a model that does not answer makes them all wait: they never get the last places,
so that those that need none are answered whatever the model does.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from math import ceil
from threading import Lock

from ankare.service.problem import OVERLOADED, ProblemError
from ankare.service.watch.measures import Measures

PATIENT_SHARE = 0.75
"""Of the places, that questions may have that wait for a model."""


class Turnstile:
    """Lets so many in at once; the next one is turned away with 503 and Retry-After. Safe for many threads."""

    def __init__(self, most: int, measures: Measures, on_refusal: Callable[[], None] = lambda: None) -> None:
        """`on_refusal` is told of each that was turned away."""
        self._most = most
        self._on_refusal = on_refusal
        self._inside = 0
        self._patient = 0
        self._lock = Lock()
        self._measures = measures

    def require_place(self) -> None:
        """Raises ProblemError (503) where nobody would be let in now. Takes no place: a body that is still to be read, however
        slowly, must not keep one from others."""
        if self._inside >= self._most:
            raise self._refused()

    def of(self, *, waits: bool) -> AbstractContextManager[None]:
        """The place of one question, taken where it is entered. `waits`: it waits for a model."""
        return _Patient(self) if waits else self

    def enter_patiently(self) -> None:
        """Take a place for a question that waits for a model. Raises ProblemError (503)."""
        with self._lock:
            free = self._inside < self._most and self._patient < ceil(self._most * PATIENT_SHARE)
            if free:
                self._inside, self._patient = self._inside + 1, self._patient + 1
        if not free:
            raise self._refused()

    def leave_patiently(self) -> None:
        """Give it back."""
        with self._lock:
            self._inside, self._patient = self._inside - 1, self._patient - 1

    def __enter__(self) -> None:
        with self._lock:
            if self._inside < self._most:
                self._inside += 1
                return
        raise self._refused()

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1

    def _refused(self) -> ProblemError:
        self._measures.overloads.inc()
        self._on_refusal()
        return ProblemError(
            503, "Too many questions are being answered right now. Try again.", retry_after=1, code=OVERLOADED
        )


class _Patient(AbstractContextManager[None]):
    """The place of a question that waits for a model."""

    def __init__(self, turnstile: Turnstile) -> None:
        self._turnstile = turnstile

    def __enter__(self) -> None:
        self._turnstile.enter_patiently()

    def __exit__(self, *_: object) -> None:
        self._turnstile.leave_patiently()
