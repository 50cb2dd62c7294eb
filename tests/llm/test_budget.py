"""A chain of model calls is over when its time is up, whatever a provider does, and at once when nobody waits for it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.domain.cancel import CallCancelledError, CancelToken, cancelled_by, current_token
from ankare.errors import AnkareError, ProviderError, ProviderServiceError
from ankare.llm.budget import Budget
from ankare.llm.network import _Stream
from ankare.llm.options import CallOptions
from ankare.llm.protocol import ChatCompletion, LLMProvider, Message, Tool
from ankare.llm.retry import Clock
from ankare.llm.scripted import ScriptedProvider, ScriptExhaustedError, text
from tests import model_server as behave
from tests.llm.dialects import ASK, Dialect, FakeTime
from tests.model_server import PATIENCE, ModelServer, refuses, reply, says, until_asked

SHORT = 0.2
"""A time that a test waits for; nothing has to be done within it."""
WEIGHTS = {"rewrite": 1.0, "draft": 4.0, "review": 2.0, "correct": 3.0}
HOLDS = [behave.stall, behave.stall_in_headers, behave.stall_in_body, behave.drip_headers, behave.drip_body]


class Hanging:
    """A provider of somebody else, which knows no time limit."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.released = threading.Event()

    def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        self.asked.set()
        self.released.wait(PATIENCE)
        return text("Too late.")


@pytest.fixture
def hanging() -> Iterator[Hanging]:
    provider = Hanging()
    yield provider
    provider.released.set()


