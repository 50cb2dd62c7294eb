"""How is one agent asked, within its part of the time, and what is recorded of it?

Every call of a model that leads to an answer from documents goes through here: the budget of the question, the form of the
reply, its reading, and a line for the record, however the call ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit

from ankare.answer.cast import Cast, Part
from ankare.contracts.reading import fault
from ankare.domain.agents import (
    Agent,
    AgentRun,
    Reason,
    RunStatus,
    TokenCount,
    TokenSum,
    Trouble,
    fault_of,
    finish_word,
)
from ankare.errors import ContractError, ProviderError, ProviderServiceError
from ankare.llm.budget import Budget
from ankare.llm.options import CallOptions
from ankare.llm.protocol import LLMProvider, Message, Usage
from ankare.llm.spans import model_span, note_reply
from ankare.llm.structured_output import StructuredReply, ask_structured
from ankare.llm.usage import UsageLedger, UsageTotal, suspected_truncation

UNREADABLE = "invalid_json"
"""What the reason says of a reply that breaks its contract; the record tells which fault it was."""
Value = TypeVar("Value")


class AgentFailedError(Exception):
    """An agent gave nothing that can be used. `reason` is machine readable; the record tells the rest."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Reading(Generic[Value]):
    """What a reply was read as, and what the record says of it. `open_ended`: nothing in the reply shows where it ends, so one
    that was cut off looks whole."""

    value: Value
    status: RunStatus = RunStatus.OK
    reason: str | None = None
    open_ended: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """What an agent is asked: by which version of its prompt, and in which form it is to answer."""

    agent: Agent
    messages: Sequence[Message]
    prompt_version: str
    schema: Mapping[str, Any]


@dataclass
class Asking:
    """The agents of one question: one budget, one record. `keep_raw`: replies that cannot be read are kept for the log."""

    provider: LLMProvider
    cast: Cast
    budget: Budget
    keep_raw: bool = False
    runs: list[AgentRun] = field(default_factory=list)
    ledger: UsageLedger = field(default_factory=UsageLedger)

    def ask(self, request: Request, read: Callable[[str], Reading[Value]]) -> Value:
        """What `read` makes of the agent's reply.

        Raises AgentFailedError where there is none in time or it breaks its contract (ContractError of `read`),
        ProviderServiceError for the key and the quota, CallCancelledError when nobody waits any longer.
        """
        call = _Call(self, self.cast[request.agent], request)
        try:
            said = call.reply()
            reading = read(said)
            if reading.open_ended and call.cut_off:
                raise fault("truncated", "the text was cut off")
        except ContractError as error:
            call.fault = error.reason
            raise call.failed(RunStatus.INVALID, fault_of(request.agent, UNREADABLE)) from error
        except ProviderServiceError as error:
            call.trouble = trouble_of(error, self.provider)
            call.failed(RunStatus.ERROR, error.kind)
            raise
        except ProviderError as error:
            call.trouble = trouble_of(error, self.provider)
            raise call.failed(*provider_fault(error)) from error
        call.ended(reading.status, reading.reason)
        return reading.value

    def has_time_for(self, agent: Agent) -> bool:
        """Is there time enough left to ask this agent?"""
        return self.cast.seconds(agent, self.budget) > 0

    def usage(self) -> TokenSum | None:
        """Tokens of all calls; None where no model was asked."""
        return token_sum(self.ledger.total()) if self.ledger.agents() else None

    def usage_by_agent(self) -> tuple[tuple[Agent, TokenSum], ...]:
        """Tokens of each agent that was asked, in the order of their first calls."""
        return tuple((Agent(name), token_sum(self.ledger.of(name))) for name in self.ledger.agents())


