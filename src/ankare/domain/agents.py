"""What did the agents do with a question, and what came of it?

The words here are those of the API's existing clients: `agents`, `review_status`, `final_status`, `answer_origin`, reasons.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ankare.domain.document import Chunk
from ankare.domain.grounding import Grounding


class Agent(StrEnum):
    """Who was asked. The value is the name in metadata and reasons ("agent1_invalid_json")."""

    REWRITE = "agent1"
    DRAFT = "agent2"
    REVIEW = "agent3"
    CORRECTION = "agent4"
    SYNTHESIS = "synthesis"

    @property
    def role(self) -> str:
        """What the agent is there for."""
        return _ROLES[self]


_ROLES = {
    Agent.REWRITE: "retrieval_rewrite",
    Agent.DRAFT: "evidence_answer",
    Agent.REVIEW: "grounded_review",
    Agent.CORRECTION: "answer_correction",
    Agent.SYNTHESIS: "grounded_synthesis",
}


class Mode(StrEnum):
    """What the chain may do where it is switched on: nothing, run beside the answer, or publish."""

    OFF = "off"
    SHADOW = "shadow"
    REVIEWED_ANSWER = "reviewed_answer"


class RunStatus(StrEnum):
    """How one call of an agent ended. The reviewer's is its verdict, or `UNAVAILABLE`.

    `RECOVERED`: usable, although not in the form that was asked for. `SKIPPED`: no time was left to ask.
    """

    OK = "ok"
    RECOVERED = "recovered"
    INVALID = "invalid"
    TIMEOUT = "timeout"
    ERROR = "error"
    SKIPPED = "skipped"
    APPROVED = "approved"
    REVISION = "revision"
    REJECTED = "rejected"
    UNAVAILABLE = "unavailable"


class ReviewState(StrEnum):
    """What the reviewer said. `UNAVAILABLE` is never an approval."""

    NOT_RUN = "not_run"
    APPROVED = "approved"
    REVISION = "revision"
    REJECTED = "rejected"
    UNAVAILABLE = "unavailable"


class FinalState(StrEnum):
    """What became of the chain."""

    NOT_RUN = "not_run"
    APPROVED = "approved"
    REVISED = "revised"
    CORRECTED = "corrected"
    UNAVAILABLE = "unavailable"
    FALLBACK = "fallback"


class Origin(StrEnum):
    """Where the text of an answer comes from."""

    EXTRACTIVE = "extractive"
    SYNTHESIS = "synthesis"
    REVIEWED = "agent2_reviewed"
    MINOR_REVISION = "agent2_minor_revision"
    CORRECTED = "agent4_corrected"
    UNREVIEWED = "agent2_unreviewed"
    FALLBACK = "fallback"


class Reason(StrEnum):
    """Why something fell back. A fault of form is told as agent and fault, see `fault_of`."""

    THIN_EVIDENCE = "thin_evidence"
    NOT_CONFIGURED = "provider_not_configured"
    PROVIDER_ERROR = "provider_error"
    TIMEOUT = "agent_timeout"
    MODE_OFF = "agentic_mode_off"
    LOW_CONFIDENCE = "agent1_low_confidence"
    QUESTION_MISMATCH = "agent1_question_mismatch"
    NO_REWRITE = "agent1_no_usable_rewrite"
    RAW_TEXT = "agent2_raw_text"
    MISSING_EVIDENCE = "agent2_missing_evidence"
    UNKNOWN_EVIDENCE = "agent2_unknown_evidence"
    DRAFT_NOT_GROUNDED = "agent2_grounding_failed"
    REJECTED = "agent3_reject"
    REVIEW_UNAVAILABLE = "agent3_unavailable"
    NEW_CLAIM = "agent3_revision_new_claim"
    REVISION_NOT_GROUNDED = "agent3_revision_grounding_failed"
    CORRECTION_NOT_GROUNDED = "agent4_grounding_failed"
    SYNTHESIS_NOT_GROUNDED = "synthesis_grounding_failed"


def fault_of(agent: Agent, fault: str) -> str:
    """The reason for a fault of one agent: "agent1" and "invalid_json" give "agent1_invalid_json"."""
    return f"{agent.value}_{fault}"


_FINISHES = frozenset(
    {
        "stop",
        "length",
        "tool_calls",
        "function_call",
        "content_filter",
        "end_turn",
        "max_tokens",
        "stop_sequence",
        "tool_use",
        "refusal",
        "error",
    }
)
"""How services say that a reply ended. Any other word is the service's own, and as little to be shown or logged as a
reply is."""


def finish_word(told: str | None) -> str | None:
    """A word that services are known to use, "other" for any other; None for none."""
    return told if told is None or told in _FINISHES else "other"


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Tokens of one call, as the service told them. None is unknown, never zero."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class TokenSum:
    """Tokens of several calls: sums over those that told theirs, None where none did. `calls_without_usage`: how many told
    nothing. `complete`: every call told everything."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None
    calls: int = 0
    calls_without_usage: int = 0
    complete: bool = True

    def plus(self, other: TokenSum) -> TokenSum:
        """Those of both."""
        told = {name: _both(getattr(self, name), getattr(other, name)) for name in TokenCount.__dataclass_fields__}
        silent = self.calls_without_usage + other.calls_without_usage
        return TokenSum(
            **told,
            calls=self.calls + other.calls,
            calls_without_usage=silent,
            complete=self.complete and other.complete,
        )


