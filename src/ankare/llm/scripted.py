"""How does a test say what the model will say, and see what the model was asked?

    provider = ScriptedProvider([tool_call("query_metric", {"metric": "REVENUE"}), "Done."])
    ...
    assert provider.calls[0].tools

For our tests and for those of everyone who builds on ankare. A reply is a `ChatCompletion`, a text, a `ToolCall`, a dict in
the chat-completions format, an exception to raise, or a function of (messages, tools) that gives any of these.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from threading import Lock
from typing import Any, TypeAlias

from ankare.llm.options import CallOptions
from ankare.llm.protocol import ChatCompletion, Choice, Message, ResponseMessage, Tool, ToolCall, Usage
from ankare.llm.wire import completion_of, plain

Reply: TypeAlias = (
    ChatCompletion
    | ToolCall
    | str
    | Mapping[str, Any]
    | BaseException
    | type[BaseException]
    | Callable[[Sequence[Message], Sequence[Tool] | None], Any]
)


class ScriptExhaustedError(AssertionError):
    """The model was asked more often than the script foresees: a fault of the test or of the code, never of a model."""


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """What the model was asked: copies, so that later changes do not show."""

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] | None
    options: CallOptions


@dataclass(slots=True)
class _Script:
    replies: tuple[Reply, ...]
    number: int = field(default_factory=count().__next__)
    calls: list[RecordedCall] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def next(self, call: RecordedCall) -> Reply:
        with self.lock:
            self.calls.append(call)
            asked = len(self.calls)
        if asked > len(self.replies):
            raise ScriptExhaustedError(
                f"The script holds {len(self.replies)} replies and was asked for reply {asked}. "
                f"The last message was {call.messages[-1] if call.messages else None!r}."
            )
        return self.replies[asked - 1]


class ScriptedProvider:
    """Gives the replies of a script, one a call, in their order. Safe for many threads."""

    def __init__(self, replies: Iterable[Reply]) -> None:
        self._script = _Script(tuple(replies))
        self._options = CallOptions()

    def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        """The next reply. Raises what the script says, and ScriptExhaustedError after its end."""
        call = RecordedCall(tuple(plain(messages)), None if tools is None else tuple(plain(tools)), self._options)
        return _completion(self._script.next(call), messages, tools)

    def with_options(self, options: CallOptions) -> ScriptedProvider:
        """A provider on the same script; its calls are recorded here, with its options."""
        other = copy.copy(self)
        other._options = self._options.under(options)
        return other

    @property
    def identity(self) -> tuple[str, str]:
        """The script, as a service of its own, and the model that is set."""
        return f"script {self._script.number}", self._options.model or ""

    @property
    def calls(self) -> tuple[RecordedCall, ...]:
        """Every call so far, those of providers made by `with_options` included."""
        with self._script.lock:
            return tuple(self._script.calls)

    @property
    def left(self) -> int:
        """How many replies have not been asked for."""
        return max(0, len(self._script.replies) - len(self.calls))

    def __repr__(self) -> str:
        return f"ScriptedProvider({len(self._script.replies)} replies, {self.left} left)"


def text(content: str, *, finish_reason: str = "stop") -> ChatCompletion:
    """A reply that is a text."""
    return completion(content, finish_reason=finish_reason)


def tool_call(name: str, arguments: Mapping[str, Any] | str, id: str = "call_scripted") -> ToolCall:  # noqa: A002
    """A call of a tool; a string stands for what the model wrote, word for word, also where it is no JSON."""
    written = arguments if isinstance(arguments, str) else json.dumps(dict(arguments), ensure_ascii=False)
    return ToolCall(id, name, written)


def completion(
    content: str | None = None,
    *calls: ToolCall,
    finish_reason: str | None = None,
    usage: Usage | None = None,
    model: str = "scripted",
    id: str = "scripted",  # noqa: A002
) -> ChatCompletion:
    """A reply with a text, calls, or both."""
    reason = finish_reason or ("tool_calls" if calls else "stop")
    return ChatCompletion((Choice(ResponseMessage(content, calls), reason),), usage, model, id)


def _completion(reply: Any, messages: Sequence[Message], tools: Sequence[Tool] | None) -> ChatCompletion:
    if isinstance(reply, BaseException) or (isinstance(reply, type) and issubclass(reply, BaseException)):
        raise reply
    if isinstance(reply, ChatCompletion):
        return reply
    if isinstance(reply, ToolCall):
        return completion(None, reply)
    if isinstance(reply, str):
        return text(reply)
    if isinstance(reply, Mapping):
        return completion_of(reply)
    if callable(reply):
        return _completion(reply(messages, tools), messages, tools)
    raise TypeError(f"{type(reply).__name__} is no reply of a script")
