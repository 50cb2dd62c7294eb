"""How does a model get at figures? By calling the one tool, under our eyes, a few times at most.

Whatever the model sends, however broken, is answered in the loop as an error of the tool. A call whose arguments are not the
question's own slots is never carried out: its result could not be the answer to this question.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

from ankare.domain.agents import LookUpCall, RunStatus, TokenCount
from ankare.domain.fact import FactKey, Period
from ankare.errors import ProviderError
from ankare.language.periods import period_code
from ankare.llm.protocol import SLOTS_MARK, ChatCompletion, LLMProvider, ResponseMessage, ToolCall, Usage
from ankare.llm.spans import model_span, note_reply
from ankare.llm.wire import completion_of, message_of
from ankare.structured.glossary import Glossary
from ankare.structured.query_tools import QueryResult, normalize
from ankare.structured.tool_schema import PARAMETERS, TOOL_NAME

MAX_TOOL_ITERATIONS = 5
MAX_CALLS_PER_TURN = 8
MAX_SECONDS = 60.0
"""No further chat is begun after this time; each has the provider's own time limit."""
MAX_ARGUMENT_CHARS = 4000
HistoryTurn = tuple[str, str]
"""Role and text of an earlier turn of the conversation."""


@dataclass(slots=True)
class LoopOutcome:
    """What the loop brought: results of calls that were carried out, the model's last text, and what went wrong."""

    results: list[QueryResult] = field(default_factory=list)
    text: str = ""
    error: ProviderError | None = None
    usage: list[Usage | None] = field(default_factory=list)
    calls: list[LookUpCall] = field(default_factory=list)
    refused_calls: int = 0


def run_tool_loop(
    question: str,
    task: FactKey,
    provider: LLMProvider,
    glossary: Glossary,
    execute: Callable[[FactKey], QueryResult],
    history: Sequence[HistoryTurn] = (),
) -> LoopOutcome:
    """Let the model call the tool for one task. At most `MAX_TOOL_ITERATIONS` chats; raises only programming errors."""
    loop = _Loop(task, glossary, execute, LoopOutcome())
    tools = [glossary.tool_texts.openai()]
    messages: list[Mapping[str, Any]] = [
        {"role": "system", "content": system_message(task)},
        *history_messages(history),
        {"role": "user", "content": question},
    ]
    started = time.monotonic()
    for turn in range(MAX_TOOL_ITERATIONS):
        if turn and time.monotonic() - started > MAX_SECONDS:
            break
        asked = time.perf_counter()
        try:
            with model_span(provider, role="figures_look_up") as told:
                completion = provider.chat(messages, tools=tools)
                note_reply(told, completion)
        except ProviderError as error:
            loop.outcome.error = error
            status = RunStatus.TIMEOUT if error.kind == "timeout" else RunStatus.ERROR
            loop.outcome.calls.append(_call(status, asked, None))
            break
        message, usage = read_reply(completion)
        loop.outcome.calls.append(_call(RunStatus.OK, asked, usage))
        loop.outcome.usage.append(usage)
        loop.outcome.text = message.content or ""
        if not message.tool_calls:
            break
        messages.extend(loop.answered(message))
    return loop.outcome


def _call(status: RunStatus, asked: float, usage: Usage | None) -> LookUpCall:
    told = None if usage is None else TokenCount(usage.prompt_tokens, usage.completion_tokens, usage.total_tokens)
    return LookUpCall(status, round((time.perf_counter() - asked) * 1000, 3), told)


def read_reply(reply: object) -> tuple[ResponseMessage, Usage | None]:
    """The message and usage of whatever a provider gave; what is not of the right type is left out, never an error."""
    if isinstance(reply, Mapping):
        reply = completion_of(dict(reply))
    choices = reply.choices if isinstance(reply, ChatCompletion) else ()
    message = getattr(choices[0], "message", None) if isinstance(choices, tuple | list) and choices else None
    usage = reply.usage if isinstance(reply, ChatCompletion) and isinstance(reply.usage, Usage) else None
    if not isinstance(message, ResponseMessage):
        return ResponseMessage(), usage
    calls = message.tool_calls if isinstance(message.tool_calls, tuple | list) else ()
    content = message.content if isinstance(message.content, str) else ""
    return ResponseMessage(content, tuple(filter(_is_call, calls))), usage


def _is_call(call: object) -> bool:
    return isinstance(call, ToolCall) and isinstance(call.id, str) and isinstance(call.name, str)


def system_message(task: FactKey) -> str:
    """The instructions, with the question's slots on a line of their own."""
    period = period_code(Period(task.period_type, task.period))
    slots = {"metric": task.metric_code, "entity": task.entity, "period": period, "channel": task.channel}
    return f"{_prompt()}\n{SLOTS_MARK}{json.dumps(slots, ensure_ascii=False)}"


def history_messages(history: Sequence[HistoryTurn]) -> list[dict[str, str]]:
    """Earlier turns as messages: only "assistant" is the assistant, whoever else spoke is the user."""
    return [{"role": "assistant" if role == "assistant" else "user", "content": text} for role, text in history]


@dataclass(slots=True)
class _Loop:
    task: FactKey
    glossary: Glossary
    execute: Callable[[FactKey], QueryResult]
    outcome: LoopOutcome
    _made: set[tuple[str, str]] = field(default_factory=set)

    def answered(self, message: ResponseMessage) -> list[dict[str, Any]]:
        """The assistant's turn as it is fed back, and one tool message for each of its calls."""
        calls = message.tool_calls[:MAX_CALLS_PER_TURN]
        turn = message_of(ResponseMessage(message.content or "", tuple(map(_short, calls))))
        replies = [
            {"role": "tool", "tool_call_id": call.id, "content": json.dumps(self._answer(call), ensure_ascii=False)}
            for call in calls
        ]
        return [turn, *replies]

    def _answer(self, call: ToolCall) -> dict[str, Any]:
        if call.name != TOOL_NAME:
            return self._fault(f"unknown tool; the only one is {TOOL_NAME}")
        if (call.name, repr(call.arguments)) in self._made:
            return self._fault("this call was made already; its result stands above")
        self._made.add((call.name, repr(call.arguments)))
        arguments = _arguments(call.arguments)
        if arguments is None:
            return self._fault(f"the arguments must be one JSON object with {', '.join(PARAMETERS[:3])}")
        found = normalize(self.glossary, *(arguments.get(name) for name in PARAMETERS))
        if isinstance(found, QueryResult):
            self.outcome.results.append(found)
            return found.to_json()
        if found != self.task:
            return self._fault("these arguments are not what the question asks for; use the slots of the question")
        result = self.execute(found)
        self.outcome.results.append(result)
        return result.to_json()

    def _fault(self, message: str) -> dict[str, Any]:
        self.outcome.refused_calls += 1
        return {"status": "error", "message": message}


def _arguments(text: object) -> dict[str, Any] | None:
    if not isinstance(text, str) or len(text) > MAX_ARGUMENT_CHARS:
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _short(call: ToolCall) -> ToolCall:
    """The call as it is fed back: what nobody will read of its arguments is cut off."""
    arguments = call.arguments if isinstance(call.arguments, str) else ""
    return replace(call, arguments=arguments[:MAX_ARGUMENT_CHARS])


@cache
def _prompt() -> str:
    return (files("ankare.structured") / "tool_prompt.txt").read_text(encoding="utf-8").strip()
