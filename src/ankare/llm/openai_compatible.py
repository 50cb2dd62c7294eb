"""How is a model asked behind an API in the chat-completions format: hosted routers, vLLM, Ollama, llama.cpp, OpenAI?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from ankare.llm.adapter import ServiceAdapter
from ankare.llm.options import DEFAULT_TIMEOUT_SECONDS, CallOptions
from ankare.llm.protocol import ChatCompletion, Message, Tool
from ankare.llm.service import Link, ModelService, Vendor
from ankare.llm.wire import completion_of, plain

OPENAI_URL = "https://api.openai.com/v1"
DEFAULT_OPENAI_MODEL = "openai/gpt-oss-20b"
_VENDOR = Vendor("openai", "OpenAI")
_PATH = "/chat/completions"


class OpenAIProvider(ServiceAdapter):
    """A model behind any API in the chat-completions format. Safe for many threads.

    `base_url`: up to and with the `/v1` that most services have. `api_key`: "" for a service that asks for none.
    `timeout_seconds`: the time of one `chat`, attempts and waits included. Raises MissingExtraError without the extra
    `llm`, and SettingsError for an unusable address or key.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        *,
        timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
        link: Link | None = None,
    ) -> None:
        service = ModelService(_VENDOR, base_url, api_key, link or Link())
        super().__init__(service, CallOptions(model=model, timeout_seconds=timeout_seconds))
        # the newer models of OpenAI itself refuse the older name, other services often know no other
        own = urlsplit(service.base_url).hostname == urlsplit(OPENAI_URL).hostname
        self._cap = "max_completion_tokens" if own else "max_tokens"

    def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        """One turn. Raises ProviderError, and ProviderServiceError for the key and the quota."""
        return completion_of(self._service.ask(_PATH, self._body(messages, tools), self._seconds))

    def _body(self, messages: Sequence[Message], tools: Sequence[Tool] | None) -> dict[str, Any]:
        options = self._options
        body: dict[str, Any] = {"model": options.model, "messages": plain(messages)}
        if tools:
            body["tools"] = plain(tools)
        if options.temperature is not None:
            body["temperature"] = options.temperature
        if options.max_tokens is not None:
            body[self._cap] = options.max_tokens
        if options.reasoning_effort is not None:
            body["reasoning_effort"] = options.reasoning_effort
        if options.response_schema is not None:
            schema = {"name": "reply", "schema": plain(options.response_schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body
