"""Whatever a service does, the caller gets a reply, or an error that says whose fault it is, in time."""

from __future__ import annotations

import json
import logging
import socket
import ssl
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpcore2
import pytest

from ankare.errors import ProviderError, ProviderServiceError
from ankare.llm.options import CallOptions
from ankare.llm.protocol import Usage
from tests import model_server as behave
from tests.llm.dialects import ASK, KEY, MODEL, TOOLS, Dialect, FakeTime
from tests.model_server import ModelServer, reply

SHORT = 0.3

NO_REPLIES = {
    "empty": b"",
    "html": b"<html><body>Welcome</body></html>",
    "cut": b'{"choices": [{"mess',
    "string": b'"text"',
    "list": b"[]",
    "null": b"null",
    "bytes": b"\xff\xfe\xfa",
    "deep": b"[" * 100_000,
    "long number": b'{"id": ' + b"9" * 10_000 + b"}",
}


def refused(dialect: Dialect, server: ModelServer, **given) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        dialect.provider(server.url, **given).chat(ASK)
    return caught.value


# What a service says


def test_a_text_comes_back_with_its_usage(dialect: Dialect, server: ModelServer) -> None:
    server.does(reply(200, dialect.says("Det går bra, 好的 🙂.")))
    got = dialect.provider(server.url).chat(ASK)
    assert got.choices[0].message.content == "Det går bra, 好的 🙂."
    assert got.choices[0].finish_reason == "stop"
    assert got.usage == Usage(11, 3, 14)
    assert (got.model, got.id) == (MODEL, "msg_1")


def test_calls_of_tools_come_back_in_order(dialect: Dialect, server: ModelServer) -> None:
    calls = [("call_1", "query_metric", {"metric": "INTÄKT"}), ("call_2", "query_metric", {"metric": "B"})]
    server.does(reply(200, dialect.calls(*calls)))
    choice = dialect.provider(server.url).chat(ASK, tools=TOOLS).choices[0]
    read = [(c.id, c.name, json.loads(c.arguments)) for c in choice.message.tool_calls]
    assert read == calls
    assert choice.finish_reason == "tool_calls"


def test_no_choices_are_no_error(dialect: Dialect, server: ModelServer) -> None:
    server.does(reply(200, dialect.without_choices()))
    assert dialect.provider(server.url).chat(ASK).choices == ()


def test_missing_usage_is_unknown(dialect: Dialect, server: ModelServer) -> None:
    server.does(reply(200, dialect.says("Ja.") | {"usage": None}))
    assert dialect.provider(server.url).chat(ASK).usage is None


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"choices": 7, "content": 7},
        {"choices": [None, 1, {"message": []}], "content": [None, 1, {"type": 5}], "usage": [1]},
        {"choices": [{"message": {"content": 5, "tool_calls": {"a": 1}}}], "content": [{"type": "text", "text": 5}]},
        {"id": 5, "model": [], "choices": None, "usage": {"prompt_tokens": "many", "input_tokens": -1}},
    ],
)
def test_wrong_types_are_read_as_far_as_they_go(dialect: Dialect, server: ModelServer, body: dict) -> None:
    server.does(reply(200, body))
    got = dialect.provider(server.url).chat(ASK)
    assert all(choice.message.content is None and not choice.message.tool_calls for choice in got.choices)
    assert got.usage in (None, Usage())


def test_a_megabyte_of_text_is_taken_whole(dialect: Dialect, server: ModelServer) -> None:
    server.does(reply(200, dialect.says("å" * 500_000)))
    assert dialect.provider(server.url).chat(ASK).choices[0].message.content == "å" * 500_000


@pytest.mark.parametrize("behaviour", [reply(200, b'{"id": "' + b"a" * 10_000_000 + b'"}'), behave.endless])
def test_ten_megabytes_are_refused(dialect: Dialect, server: ModelServer, behaviour: behave.Behaviour) -> None:
    server.does(behaviour)
    error = refused(dialect, server)
    assert (error.kind, error.retry) == ("bad_reply", False)
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    "body",
    NO_REPLIES.values(),
    ids=NO_REPLIES.keys(),
)
def test_what_is_no_reply_is_said_so_and_not_asked_for_again(
    dialect: Dialect, server: ModelServer, body: bytes
) -> None:
    server.does(reply(200, body))
    error = refused(dialect, server)
    assert (error.kind, error.retry, len(server.seen)) == ("bad_reply", False, 1)


def test_a_packed_reply_is_not_unpacked(dialect: Dialect, server: ModelServer) -> None:
    server.does(reply(200, b"\x1f\x8b whatever", content_encoding="gzip"))
    assert refused(dialect, server).kind == "bad_reply"
    assert server.seen[0].headers["accept-encoding"] == "identity"


