"""Who is told what a question takes, step by step, where somebody wants to know?

    with span("ankare.retrieve") as step:
        ...
        step.note({"ankare.hits": 8})

A tracer is set for what happens inside `traced_by(tracer)`; without one a span is nothing and costs next to nothing. No text
of a question, a document or a model goes into a span that has not been asked for by whoever runs the service.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import Protocol

Value = str | bool | int | float | Sequence[str]


class Kind(StrEnum):
    """Whose work a span is: our own, or that of a service which we ask."""

    INTERNAL = "internal"
    CLIENT = "client"


class Span(Protocol):
    """One piece of work under way."""

    def note(self, attributes: Mapping[str, Value | None]) -> None:
        """Say something about it; None says nothing."""


class Tracer(Protocol):
    """Keeps spans. An error that leaves a span is told by its kind, never by its text."""

    def span(self, name: str, kind: Kind, attributes: Mapping[str, Value | None]) -> AbstractContextManager[Span]:
        """What happens inside is one span, a part of the one that it happens in."""


class _Nothing:
    """The span of nobody. One serves all."""

    def note(self, attributes: Mapping[str, Value | None]) -> None:
        """Nobody wants to know."""

    def __enter__(self) -> _Nothing:
        return self

    def __exit__(self, *_: object) -> None:
        return None


_NOTHING = _Nothing()
_NO_ATTRIBUTES: Mapping[str, Value | None] = {}
_TRACER: ContextVar[Tracer | None] = ContextVar("ankare.tracer", default=None)


def span(
    name: str, attributes: Mapping[str, Value | None] = _NO_ATTRIBUTES, kind: Kind = Kind.INTERNAL
) -> AbstractContextManager[Span]:
    """What happens inside is a span of the tracer that is set, and of nobody without one."""
    tracer = _TRACER.get()
    return _NOTHING if tracer is None else tracer.span(name, kind, attributes)


@contextmanager
def traced_by(tracer: Tracer | None) -> Iterator[None]:
    """Spans that begin inside, in this thread or task and those that take over its context, are this tracer's."""
    token = _TRACER.set(tracer)
    try:
        yield
    finally:
        _TRACER.reset(token)
