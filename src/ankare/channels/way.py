"""How is this one question to be answered: by which way, and who is told how far it has come?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ankare.domain.cancel import enter_stage
from ankare.domain.reply import Timing
from ankare.domain.tracing import span


@dataclass(frozen=True, slots=True)
class Way:
    """`agentic`: run the chain. `synthesis`: let a model rewrite the answer of the control path, where no chain runs.

    `on_step` is told the name of each step as it begins; never a text of a model. Who stops waiting for the answer says so
    with `ankare.domain.cancel`.
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
    """Times the steps of one reply, in milliseconds, and tells `on_step` of those that it begins. A step's time is its own:
    that of a step inside it is told by that one alone, so that all of them add up to the whole."""

    on_step: Callable[[str], None] | None = None
    timings: list[Timing] = field(default_factory=list)
    _inside: float = 0.0

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """What happens inside is the step of this name, however it ends. Raises CallCancelledError where nobody waits."""
        enter_stage(name)
        if self.on_step is not None:
            self.on_step(name)
        around, self._inside = self._inside, 0.0
        begun = time.perf_counter()
        try:
            with span(f"ankare.{name}"):
                yield
        finally:
            taken = (time.perf_counter() - begun) * 1000
            self.timings.append(Timing(name, round(max(0.0, taken - self._inside), 3)))
            self._inside = around + taken

    def leave_out(self, told: Iterable[Timing]) -> None:
        """These steps, which another clock has timed, were inside the one that is under way."""
        self._inside += sum(timing.milliseconds for timing in told)
