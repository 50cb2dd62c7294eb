"""How is a model asked for a reply in a given form, whether or not its service knows how to hold it to one?

The schema goes with the request where the service takes it. One that refuses it is asked again with one that limits nothing
(several know schemas but no `maxItems`), then without any, in the time that is left. What it refused is remembered by address
and model: for a minute at first, twice as long each time that it refuses again, an hour at most. The form is no promise either
way: who asks reads the reply like any text.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ankare.errors import ProviderError
from ankare.llm.budget import Budget
from ankare.llm.options import CallOptions
from ankare.llm.protocol import ChatCompletion, LLMProvider, Message
from ankare.llm.retry import Clock
from ankare.llm.wire import without_limits

FIRST_SECONDS = 60.0
LONGEST_SECONDS = 3600.0
MOST_REMEMBERED = 1000
_REFUSALS = (None, 400, 404, 415, 422)
"""Statuses of a bad request that the schema can be the reason of; None is that of a provider that tells none."""


class Way(StrEnum):
    """How the model was asked."""

    SCHEMA = "schema"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class StructuredReply:
    """What the model said. `way`: how it was asked in the end; `refused`: how many forms the service had just refused."""

    completion: ChatCompletion
    way: Way
    refused: int = 0

    @property
    def text(self) -> str:
        """The text of the first choice, "" without one."""
        choices = self.completion.choices
        return (choices[0].message.content or "") if choices else ""

    @property
    def finish_reason(self) -> str | None:
        """Why the first choice ended."""
        return self.completion.choices[0].finish_reason if self.completion.choices else None


@dataclass(frozen=True, slots=True)
class _Refusal:
    until: float
    seconds: float


class SchemaMemory:
    """Which service has refused a schema for which model, and until when that counts. Safe for many threads."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or Clock()
        self._lock = threading.Lock()
        self._refused: dict[tuple[str, ...], _Refusal] = {}

    def takes(self, service: tuple[str, ...] | None) -> bool:
        """Is it worth trying a schema? Yes for what is not known."""
        with self._lock:
            refusal = self._refused.get(service) if service else None
            return refusal is None or self._clock.monotonic() >= refusal.until

    def took(self, service: tuple[str, ...] | None) -> None:
        """It has taken one."""
        with self._lock:
            if service:
                self._refused.pop(service, None)

    def refused(self, service: tuple[str, ...] | None) -> None:
        """It has refused one, and answered without."""
        with self._lock:
            if not service:
                return
            before = self._refused.pop(service, None)
            seconds = min(2 * before.seconds, LONGEST_SECONDS) if before else FIRST_SECONDS
            self._refused[service] = _Refusal(self._clock.monotonic() + seconds, seconds)
            if len(self._refused) > MOST_REMEMBERED:
                del self._refused[next(iter(self._refused))]


_MEMORY = SchemaMemory()


def ask_structured(
    provider: LLMProvider,
    messages: Sequence[Message],
    schema: Mapping[str, Any],
    *,
    budget: Budget,
    seconds: float | None = None,
    options: CallOptions | None = None,
    memory: SchemaMemory | None = None,
    on_ask: Callable[[], None] | None = None,
) -> StructuredReply:
    """One turn whose reply is to follow the JSON Schema, in `seconds` at most (None: what is left of the budget).

    The messages have to describe the form too, for a service that takes no schema. `memory` None: that of this process.
    `on_ask` is called before each form in which the reply is asked for.
    Raises like `Budget.ask`; a refusal with no time left for a second attempt is raised as it is, and so is one of both ways.
    """
    memory, tell = memory or _MEMORY, on_ask or _silent
    base = options or CallOptions()
    service = _identity(provider, base)
    until = budget.left() - (budget.left() if seconds is None else min(seconds, budget.left()))
    refused: list[tuple[str, ...] | None] = []
    for form, known_as in _forms(schema, service):
        if not memory.takes(known_as):
            continue
        try:
            tell()
            with_schema = base.under(CallOptions(response_schema=form))
            completion = budget.ask(provider, messages, options=with_schema, seconds=budget.left() - until)
        except ProviderError as error:
            if not _refuses_schema(error) or budget.left() <= until:
                raise
            refused.append(known_as)
        else:
            memory.took(known_as)
            return _remembered(StructuredReply(completion, Way.SCHEMA, len(refused)), refused, memory)
    tell()
    completion = budget.ask(provider, messages, options=base, seconds=budget.left() - until)
    return _remembered(StructuredReply(completion, Way.PLAIN, len(refused)), refused, memory)


def _silent() -> None:
    """Nobody wants to know."""


def _forms(
    schema: Mapping[str, Any], service: tuple[str, str] | None
) -> list[tuple[Mapping[str, Any], tuple[str, ...] | None]]:
    """The schema, then the same without limits where it has any, each with what it is remembered under."""
    bare = without_limits(schema)
    limited = [] if bare == schema else [(schema, (*service, "limits") if service else None)]
    return [*limited, (bare, service)]


def _remembered(
    reply: StructuredReply, refused: Sequence[tuple[str, ...] | None], memory: SchemaMemory
) -> StructuredReply:
    """The reply, with what was refused before it remembered: only now is it known that the form was the reason."""
    for known_as in refused:
        memory.refused(known_as)
    return reply


def _refuses_schema(error: ProviderError) -> bool:
    return error.kind == "bad_request" and error.status in _REFUSALS


def _identity(provider: LLMProvider, options: CallOptions) -> tuple[str, str] | None:
    """The address of the service and the model that will be asked; None for a provider that does not tell, which is tried
    with a schema each time."""
    identity = getattr(provider, "identity", None)
    return (identity[0], options.model or identity[1]) if identity else None
