"""What does a span say of a call of a model, by OpenTelemetry's semantic conventions for GenAI?

Which service, which model, how many tokens, how it ended. Nothing that was said: neither the messages nor the reply.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager
from types import MappingProxyType
from urllib.parse import urlsplit

from ankare.domain.agents import finish_word
from ankare.domain.tracing import Kind, Span, span
from ankare.llm.options import CallOptions
from ankare.llm.protocol import ChatCompletion, Choice, LLMProvider, Usage

_PROVIDERS: Mapping[str, str] = MappingProxyType({"AnthropicProvider": "anthropic", "MockProvider": "mock"})
_COMPATIBLE = "openai"
"""What the conventions call a service that speaks the form of OpenAI's, whoever runs it; `server.address` says who does."""
_NAME = re.compile(r"[\w./:@+-]{1,100}", re.ASCII)


def model_span(
    provider: LLMProvider, model: str = "", *, role: str, options: CallOptions | None = None
) -> AbstractContextManager[Span]:
    """The call that is made inside. `model`: the one that is asked for, "" for the provider's own; `role`: what for."""
    address, own = getattr(provider, "identity", None) or ("", "")
    asked = model or own
    given = options or CallOptions()
    return span(
        f"chat {asked}".rstrip(),
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": _PROVIDERS.get(type(provider).__name__, _COMPATIBLE),
            "gen_ai.request.model": asked or None,
            "gen_ai.request.temperature": given.temperature,
            "gen_ai.request.max_tokens": given.max_tokens,
            "gen_ai.agent.name": role,
            "server.address": urlsplit(address).hostname or None,
        },
        Kind.CLIENT,
    )


def note_reply(told: Span, reply: object) -> None:
    """Say how it ended, whatever a provider gave. What a service calls its model is told only where it looks like a name."""
    if not isinstance(reply, ChatCompletion):
        return
    usage = reply.usage if isinstance(reply.usage, Usage) else Usage()
    choices = reply.choices if isinstance(reply.choices, tuple) else ()
    ended = [choice.finish_reason for choice in choices if isinstance(choice, Choice)]
    named = isinstance(reply.model, str) and _NAME.fullmatch(reply.model)
    told.note(
        {
            "gen_ai.response.model": reply.model if named else None,
            "gen_ai.response.finish_reasons": [str(finish_word(word)) for word in ended if isinstance(word, str)]
            or None,
            "gen_ai.usage.input_tokens": usage.prompt_tokens,
            "gen_ai.usage.output_tokens": usage.completion_tokens,
        }
    )
