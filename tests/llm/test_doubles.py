"""The providers without a model: one for trying things out, one for tests."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from ankare.errors import ProviderError
from ankare.llm.mock import MockProvider
from ankare.llm.options import CallOptions
from ankare.llm.protocol import SLOTS_MARK, ToolCall, Usage
from ankare.llm.scripted import ScriptedProvider, ScriptExhaustedError, completion, text, tool_call
from tests.llm.dialects import ASK, TOOLS

SLOTS = {"metric": "REVENUE", "entity": "ACME_CN", "period": "FY2024", "channel": "TOTAL"}


def asked(slots: str, *more: dict) -> list[dict]:
    return [{"role": "system", "content": slots}, {"role": "user", "content": "Hur gick det 2024?"}, *more]


def line(slots: object) -> str:
    return f"Use the tool.\n{SLOTS_MARK}{json.dumps(slots)}\nBe brief."


@pytest.mark.parametrize("system", [line(SLOTS), f"{SLOTS_MARK}{json.dumps(SLOTS)}"])
def test_the_mock_calls_the_first_tool_with_the_slots(system: str) -> None:
    [choice] = MockProvider().chat(asked(system), tools=TOOLS).choices
    [call] = choice.message.tool_calls
    assert (call.name, json.loads(call.arguments)) == ("query_metric", SLOTS)
    assert choice.finish_reason == "tool_calls"


def test_the_mock_leaves_open_what_is_open() -> None:
    call = MockProvider().chat(asked(line({"metric": "A", "entity": None, "x": 1})), tools=TOOLS).choices[0].message
    assert json.loads(call.tool_calls[0].arguments) == {"metric": "A"}


@pytest.mark.parametrize(
    ("messages", "tools"),
    [
        (asked(line(SLOTS)), None),
        (asked(line(SLOTS)), []),
        (asked("No slots."), TOOLS),
        (asked(f"In the middle of a line {SLOTS_MARK}{json.dumps(SLOTS)}"), TOOLS),
        (asked(f"{SLOTS_MARK}not JSON"), TOOLS),
        (asked(f"{SLOTS_MARK}[1]"), TOOLS),
        (ASK[1:], TOOLS),
        ([{"role": "user", "content": line(SLOTS)}], TOOLS),
        ([], TOOLS),
        (asked(line(SLOTS), {"role": "tool", "tool_call_id": "a", "content": "1 320"}), TOOLS),
    ],
)
def test_what_the_mock_says_holds_no_digit(messages: list, tools: list | None) -> None:
    [choice] = MockProvider().chat(messages, tools=tools).choices
    assert choice.message.tool_calls == ()
    assert choice.message.content
    assert not any(sign.isdigit() for sign in choice.message.content)
    assert "mock" in choice.message.content


def test_the_mock_calls_again_for_a_new_question() -> None:
    turns = [{"role": "tool", "tool_call_id": "a", "content": "x"}, {"role": "user", "content": "Och sedan?"}]
    assert MockProvider().chat(asked(line(SLOTS), *turns), tools=TOOLS).choices[0].message.tool_calls


def test_a_script_takes_replies_of_every_kind() -> None:
    provider = ScriptedProvider(
        [
            "Ja.",
            text("Nej.", finish_reason="length"),
            tool_call("f", {"a": "å"}),
            completion("Ser efter.", tool_call("f", "{broken", id="x"), usage=Usage(1, 2, 3)),
            {"choices": [{"message": {"content": "Kanske."}}]},
            lambda messages, tools: messages[-1]["content"],
            lambda messages, tools: tool_call(tools[0]["function"]["name"], {}),
        ]
    )
    said = [provider.chat(ASK, tools=TOOLS) for _ in range(7)]
    assert [s.choices[0].message.content for s in said] == [
        *("Ja.", "Nej.", None, "Ser efter.", "Kanske."),
        *("Hur går det för Åsa?", None),
    ]
    assert said[2].choices[0].message.tool_calls == (ToolCall("call_scripted", "f", '{"a": "å"}'),)
    assert said[3].choices[0].message.tool_calls == (ToolCall("x", "f", "{broken"),)
    assert said[3].usage == Usage(1, 2, 3)
    assert said[6].choices[0].message.tool_calls[0].name == "query_metric"
    assert provider.left == 0


@pytest.mark.parametrize("error", [ProviderError("Down."), ValueError("a fault of the code"), KeyError])
def test_a_script_raises_what_it_is_told_to(error: Exception | type[Exception]) -> None:
    with pytest.raises(error if isinstance(error, type) else type(error)):
        ScriptedProvider([error]).chat(ASK)


def test_a_script_that_ends_is_a_fault_of_the_code() -> None:
    provider = ScriptedProvider(["Ja."])
    provider.chat(ASK)
    with pytest.raises(ScriptExhaustedError, match=r"holds 1 replies and was asked for reply 2.*Åsa") as caught:
        provider.chat(ASK)
    assert isinstance(caught.value, AssertionError)
    assert not isinstance(caught.value, ProviderError)
    assert len(provider.calls) == 2


def test_what_is_no_reply_is_a_fault_of_the_code() -> None:
    with pytest.raises(TypeError):
        ScriptedProvider([5]).chat(ASK)  # type: ignore[list-item]


def test_a_script_remembers_what_was_asked_as_it_was_then() -> None:
    provider = ScriptedProvider(["Ja.", "Nej."])
    messages = [{"role": "user", "content": "a", "more": {"deep": [1]}}]
    provider.chat(messages, tools=TOOLS)
    messages[0]["more"]["deep"].append(2)  # type: ignore[index]
    messages.append({"role": "user", "content": "b"})
    provider.with_options(CallOptions(temperature=0.2)).chat(messages)
    first, second = provider.calls
    assert first.messages == ({"role": "user", "content": "a", "more": {"deep": [1]}},)
    assert first.tools == tuple(TOOLS)
    assert (second.tools, second.options.temperature, first.options.temperature) == (None, 0.2, None)


def test_many_threads_share_a_script_and_each_reply_is_given_once() -> None:
    provider = ScriptedProvider([str(n) for n in range(200)])
    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(lambda _: provider.chat(ASK).choices[0].message.content, range(200)))
    assert sorted(said, key=int) == [str(n) for n in range(200)]


@pytest.mark.parametrize(
    "wrong", [{"temperature": -1}, {"temperature": float("nan")}, {"max_tokens": 0}, {"timeout_seconds": 0}]
)
def test_options_out_of_range_are_a_fault_of_the_code(wrong: dict) -> None:
    with pytest.raises(ValueError, match="is"):
        CallOptions(**wrong)
