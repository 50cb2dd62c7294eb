"""How does an answer leave piece by piece, although no piece may leave before the gate has passed the whole?

Server-sent events (WHATWG HTML, 9.2), in this order:

    event: step     {"step": "draft"}    the name of each step as it begins; never a text of a model
    event: text     {"text": "..."}      the finished Markdown in pieces; joined they are the answer word for word
    event: answer   the body of /api/ask
    event: problem  a problem document, in place of text and answer

A comment stands between them where a step takes long, so that no proxy takes the line for dead.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractContextManager
from typing import TypeVar

import orjson
from starlette.requests import ClientDisconnect

from ankare.domain.cancel import CallCancelledError
from ankare.service.crew import Crew
from ankare.service.desk import Served
from ankare.service.problem import problem_of

EVENT_STREAM = "text/event-stream"
PIECE_CHARS = 80
QUIET_SECONDS = 10.0
KEEP_ALIVE = b": still working\n\n"
_WORD = re.compile(r"\s*\S+\s*?|\s+")
OnStep = Callable[[str], None]
Result = TypeVar("Result")


def pieces(text: str, most: int = PIECE_CHARS) -> Iterator[str]:
    """The text in pieces of whole words, each of about `most` characters; joined they are the text."""
    piece = ""
    for word in _WORD.findall(text):
        if piece and len(piece) + len(word) > most:
            yield piece
            piece = ""
        piece += word
    if piece:
        yield piece


async def stream(
    crew: Crew,
    place: AbstractContextManager[None],
    gone: Callable[[], Awaitable[bool]],
    answer: Callable[[OnStep], Served],
) -> AsyncIterator[bytes]:
    """The events of one question; `answer` is called in a thread, and cancelled once the reader is `gone`. What goes wrong
    before the first event is raised, so that it gets a status of its own."""
    begun = False
    try:
        with place:
            async for event in _answered(crew, gone, answer):
                begun = True
                yield event
    except Exception as error:
        if not begun:
            raise
        if not isinstance(error, ClientDisconnect | CallCancelledError):
            yield _event("problem", bytes(problem_of(error).body))


async def once_begun(events: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same events, as soon as there is a first one. Raises what came in its place."""
    first = await anext(events)

    async def all_of_them() -> AsyncIterator[bytes]:
        yield first
        async for event in events:
            yield event

    return all_of_them()


async def _answered(
    crew: Crew, gone: Callable[[], Awaitable[bool]], answer: Callable[[OnStep], Served]
) -> AsyncIterator[bytes]:
    async for found in followed(crew, gone, answer):
        if isinstance(found, str):
            yield _event("step", orjson.dumps({"step": found})) if found else KEEP_ALIVE
            continue
        for piece in pieces(found.rendered.markdown):
            yield _event("text", orjson.dumps({"text": piece}))
        yield _event("answer", orjson.dumps(found.body))


async def followed(
    crew: Crew, gone: Callable[[], Awaitable[bool]], answer: Callable[[OnStep], Result]
) -> AsyncIterator[str | Result]:
    """The name of each step of `answer` as it begins, "" whenever one has taken `QUIET_SECONDS` longer, and its result last.

    It works in a thread of the crew, and is cancelled once the reader is `gone`: ClientDisconnect then.
    """
    loop = asyncio.get_running_loop()
    steps: asyncio.Queue[str | None] = asyncio.Queue()

    def on_step(name: str) -> None:
        loop.call_soon_threadsafe(steps.put_nowait, name)

    working = asyncio.ensure_future(crew.run_while(gone, answer, on_step))
    working.add_done_callback(lambda _: steps.put_nowait(None))
    try:
        while (step := await _next_of(steps)) is not None:
            yield step
        yield working.result()
    finally:
        working.cancel()


async def _next_of(steps: asyncio.Queue[str | None]) -> str | None:
    try:
        return await asyncio.wait_for(steps.get(), QUIET_SECONDS)
    except TimeoutError:
        return ""


def _event(name: str, data: bytes) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"
