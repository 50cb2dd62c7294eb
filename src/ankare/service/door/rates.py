"""May this caller ask once more, or is it too soon?

GCRA (ITU-T I.371; the bucket that leaks as one number): for each caller the time at which the bucket is empty again. A caller
may use the whole minute's share at once, and after that one request each time a share has leaked.

Counted in the memory of each process: with several workers each gets its part of the rate, so that a caller whose requests all
land on one of them has that part only. What is kept is bounded: of more callers than `MOST`, the ones not seen for longest are
forgotten, which gives them a fresh bucket.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from threading import Lock

MOST = 20_000
MINUTE = 60.0


class Rates:
    """So many requests a minute for each caller. Safe for many threads. `most`: callers that are remembered."""

    def __init__(self, workers: int = 1, most: int = MOST, clock: Callable[[], float] = time.monotonic) -> None:
        self._workers = workers
        self._most = most
        self._clock = clock
        self._lock = Lock()
        self._empty_at: OrderedDict[str, float] = OrderedDict()

    def take(self, caller: str, per_minute: float, cost: float = 1.0) -> int:
        """Let a request in (0), or tell in how many whole seconds it may come again. A refused one costs nothing."""
        return self._weigh(caller, per_minute, cost, taking=True)

    def wait(self, caller: str, per_minute: float, cost: float = 1.0) -> int:
        """What `take` would say; takes nothing."""
        return self._weigh(caller, per_minute, cost, taking=False)

    def __len__(self) -> int:
        return len(self._empty_at)

    def _weigh(self, caller: str, per_minute: float, cost: float, *, taking: bool) -> int:
        share = max(1.0, per_minute / self._workers)
        leak = MINUTE / share  # seconds for one request
        with self._lock:
            now = self._clock()
            empty_at = max(now, self._empty_at.get(caller, now)) + cost * leak
            # A tenth of a request is forgiven: sums of floats must not refuse the last one of a full minute's share.
            too_soon = empty_at - now - MINUTE - leak / 10
            if too_soon > 0:
                return max(1, ceil(too_soon))
            if taking:
                self._note(caller, empty_at)
            return 0

    def _note(self, caller: str, empty_at: float) -> None:
        self._empty_at[caller] = empty_at
        self._empty_at.move_to_end(caller)
        while len(self._empty_at) > self._most:
            self._empty_at.popitem(last=False)
