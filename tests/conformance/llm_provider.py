"""What every provider of a model promises, whoever runs the model.

Inherit `LLMProviderSuite` in a test module and say how to set up a provider that answers, one that calls a tool, and one
whose service is down. The providers that ankare ships with, and those that others write, pass the same promises.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, fields, is_dataclass
from types import MappingProxyType
from typing import Any

import pytest

from ankare.errors import AnkareError, ProviderError
from ankare.llm.options import CallOptions, ConfigurableProvider
from ankare.llm.protocol import SLOTS_MARK, ChatCompletion, Choice, Message, ResponseMessage, ToolCall, Usage

KEY = "sk-Conformance-0123456789"
SLOTS = {"metric": "REVENUE", "entity": "ACME_CN", "period": "FY2024", "channel": "TOTAL"}
ASK: list[Message] = [
    {"role": "system", "content": f"Use the tool.\n{SLOTS_MARK}{json.dumps(SLOTS)}"},
    {"role": "user", "content": "Hur gick det i Kina 2024?"},
]
AFTER: list[Message] = [
    *ASK,
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "query_metric", "arguments": json.dumps(SLOTS)}}
        ],
    },
    {"role": "tool", "tool_call_id": "call_1", "content": '{"status": "not_found"}'},
]
UNCHANGING = (str, int, tuple, type(None), ChatCompletion, Choice, ResponseMessage, ToolCall, Usage)
TOOLS = [{"type": "function", "function": {"name": "query_metric", "parameters": {"type": "object"}}}]


class LLMProviderSuite:
    """The promises. A subclass overrides the three that set up, and is collected because its name starts with Test."""

    def answering(self) -> ConfigurableProvider:
        """A provider that answers any number of calls with a text, and holds KEY where it has one."""
        raise NotImplementedError

    def calling(self) -> ConfigurableProvider:
        """A provider that calls query_metric with SLOTS."""
        raise NotImplementedError

    def failing(self) -> ConfigurableProvider | None:
        """A provider whose service is down; None where nothing can be."""
        raise NotImplementedError

    def test_a_text_is_a_reply_that_nobody_can_change(self) -> None:
        reply = self.answering().chat(ASK)
        assert_frozen(reply)
        assert reply.choices[0].message.content
        assert reply.choices[0].message.tool_calls == ()

    def test_a_call_is_a_reply_that_nobody_can_change(self) -> None:
        reply = self.calling().chat(ASK, tools=TOOLS)
        assert_frozen(reply)
        [call] = reply.choices[0].message.tool_calls
        assert call.id
        assert (call.name, json.loads(call.arguments)) == ("query_metric", SLOTS)

    def test_the_result_of_a_tool_can_be_told(self) -> None:
        assert self.answering().chat(AFTER, tools=TOOLS).choices[0].message.content

    @pytest.mark.parametrize("tools", [None, (), TOOLS])
    def test_tools_are_a_matter_of_choice(self, tools: Sequence[Any] | None) -> None:
        assert isinstance(self.answering().chat(ASK, tools=tools), ChatCompletion)

    def test_what_is_given_is_left_as_it_is(self) -> None:
        messages, tools = copy.deepcopy(AFTER), copy.deepcopy(TOOLS)
        self.answering().chat(messages, tools=tools)
        assert (messages, tools) == (AFTER, TOOLS)

    def test_frozen_messages_are_messages(self) -> None:
        frozen = tuple(MappingProxyType(dict(message)) for message in AFTER)
        assert self.answering().chat(frozen, tools=tuple(MappingProxyType(tool) for tool in TOOLS)).choices

    def test_replies_are_values(self) -> None:
        provider = self.answering()
        first, second = provider.chat(ASK), provider.chat(ASK)
        assert first == second
        assert hash(first) == hash(second)

    def test_many_threads_may_ask(self) -> None:
        provider = self.answering()
        with ThreadPoolExecutor(4) as pool:
            replies = list(pool.map(lambda _: provider.chat(ASK), range(12)))
        assert len({reply.choices[0].message.content for reply in replies}) == 1

    def test_options_make_another_provider(self) -> None:
        provider = self.answering()
        other = provider.with_options(CallOptions(temperature=0.0, max_tokens=100))
        assert isinstance(other.chat(ASK), ChatCompletion)
        assert isinstance(provider.chat(ASK), ChatCompletion)

    def test_a_service_that_is_down_is_a_provider_error_and_nothing_else(self) -> None:
        provider = self.failing()
        if provider is None:
            return
        try:
            provider.chat(ASK)
        except Exception as error:
            assert isinstance(error, ProviderError), f"{type(error).__name__} is an error of somebody else"
            assert isinstance(error.__context__, AnkareError | None), "it hangs on to an error of somebody else"
            assert error.retry
        else:
            raise AssertionError("it is down and answers")

    def test_a_fault_of_the_code_is_no_provider_error(self) -> None:
        try:
            self.answering().chat(5)  # type: ignore[arg-type]
        except ProviderError as error:
            raise AssertionError("a fault of the code is dressed as one of the model") from error
        except Exception:
            return

    def test_the_key_is_not_shown(self) -> None:
        assert KEY not in repr(self.answering())


def assert_frozen(reply: ChatCompletion) -> None:
    """Every part is of the protocol's own types, whose fields cannot be set and hold nothing that can be changed."""
    assert isinstance(reply, ChatCompletion)
    parts: list[Any] = [reply, reply.usage, *reply.choices]
    parts += [choice.message for choice in reply.choices]
    parts += [call for choice in reply.choices for call in choice.message.tool_calls]
    assert isinstance(reply.choices, tuple)
    for part in (part for part in parts if part is not None):
        assert is_dataclass(part)
        for field in fields(part):
            assert isinstance(getattr(part, field.name), UNCHANGING), field.name
            with pytest.raises(FrozenInstanceError):
                setattr(part, field.name, None)
