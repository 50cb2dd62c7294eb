"""How does whoever runs the service learn why it cannot answer, without a line for each request that fails of it?"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

LOG = logging.getLogger("ankare.service")
AGAIN_SECONDS = 600.0
MOST_CAUSES = 100


class OperatorLog:
    """Tells each cause once, and again after ten minutes if it is still there. Safe for many threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._told: OrderedDict[str, float] = OrderedDict()

    def tell(self, cause: Exception) -> None:
        """An error that stands in the way of an answer; its text may hold paths and advice."""
        text, now = str(cause), self._clock()
        with self._lock:
            if now - self._told.get(text, -AGAIN_SECONDS) < AGAIN_SECONDS:
                return
            self._told[text] = now
            self._told.move_to_end(text)
            while len(self._told) > MOST_CAUSES:
                self._told.popitem(last=False)
        LOG.error("questions cannot be answered: %s", text)


OPERATOR = OperatorLog()
"""The one of this process."""
