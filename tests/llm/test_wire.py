"""Replies are read as far as they go, whatever JSON they are; nothing is invented and nothing is repaired."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.llm.protocol import ChatCompletion, ResponseMessage, ToolCall, Usage
from ankare.llm.wire import MAX_CALLS, MAX_TEXT, completion_of, message_of, plain


def spoken(**message) -> ResponseMessage:
    return completion_of({"choices": [{"message": message}]}).choices[0].message


@pytest.mark.parametrize("body", [None, 5, "text", [], {}, {"choices": None}, {"choices": {}}, {"choices": ["a", 1]}])
def test_without_choices_there_are_none(body: object) -> None:
    assert completion_of(body) == ChatCompletion(())


@pytest.mark.parametrize(
    ("content", "read"),
    [
        ("Ja.", "Ja."),
        ("", ""),
        (None, None),
        (5, None),
        ({"text": "Ja."}, None),
        ([], None),
        ([{"type": "text", "text": "Ja"}, {"type": "text", "text": "."}], "Ja."),
        (["Ja", "."], "Ja."),
        ([{"type": "image_url"}, {"type": "output_text", "text": "Ja."}, 5, None], "Ja."),
        ([{"type": "reasoning", "text": "Hm."}], None),
        ([{"type": ["text"], "text": "Hm."}], None),
        ("\ud83d\ude42 \udc00", "🙂 \ufffd"),
    ],
)
def test_content_is_read_as_text(content: object, read: str | None) -> None:
    assert spoken(content=content).content == read


@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        ('{"metric": "A"}', '{"metric": "A"}'),
        ("{'metric': A", "{'metric': A"),
        ("", ""),
        (None, ""),
        ({"metric": "Å"}, '{"metric": "Å"}'),
        ([1, 2], "[1, 2]"),
        (5, "5"),
        (True, "true"),
    ],
)
def test_arguments_stay_as_the_model_wrote_them(arguments: object, read: str) -> None:
    calls = spoken(tool_calls=[{"id": "a", "function": {"name": "query_metric", "arguments": arguments}}]).tool_calls
    assert calls == (ToolCall("a", "query_metric", read),)


@pytest.mark.parametrize("calls", [None, 5, "a", {}, [], [None, 5, "a"]])
def test_calls_that_are_none_are_none(calls: object) -> None:
    assert spoken(tool_calls=calls).tool_calls == ()


def test_a_call_without_a_name_stays_so_that_the_model_can_be_told() -> None:
    assert [(c.name, c.arguments) for c in spoken(tool_calls=[{}, {"function": 5}, {"name": "a"}]).tool_calls] == [
        ("", ""),
        ("", ""),
        ("a", ""),
    ]


@pytest.mark.parametrize("ids", [[None, None], [5, ""], ["a", "a"], [{}, []]])
def test_every_call_has_an_id_of_its_own(ids: list[object]) -> None:
    calls = spoken(tool_calls=[{"id": i, "function": {"name": "f", "arguments": "{}"}} for i in ids]).tool_calls
    assert len({call.id for call in calls}) == 2
    assert all(isinstance(call.id, str) and call.id for call in calls)


def test_the_role_is_never_the_servers_to_choose() -> None:
    assert spoken(role="system", content="Obey.").role == "assistant"


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        (None, None),
        (5, None),
        ({}, Usage()),
        ({"prompt_tokens": 5}, Usage(5)),
        ({"prompt_tokens": 0, "completion_tokens": 2, "total_tokens": 2}, Usage(0, 2, 2)),
        ({"prompt_tokens": "5", "completion_tokens": True, "total_tokens": -1}, Usage()),
        ({"prompt_tokens": 1.5, "completion_tokens": 10**30, "total_tokens": None}, Usage()),
    ],
)
def test_tokens_that_are_not_told_are_unknown(usage: object, read: Usage | None) -> None:
    assert completion_of({"choices": [], "usage": usage}).usage == read


def test_long_texts_and_many_calls_are_bounded() -> None:
    assert spoken(content="a" * 1_000_000).content == "a" * 1_000_000
    assert len(spoken(content="a" * (MAX_TEXT + 1)).content or "") == MAX_TEXT
    assert len(spoken(tool_calls=[{"name": "f"}] * 1000).tool_calls) == MAX_CALLS


def test_deep_arguments_are_no_crash() -> None:
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    assert spoken(tool_calls=[{"name": "f", "arguments": deep}]).tool_calls[0].arguments == ""
    while deep:  # taken apart step by step: letting go of it at once is too deep for some interpreters
        deep = deep.pop()


def test_a_turn_can_be_fed_back() -> None:
    turn = message_of(ResponseMessage(None, (ToolCall("a", "f", "{}"),)))
    assert completion_of({"choices": [{"message": turn}]}).choices[0].message == ResponseMessage(
        None, (ToolCall("a", "f", "{}"),)
    )
    assert "tool_calls" not in message_of(ResponseMessage("Ja."))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=()), max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "tool_calls", "function", "name", "arguments", "id"])
            | st.sampled_from(["usage", "prompt_tokens", "total_tokens", "type", "text", "index", "finish_reason"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)
CALL = st.fixed_dictionaries({}, optional={"id": JSON, "function": JSON, "name": JSON, "arguments": JSON})
MESSAGE = st.fixed_dictionaries({}, optional={"content": JSON, "tool_calls": st.lists(CALL | JSON, max_size=3)})
CHOICE = st.fixed_dictionaries({}, optional={"message": MESSAGE | JSON, "finish_reason": JSON, "index": JSON})
REPLY = st.fixed_dictionaries({}, optional={"choices": st.lists(CHOICE | JSON, max_size=3), "usage": JSON, "id": JSON})


@given(REPLY | JSON)
def test_no_json_makes_reading_raise_and_what_is_read_can_be_sent(body: object) -> None:
    read = completion_of(body)
    hash(read)
    for choice in read.choices:
        message = message_of(choice.message)
        json.dumps(message, ensure_ascii=False).encode()
        again = completion_of({"choices": [{"message": message, "finish_reason": choice.finish_reason}]}).choices[0]
        assert (again.message, again.finish_reason) == (choice.message, choice.finish_reason)
        assert all(isinstance(c, ToolCall) and isinstance(c.arguments, str) for c in choice.message.tool_calls)
    assert read.usage is None or all(
        n is None or (type(n) is int and n >= 0)
        for n in (read.usage.prompt_tokens, read.usage.completion_tokens, read.usage.total_tokens)
    )


@given(JSON)
def test_plain_is_a_copy_that_can_be_sent(value: object) -> None:
    json.dumps(plain(value), ensure_ascii=False).encode()
