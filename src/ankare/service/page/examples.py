"""Which of the profile's example questions does the page offer? Those that are answered, or asked back, for this reader.

Each is asked once for what a reader sees, without any model and without a record, and again after a while, since figures come
and go beside the index. Until the index is open nobody can tell, and all of them are offered.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from weakref import WeakKeyDictionary

from ankare.domain.access import Access
from ankare.domain.cancel import CallCancelledError, in_turn
from ankare.errors import AnkareError
from ankare.service.desk import Asked, Desk

MOST_OFFERED = 12
KEPT_SECONDS = 300.0
MOST_KEPT = 64
"""Views of different readers whose examples are remembered."""
PATIENCE_SECONDS = 2.0
"""Asking takes a few hundredths of a second each; where it takes longer the page does not wait for the rest."""

Key = tuple[Access, str, tuple[str, ...]]


@dataclass
class _Answered:
    """What was found out for one desk: for a reader, a version and its examples those that are answered, and when."""

    found: dict[Key, tuple[float, tuple[str, ...]]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)


_KNOWN: WeakKeyDictionary[Desk, _Answered] = WeakKeyDictionary()
_MAKING = Lock()


def offered_examples(desk: Desk, access: Access) -> tuple[str, ...]:
    """The examples for one reader, in the profile's order. Raises HomeError."""
    shelf = desk.shelf.of(access)
    examples = tuple(shelf.profile().examples[:MOST_OFFERED])
    if not examples or not desk.loaded():
        return examples
    with _MAKING:
        known = _KNOWN.setdefault(desk, _Answered())
    key = (access, shelf.version(), examples)
    with in_turn(known.lock):
        at, answered = known.found.get(key, (0.0, ()))
        if key not in known.found or time.monotonic() - at > KEPT_SECONDS:
            answered, all_asked = _answered(desk.engine(), examples, access)
            if all_asked:
                known.found.pop(key, None)
                known.found[key] = (time.monotonic(), answered)
            while len(known.found) > MOST_KEPT:
                known.found.pop(next(iter(known.found)))
    return answered


def _answered(engine: Asked, examples: Sequence[str], access: Access) -> tuple[tuple[str, ...], bool]:
    """Those that are not refused, and whether there was time to ask them all; what was not asked is taken to be answered."""
    until = time.monotonic() + PATIENCE_SECONDS
    kept = [one for one in examples if time.monotonic() > until or _is_answered(engine, one, access)]
    return tuple(kept), time.monotonic() <= until


def _is_answered(engine: Asked, example: str, access: Access) -> bool:
    try:
        reply = engine.ask(example, agentic=False, synthesis=False, access=access)
    except CallCancelledError:
        raise
    except AnkareError:
        return False
    return reply.answered or bool(reply.figures and reply.figures.asks)
