"""How is a Claude model asked behind Anthropic's Messages API, which has a format of its own?

What differs from chat completions: the system message stands apart, turns alternate, the results of tools are the
user's, a text is never empty, and every request says how long the reply may be. A temperature is not sent: since its
version 2026-10-21 the API refuses one (https://platform.claude.com/docs/en/api/migration-2026-10-21).
Nor are limits in a schema: the API takes none on lists and texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ankare.llm.adapter import ServiceAdapter
from ankare.llm.options import DEFAULT_TIMEOUT_SECONDS, CallOptions
from ankare.llm.protocol import ChatCompletion, Message, Tool
from ankare.llm.service import Link, ModelService, Vendor
from ankare.llm.wire import completion_of, plain, text_of, tokens, without_limits

ANTHROPIC_URL = "https://api.anthropic.com"
DEFAULT_ANTHROPIC_MODEL = "claude-opus-4-8"
DEFAULT_MAX_TOKENS = 4096
_VENDOR = Vendor("anthropic", "Anthropic", {"open_telemetry": False})  # its spans could hold the question
_PATH = "/v1/messages"
_SYSTEM = ("system", "developer")
_NO_ID = re.compile(r"[^A-Za-z0-9_-]")
_FINISH = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}
_INPUT_TOKENS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class AnthropicProvider(ServiceAdapter):
    """A Claude model. Safe for many threads. A temperature among its options is passed over.

    `base_url`: None for Anthropic itself. `timeout_seconds`: the time of one `chat`, attempts and waits included. Raises
    MissingExtraError without the extra `llm`, and SettingsError for an unusable address or key.
    """

    def __init__(
        self,
        api_key: str,
        model: str = DEFAULT_ANTHROPIC_MODEL,
        base_url: str | None = None,
        *,
        timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
        link: Link | None = None,
    ) -> None:
        super().__init__(
            ModelService(_VENDOR, base_url or ANTHROPIC_URL, api_key, link or Link()),
            CallOptions(model=model, timeout_seconds=timeout_seconds, max_tokens=DEFAULT_MAX_TOKENS),
        )

    def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        """One turn. Raises ProviderError, and ProviderServiceError for the key and the quota."""
        return completion_of(_as_chat_completion(self._service.ask(_PATH, self._body(messages, tools), self._seconds)))

    def _body(self, messages: Sequence[Message], tools: Sequence[Tool] | None) -> dict[str, Any]:
        options = self._options
        body: dict[str, Any] = {
            "model": options.model,
            "max_tokens": options.max_tokens,
            "messages": _turns(plain([m for m in messages if m["role"] not in _SYSTEM])),
        }
        system = [text_of(plain(m["content"])) or "" for m in messages if m["role"] in _SYSTEM]
        if any(system):
            body["system"] = "\n\n".join(part for part in system if part)
        if tools:
            body["tools"] = [_tool(plain(tool["function"])) for tool in tools]
        output: dict[str, Any] = {}
        if options.reasoning_effort is not None:
            output["effort"] = options.reasoning_effort
        if options.response_schema is not None:
            output["format"] = {"type": "json_schema", "schema": without_limits(plain(options.response_schema))}
        return body | ({"output_config": output} if output else {})


def _tool(function: Mapping[str, Any]) -> dict[str, Any]:
    tool = {
        "name": function["name"],
        "input_schema": function.get("parameters") or {"type": "object", "properties": {}},
    }
    return tool | ({"description": function["description"]} if function.get("description") else {})


def _turns(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The conversation as turns that alternate and start with the user's; messages that say nothing are left out."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if message["role"] == "assistant" else "user"
        blocks = _blocks(message)
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"].extend(blocks)
        elif blocks:
            turns.append({"role": role, "content": blocks})
    if turns and turns[0]["role"] == "assistant":
        turns.insert(0, {"role": "user", "content": [{"type": "text", "text": "…"}]})
    return turns


def _blocks(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    said = text_of(message.get("content")) or ""
    if message["role"] == "tool":
        return [{"type": "tool_result", "tool_use_id": _id(message["tool_call_id"]), "content": said}]
    text = [{"type": "text", "text": said}] if said.strip() else []
    return text + [_tool_use(call) for call in message.get("tool_calls") or ()]


def _tool_use(call: Mapping[str, Any]) -> dict[str, Any]:
    function = call["function"]
    return {"type": "tool_use", "id": _id(call["id"]), "name": function["name"], "input": _input(function["arguments"])}


def _input(arguments: str) -> dict[str, Any]:
    """The arguments as the object that the API wants; what is none is kept under a name of its own."""
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        value = arguments
    return value if isinstance(value, dict) else {"arguments": value}


def _id(given: str) -> str:
    """The id in the letters that the API allows."""
    return _NO_ID.sub("_", given) or "_"


def _as_chat_completion(reply: Mapping[str, Any]) -> dict[str, Any]:
    """The reply in the chat-completions format; without a list of blocks it has no choices."""
    content = reply.get("content")
    blocks = [block for block in content if isinstance(block, Mapping)] if isinstance(content, list) else []
    message = {
        "content": [block for block in blocks if block.get("type") == "text"],
        "tool_calls": [
            {"id": block.get("id"), "function": {"name": block.get("name"), "arguments": block.get("input")}}
            for block in blocks
            if block.get("type") == "tool_use"
        ],
    }
    reason = reply.get("stop_reason")
    finish = _FINISH.get(reason, reason) if isinstance(reason, str) else None
    return {
        "id": reply.get("id"),
        "model": reply.get("model"),
        "choices": [{"message": message, "finish_reason": finish}] if isinstance(content, list) else [],
        "usage": _usage(reply.get("usage")),
    }


def _usage(usage: object) -> dict[str, Any] | None:
    """Tokens under the names of chat completions. What came from a cache counts as prompt."""
    if not isinstance(usage, Mapping):
        return None
    first, *cached = (tokens(usage.get(name)) for name in _INPUT_TOKENS)
    prompt = None if first is None else first + sum(part or 0 for part in cached)
    completion = tokens(usage.get("output_tokens"))
    total = None if prompt is None or completion is None else prompt + completion
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": total}