class InThread:
    """A call in a thread; `outcome` is what came of it."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self.outcome: Any = None
        self._call = call
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.outcome = self._call()
        except BaseException as error:
            self.outcome = error

    def ended(self) -> Any:
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "it never ended"
        return self.outcome


@contextmanager
def nothing_left_behind() -> Iterator[None]:
    """No thread that was begun in here is alive afterwards."""
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE)
        assert not thread.is_alive(), f"{thread.name} is left behind"


# Shares


def test_what_one_agent_does_not_use_is_there_for_the_next() -> None:
    fake = FakeTime()
    budget = Budget(20, fake.clock())
    assert budget.share(0.5) == 10
    fake.sleep(4)
    assert (budget.left(), budget.spent, budget.share(0.5)) == (16, 4, 8)


def test_a_share_has_a_floor_and_is_never_more_than_what_is_left() -> None:
    fake = FakeTime()
    budget = Budget(10, fake.clock())
    assert budget.share(0.1, floor=3) == 3
    fake.sleep(8)
    assert budget.share(0.1, floor=3) == 2
    fake.sleep(8)
    assert (budget.share(0.1, floor=3), budget.left(), budget.expired) == (0, 0, True)


def test_agents_divide_what_is_left_by_weight() -> None:
    fake = FakeTime()
    budget = Budget(20, fake.clock())
    assert budget.share_of("rewrite", WEIGHTS) == 2
    fake.sleep(2)
    assert budget.share_of("draft", WEIGHTS) == pytest.approx(8)
    fake.sleep(3)
    assert budget.share_of("review", WEIGHTS) == pytest.approx(6)
    assert budget.share_of("correct", WEIGHTS) == 15
    with pytest.raises(KeyError):
        budget.share_of("synthesis", WEIGHTS)


@given(st.floats(0.1, 1000), st.lists(st.tuples(st.floats(0, 1), st.floats(0, 20), st.floats(0, 50)), max_size=8))
def test_no_series_of_shares_goes_beyond_the_budget(seconds: float, agents: list[tuple[float, float, float]]) -> None:
    """Each agent may take what it was given, no more."""
    fake = FakeTime(0.0)
    budget = Budget(seconds, fake.clock())
    for fraction, floor, wanted in agents:
        given_ = budget.share(fraction, floor)
        assert 0 <= given_ <= budget.left()
        fake.seconds += min(wanted, given_)
    assert fake.seconds <= seconds + 1e-6


@pytest.mark.parametrize("seconds", [0, -1, float("inf"), float("nan")])
def test_a_budget_is_a_time(seconds: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        Budget(seconds)


# Asking


def test_a_provider_is_told_how_much_time_it_has_and_how_to_answer() -> None:
    provider, fake = ScriptedProvider(["Ja.", "Ja."]), FakeTime()
    budget = Budget(18, fake.clock())
    wanted = CallOptions(temperature=0.2, max_tokens=50, timeout_seconds=100)
    assert budget.ask(provider, ASK, seconds=5, options=wanted).choices[0].message.content == "Ja."
    fake.sleep(12)
    budget.ask(provider, ASK, seconds=10, tools=[])
    first, second = (call.options for call in provider.calls)
    assert (first.temperature, first.max_tokens, first.timeout_seconds, second.timeout_seconds) == (0.2, 50, 5, 6)


def test_a_provider_without_options_is_asked_as_it_is(hanging: Hanging) -> None:
    hanging.released.set()
    assert Budget(30).ask(hanging, ASK).choices[0].message.content == "Too late."


def test_no_time_no_call() -> None:
    provider, fake = ScriptedProvider(["Ja."]), FakeTime()
    budget = Budget(18, fake.clock())
    fake.sleep(18)
    with pytest.raises(ProviderError) as caught:
        budget.ask(provider, ASK)
    assert (caught.value.kind, provider.calls) == ("timeout", ())


def test_a_reply_that_comes_after_its_time_is_none() -> None:
    fake = FakeTime()

    def slow(*_: object) -> str:
        fake.sleep(6)
        return "Late."

    budget = Budget(18, fake.clock())
    with pytest.raises(ProviderError) as caught:
        budget.ask(ScriptedProvider([slow]), ASK, seconds=5)
    assert (caught.value.kind, budget.left()) == ("timeout", 12)


@pytest.mark.parametrize(
    "error",
    [
        ProviderError("Down.", kind="server", status=503),
        ProviderServiceError("No key.", kind="auth", status=401),
        ScriptExhaustedError("no more"),
        ZeroDivisionError(),
        KeyboardInterrupt(),
    ],
)
def test_what_a_provider_raises_is_the_caller_s(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught:
        Budget(30).ask(ScriptedProvider([error]), ASK)
    assert caught.value is error


def test_a_provider_that_hangs_is_left_behind(hanging: Hanging) -> None:
    with pytest.raises(ProviderError) as caught:
        Budget(30).ask(hanging, ASK, seconds=SHORT)
    assert (caught.value.kind, caught.value.retry) == ("timeout", True)
    assert not hanging.released.is_set()


@pytest.mark.parametrize("behaviour", HOLDS)
def test_a_service_that_holds_the_line_ends_with_its_share(
    dialect: Dialect, server: ModelServer, behaviour: behave.Behaviour
) -> None:
    server.does(behaviour)
    with nothing_left_behind():
        provider, budget = dialect.provider(server.url, timeout_seconds=PATIENCE), Budget(PATIENCE)
        for seconds in until_asked(server):
            with pytest.raises(ProviderError) as caught:
                budget.ask(provider, ASK, seconds=seconds)
            assert caught.value.kind == "timeout"
        server.wait_until_left()
    assert not budget.expired


def test_a_chain_of_stalling_agents_ends_with_the_budget(server: ModelServer) -> None:
    server.does(behave.stall)
    budget = Budget(4 * SHORT)
    for agent in WEIGHTS:
        with pytest.raises(ProviderError) as caught:
            budget.ask(server.provider(), ASK, seconds=budget.share_of(agent, WEIGHTS))
        assert caught.value.kind == "timeout"
    assert budget.expired


# Cancelling


@pytest.mark.parametrize("behaviour", HOLDS)
def test_a_cancelled_call_hangs_up_in_the_middle_of_a_read(
    dialect: Dialect, server: ModelServer, behaviour: behave.Behaviour
) -> None:
    server.does(behaviour)
    token = CancelToken()
    budget = Budget(PATIENCE * 10, token=token)
    provider = dialect.provider(server.url, timeout_seconds=PATIENCE * 10)
    with nothing_left_behind():
        call = InThread(lambda: budget.ask(provider, ASK))
        server.wait_until_asked()
        token.cancel()
        assert isinstance(call.ended(), CallCancelledError)
        server.wait_until_left()
    assert len(server.seen) == 1


def test_calls_without_a_budget_are_cancelled_too(dialect: Dialect, server: ModelServer) -> None:
    server.does(behave.stall)
    token = CancelToken()
    provider = dialect.provider(server.url, timeout_seconds=PATIENCE * 10)

    def ask() -> ChatCompletion:
        with cancelled_by(token):
            return provider.chat(ASK)

    with nothing_left_behind():
        call = InThread(ask)
        server.wait_until_asked()
        token.cancel()
        assert isinstance(call.ended(), CallCancelledError)
        server.wait_until_left()


def test_a_provider_goes_on_after_a_cancelled_call(dialect: Dialect, server: ModelServer) -> None:
    server.does(behave.stall, reply(200, dialect.says("Här igen.")))
    provider, token = dialect.provider(server.url, timeout_seconds=PATIENCE), CancelToken()
    call = InThread(lambda: Budget(PATIENCE, token=token).ask(provider, ASK))
    server.wait_until_asked()
    token.cancel()
    call.ended()
    assert Budget(PATIENCE).ask(provider, ASK).choices[0].message.content == "Här igen."


def test_only_the_call_of_the_client_that_left_ends(server: ModelServer) -> None:
    going_on = threading.Event()

    def later(line: behave.Line) -> None:
        going_on.wait(PATIENCE)
        says("Ja.")(line)

    server.does(later)
    provider, tokens = server.provider(), [CancelToken(), CancelToken()]
    calls = [InThread(lambda t=token: Budget(PATIENCE, token=t).ask(provider, ASK)) for token in tokens]
    server.wait_until_asked(2)
    tokens[0].cancel()
    assert isinstance(calls[0].ended(), CallCancelledError)
    going_on.set()
    assert calls[1].ended().choices[0].message.content == "Ja."


def test_a_wait_between_attempts_is_cut_short(server: ModelServer) -> None:
    server.does(refuses(429, retry_after="50"))
    waiting, token = threading.Event(), CancelToken()

    def sleep(seconds: float) -> None:
        waiting.set()
        Clock().sleep(seconds)

    provider = server.provider(timeout_seconds=PATIENCE * 10, clock=Clock(sleep=sleep))
    call = InThread(lambda: Budget(PATIENCE * 10, token=token).ask(provider, ASK))
    assert waiting.wait(PATIENCE)
    token.cancel()
    assert isinstance(call.ended(), CallCancelledError)
    assert len(server.seen) == 1


@contextmanager
def never_shakes_hands() -> Iterator[tuple[str, threading.Event]]:
    """A server that takes a connection and says nothing; its address, and when a client has begun to speak."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        spoken = threading.Event()

        def serve() -> None:
            sock, _ = listener.accept()
            with sock:
                sock.recv(1)
                spoken.set()
                while sock.recv(65_536):
                    pass

        serving = InThread(serve)
        yield f"https://127.0.0.1:{listener.getsockname()[1]}/v1", spoken
        serving.ended()


