"""The loopback model service does what it says, so that tests which build on it show what they mean to show."""

from __future__ import annotations

import threading

import pytest

from ankare.errors import ProviderError, ProviderServiceError
from ankare.llm.options import CallOptions
from ankare.llm.protocol import Usage
from tests import model_server as does
from tests.model_server import ModelServer, model_server, until_asked

ASK = [{"role": "user", "content": "Hur går det?"}]


def said(server: ModelServer, **given) -> str | None:
    return server.provider(**given).chat(ASK).choices[0].message.content


def ask_in_vain(server: ModelServer) -> None:
    with pytest.raises(ProviderError):
        said(server)


def test_a_script_is_followed_and_its_last_line_repeated() -> None:
    with model_server() as server:
        server.does(does.says("Ett."), does.says("Två."))
        assert [said(server) for _ in range(3)] == ["Ett.", "Två.", "Två."]
        assert [seen.prompt for seen in server.seen] == ["Hur går det?"] * 3


def test_usage_and_the_cap_are_told_as_the_script_says() -> None:
    with model_server() as server:
        server.does(
            does.says("Ja."), does.says("Ja.", usage=None), does.says("J", completion_tokens=9, finish_reason="length")
        )
        replies = [server.provider().chat(ASK) for _ in range(3)]
    assert [reply.usage for reply in replies] == [Usage(11, 3, 14), None, Usage(11, 9, 20)]
    assert replies[2].choices[0].finish_reason == "length"


@pytest.mark.parametrize(("status", "kind"), [(400, "bad_request"), (401, "auth"), (402, "quota"), (403, "auth")])
def test_refusals_are_what_services_send(status: int, kind: str) -> None:
    with model_server() as server:
        server.does(does.refuses(status))
        with pytest.raises(ProviderError) as caught:
            said(server)
    assert (caught.value.kind, caught.value.status) == (kind, status)
    assert isinstance(caught.value, ProviderServiceError) == (kind != "bad_request")


@pytest.mark.parametrize(
    "fault", [does.refuses(429, retry_after="1"), does.refuses(502), does.reset, does.reset_in_body]
)
def test_what_passes_is_tried_again(fault: does.Behaviour) -> None:
    with model_server() as server:
        server.does(fault, does.says("Nu."))
        assert said(server) == "Nu."
        assert len(server.seen) == 2


def test_a_behaviour_may_look_at_the_request() -> None:
    with model_server() as server:
        server.does(
            does.by_model(
                {"a": does.answers(lambda seen: seen.prompt.upper()), "b": does.no_schema(does.says("Fritt."))}
            )
        )
        assert said(server, model="a") == "HUR GÅR DET?"
        assert said(server, model="b") == "Fritt."
        with pytest.raises(ProviderError) as caught:
            server.provider(model="b").with_options(CallOptions(response_schema={"type": "object"})).chat(ASK)
    assert caught.value.status == 400


def test_a_dripping_server_gets_there_in_the_end() -> None:
    with model_server() as server:
        server.does(does.drip(does.says("Nu."), pause=0.0))
        assert said(server) == "Nu."


@pytest.mark.parametrize("behaviour", [does.stall, does.stall_in_headers, does.stall_in_body, does.drip_body])
def test_a_client_that_leaves_is_noticed(behaviour: does.Behaviour) -> None:
    with model_server() as server:
        server.does(behaviour)
        for seconds in until_asked(server):
            with pytest.raises(ProviderError) as caught:
                said(server, timeout_seconds=seconds)
            assert caught.value.kind == "timeout"
        server.wait_until_left()


def test_nothing_is_left_of_a_server_that_was_busy() -> None:
    before = set(threading.enumerate())
    with model_server() as server:
        server.does(does.stall)
        client = threading.Thread(target=ask_in_vain, args=(server,), daemon=True)
        client.start()
        server.wait_until_asked()
    client.join(does.PATIENCE)
    assert set(threading.enumerate()) <= before
