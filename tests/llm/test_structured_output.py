"""A reply in a form: with the schema where the service takes one, without where it refuses, never beyond the time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from ankare.errors import ProviderError, ProviderServiceError
from ankare.llm.budget import Budget
from ankare.llm.mock import MockProvider
from ankare.llm.options import CallOptions
from ankare.llm.scripted import ScriptedProvider
from ankare.llm.structured_output import (
    FIRST_SECONDS,
    LONGEST_SECONDS,
    MOST_REMEMBERED,
    SchemaMemory,
    StructuredReply,
    Way,
    ask_structured,
)
from tests.llm.dialects import ASK, Dialect, FakeTime
from tests.model_server import ModelServer, by_model, no_schema, refuses, reply, says, stall

SCHEMA = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
REFUSED = ProviderError("The model service a refused.", kind="bad_request", status=400)


def ask(provider, fake: FakeTime | None = None, **given) -> StructuredReply:
    budget = given.pop("budget", None) or Budget(18, (fake or FakeTime()).clock())
    given.setdefault("memory", SchemaMemory((fake or FakeTime()).clock()))
    return ask_structured(provider, ASK, SCHEMA, budget=budget, **given)


def schemas(provider: ScriptedProvider) -> list[bool]:
    """Per call: did it go with the schema?"""
    return [call.options.response_schema == SCHEMA for call in provider.calls]


def test_the_schema_goes_with_the_request(dialect: Dialect, server: ModelServer) -> None:
    server.does(reply(200, dialect.says('{"answer": "Ja."}')))
    got = ask(dialect.provider(server.url), options=CallOptions(max_tokens=50))
    assert (got.way, got.refused, got.text, got.finish_reason) == (Way.SCHEMA, False, '{"answer": "Ja."}', "stop")
    body = server.seen[0].json
    sent = body["output_config"]["format"] if dialect.name == "anthropic" else body["response_format"]["json_schema"]
    assert sent["schema"] == SCHEMA
    assert body["max_tokens"] == 50


@pytest.mark.parametrize("status", [400, 404, 415, 422])
def test_a_service_that_refuses_a_schema_is_asked_without(dialect: Dialect, server: ModelServer, status: int) -> None:
    server.does(reply(status, dialect.error("invalid_request_error")), reply(200, dialect.says("Fritt.")))
    got = ask(dialect.provider(server.url), options=CallOptions(max_tokens=50))
    assert (got.way, got.refused, got.text) == (Way.PLAIN, True, "Fritt.")
    assert not {"response_format", "output_config"} & set(server.seen[1].json)
    assert server.seen[1].json["max_tokens"] == 50


def test_what_was_refused_is_not_tried_again_for_a_while_then_it_is() -> None:
    fake = FakeTime()
    memory = SchemaMemory(fake.clock())
    provider = ScriptedProvider([REFUSED, "a", "b", REFUSED, "c", "d", "e"])
    ways = []
    for wait in (0, FIRST_SECONDS - 1, 1, 2 * FIRST_SECONDS - 1, 1):
        fake.sleep(wait)
        ways.append(ask(provider, fake, memory=memory).way)
    assert ways == [Way.PLAIN] * 4 + [Way.SCHEMA]
    assert schemas(provider) == [True, False, False, True, False, False, True]


def test_a_service_that_takes_it_again_begins_anew() -> None:
    fake = FakeTime()
    memory = SchemaMemory(fake.clock())
    provider = ScriptedProvider([REFUSED, "a", "b", REFUSED, "c", "d"])
    ask(provider, fake, memory=memory)
    fake.sleep(FIRST_SECONDS)
    assert ask(provider, fake, memory=memory).way is Way.SCHEMA
    assert ask(provider, fake, memory=memory).refused
    fake.sleep(FIRST_SECONDS)
    assert ask(provider, fake, memory=memory).way is Way.SCHEMA


def test_a_refusal_is_that_of_one_model_at_one_service(server: ModelServer) -> None:
    server.does(by_model({"old": no_schema(says("Fritt.")), "new": says("{}")}))
    memory, provider = SchemaMemory(FakeTime().clock()), server.provider()
    for model, way in [("old", Way.PLAIN), ("new", Way.SCHEMA), ("old", Way.PLAIN), ("new", Way.SCHEMA)]:
        assert ask(provider, memory=memory, options=CallOptions(model=model)).way is way
    assert ask(provider.with_options(CallOptions(model="old")), memory=memory).way is Way.PLAIN
    assert ["response_format" in seen.json for seen in server.seen] == [True, False, True, False, True, False]


LIMITED = {
    "type": "object",
    "properties": {
        "maxItems": {"type": "string", "maxLength": 9},
        "list": {
            "type": "array",
            "maxItems": 5,
            "items": {"type": "array", "maxItems": 2, "items": {"type": "number"}},
        },
    },
}
BARE = {
    "type": "object",
    "properties": {
        "maxItems": {"type": "string"},
        "list": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
    },
}


def limited(provider: ScriptedProvider, memory: SchemaMemory, fake: FakeTime) -> StructuredReply:
    return ask_structured(provider, ASK, LIMITED, budget=Budget(18, fake.clock()), memory=memory)


def test_a_service_that_knows_no_limits_is_held_to_the_schema_without_them() -> None:
    fake = FakeTime()
    memory = SchemaMemory(fake.clock())
    provider = ScriptedProvider([REFUSED, "{}", "{}", "{}"])
    got = limited(provider, memory, fake)
    assert (got.way, got.refused, got.text) == (Way.SCHEMA, 1, "{}")
    got = limited(provider, memory, fake)
    assert (got.way, got.refused) == (Way.SCHEMA, 0)
    fake.sleep(FIRST_SECONDS)
    limited(provider, memory, fake)
    assert [call.options.response_schema for call in provider.calls] == [LIMITED, BARE, BARE, LIMITED]


def test_a_service_that_knows_no_schema_at_all_is_asked_plainly_and_only_once_in_vain() -> None:
    fake = FakeTime()
    memory = SchemaMemory(fake.clock())
    provider = ScriptedProvider([REFUSED, REFUSED, "a", "b"])
    got = limited(provider, memory, fake)
    assert (got.way, got.refused, got.text) == (Way.PLAIN, 2, "a")
    assert limited(provider, memory, fake).text == "b"
    assert [call.options.response_schema for call in provider.calls] == [LIMITED, BARE, None, None]


def test_the_service_whose_limits_are_known_to_be_refused_is_not_sent_any(
    dialect: Dialect, server: ModelServer
) -> None:
    server.does(reply(200, dialect.says("{}")))
    memory = SchemaMemory(FakeTime().clock())
    ask_structured(dialect.provider(server.url), ASK, LIMITED, budget=Budget(18, FakeTime().clock()), memory=memory)
    body = server.seen[0].json
    if dialect.name == "anthropic":
        assert body["output_config"]["format"]["schema"] == BARE
    else:
        assert body["response_format"]["json_schema"]["schema"] == LIMITED


def test_scripts_of_different_tests_do_not_know_each_other() -> None:
    first, second = ScriptedProvider([REFUSED, "a"]), ScriptedProvider(["b"])
    assert ask(first, memory=None).refused
    assert ask(second, memory=None).way is Way.SCHEMA


def test_a_request_that_is_bad_either_way_tells_nothing_of_the_schema() -> None:
    memory = SchemaMemory(FakeTime().clock())
    provider = ScriptedProvider([REFUSED, REFUSED, "{}"])
    with pytest.raises(ProviderError) as caught:
        ask(provider, memory=memory)
    assert caught.value is REFUSED
    assert ask(provider, memory=memory).way is Way.SCHEMA


@pytest.mark.parametrize(
    "error",
    [
        ProviderServiceError("No key.", kind="auth", status=401),
        ProviderServiceError("No credit.", kind="quota", status=402),
        ProviderError("Slowly.", kind="rate_limited", status=429),
        ProviderError("Down.", kind="server", status=500),
        ProviderError("Late.", kind="timeout"),
        ProviderError("Cut.", kind="network"),
        ProviderError("Moved.", kind="bad_request", status=302),
        ProviderError("Too much.", kind="bad_request", status=413),
    ],
)
def test_what_the_schema_is_no_reason_for_is_raised_at_once(error: ProviderError) -> None:
    provider = ScriptedProvider([error])
    with pytest.raises(ProviderError) as caught:
        ask(provider)
    assert caught.value is error
    assert len(provider.calls) == 1


def test_both_attempts_share_one_time() -> None:
    fake = FakeTime()

    def refuse(*_: object) -> ProviderError:
        fake.sleep(3)
        raise REFUSED

    provider = ScriptedProvider([refuse, "a"])
    assert ask(provider, fake, seconds=5).refused
    assert [call.options.timeout_seconds for call in provider.calls] == [5, 2]


@pytest.mark.parametrize("seconds", [5, None])
def test_no_time_no_second_attempt(seconds: float | None) -> None:
    fake = FakeTime()

    def refuse(*_: object) -> ProviderError:
        fake.sleep(seconds or 18)
        raise REFUSED

    provider = ScriptedProvider([refuse, "a"])
    with pytest.raises(ProviderError) as caught:
        ask(provider, fake, seconds=seconds)
    assert (caught.value.kind, len(provider.calls)) == ("bad_request", 1)


def test_a_service_that_refuses_and_then_stalls_ends_with_the_share(server: ModelServer) -> None:
    server.does(refuses(400), stall)
    with pytest.raises(ProviderError) as caught:
        ask(server.provider(), budget=Budget(60), seconds=1.5)
    assert caught.value.kind == "timeout"
    assert len(server.seen) <= 2


def test_other_providers_are_asked_too() -> None:
    assert ask(MockProvider()).way is Way.SCHEMA

    class Bare:
        """A provider of somebody else, without options."""

        def chat(self, messages, *, tools=None):
            return ScriptedProvider(["Ja."]).chat(messages, tools=tools)

    assert ask(Bare()).text == "Ja."


def test_an_empty_reply_is_an_empty_text() -> None:
    got = ask(ScriptedProvider([{"choices": []}]))
    assert (got.text, got.finish_reason) == ("", None)


def test_many_threads_share_a_memory_that_does_not_grow_for_ever() -> None:
    memory = SchemaMemory(FakeTime().clock())

    def use(n: int) -> None:
        memory.refused(("a", str(n)))
        assert memory.takes(None)
        memory.took(("b", str(n)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(use, range(3 * MOST_REMEMBERED)))
    assert sum(not memory.takes(("a", str(n))) for n in range(3 * MOST_REMEMBERED)) == MOST_REMEMBERED


def test_a_refusal_counts_an_hour_at_most() -> None:
    fake = FakeTime()
    memory = SchemaMemory(fake.clock())
    for _ in range(50):
        memory.refused(("a", "m"))
    fake.sleep(LONGEST_SECONDS - 1)
    assert not memory.takes(("a", "m"))
    fake.sleep(1)
    assert memory.takes(("a", "m"))
