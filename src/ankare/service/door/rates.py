"""May this caller ask once more, or is it too soon?

GCRA (ITU-T I.371; the bucket that leaks as one number): for each caller the time at which the bucket is empty again. A caller
may use the whole minute's share at once, and after that one request each time a share has leaked.

Workers of one machine count together in a file where the settings name a folder for it (`ankare serve` sees to that). Without
one each worker counts by itself, and has its part of the rate. What is kept is bounded: of more callers than `MOST`, the ones
not seen for longest are forgotten, which gives them a fresh bucket.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil, isfinite
from threading import Lock
from typing import Protocol

from ankare.service.door.shared_buckets import SharedBuckets
from ankare.settings import Settings

LOG = logging.getLogger("ankare.service")
MOST = 20_000
MINUTE = 60.0


class Buckets(Protocol):
    """When the bucket of each caller is empty again. Safe for many threads; `with` is one's turn."""

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...

    def get(self, caller: str) -> float | None:
        """The time; None for a caller that is not known."""

    def put(self, caller: str, when: float) -> None:
        """Note it."""

    def __len__(self) -> int:
        """How many callers are known."""


class OwnBuckets:
    """Kept in the memory of this process. `most`: callers that are remembered."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = Lock()
        self._empty_at: OrderedDict[str, float] = OrderedDict()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def get(self, caller: str) -> float | None:
        """When the bucket is empty again."""
        return self._empty_at.get(caller)

    def put(self, caller: str, when: float) -> None:
        """Note it, and forget who was not seen for longest where there are many."""
        self._empty_at[caller] = when
        self._empty_at.move_to_end(caller)
        while len(self._empty_at) > self._most:
            self._empty_at.popitem(last=False)

    def __len__(self) -> int:
        return len(self._empty_at)


class Rates:
    """So many requests a minute for each caller. Safe for many threads."""

    def __init__(
        self,
        workers: int = 1,
        buckets: Buckets | None = None,
        clock: Callable[[], float] = time.monotonic,
        kind: str = "",
    ) -> None:
        """`workers`: processes that share a rate and do not count together. `kind`: what is counted, where several things are
        in the same buckets."""
        self._workers = workers
        self._clock = clock
        self._kind = kind
        self._buckets = OwnBuckets() if buckets is None else buckets

    @classmethod
    def of(cls, settings: Settings, kind: str) -> Rates:
        """As the settings want it: counted with the other workers, or by itself."""
        if settings.shared_folder is not None:
            try:
                return cls(buckets=SharedBuckets(settings.shared_folder), kind=kind)
            except (OSError, ValueError) as error:
                LOG.warning("each worker counts requests by itself, with its part of the rate: %s", error)
        return cls(settings.workers, kind=kind)

    def take(self, caller: str, per_minute: float, cost: float = 1.0) -> int:
        """Let a request in (0), or tell in how many whole seconds it may come again. A refused one costs nothing."""
        return self._weigh(caller, per_minute, cost, taking=True)

    def wait(self, caller: str, per_minute: float, cost: float = 1.0) -> int:
        """What `take` would say; takes nothing."""
        return self._weigh(caller, per_minute, cost, taking=False)

    def __len__(self) -> int:
        return len(self._buckets)

    def _weigh(self, caller: str, per_minute: float, cost: float, *, taking: bool) -> int:
        share = max(1.0, per_minute / self._workers)
        leak = MINUTE / share  # seconds for one request
        counted_as = f"{self._kind} {caller}"
        with self._buckets:
            now = self._clock()
            empty_at = _believed(self._buckets.get(counted_as), now) + cost * leak
            # A tenth of a request is forgiven: sums of floats must not refuse the last one of a full minute's share.
            too_soon = empty_at - now - MINUTE - leak / 10
            if too_soon > 0:
                return max(1, ceil(too_soon))
            if taking:
                self._buckets.put(counted_as, empty_at)
            return 0


def _believed(empty_at: float | None, now: float) -> float:
    """No bucket is fuller than a minute's share and a tenth: anything else was written by a clock that has been set back."""
    if empty_at is None or not isfinite(empty_at) or empty_at > now + 1.2 * MINUTE:
        return now
    return max(now, empty_at)