def test_lone_surrogates_become_text_that_can_be_sent_on(dialect: Dialect, server: ModelServer) -> None:
    server.does(reply(200, json.dumps(dialect.says("a\ud800b"))))
    content = dialect.provider(server.url).chat(ASK).choices[0].message.content
    assert content == "a\ufffdb"


# What a service refuses


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, "auth"), (403, "auth"), (402, "quota")],
)
def test_key_and_quota_end_at_once(dialect: Dialect, server: ModelServer, status: int, kind: str) -> None:
    server.does(reply(status, dialect.error("no_such_luck"), retry_after="0"))
    error = refused(dialect, server)
    assert isinstance(error, ProviderServiceError)
    assert (error.kind, error.status, error.retry, len(server.seen)) == (kind, status, False, 1)


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [
        (429, "insufficient_quota", "You exceeded your current quota"),
        (403, "billing_error", "Pay first"),
        (400, "invalid_request_error", "Your credit balance is too low to access the API."),
    ],
)
def test_an_empty_account_is_told_from_too_many_questions(
    dialect: Dialect, server: ModelServer, status: int, code: str, message: str
) -> None:
    server.does(reply(status, dialect.error(code, message)))
    error = refused(dialect, server)
    assert isinstance(error, ProviderServiceError)
    assert (error.kind, len(server.seen)) == ("quota", 1)


@pytest.mark.parametrize("status", [400, 404, 413, 422])
def test_a_bad_request_is_not_repeated(dialect: Dialect, server: ModelServer, status: int) -> None:
    server.does(reply(status, dialect.error("model_not_found", "The model `x` does not exist")))
    error = refused(dialect, server)
    assert not isinstance(error, ProviderServiceError)
    assert (error.kind, error.status, len(server.seen)) == ("bad_request", status, 1)
    assert "(model_not_found)" in str(error)
    assert "does not exist" not in str(error)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 529, 408])
def test_a_service_in_trouble_is_asked_again(dialect: Dialect, server: ModelServer, status: int) -> None:
    server.does(reply(status, "<html>Sorry</html>"), reply(200, dialect.says("Nu.")))
    assert dialect.provider(server.url, time=FakeTime()).chat(ASK).choices[0].message.content == "Nu."
    assert server.seen[0].body == server.seen[1].body


def test_the_wait_is_the_one_that_the_service_asks_for(dialect: Dialect, server: ModelServer) -> None:
    fake = FakeTime()
    server.does(
        reply(429, dialect.error("rate_limit"), retry_after="2"),
        reply(429, dialect.error("rate_limit"), retry_after="Sun, 01 Mar 2026 12:00:07 GMT"),
        reply(200, dialect.says("Nu.")),
    )
    dialect.provider(server.url, time=fake, timeout_seconds=20).chat(ASK)
    assert fake.slept == [2, 7]


def test_a_wait_beyond_the_budget_is_not_waited(dialect: Dialect, server: ModelServer) -> None:
    fake = FakeTime()
    server.does(reply(429, dialect.error("rate_limit"), retry_after="60"))
    error = refused(dialect, server, time=fake, timeout_seconds=20)
    assert (error.kind, error.status, error.retry) == ("rate_limited", 429, True)
    assert (fake.slept, len(server.seen)) == ([], 1)


def test_trouble_that_lasts_ends_within_the_budget(dialect: Dialect, server: ModelServer) -> None:
    fake = FakeTime()
    server.does(reply(503, b""))
    error = refused(dialect, server, time=fake, timeout_seconds=3)
    assert (error.kind, error.status) == ("server", 503)
    assert fake.slept == [0.25, 0.5, 1.0]
    assert len(server.seen) == 4


def test_an_error_that_comes_as_a_success_is_one(dialect: Dialect, server: ModelServer) -> None:
    server.does(reply(200, {"error": {"code": 402, "message": "Insufficient credits"}}))
    assert refused(dialect, server).kind == "quota"
    server.does(reply(200, {"error": "the model fell over"}))
    assert refused(dialect, server).kind == "bad_reply"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_told_and_the_key_goes_nowhere(dialect: Dialect, server: ModelServer, status: int) -> None:
    with behave.model_server() as elsewhere:
        elsewhere.does(reply(200, dialect.says("Mine now.")))
        server.does(reply(status, b"", location=f"{elsewhere.url}/v1?token=abc"))
        error = refused(dialect, server)
        assert elsewhere.seen == []
    assert (error.kind, error.status, len(server.seen)) == ("bad_request", status, 1)
    assert "127.0.0.1" in str(error)
    assert "token" not in str(error)


# What the network does


