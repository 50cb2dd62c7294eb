"""What is told of the work of one crew: how long it waited for a thread, and what became of it once nobody waited for it?"""

from __future__ import annotations

from ankare.service.watch.account import Accounts
from ankare.service.watch.measures import Measures


class WorkAccount:
    """Tells the measures, and gives a question that nobody waits for any more its record. Safe for many threads."""

    def __init__(self, crew: str, accounts: Accounts, measures: Measures) -> None:
        """`crew`: its name in the measures."""
        self._accounts = accounts
        self._waits = measures.waits.labels(crew)
        self._abandoned = measures.abandoned
        self._freed = measures.abandoned_time.labels(crew)

    def waited(self, seconds: float) -> None:
        """A piece of work has got a thread, after so long."""
        self._waits.observe(seconds)

    def too_late(self) -> None:
        """The time of a piece of work is up."""
        self._accounts.timed_out()

    def given_up(self) -> None:
        """Nobody waits for a piece of work any more, before its time is up."""
        self._accounts.given_up()

    def busy(self) -> None:
        """A thread is at work that nobody waits for."""
        self._abandoned.inc()

    def free(self, seconds: float) -> None:
        """It is free again, after so long."""
        self._abandoned.dec()
        self._freed.observe(seconds)
