"""Is there a place for one more question? Beyond so many, the next one is turned away at once instead of made to wait."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from ankare.service.problem import OVERLOADED, ProblemError
from ankare.service.watch.measures import Measures


class Turnstile:
    """Lets so many in at once; the next one is turned away with 503 and Retry-After. Safe for many threads."""

    def __init__(self, most: int, measures: Measures, on_refusal: Callable[[], None] = lambda: None) -> None:
        """`on_refusal` is told of each that was turned away."""
        self._most = most
        self._on_refusal = on_refusal
        self._inside = 0
        self._lock = Lock()
        self._measures = measures

    def require_place(self) -> None:
        """Raises ProblemError (503) where nobody would be let in now. Takes no place: a body that is still to be read, however
        slowly, must not keep one from others."""
        if self._inside >= self._most:
            raise self._refused()

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