@pytest.mark.parametrize("fault", [behave.reset, behave.hang_up, behave.cut_off, behave.bad_chunks, behave.no_http])
def test_a_line_that_breaks_is_tried_again(dialect: Dialect, server: ModelServer, fault: behave.Behaviour) -> None:
    server.does(fault, reply(200, dialect.says("Nu.")))
    assert dialect.provider(server.url, time=FakeTime()).chat(ASK).choices[0].message.content == "Nu."
    server.does(fault)
    error = refused(dialect, server, time=FakeTime())
    assert (error.kind, error.status, error.retry) == ("network", None, True)


def test_nobody_there_is_a_fault_of_the_network(dialect: Dialect) -> None:
    with behave.model_server() as gone:
        pass
    assert refused(dialect, gone, time=FakeTime()).kind == "network"


def test_a_service_without_tls_is_not_spoken_to_in_the_clear(dialect: Dialect, server: ModelServer) -> None:
    server.does(reply(200, dialect.says("Ja.")))
    provider = dialect.provider(server.url.replace("http:", "https:"), time=FakeTime())
    with pytest.raises(ProviderError) as caught:
        provider.chat(ASK)
    assert caught.value.kind == "network"
    assert server.seen == []


def test_a_certificate_that_is_not_trusted_is_told_from_a_lost_line() -> None:
    from ankare.llm.transport import _what_broke

    broken = ssl.SSLCertVerificationError(1, "self-signed certificate of secret.example")
    assert _what_broke(httpcore2.ConnectError(broken)) == "its certificate is not trusted"
    assert _what_broke(httpcore2.ConnectError(OSError(111, "refused"))) == "ConnectError"


