"""With a model that looks figures up, the engine's answers are those without it, whatever the model does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ankare.channels.figures import FigureChannel, FigureReply
from ankare.errors import ProviderError, ProviderServiceError
from ankare.facts.sqlite import SqliteFactStore
from ankare.llm.protocol import ChatCompletion
from ankare.llm.scripted import ScriptedProvider
from tests.structured.conftest import REFERENCE
from tests.structured.test_tool_loop import BAD_CALLS, RIGHT, calls, says

HELD, CONFLICT = "Vad var omsättningen i Kina 2024?", "Vad var omsättningen i Hongkong 2024?"
NOT_HELD, PENDING = "Vad var omsättningen i Kina 2019?", "Vad var vinsten i Hongkong 2024?"
OTHERS = {"a question": "Vad menar du?", "a lie": "Omsättningen var 9 999 MUSD.", "nothing": ""}
NOTHING_DONE: dict[str, list[Any]] = {
    **{f"a call with {name}": [calls(bad), says("Det blev 9 999.")] for name, bad in BAD_CALLS.items()},
    **{f"says {name}": [says(text)] for name, text in OTHERS.items()},
    "no choices": [ChatCompletion(())],
    "another tool": [calls(RIGHT, name="run_sql"), says("9 999")],
    "calls without end": [calls({**RIGHT, "entity": "ACME_SE"}, identity=str(n)) for n in range(9)],
    "a metric that is none": [calls({**RIGHT, "metric": "FOO"}), says("")],
    "no network": [ProviderError("gone", kind="network")],
    "a time-out": [ProviderError("gone", kind="timeout")],
    "a redirect": [ProviderError("moved", kind="bad_reply", status=307)],
}


def ask(store: SqliteFactStore, question: str, *replies: Any, falls_back: bool = True) -> FigureReply:
    provider = ScriptedProvider(list(replies)) if replies else None
    channel = FigureChannel(store, store.profile, provider, falls_back=falls_back)
    return channel.reply(question, reference_date=REFERENCE)


def shown(reply: FigureReply) -> FigureReply:
    """The reply without what the model did."""
    trace = replace(
        reply.trace,
        request_id="",
        seconds=0.0,
        provider_error=None,
        model_calls=0,
        refused_calls=0,
        prompt_tokens=None,
        completion_tokens=None,
    )
    return replace(reply, trace=trace, provider_error=None, calls=(), fell_back="")


@pytest.mark.parametrize("question", [HELD, CONFLICT, NOT_HELD, PENDING])
@pytest.mark.parametrize("name", NOTHING_DONE)
def test_what_the_model_does_not_look_up_is_looked_up_without_it(
    name: str, question: str, store: SqliteFactStore
) -> None:
    found = ask(store, question, *NOTHING_DONE[name])
    assert shown(found) == shown(ask(store, question))
    assert found.calls
    assert found.fell_back or question == CONFLICT  # one call that is wrong elsewhere is right there


def test_why_is_told(store: SqliteFactStore) -> None:
    assert ask(store, HELD, ProviderError("gone", kind="timeout")).fell_back == "timeout"
    assert ask(store, HELD, says("Hej!")).fell_back == "no_tool_result"
    assert ask(store, HELD, calls(RIGHT), says("")).fell_back == ""
    assert ask(store, HELD).fell_back == ""


def test_what_the_model_looked_up_is_not_looked_up_again(
    store: SqliteFactStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(SqliteFactStore, "lookup", lambda _, key: asked.append(key) or ())
    for last in (says("klart"), ProviderError("gone")):
        asked.clear()
        ask(store, HELD, calls(RIGHT), last)
        assert asked.count(asked[0]) == 1


def test_a_result_beside_one_that_is_none_is_the_answer(store: SqliteFactStore) -> None:
    found = ask(store, HELD, calls({**RIGHT, "metric": "FOO"}), calls(RIGHT, identity="c2"), says(""))
    assert shown(found) == shown(ask(store, HELD))


def test_a_model_that_fails_after_nothing_was_found_changes_nothing(store: SqliteFactStore) -> None:
    found = ask(store, NOT_HELD, calls({**RIGHT, "period": "FY2019"}), ProviderError("gone"))
    assert shown(found) == shown(ask(store, NOT_HELD))


def test_a_refused_customer_is_told(store: SqliteFactStore) -> None:
    found = ask(store, HELD, ProviderServiceError("no quota", kind="quota", status=402))
    assert isinstance(found.provider_error, ProviderServiceError) and not found.fell_back and not found.results


@pytest.mark.parametrize("name", NOTHING_DONE)
def test_without_falling_back_the_figure_would_be_refused(name: str, store: SqliteFactStore) -> None:
    """The saboteur, and the contract of `answer_question`: there the caller's own model is asked, and nobody else."""
    assert shown(ask(store, HELD, *NOTHING_DONE[name], falls_back=False)) != shown(ask(store, HELD))
