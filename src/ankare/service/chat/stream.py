"""How does a chat completion leave piece by piece, although no piece may leave before the gate has passed the whole?

As data-only server-sent events of `chat.completion.chunk`: the role as soon as it is worked on; comments that tell the step,
so that no proxy closes the line; then the finished text in pieces, a last chunk with the annotations and the field `ankare`,
the usage where it was asked for, and `[DONE]`. An error after the first chunk is an event with `error`, and ends the stream.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractContextManager

import orjson
from starlette.requests import ClientDisconnect

from ankare.domain.cancel import CallCancelledError
from ankare.service.api.stream import OnStep, followed, pieces
from ankare.service.chat.answer import Completion, Understanding, content_of, extension, url_citations
from ankare.service.chat.errors import translated
from ankare.service.crew import Crew
from ankare.service.desk import Served
from ankare.service.problem import problem_of

DONE = b"data: [DONE]\n\n"
Answer = Callable[[OnStep], tuple[Served, Understanding]]


async def chat_stream(
    crew: Crew,
    place: AbstractContextManager[None],
    gone: Callable[[], Awaitable[bool]],
    answer: Answer,
    completion: Completion,
    with_usage: bool,
) -> AsyncIterator[bytes]:
    """The events of one question. What goes wrong before the first is raised, so that it gets a status of its own."""
    begun = False
    try:
        with place:
            async for found in followed(crew, gone, answer):
                if not begun:
                    yield _event(completion.chunk({"role": "assistant", "content": ""}))
                    begun = True
                for event in _told(found, completion, with_usage):
                    yield event
    except Exception as error:
        if not begun:
            raise
        if not isinstance(error, ClientDisconnect | CallCancelledError):
            yield b"data: " + translated(bytes(problem_of(error).body)) + b"\n\n"


def _told(found: str | tuple[Served, Understanding], completion: Completion, with_usage: bool) -> Iterator[bytes]:
    if isinstance(found, str):
        yield f": {found or 'still working'}\n\n".encode()
        return
    served, understanding = found
    content = content_of(served, understanding)
    for piece in pieces(content):
        yield _event(completion.chunk({"content": piece}))
    told = extension(served.body, understanding)
    yield _event(completion.chunk({"annotations": list(url_citations(content, served))}, last=True, ankare=told))
    if with_usage:
        yield _event(completion.usage_chunk(served))
    yield DONE


def _event(data: object) -> bytes:
    return b"data: " + orjson.dumps(data) + b"\n\n"