def test_a_handshake_is_cut_short() -> None:
    token = CancelToken()
    with never_shakes_hands() as (url, spoken), nothing_left_behind():
        provider = ModelServer(url.removesuffix("/v1")).provider(timeout_seconds=PATIENCE * 10)
        call = InThread(lambda: Budget(PATIENCE * 10, token=token).ask(provider, ASK))
        assert spoken.wait(PATIENCE)
        token.cancel()
        assert isinstance(call.ended(), CallCancelledError)


@pytest.mark.parametrize("function", ["getaddrinfo", "create_connection"])
def test_looking_up_and_connecting_are_left_behind(monkeypatch: pytest.MonkeyPatch, function: str) -> None:
    at_it, released, token = threading.Event(), threading.Event(), CancelToken()
    real = getattr(socket, function)

    def hang(*args: object, **kwargs: object) -> object:
        at_it.set()
        released.wait(PATIENCE)
        return real(*args, **kwargs)

    with behave.model_server() as server, nothing_left_behind():
        monkeypatch.setattr(socket, function, hang)
        server.does(behave.stall)
        provider = ModelServer(server.url.replace("127.0.0.1", "localhost")).provider(timeout_seconds=PATIENCE)

        def ask() -> ChatCompletion:
            with cancelled_by(token):
                return provider.chat(ASK)

        call = InThread(ask)
        assert at_it.wait(PATIENCE)
        token.cancel()
        assert isinstance(call.ended(), CallCancelledError)
        released.set()


