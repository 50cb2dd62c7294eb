"""Which corpora are open, and which of them does a reader see?

One for each thing that there is to see: readers who may read the same share one, whatever their labels are called. A corpus is
kept only under the name that it has itself: between looking and loading the home may have moved on, and what was loaded for one
reader must never be taken for what another sees.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from ankare.channels.corpus import OpenCorpus
from ankare.domain.access import Access
from ankare.domain.cancel import in_turn

MOST_OPEN = 8
"""Corpora that are kept open, the ones used last."""
AGAIN_SECONDS = 10.0
"""After so long a corpus is opened anew of which something could not be read."""
_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Seen:
    """Which corpus a reader sees. `name`: how it is called to the reader; `index`: how it calls itself, when it is loaded;
    `rest`: whatever else loading it depends on."""

    name: str
    index: str
    rest: object = None


@dataclass(frozen=True, slots=True)
class CorpusSource:
    """Where the engine gets the corpus of a reader from. `state` is cheap and changes whenever `load` would give another one.

    Both raise HomeError where there is no usable index.
    """

    state: Callable[[Access], Seen]
    load: Callable[[Access], OpenCorpus]


class Corpora:
    """The open corpora of one source. Safe for many threads; readers of one corpus do not wait while another is opened."""

    def __init__(self, source: CorpusSource) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._open: OrderedDict[tuple[str, object], _Place] = OrderedDict()

    def of(self, access: Access) -> OpenCorpus:
        """What a reader sees now. Raises HomeError where there is no usable index."""
        corpus = None
        for _ in range(_ATTEMPTS):
            seen = self._source.state(access)
            corpus = self._kept(seen, access)
            if corpus.version == seen.index:
                return corpus if seen.name == seen.index else corpus.named(seen.name)
        assert corpus is not None  # noqa: S101 - there was an attempt
        return corpus

    def _kept(self, seen: Seen, access: Access) -> OpenCorpus:
        key = (seen.index, seen.rest)
        with self._lock:
            place = self._open.get(key)
            if place is None:
                self._let_go()
                place = self._open[key] = _Place(access)
            self._open.move_to_end(key)
        if (kept := place.kept()) is not None:
            return kept
        with in_turn(place.opening):
            if (kept := place.kept()) is not None:
                return kept
            corpus = self._source.load(access)
            if corpus.version == seen.index:
                place.corpus, place.opened = corpus, time.monotonic()
            return corpus

    def _let_go(self) -> None:
        """Forget what nobody sees any more, and what was used longest ago."""
        for key, place in list(self._open.items()):
            now = self._source.state(place.access)
            if (now.index, now.rest) != key:
                del self._open[key]
        while len(self._open) >= MOST_OPEN:
            self._open.popitem(last=False)


@dataclass(slots=True)
class _Place:
    """A corpus, once it is open. `access`: of a reader who sees it."""

    access: Access
    corpus: OpenCorpus | None = None
    opened: float = 0.0
    opening: threading.Lock = field(default_factory=threading.Lock)

    def kept(self) -> OpenCorpus | None:
        """The corpus, None where it is to be opened."""
        corpus = self.corpus
        over = corpus is not None and not corpus.lasting and time.monotonic() - self.opened > AGAIN_SECONDS
        return None if over else corpus
