"""What does the rest of ankare ask of a language model? The chat-completions format, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Message = Mapping[str, Any]
"""A message in the chat-completions format: `role`, `content`, and `tool_calls` or `tool_call_id` where they apply."""
Tool = Mapping[str, Any]
"""A tool in the chat-completions format: `{"type": "function", "function": {"name", "description", "parameters"}}`."""

SLOTS_MARK = "SLOTS: "
"""A line of the system message that starts with this holds the question's slots as a JSON object: metric, entity, period,
channel."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model wants made. `arguments` is what the model wrote: a JSON text, or anything else."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ResponseMessage:
    """What the model said."""

    content: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    role: str = "assistant"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the answers. `finish_reason`: "stop", "length", "tool_calls", ... or None where it was not told."""

    message: ResponseMessage
    finish_reason: str | None = None
    index: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, where the service tells them; None is unknown, never zero."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ChatCompletion:
    """A reply. `choices` may be empty where a service sends none; `usage` None is unknown."""

    choices: tuple[Choice, ...]
    usage: Usage | None = None
    model: str = ""
    id: str = ""


class LLMProvider(Protocol):
    """A model behind an API."""

    def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        """One turn. Raises ProviderError for network, API and time-out errors only; programming errors propagate."""