@dataclass
class _Call:
    """One call on its way to a line of the record."""

    asking: Asking
    part: Part
    request: Request
    said: StructuredReply | None = None
    attempts: int = 0
    fault: str = ""
    trouble: Trouble | None = None
    started: float = field(default_factory=time.perf_counter)

    def reply(self) -> str:
        """The text of the reply, "" for one without. Raises ProviderError, CallCancelledError."""
        asking, part = self.asking, self.part
        seconds = asking.cast.seconds(part.agent, asking.budget)
        options = CallOptions(
            model=part.model or None,
            temperature=part.temperature,
            max_tokens=part.max_tokens,
            reasoning_effort=part.effort or None,
        )
        request = self.request
        with model_span(asking.provider, part.shown, role=part.agent.role, options=options) as told:
            self.said = ask_structured(
                asking.provider,
                request.messages,
                request.schema,
                budget=asking.budget,
                seconds=seconds,
                options=options,
                on_ask=self._asked if seconds > 0 else None,
            )
            note_reply(told, self.said.completion)
        asking.ledger.add(part.agent.value, self.said.completion.usage)
        return self.said.text

    def _asked(self) -> None:
        self.attempts += 1

    @property
    def cut_off(self) -> bool:
        """Did the reply probably end because it might hold no more?"""
        said = self.said
        return said is not None and suspected_truncation(
            said.completion.usage, self.part.max_tokens, said.finish_reason
        )

    def failed(self, status: RunStatus, reason: str) -> AgentFailedError:
        """Enter the failure; the error that tells it. A call that was made and not answered used tokens that nobody tells."""
        if self.attempts and self.said is None:
            self.asking.ledger.add(self.part.agent.value, None)
        if self.part.agent is Agent.REVIEW:
            status = RunStatus.UNAVAILABLE
        elif not self.attempts:
            status = RunStatus.SKIPPED
        self.ended(status, reason)
        return AgentFailedError(reason)

    def ended(self, status: RunStatus, reason: str | None) -> None:
        """Enter the call in the record."""
        said, part = self.said, self.part
        usage = said.completion.usage if said else None
        finish = said.finish_reason if said else None
        unread = status in (RunStatus.INVALID, RunStatus.RECOVERED, RunStatus.UNAVAILABLE)
        self.asking.runs.append(
            AgentRun(
                agent=part.agent,
                model=part.shown,
                status=status,
                reason=reason,
                fault=self.fault,
                milliseconds=round((time.perf_counter() - self.started) * 1000, 3),
                usage=token_count(usage),
                finish_reason=finish_word(finish),
                suspected_truncation=unread and self.cut_off,
                attempts=self.attempts,
                structured=said.way.value if said else "",
                prompt_version=self.request.prompt_version,
                temperature=part.temperature,
                max_tokens=part.max_tokens,
                raw=said.text if said and unread and self.asking.keep_raw else "",
                trouble=self.trouble if self.attempts else None,
            )
        )


def provider_fault(error: ProviderError) -> tuple[RunStatus, str]:
    """How a call ended that the service did not answer."""
    if error.kind == "timeout":
        return RunStatus.TIMEOUT, Reason.TIMEOUT.value
    return RunStatus.ERROR, Reason.PROVIDER_ERROR.value


def trouble_of(error: ProviderError, provider: LLMProvider) -> Trouble:
    """What the operator can be told of it; the message names the host where the provider has one. An address with a user
    name is never used (see `ankare.llm.service`), so none can be told."""
    identity = getattr(provider, "identity", None)
    host = urlsplit(identity[0]).netloc if identity else ""
    message = error.message if host in error.message else f"{error.message.rstrip('.')} ({host})."
    return Trouble(error.kind, error.status, message, error.remedy)


def token_count(usage: Usage | None) -> TokenCount | None:
    """The usage as the record keeps it; None for a call that told nothing."""
    if usage is None or usage == Usage():
        return None
    return TokenCount(usage.prompt_tokens, usage.completion_tokens, usage.total_tokens)


def token_sum(total: UsageTotal) -> TokenSum:
    """The sum as the record keeps it."""
    return TokenSum(**{name: getattr(total, name) for name in TokenSum.__dataclass_fields__})
