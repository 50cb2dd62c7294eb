"""Who does the work of a request, so that the event loop stays free to take in the next one?"""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect

from ankare.llm.cancel import CancelToken, cancelled_by
from ankare.service.door.bounds import timed_out

Result = TypeVar("Result")
LOOK_SECONDS = 0.25
"""How often it is looked whether the client is still there."""
PATIENT = 32
"""Threads for questions that wait for a model: they hardly compute, and must not stand in the way of those that only do."""


class Crew:
    """A few threads. Measured on two cores, lexical answers: one thread costs 3.3 ms CPU a request, two cost 3.7 (they
    contend for the interpreter), the event loop itself 3.6 (and then nothing else is taken in meanwhile)."""

    def __init__(
        self,
        size: int,
        seconds: float | None = None,
        *,
        waited: Callable[[float], None] | None = None,
        on_timeout: Callable[[], None] = lambda: None,
    ) -> None:
        """`seconds`: how long any work is waited for, None for as long as it takes. `waited` is told how many seconds each
        piece of work waited for a thread, `on_timeout` of each that is waited for no longer."""
        self._on_timeout = on_timeout
        self._waited = waited
        self._seconds = seconds
        self._pool = ThreadPoolExecutor(max_workers=size, thread_name_prefix="ankare")

    async def run(self, work: Callable[..., Result], *given: Any) -> Result:
        """`work(*given)` in a thread. Raises ProblemError (504) where it takes too long."""
        async with self._in_time():
            return await self._in_a_thread(work, *given)

    async def run_while(self, gone: Callable[[], Awaitable[bool]], work: Callable[..., Result], *given: Any) -> Result:
        """`work(*given)` in a thread, as long as somebody waits for it. Once the client is `gone`, no model is asked any more.

        Raises ClientDisconnect then, and ProblemError (504) where it takes too long.
        """
        token = CancelToken()

        def cancellable() -> Result:
            with cancelled_by(token):
                return work(*given)

        working = asyncio.ensure_future(self.run(cancellable))
        try:
            while not (await asyncio.wait({working}, timeout=LOOK_SECONDS))[0]:
                if await gone():
                    raise ClientDisconnect
            return working.result()  # run has looked at the time
        finally:
            token.cancel()
            working.add_done_callback(_seen)

    @asynccontextmanager
    async def _in_time(self) -> AsyncIterator[None]:
        limit = asyncio.timeout(self._seconds)
        try:
            async with limit:
                yield
        except TimeoutError:
            if not limit.expired():
                raise
            self._on_timeout()
            raise timed_out() from None

    async def _in_a_thread(self, work: Callable[..., Result], *given: Any) -> Result:
        """What belongs to the request (its id, its span) goes with it into the thread."""
        context, asked = contextvars.copy_context(), time.perf_counter()

        def begun() -> Result:
            if self._waited is not None:
                self._waited(time.perf_counter() - asked)
            return work(*given)

        return await asyncio.get_running_loop().run_in_executor(self._pool, context.run, begun)

    def close(self) -> None:
        """Let go of the threads; work that has begun is finished."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _seen(working: asyncio.Future[Any]) -> None:
    """Nobody waits for this any more: what it ended with is looked at, so that it is not reported as lost."""
    if not working.cancelled():
        working.exception()