def test_a_hanging_provider_of_somebody_else_is_left_behind_when_cancelled(hanging: Hanging) -> None:
    token = CancelToken()
    call = InThread(lambda: Budget(PATIENCE * 10, token=token).ask(hanging, ASK))
    assert hanging.asked.wait(PATIENCE)
    token.cancel()
    assert isinstance(call.ended(), CallCancelledError)
    assert not hanging.released.is_set()


def test_after_cancelling_nothing_is_asked() -> None:
    token, provider = CancelToken(), ScriptedProvider(["Ja."])
    token.cancel()
    with pytest.raises(CallCancelledError):
        Budget(30, token=token).ask(provider, ASK)
    with cancelled_by(token), pytest.raises(CallCancelledError):
        Budget(30).ask(provider, ASK)
    assert provider.calls == ()


def test_a_cancelled_call_is_no_fault_of_the_provider_to_fall_back_from() -> None:
    assert issubclass(CallCancelledError, AnkareError)
    assert not issubclass(CallCancelledError, ProviderError)
    assert not CallCancelledError().retry


def test_a_provider_sees_the_token_of_its_call() -> None:
    """Also one of somebody else can listen: it is told when it has been left behind."""
    told, listening = threading.Event(), threading.Event()

    class Listening:
        def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
            with current_token().on_cancel(told.set):
                listening.set()
                told.wait(PATIENCE)
            return text("Left.")

    provider: LLMProvider = Listening()
    token = CancelToken()
    call = InThread(lambda: Budget(PATIENCE * 10, token=token).ask(provider, ASK))
    assert listening.wait(PATIENCE)
    token.cancel()
    assert isinstance(call.ended(), CallCancelledError)
    assert told.wait(PATIENCE)


def test_a_token_wakes_each_waiter_once_and_nobody_who_left() -> None:
    token, woken = CancelToken(), []
    with token.on_cancel(lambda: woken.append("gone")):
        pass
    with token.on_cancel(lambda: woken.append("here")):
        token.cancel()
        token.cancel()
        with token.on_cancel(lambda: woken.append("late")):
            pass
    assert woken == ["here", "late"]
    with pytest.raises(CallCancelledError):
        token.sleep(PATIENCE)


def test_contexts_have_tokens_of_their_own() -> None:
    token = CancelToken()
    with cancelled_by(token):
        assert current_token() is token
        assert InThread(lambda: current_token() is token).ended() is False
    assert current_token() is not token
    current_token().cancel()
    assert not current_token().cancelled


# Saboteurs


def test_a_budget_that_waits_for_its_provider_fails(monkeypatch: pytest.MonkeyPatch, hanging: Hanging) -> None:
    """The saboteur: the call is made in the caller's own thread, so that a provider which hangs holds it."""

    def wait(self: Any, seconds: float, token: CancelToken) -> ChatCompletion:
        self._make()
        return self.reply

    monkeypatch.setattr("ankare.llm.budget._Call.made", wait)
    call = InThread(lambda: Budget(30).ask(hanging, ASK, seconds=SHORT))
    assert hanging.asked.wait(PATIENCE)
    hanging.released.set()
    assert "Too late." in str(call.ended())


def test_a_connection_that_nobody_wakes_fails(monkeypatch: pytest.MonkeyPatch, server: ModelServer) -> None:
    """The saboteur: setting the token does not reach the connection, so that the server is never hung up on."""
    reading, read = threading.Event(), _Stream.read

    def told(stream: _Stream, *given: Any, **more: Any) -> bytes:
        reading.set()
        return read(stream, *given, **more)

    monkeypatch.setattr("ankare.llm.network._shut_down", lambda handle: None)
    monkeypatch.setattr(_Stream, "read", told)
    server.does(behave.stall)
    token, provider = CancelToken(), server.provider(timeout_seconds=PATIENCE)
    call = InThread(lambda: Budget(PATIENCE, token=token).ask(provider, ASK))
    assert reading.wait(PATIENCE)  # between two steps the call notices by itself
    token.cancel()
    assert isinstance(call.ended(), CallCancelledError)
    assert any(thread.name == "ankare-model-call" for thread in threading.enumerate())
    assert server.left == 0
