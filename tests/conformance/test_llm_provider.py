"""Every provider keeps the same promises, and the suite notices one that does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Any

import pytest

from ankare.errors import ProviderError
from ankare.llm.mock import MockProvider
from ankare.llm.options import CallOptions, ConfigurableProvider
from ankare.llm.protocol import ChatCompletion, Choice, Message, ResponseMessage, Tool
from ankare.llm.scripted import ScriptedProvider, text, tool_call
from tests.conformance.llm_provider import KEY, SLOTS, TOOLS, LLMProviderSuite
from tests.llm.dialects import Dialect, FakeTime
from tests.model_server import Behaviour, ModelServer, model_server, reply, reset


class TestScriptedProvider(LLMProviderSuite):
    def answering(self) -> ConfigurableProvider:
        return ScriptedProvider([text("Ja.")] * 50)

    def calling(self) -> ConfigurableProvider:
        return ScriptedProvider([tool_call("query_metric", SLOTS)])

    def failing(self) -> ConfigurableProvider | None:
        return ScriptedProvider([ProviderError("Down.", kind="server", status=503)])


class TestMockProvider(LLMProviderSuite):
    def answering(self) -> ConfigurableProvider:
        return _Toolless()

    def calling(self) -> ConfigurableProvider:
        return MockProvider()

    def failing(self) -> ConfigurableProvider | None:
        return None


class _Toolless(MockProvider):
    """The mock where it has no tools to call."""

    def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        return super().chat([m for m in messages if m["role"] != "system"], tools=tools)


class _ServiceSuite(LLMProviderSuite):
    dialect: Dialect
    server: ModelServer

    @pytest.fixture(autouse=True)
    def _running(self) -> Iterator[None]:
        with model_server() as self.server:
            yield

    def _doing(self, behaviour: Behaviour) -> ConfigurableProvider:
        self.server.does(behaviour)
        return self.dialect.provider(self.server.url, key=KEY, time=FakeTime(), timeout_seconds=10)

    def answering(self) -> ConfigurableProvider:
        return self._doing(reply(200, self.dialect.says("Ja.")))

    def calling(self) -> ConfigurableProvider:
        return self._doing(reply(200, self.dialect.calls(("call_1", "query_metric", SLOTS))))

    def failing(self) -> ConfigurableProvider | None:
        return self._doing(reset)


class TestOpenAIProvider(_ServiceSuite):
    dialect = Dialect("openai")


class TestAnthropicProvider(_ServiceSuite):
    dialect = Dialect("anthropic")


class _Saboteur(ScriptedProvider):
    """Right in everything but what a subclass spoils."""

    def __init__(self) -> None:
        super().__init__([text("Ja.")] * 50)


class _LibraryError(Exception):
    pass


class _Leaky(_Saboteur):
    """Lets errors of its library through."""

    def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        raise _LibraryError("Authorization: Bearer ...")


class _Chained(_Saboteur):
    """Wraps the error of its library and keeps it inside."""

    def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        try:
            raise _LibraryError("Authorization: Bearer ...")
        except _LibraryError:
            raise ProviderError("Down.") from None


class _Mutable(_Saboteur):
    """Gives lists for tuples."""

    def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        return ChatCompletion([Choice(ResponseMessage("Ja."))])  # type: ignore[arg-type]


class _Raw(_Saboteur):
    """Hands the library's own object on."""

    def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        return {"choices": [{"message": {"content": "Ja."}}]}  # type: ignore[return-value]


class _Meddler(_Saboteur):
    """Writes its reply into the caller's messages."""

    def chat(self, messages: Any, *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        messages.append({"role": "assistant", "content": "Ja."})
        return text("Ja.")


class _Swallower(_Saboteur):
    """Blames the model for whatever goes wrong."""

    def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        try:
            return super().chat(messages, tools=tools)
        except Exception as error:
            raise ProviderError("Down.") from error


class _Showing(_Saboteur):
    """Shows its key."""

    def __repr__(self) -> str:
        return f"Showing(key={KEY!r})"


class _Shared(_Saboteur):
    """Keeps what it says in one place for all threads, and lets another one in between."""

    said = 0
    lock = Lock()

    def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        with self.lock:
            self.said += 1
            return text(f"Ja, {self.said}.")


class _Stubborn(_Saboteur):
    """Forgets to be a provider once it has options."""

    def with_options(self, options: CallOptions) -> Any:
        return None


class _Fussy(_Saboteur):
    """Takes dicts only."""

    def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        assert all(isinstance(message, dict) for message in messages)
        return super().chat(messages, tools=tools)


class _WordsForCalls(_Saboteur):
    """Writes the call into its text."""

    def chat(self, messages: Sequence[Message], *, tools: Sequence[Tool] | None = None) -> ChatCompletion:
        return text('query_metric({"metric": "REVENUE"})')


PROMISES = {
    _Leaky: LLMProviderSuite.test_a_service_that_is_down_is_a_provider_error_and_nothing_else,
    _Chained: LLMProviderSuite.test_a_service_that_is_down_is_a_provider_error_and_nothing_else,
    _Saboteur: LLMProviderSuite.test_a_service_that_is_down_is_a_provider_error_and_nothing_else,
    _Mutable: LLMProviderSuite.test_a_text_is_a_reply_that_nobody_can_change,
    _Raw: lambda suite: suite.test_tools_are_a_matter_of_choice(TOOLS),
    _Meddler: LLMProviderSuite.test_what_is_given_is_left_as_it_is,
    _Swallower: LLMProviderSuite.test_a_fault_of_the_code_is_no_provider_error,
    _Showing: LLMProviderSuite.test_the_key_is_not_shown,
    _Shared: LLMProviderSuite.test_many_threads_may_ask,
    _Stubborn: LLMProviderSuite.test_options_make_another_provider,
    _Fussy: LLMProviderSuite.test_frozen_messages_are_messages,
    _WordsForCalls: LLMProviderSuite.test_a_call_is_a_reply_that_nobody_can_change,
}


@pytest.mark.parametrize("kind", PROMISES, ids=lambda kind: kind.__name__)
def test_the_suite_fails_a_saboteur(kind: type[_Saboteur]) -> None:
    class Sabotaged(LLMProviderSuite):
        def answering(self) -> ConfigurableProvider:
            return kind()

        calling = failing = answering

    with pytest.raises((AssertionError, AttributeError, ValueError)):
        PROMISES[kind](Sabotaged())
