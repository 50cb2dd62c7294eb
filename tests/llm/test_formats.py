"""What goes out: the chat-completions format as it is, and Anthropic's, which differs."""

from __future__ import annotations

import subprocess
import sys
from types import MappingProxyType

import pytest

from ankare.llm.anthropic_messages import DEFAULT_ANTHROPIC_MODEL, DEFAULT_MAX_TOKENS, AnthropicProvider
from ankare.llm.openai_compatible import OPENAI_URL, OpenAIProvider
from ankare.llm.options import CallOptions
from ankare.llm.protocol import Usage
from tests.llm.dialects import ASK, KEY, TOOLS, Dialect
from tests.model_server import ModelServer, reply

OPENAI, ANTHROPIC = Dialect("openai"), Dialect("anthropic")
EVERYTHING = CallOptions(
    temperature=0.2, max_tokens=50, response_schema={"type": "object"}, reasoning_effort="high", timeout_seconds=3
)


def call(name: str, arguments: str) -> dict:
    return {"id": name, "type": "function", "function": {"name": "query_metric", "arguments": arguments}}


LOOP = [
    *ASK,
    {"role": "assistant", "content": None, "tool_calls": [call("a", '{"metric": "A"}'), call("b.2", "{broken")]},
    {"role": "tool", "tool_call_id": "a", "content": '{"status": "found"}'},
    {"role": "tool", "tool_call_id": "b.2", "content": "bad arguments"},
]


def sent(dialect: Dialect, server: ModelServer, messages: list, options: CallOptions | None = None, **given) -> dict:
    server.does(reply(200, dialect.says("Ja.")))
    dialect.provider(server.url).with_options(options or CallOptions()).chat(messages, **given)
    return server.seen[-1].json


def test_chat_completions_go_out_as_they_are(server: ModelServer) -> None:
    assert sent(OPENAI, server, LOOP, tools=TOOLS) == {"model": "a-model", "messages": LOOP, "tools": TOOLS}
    assert "tools" not in sent(OPENAI, server, LOOP, tools=[])


def test_options_have_their_names_in_chat_completions(server: ModelServer) -> None:
    body = sent(OPENAI, server, ASK, EVERYTHING)
    assert {name: body[name] for name in body if name not in ("model", "messages")} == {
        "temperature": 0.2,
        "max_tokens": 50,
        "reasoning_effort": "high",
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": {"type": "object"}}},
    }


def test_openai_itself_has_another_name_for_the_cap() -> None:
    provider = OpenAIProvider(OPENAI_URL, KEY, "m").with_options(CallOptions(max_tokens=5))
    assert provider._body(ASK, None)["max_completion_tokens"] == 5


def test_frozen_messages_can_be_sent(dialect: Dialect, server: ModelServer) -> None:
    frozen = tuple(MappingProxyType(message) for message in LOOP)
    assert sent(dialect, server, frozen) == sent(dialect, server, LOOP)  # type: ignore[arg-type]


def test_lone_surrogates_of_a_caller_are_no_crash(dialect: Dialect, server: ModelServer) -> None:
    assert "a\ufffd" in str(sent(dialect, server, [{"role": "user", "content": "a\ud800"}]))


def test_a_conversation_in_the_format_of_anthropic(server: ModelServer) -> None:
    body = sent(ANTHROPIC, server, LOOP, tools=TOOLS)
    assert body["system"] == "Svara kort."
    assert body["max_tokens"] == DEFAULT_MAX_TOKENS
    assert body["tools"] == [
        {"name": "query_metric", "description": "One figure.", "input_schema": TOOLS[0]["function"]["parameters"]}
    ]
    assert body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "Hur går det för Åsa?"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "a", "name": "query_metric", "input": {"metric": "A"}},
                {"type": "tool_use", "id": "b_2", "name": "query_metric", "input": {"arguments": "{broken"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": '{"status": "found"}'},
                {"type": "tool_result", "tool_use_id": "b_2", "content": "bad arguments"},
            ],
        },
    ]


