"""What answers where no model is to be asked: offline, at once, the same each time?

With tools it does what a good model would: one call of the first tool with the question's slots, which stand in the
system message, then a closing word. It writes no digit, so nothing that it says can be taken for a figure.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ankare.llm.options import CallOptions
from ankare.llm.protocol import (
    SLOTS_MARK,
    ChatCompletion,
    Choice,
    Message,
    ResponseMessage,
    Tool,
    ToolCall,
)

_SLOTS = ("metric", "entity", "period", "channel")
_CALL_ID = "call_mock"


def _said(text: str) -> ChatCompletion:
    return ChatCompletion((Choice(ResponseMessage(text), "stop"),), model="mock", id="mock")


_NO_MODEL = _said("This is a mock: no model was asked.")
_DONE = _said("The mock has asked the tool; what it gave stands in its result.")


class MockProvider:
    """Stands in for a model, without a network or a state. Safe for many threads."""

    def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        """A call of the first tool with the slots; after its result, or without slots or tools, a text without digits."""
        if not tools:
            return _NO_MODEL
        if _answered(messages):
            return _DONE
        slots = _slots(messages)
        if slots is None:
            return _NO_MODEL
        call = ToolCall(_CALL_ID, tools[0]["function"]["name"], slots)
        return ChatCompletion((Choice(ResponseMessage(None, (call,)), "tool_calls"),), model="mock", id="mock")

    def with_options(self, options: CallOptions) -> MockProvider:
        """The same mock: there is nothing that options could change."""
        return self

    def __repr__(self) -> str:
        return "MockProvider()"


def _answered(messages: Sequence[Message]) -> bool:
    """Has a tool answered since the user last spoke?"""
    for message in reversed(messages):
        if message["role"] in ("tool", "user"):
            return bool(message["role"] == "tool")
    return False


def _slots(messages: Sequence[Message]) -> str | None:
    """The question's slots as a JSON object, those left open left out; None where the system message holds none."""
    system = next((m["content"] for m in messages if m["role"] == "system"), None)
    if not isinstance(system, str):
        return None
    _, mark, rest = f"\n{system}".partition(f"\n{SLOTS_MARK}")
    if not mark:
        return None
    try:
        slots = json.loads(rest.partition("\n")[0])
    except ValueError:
        return None
    if not isinstance(slots, dict):
        return None
    return json.dumps({name: slots[name] for name in _SLOTS if slots.get(name) is not None}, ensure_ascii=False)
