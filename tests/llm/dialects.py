"""The two formats in which a service can be spoken to, so that one test holds for both adapters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from ankare.llm.anthropic_messages import AnthropicProvider
from ankare.llm.openai_compatible import OpenAIProvider
from ankare.llm.retry import Clock, RetryPolicy
from ankare.llm.service import Link

KEY = "sk-Test-0123456789"
MODEL = "a-model"
NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
ASK = [{"role": "system", "content": "Svara kort."}, {"role": "user", "content": "Hur går det för Åsa?"}]
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "query_metric",
            "description": "One figure.",
            "parameters": {"type": "object", "properties": {"metric": {"type": "string"}}, "required": ["metric"]},
        },
    }
]
Adapter = OpenAIProvider | AnthropicProvider


@dataclass
class FakeTime:
    """A clock that only sleeping moves."""

    seconds: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds

    def clock(self) -> Clock:
        return Clock(lambda: self.seconds, self.sleep, lambda: NOW, lambda: 0.0)


@dataclass(frozen=True)
class Dialect:
    """How one vendor's format says what a test wants said."""

    name: str

    def provider(
        self,
        url: str,
        *,
        time: FakeTime | None = None,
        key: str = KEY,
        timeout_seconds: float = 5.0,
        attempt_seconds: float | None = None,
        proxy: str = "",
    ) -> Adapter:
        clock = time.clock() if time else Clock(sleep=lambda seconds: None)
        link = Link(proxy, attempt_seconds, RetryPolicy(), clock)
        if self.name == "anthropic":
            return AnthropicProvider(key, MODEL, url, timeout_seconds=timeout_seconds, link=link)
        return OpenAIProvider(f"{url}/v1", key, MODEL, timeout_seconds=timeout_seconds, link=link)

    @property
    def path(self) -> str:
        return "/v1/messages" if self.name == "anthropic" else "/v1/chat/completions"

    def says(self, text: str) -> dict[str, Any]:
        return self._body([{"type": "text", "text": text}], {"content": text}, "end_turn", "stop")

    def calls(self, *calls: tuple[str, str, Mapping[str, Any]]) -> dict[str, Any]:
        """A reply of calls: (id, name, arguments)."""
        import json

        blocks = [{"type": "tool_use", "id": i, "name": name, "input": dict(given)} for i, name, given in calls]
        written = [
            {"id": i, "type": "function", "function": {"name": name, "arguments": json.dumps(dict(given))}}
            for i, name, given in calls
        ]
        return self._body(blocks, {"content": None, "tool_calls": written}, "tool_use", "tool_calls")

    def error(self, code: str, message: str = "") -> dict[str, Any]:
        if self.name == "anthropic":
            return {"type": "error", "error": {"type": code, "message": message}}
        return {"error": {"code": code, "type": code, "message": message}}

    def without_choices(self) -> dict[str, Any]:
        return {"id": "x", "content": None} if self.name == "anthropic" else {"id": "x", "choices": []}

    def _body(self, blocks: list[Any], message: dict[str, Any], stop: str, finish: str) -> dict[str, Any]:
        if self.name == "anthropic":
            usage = {"input_tokens": 7, "cache_read_input_tokens": 4, "output_tokens": 3}
            return {"id": "msg_1", "model": MODEL, "content": blocks, "stop_reason": stop, "usage": usage}
        choice = {"index": 0, "message": {"role": "assistant"} | message, "finish_reason": finish}
        usage = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
        return {"id": "msg_1", "model": MODEL, "choices": [choice], "usage": usage}


DIALECTS = (Dialect("openai"), Dialect("anthropic"))