@pytest.mark.parametrize(
    ("messages", "turns"),
    [
        ([("user", "a"), ("user", "b")], [("user", ["a", "b"])]),
        ([("user", "a"), ("assistant", ""), ("user", "b")], [("user", ["a", "b"])]),
        ([("user", "a"), ("assistant", "  \n"), ("user", "b")], [("user", ["a", "b"])]),
        ([("assistant", "a"), ("user", "b")], [("user", ["…"]), ("assistant", ["a"]), ("user", ["b"])]),
        ([("user", ""), ("user", "b")], [("user", ["b"])]),
        ([("user", [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])], [("user", ["ab"])]),
        ([("user", "a"), ("system", "s"), ("assistant", "b"), ("user", "c")], [("user", ["a"]), ("assistant", ["b"])]),
    ],
)
def test_turns_alternate_start_with_the_user_and_say_something(
    server: ModelServer, messages: list[tuple[str, object]], turns: list[tuple[str, list[str]]]
) -> None:
    body = sent(ANTHROPIC, server, [{"role": role, "content": content} for role, content in messages])
    read = [(turn["role"], [block["text"] for block in turn["content"]]) for turn in body["messages"]]
    assert read[: len(turns)] == turns


def test_system_messages_are_joined_and_may_be_missing(server: ModelServer) -> None:
    systems = [{"role": "system", "content": "A."}, {"role": "developer", "content": "B."}]
    assert sent(ANTHROPIC, server, [*systems, *ASK[1:]])["system"] == "A.\n\nB."
    assert "system" not in sent(ANTHROPIC, server, ASK[1:])


def test_a_tool_without_parameters_takes_an_empty_object(server: ModelServer) -> None:
    body = sent(ANTHROPIC, server, ASK, tools=[{"type": "function", "function": {"name": "now"}}])
    assert body["tools"] == [{"name": "now", "input_schema": {"type": "object", "properties": {}}}]


def test_options_have_their_names_at_anthropic_and_a_temperature_none(server: ModelServer) -> None:
    body = sent(ANTHROPIC, server, ASK, EVERYTHING)
    assert body["max_tokens"] == 50
    assert body["output_config"] == {"effort": "high", "format": {"type": "json_schema", "schema": {"type": "object"}}}
    assert "temperature" not in body


@pytest.mark.parametrize(
    ("stop", "finish"),
    [
        ("end_turn", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("tool_use", "tool_calls"),
        ("refusal", "content_filter"),
        ("something_new", "something_new"),
        (5, None),
    ],
)
def test_reasons_to_stop_are_translated(server: ModelServer, stop: object, finish: str | None) -> None:
    server.does(reply(200, ANTHROPIC.says("Ja.") | {"stop_reason": stop}))
    assert ANTHROPIC.provider(server.url).chat(ASK).choices[0].finish_reason == finish


def test_text_around_a_call_is_kept_and_thinking_is_not(server: ModelServer) -> None:
    blocks = [
        {"type": "thinking", "thinking": "Hm, 5."},
        {"type": "text", "text": "Jag ser efter."},
        {"type": "tool_use", "id": "a", "name": "query_metric", "input": {}},
    ]
    server.does(reply(200, ANTHROPIC.says("") | {"content": blocks}))
    message = ANTHROPIC.provider(server.url).chat(ASK).choices[0].message
    assert (message.content, [c.arguments for c in message.tool_calls]) == ("Jag ser efter.", ["{}"])


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        ({"input_tokens": 5, "output_tokens": 2}, Usage(5, 2, 7)),
        ({"input_tokens": 5, "cache_read_input_tokens": 10, "output_tokens": 2}, Usage(15, 2, 17)),
        ({"output_tokens": 2}, Usage(None, 2, None)),
        ({"input_tokens": True, "output_tokens": "2"}, Usage()),
    ],
)
def test_tokens_are_counted_under_one_set_of_names(server: ModelServer, usage: dict, read: Usage) -> None:
    server.does(reply(200, ANTHROPIC.says("Ja.") | {"usage": usage}))
    assert ANTHROPIC.provider(server.url).chat(ASK).usage == read


def test_an_empty_reply_is_a_choice_that_says_nothing(server: ModelServer) -> None:
    server.does(reply(200, ANTHROPIC.says("") | {"content": []}))
    assert ANTHROPIC.provider(server.url).chat(ASK).choices[0].message.content is None


def test_the_default_model_is_named() -> None:
    assert (
        repr(AnthropicProvider(KEY))
        == f"AnthropicProvider('https://api.anthropic.com', model='{DEFAULT_ANTHROPIC_MODEL}')"
    )


def test_importing_loads_no_vendor() -> None:
    code = (
        "import sys, ankare.llm.choose, ankare.llm.scripted, ankare.llm.mock, ankare.llm.service;"
        "from ankare.llm.choose import make_provider;"
        "make_provider('anthropic', base_url='', api_key='k', model='', timeout_seconds=1);"
        "found = sorted({'openai', 'anthropic', 'httpx', 'httpx2', 'httpcore2'} & set(sys.modules));"
        "sys.exit(','.join(found) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
