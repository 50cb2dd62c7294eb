"""How is this one question to be answered: by which way, and who is told how far it has come?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ankare.domain.reply import Timing
from ankare.domain.tracing import span


@dataclass(frozen=True, slots=True)
class Way:
    """`agentic`: run the chain. `synthesis`: let a model rewrite the answer of the control path, where no chain runs.

    `on_step` is told the name of each step as it begins; never a text of a model. Who stops waiting for the answer says so
    with `ankare.llm.cancel`.
    """

    agentic: bool = False
    synthesis: bool = False
    on_step: Callable[[str], None] | None = None

    @property
    def asks_a_model(self) -> bool:
        """May a model have a part in the answer?"""
        return self.agentic or self.synthesis


PLAIN = Way()
"""Without any model."""


@dataclass
class Clock:
    """Times the steps of one reply, in milliseconds, and tells `on_step` of those that it begins."""

    on_step: Callable[[str], None] | None = None
    timings: list[Timing] = field(default_factory=list)
    _last: float = field(default_factory=time.perf_counter)

    def lap(self, step: str) -> None:
        """The time since the last lap went into `step`."""
        now = time.perf_counter()
        self.timings.append(Timing(step, round((now - self._last) * 1000, 3)))
        self._last = now

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """What happens inside is the step of this name, however it ends."""
        if self.on_step is not None:
            self.on_step(name)
        self._last = time.perf_counter()
        try:
            with span(f"ankare.{name}"):
                yield
        finally:
            self.lap(name)
