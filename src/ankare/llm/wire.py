"""What did the model say, whatever shape its service gave the reply?

Servers that speak the chat-completions format differ in what they leave out and in what they put where. Reading is
tolerant in form and repairs no meaning: the arguments of a call are kept as the model wrote them, also when they are no
JSON; what cannot be read is left out. No JSON value makes it raise.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from ankare.llm.protocol import ChatCompletion, Choice, ResponseMessage, ToolCall, Usage

MAX_TEXT = 4_000_000
"""Characters of one text; the rest is cut off. Longer than any reply that the providers let in."""
MAX_CALLS = 128
"""Calls of one message; further ones are left out."""
MAX_CHOICES = 16
_MOST_TOKENS = 2**53
_LIMITS = frozenset({"maxItems", "minItems", "maxLength", "minLength", "maximum", "minimum"})


def completion_of(reply: object) -> ChatCompletion:
    """Read a reply in the chat-completions format. Anything without readable choices has none."""
    body = reply if isinstance(reply, Mapping) else {}
    choices = body.get("choices")
    readable = [choice for choice in choices if isinstance(choice, Mapping)] if isinstance(choices, list) else []
    return ChatCompletion(
        choices=tuple(_choice(choice, place) for place, choice in enumerate(readable[:MAX_CHOICES])),
        usage=_usage(body.get("usage")),
        model=sound_text(body.get("model")) or "",
        id=sound_text(body.get("id")) or "",
    )


def message_of(message: ResponseMessage) -> dict[str, Any]:
    """A model's turn as a message that can be fed back to it."""
    turn: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        turn["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    return turn


def plain(value: Any) -> Any:
    """A message or tool as dicts, lists and sound text, whatever mappings and sequences it was built of."""
    if isinstance(value, str):
        return sound_text(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [plain(item) for item in value]
    return value


def sound_text(value: object) -> str | None:
    """The text, bounded and fit for UTF-8 (a lone surrogate becomes U+FFFD); None for what is no text."""
    if not isinstance(value, str):
        return None
    text = value[:MAX_TEXT]
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def without_limits(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema without limits on values; properties keep their names, whatever these are."""
    return {
        key: {name: _without_limits(part) for name, part in value.items()}
        if key == "properties" and isinstance(value, Mapping)
        else _without_limits(value)
        for key, value in schema.items()
        if key not in _LIMITS
    }


def _without_limits(node: Any) -> Any:
    if isinstance(node, list):
        return [_without_limits(item) for item in node]
    return without_limits(node) if isinstance(node, Mapping) else node


def text_of(content: object) -> str | None:
    """The text of a message's content: a string, or a list of parts of which the text parts count; None without any."""
    if not isinstance(content, list):
        return sound_text(content)
    texts = [text for part in content if (text := _part_text(part)) is not None]
    return sound_text("".join(texts)) if texts else None


def _part_text(part: object) -> str | None:
    if isinstance(part, Mapping) and part.get("type", "text") in ("text", "output_text"):
        return sound_text(part.get("text"))
    return sound_text(part)


def _choice(choice: Mapping[str, Any], place: int) -> Choice:
    message = choice.get("message")
    fields = message if isinstance(message, Mapping) else {}
    index = choice.get("index")
    return Choice(
        # the role of a reply is never the server's to choose: fed back as "system" it would be an instruction
        message=ResponseMessage(text_of(fields.get("content")), _tool_calls(fields.get("tool_calls"))),
        finish_reason=sound_text(choice.get("finish_reason")),
        index=index if isinstance(index, int) and not isinstance(index, bool) else place,
    )


def _tool_calls(calls: object) -> tuple[ToolCall, ...]:
    """The calls, each with an id of its own. A call without a name stays, so that the model can be told."""
    readable = [call for call in calls if isinstance(call, Mapping)] if isinstance(calls, list) else []
    read: list[ToolCall] = []
    for call in readable[:MAX_CALLS]:
        function = call.get("function")
        said = function if isinstance(function, Mapping) else call
        name = sound_text(said.get("name")) or ""
        read.append(ToolCall(_own_id(call.get("id"), read), name, _arguments(said.get("arguments"))))
    return tuple(read)


def _own_id(given: object, before: Iterable[ToolCall]) -> str:
    wanted = sound_text(given)
    taken = {call.id for call in before}
    return wanted if wanted and wanted not in taken else f"call_{uuid4().hex}"


def _arguments(given: object) -> str:
    if given is None or isinstance(given, str):
        return sound_text(given) or ""
    try:
        return sound_text(json.dumps(given, ensure_ascii=False)) or ""
    except (TypeError, ValueError, RecursionError):
        return ""


def _usage(usage: object) -> Usage | None:
    if not isinstance(usage, Mapping):
        return None
    return Usage(*(tokens(usage.get(name)) for name in ("prompt_tokens", "completion_tokens", "total_tokens")))


def tokens(count: object) -> int | None:
    """The count, None where it is no plausible one."""
    if isinstance(count, int) and not isinstance(count, bool) and 0 <= count < _MOST_TOKENS:
        return count
    return None