def _both(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else one + other


@dataclass(frozen=True, slots=True)
class LookUpCall:
    """One call of a model that was to look a figure up: `OK`, `TIMEOUT` or `ERROR`."""

    status: RunStatus
    milliseconds: float = 0.0
    usage: TokenCount | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a model's service gave no reply. `kind` and `status` are those of the ProviderError and may be told to anybody;
    `message` and `remedy` name the service's host, and are for the operator."""

    kind: str
    status: int | None = None
    message: str = field(default="", repr=False)
    remedy: str = field(default="", repr=False)

    def __str__(self) -> str:
        return self.kind if self.status is None else f"{self.kind}, status {self.status}"


@dataclass(frozen=True, slots=True)
class AgentRun:
    """One call of an agent: how it was asked, what it cost and how it ended.

    `fault`: what was wrong with the form of a reply that could not be read ("truncated"). `structured`: the way in which the
    form of the reply was asked for. `attempts`: in how many forms it was asked for, 0 where nobody was asked; asking again
    within a call does not count. `suspected_truncation`: the reply could not be read and ended at the most that it was
    allowed to hold. `raw`: the reply word for word, kept for the log alone where contracts are logged and it could not be
    read. `trouble`: why there was no reply.
    """

    agent: Agent
    model: str
    status: RunStatus
    reason: str | None = None
    fault: str = ""
    milliseconds: float = 0.0
    usage: TokenCount | None = None
    finish_reason: str | None = None
    suspected_truncation: bool = False
    attempts: int = 0
    structured: str = ""
    prompt_version: str = ""
    temperature: float = 0.0
    max_tokens: int = 0
    raw: str = field(default="", repr=False)
    trouble: Trouble | None = None


@dataclass(frozen=True, slots=True)
class AcceptedRewrite:
    """A wording that was searched along with the question."""

    query: str
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class RejectedRewrite:
    """A wording that was not searched, and why."""

    query: str
    reason: str


@dataclass(frozen=True, slots=True)
class Pipeline:
    """What the chain, or the synthesis, did with one question.

    `mode`: that of the chain, None for a synthesis. `origin` is that of the text which came out of it. `rewrite_reason`: why
    the question alone was searched. `queries`: all wordings searched, the question first. `context`: the chunks that
    the draft was written from, `cited`: ids of those that it cites. `scope` and `uncertain`: what the draft says of itself.
    `grounding`: the gate's verdict on the text that was to be published. `fallback_retrieval`: the answer was made anew from
    the question alone. `usage`: of all calls, None where no model was asked.
    """

    mode: Mode | None
    origin: Origin = Origin.EXTRACTIVE
    agents: tuple[AgentRun, ...] = ()
    accepted: tuple[AcceptedRewrite, ...] = ()
    rejected: tuple[RejectedRewrite, ...] = ()
    rewrite_reason: str | None = None
    queries: tuple[str, ...] = ()
    context: tuple[Chunk, ...] = ()
    cited: tuple[str, ...] = ()
    scope: str = ""
    uncertain: tuple[str, ...] = ()
    review: ReviewState = ReviewState.NOT_RUN
    final: FinalState = FinalState.NOT_RUN
    escalation: str | None = None
    reason: str | None = None
    fallback_retrieval: bool = False
    grounding: Grounding | None = None
    usage: TokenSum | None = None
    usage_by_agent: tuple[tuple[Agent, TokenSum], ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def model(self) -> str:
        """The model that wrote the published text; "none" where no model did."""
        return next((run.model for run in reversed(self.agents) if run.agent is _AUTHOR.get(self.origin)), "none")

    @property
    def by_model(self) -> bool:
        """Did a model write the published text?"""
        return self.origin in _AUTHOR

    @property
    def troubles(self) -> tuple[tuple[Agent, Trouble], ...]:
        """The calls that a model's service did not answer."""
        return tuple((run.agent, run.trouble) for run in self.agents if run.trouble is not None)


_AUTHOR = {
    Origin.SYNTHESIS: Agent.SYNTHESIS,
    Origin.REVIEWED: Agent.DRAFT,
    Origin.UNREVIEWED: Agent.DRAFT,
    Origin.MINOR_REVISION: Agent.REVIEW,
    Origin.CORRECTED: Agent.CORRECTION,
}