def test_a_host_has_more_than_one_address(
    dialect: Dialect, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    names_resolve(monkeypatch, lambda: [("127.0.0.2", 0), ("127.0.0.1", 0)])
    server.does(reply(200, dialect.says("Här.")))
    provider = dialect.provider(server.url.replace("127.0.0.1", "model.example"))
    assert provider.chat(ASK).choices[0].message.content == "Här."


@pytest.mark.parametrize("error", [socket.gaierror(-2, "Name or service not known"), UnicodeError("label too long")])
def test_an_unknown_host_is_a_fault_of_the_network(
    dialect: Dialect, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail() -> None:
        raise error

    names_resolve(monkeypatch, fail)
    assert refused(dialect, ModelServer("http://model.example"), time=FakeTime()).kind == "network"


def test_a_name_server_that_never_answers_holds_nobody(dialect: Dialect, monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    names_resolve(monkeypatch, lambda: released.wait(30) and [])
    assert refused(dialect, ModelServer("http://model.example"), timeout_seconds=SHORT).kind == "timeout"
    released.set()


def names_resolve(monkeypatch: pytest.MonkeyPatch, answer: Callable[[], Any]) -> None:
    """Let the name model.example resolve to what `answer` gives."""
    real = socket.getaddrinfo

    def getaddrinfo(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        if host != "model.example":
            return real(host, port, *args, **kwargs)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", address) for address in answer()]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


@pytest.mark.parametrize("behaviour", [behave.stall, behave.drip_headers, behave.drip_body])
def test_a_service_that_never_finishes_holds_nobody(
    dialect: Dialect, server: ModelServer, behaviour: behave.Behaviour
) -> None:
    server.does(behaviour)
    error = refused(dialect, server, timeout_seconds=SHORT)
    assert (error.kind, error.retry) == ("timeout", True)


def test_a_refusal_counts_though_its_text_never_ends(dialect: Dialect, server: ModelServer) -> None:
    server.does(behave.drip_error)
    assert refused(dialect, server, timeout_seconds=SHORT).kind == "auth"


def test_a_stalled_attempt_is_repeated_where_it_has_a_limit_of_its_own(dialect: Dialect, server: ModelServer) -> None:
    server.does(behave.stall, reply(200, dialect.says("Nu.")))
    provider = dialect.provider(server.url, time=FakeTime(), attempt_seconds=SHORT)
    assert provider.chat(ASK).choices[0].message.content == "Nu."


def test_a_request_that_nobody_reads_holds_nobody(dialect: Dialect) -> None:
    """The other side takes the connection and never reads: what is to be sent does not fit into the buffers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        patience = threading.Timer(behave.PATIENCE, listener.close)
        patience.start()
        provider = dialect.provider(f"http://127.0.0.1:{listener.getsockname()[1]}", timeout_seconds=SHORT)
        with pytest.raises(ProviderError) as caught:
            provider.chat([{"role": "user", "content": "a" * 20_000_000}])
        assert patience.is_alive()
        patience.cancel()
    assert caught.value.kind == "timeout"


# What a service gets to know


def test_the_key_goes_to_the_service_alone(
    dialect: Dialect, server: ModelServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{name}_CUSTOM_HEADERS", "Authorization: Bearer other\nX-Other: a")
        monkeypatch.setenv(f"{name}_API_KEY", "other")
        monkeypatch.setenv(f"{name}_BASE_URL", "http://other.invalid")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-other")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    caplog.set_level(logging.DEBUG)
    server.does(reply(401, dialect.error(KEY, f"Incorrect API key provided: {KEY}")))
    provider = dialect.provider(server.url)
    with pytest.raises(ProviderServiceError) as caught:
        provider.chat(ASK)
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert "other" not in str(server.seen[0].headers)
    shown = [str(caught.value), repr(caught.value), repr(vars(caught.value)), repr(provider), caplog.text]
    shown += traceback.format_exception(caught.value)
    assert not any(KEY in text for text in shown)


def test_nothing_of_the_library_hangs_on_to_an_error(dialect: Dialect, server: ModelServer) -> None:
    server.does(reply(400, dialect.error("x")))
    error = refused(dialect, server)
    assert error.__cause__ is None
    assert error.__context__ is None


def test_no_header_beyond_what_the_api_needs(dialect: Dialect, server: ModelServer) -> None:
    server.does(reply(200, dialect.says("Ja.")))
    dialect.provider(server.url).chat(ASK)
    assert set(server.seen[0].headers) <= {
        *("accept", "accept-encoding", "anthropic-version", "authorization", "connection", "content-length"),
        *("content-type", "host", "user-agent"),
    }
    assert (server.seen[0].method, server.seen[0].target) == ("POST", dialect.path)


def test_a_service_without_a_key_is_sent_none(server: ModelServer) -> None:
    server.does(reply(200, Dialect("openai").says("Ja.")))
    Dialect("openai").provider(server.url, key="").chat(ASK)
    assert "authorization" not in server.seen[0].headers


def test_a_proxy_that_is_named_is_used(dialect: Dialect, server: ModelServer) -> None:
    server.does(reply(200, dialect.says("Via proxy.")))
    proxy = server.url.replace("://", "://me:secret@")
    provider = dialect.provider("http://model.example", proxy=proxy)
    assert provider.chat(ASK).choices[0].message.content == "Via proxy."
    assert server.seen[0].target == f"http://model.example{dialect.path}"
    assert server.seen[0].headers["proxy-authorization"].startswith("Basic ")
    assert "secret" not in repr(provider)


# Many callers


def test_connections_are_used_again_and_a_lost_one_is_replaced(dialect: Dialect, server: ModelServer) -> None:
    server.keep = True
    server.does(reply(200, dialect.says("Ja."), keep=True))
    provider = dialect.provider(server.url)
    for _ in range(3):
        provider.chat(ASK)
    assert server.connections == 1
    server.keep = False
    provider.chat(ASK)
    assert provider.chat(ASK).choices[0].message.content == "Ja."
    provider.close()
    assert provider.chat(ASK).choices[0].message.content == "Ja."


def test_many_threads_ask_one_provider(dialect: Dialect, server: ModelServer) -> None:
    server.does(reply(200, dialect.says("Ja.")))
    provider = dialect.provider(server.url, timeout_seconds=30)
    start = threading.Barrier(8)

    def ask(_: int) -> str | None:
        start.wait(10)
        return provider.chat(ASK).choices[0].message.content

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(8))) == ["Ja."] * 8


def test_options_make_another_provider_and_leave_the_first_alone(dialect: Dialect, server: ModelServer) -> None:
    server.does(reply(200, dialect.says("Ja.")))
    first = dialect.provider(server.url)
    second = first.with_options(CallOptions(model="other", max_tokens=9)).with_options(CallOptions(temperature=0.2))
    second.chat(ASK)
    first.chat(ASK)
    bodies = [seen.json for seen in server.seen]
    assert [body["model"] for body in bodies] == ["other", MODEL]
    assert bodies[0]["max_tokens"] == 9
    assert bodies[1].get("max_tokens") != 9
    assert "temperature" not in bodies[1]


def test_a_fault_of_the_code_is_not_dressed_as_one_of_the_model(
    dialect: Dialect, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.does(reply(200, dialect.says("Ja.")))
    broken = {"type": "function", "function": {"name": "x", "parameters": {"type": object()}}}
    with pytest.raises(TypeError):
        dialect.provider(server.url).chat(ASK, tools=[broken])
    provider = dialect.provider(server.url)
    monkeypatch.setattr("ankare.llm.transport.BoundedTransport._read", lambda self, reply: reply.no_such_thing)
    with pytest.raises(AttributeError):
        provider.chat(ASK)
