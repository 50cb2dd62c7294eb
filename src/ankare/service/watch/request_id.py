"""Which request does a line of a log, an error or a span belong to?

The caller's own id where it sends one that is well formed (`X-Request-ID`, or the trace of a W3C `traceparent`), else a new
one. It leaves in `X-Request-ID`, stands in every line of the process log, and names the occurrence in a problem document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from uuid import uuid4

HEADER = b"x-request-id"
TRACE_HEADER = b"traceparent"
_SOUND = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")
_TRACE = re.compile(rb"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?")


@dataclass(frozen=True, slots=True)
class RequestMark:
    """What the parts of one request have in common. `trace`: the id of its trace where spans are kept, else ""."""

    id: str = ""
    trace: str = ""


_NONE = RequestMark()
_CURRENT: ContextVar[RequestMark] = ContextVar("ankare.request", default=_NONE)


def request_id_of(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The id of a request with these headers: the one that it brings, or a new one."""
    sent = dict(headers)
    own, trace = sent.get(HEADER, b""), _TRACE.fullmatch(sent.get(TRACE_HEADER, b""))
    if _SOUND.fullmatch(own):
        return own.decode("ascii")
    return trace[1].decode("ascii") if trace else uuid4().hex


def current() -> RequestMark:
    """The request that is being answered here; empty outside of one."""
    return _CURRENT.get()


@contextmanager
def marked(mark: RequestMark) -> Iterator[None]:
    """What happens inside belongs to this request."""
    token = _CURRENT.set(mark)
    try:
        yield
    finally:
        _CURRENT.reset(token)
