"""Who does the work of a request, so that the event loop stays free to take in the next one?

Work is done as long as somebody waits for it. Once the time is up, the client is gone or the service stops, its token is set,
and it ends where it looks next. Work that does not look keeps its thread: that is told in the log and in the measures.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock, Timer
from typing import Any, Protocol, TypeVar

from starlette.requests import ClientDisconnect

from ankare.domain.cancel import CancelToken, cancelled_by
from ankare.service.door.bounds import timed_out

LOG = logging.getLogger("ankare.service")
Result = TypeVar("Result")
LOOK_SECONDS = 0.25
"""How often it is looked whether the client is still there."""
STUBBORN_SECONDS = 5.0
"""Work that goes on for so long although nobody waits for it is told in the log."""
PATIENT = 32
"""Threads for questions that wait for a model: they hardly compute, and must not stand in the way of those that only do."""


class Told(Protocol):
    """Who is told how work went that nobody waits for any more, or that had to wait. Called in the context of the request, but
    for `busy` and `free`."""

    def waited(self, seconds: float) -> None:
        """A piece of work has got a thread, after so long."""

    def too_late(self) -> None:
        """The time of a piece of work is up."""

    def given_up(self) -> None:
        """Nobody waits for a piece of work any more, before its time is up."""

    def busy(self) -> None:
        """A thread is at work that nobody waits for."""

    def free(self, seconds: float) -> None:
        """It is free again, after so long."""


class _Nobody:
    """Is told, and does nothing."""

    def waited(self, seconds: float) -> None: ...
    def too_late(self) -> None: ...
    def given_up(self) -> None: ...
    def busy(self) -> None: ...
    def free(self, seconds: float) -> None: ...


class Crew:
    """A few threads. Measured on two cores, lexical answers: one thread costs 3.3 ms CPU a request, two cost 3.7 (they
    contend for the interpreter), the event loop itself 3.6 (and then nothing else is taken in meanwhile)."""

    def __init__(self, size: int, seconds: float | None = None, told: Told | None = None) -> None:
        """`seconds`: how long any work is waited for, None for as long as it takes."""
        self._seconds = seconds
        self._told = told or _Nobody()
        self._pool = ThreadPoolExecutor(max_workers=size, thread_name_prefix="ankare")
        self._under_way: set[_Work] = set()

    async def run(self, work: Callable[..., Result], *given: Any) -> Result:
        """`work(*given)` in a thread. Raises ProblemError (504) where it takes too long."""
        limit, began = asyncio.timeout(self._seconds), time.monotonic()
        piece = _Work(self._told)
        try:
            async with limit:
                return await self._in_a_thread(piece, work, *given)
        except TimeoutError:
            if not limit.expired():
                raise
            self._told.too_late()
            raise timed_out() from None
        except asyncio.CancelledError:  # by somebody around it, whose time may have been up a moment before this one's
            late = self._seconds is not None and time.monotonic() - began >= self._seconds
            self._told.too_late() if late else self._told.given_up()
            raise
        finally:
            piece.let_be()  # only now: its thread would tell of its end before it is told why

    async def run_while(self, gone: Callable[[], Awaitable[bool]], work: Callable[..., Result], *given: Any) -> Result:
        """`work(*given)` in a thread, as long as somebody waits for it.

        Raises ClientDisconnect once the client is `gone`, and ProblemError (504) where it takes too long.
        """
        working = asyncio.ensure_future(self.run(work, *given))
        try:
            while not (await asyncio.wait({working}, timeout=LOOK_SECONDS))[0]:
                if await gone():
                    raise ClientDisconnect
            return working.result()  # run has looked at the time
        finally:
            working.cancel()
            working.add_done_callback(_seen)

    async def _in_a_thread(self, piece: _Work, work: Callable[..., Result], *given: Any) -> Result:
        """What belongs to the request (its id, its span) goes with it into the thread."""
        context = contextvars.copy_context()
        self._under_way.add(piece)
        doing = self._pool.submit(context.run, piece.do, work, *given)
        doing.add_done_callback(lambda _: self._under_way.discard(piece))
        return await asyncio.wrap_future(doing)

    def close(self) -> None:
        """Let go of the threads: what they are still at ends where it looks next."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for piece in tuple(self._under_way):
            piece.let_be(stopping=True)


class _Work:
    """One piece of work, from when it is handed in until its thread is free again. Safe for many threads."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self._token = CancelToken()
        self._lock = Lock()
        self._handed_in = time.perf_counter()
        self._left = 0.0
        self._busy = False
        self._stubborn: Timer | None = None

    def do(self, work: Callable[..., Result], *given: Any) -> Result:
        """Do it in this thread. Raises CallCancelledError where nobody waits for it any more."""
        with self._lock:
            self._token.check()
            self._busy = True
        self._told.waited(time.perf_counter() - self._handed_in)
        try:
            with cancelled_by(self._token):
                return work(*given)
        finally:
            self._end()

    def let_be(self, *, stopping: bool = False) -> None:
        """Nobody waits for it any more."""
        with self._lock:
            self._token.cancel(stopping=stopping)
            if not self._busy or self._left:
                return
            self._left = time.perf_counter()
            self._stubborn = Timer(STUBBORN_SECONDS, self._tell_stubborn)
            self._stubborn.daemon = True
            self._stubborn.start()
        self._told.busy()

    def _end(self) -> None:
        with self._lock:
            self._busy = False
            left, stubborn = self._left, self._stubborn
        if stubborn is not None:
            stubborn.cancel()
            self._told.free(time.perf_counter() - left)

    def _tell_stubborn(self) -> None:
        LOG.warning(
            "work that nobody waits for goes on after %g seconds and keeps its thread; the step that does not look: %s",
            STUBBORN_SECONDS,
            self._token.stage or "none has begun",
        )


def _seen(working: asyncio.Future[Any]) -> None:
    """Nobody waits for this any more: what it ended with is looked at, so that it is not reported as lost."""
    if not working.cancelled():
        working.exception()
