"""What does an answer tell of the models that had a part in it: calls, tokens, searches, the gate's verdict, the shadow?

As in `schemas`, these only describe what `ankare.cite.pipeline` builds.
"""

from __future__ import annotations

from pydantic import BaseModel, Field


class TokenUsage(BaseModel):
    """Tokens of one call, as the model's service told them."""

    prompt_tokens: int | None
    completion_tokens: int | None
    total_tokens: int | None


class TotalUsage(TokenUsage):
    """Tokens of several calls: sums over those that told theirs. `complete` is false where some call did not tell."""

    calls: int
    calls_without_usage: int
    complete: bool


class AnswerUsage(TotalUsage):
    """Tokens of the answer, in all and per agent."""

    agents: dict[str, TotalUsage]


class AgentCall(BaseModel):
    """One call of an agent: how it was asked, how it ended and what it cost."""

    agent: str = Field(examples=["agent2"])
    role: str = Field(examples=["evidence_answer"])
    model: str = Field(examples=["openai/gpt-oss-20b"])
    status: str = Field(
        examples=["ok", "recovered", "invalid", "timeout", "error", "skipped", "approved", "unavailable"]
    )
    reason: str | None = Field(examples=["agent2_invalid_json"])
    fault: str | None = Field(None, examples=["truncated"])
    ms: float
    usage: TokenUsage | None
    finish_reason: str | None
    suspected_truncation: bool
    attempts: int
    structured_output: str = Field(examples=["schema", "plain"])
    prompt_version: str
    temperature: float
    max_tokens: int


class AcceptedQuery(BaseModel):
    """A wording that was searched along with the question."""

    query: str
    purpose: str


class RejectedQuery(BaseModel):
    """A wording that was not searched, and why."""

    query: str
    reason: str


class GroundedSpan(BaseModel):
    """A stretch of a chunk that holds a sentence."""

    chunk_id: str
    start: int
    end: int
    pages: list[int]


class GroundedSentence(BaseModel):
    """The grounding gate's verdict on a sentence. Its text is told only where it was published."""

    text: str | None
    supported: bool
    reason: str | None = Field(examples=["number_mismatch"])
    score: float
    evidence: list[GroundedSpan]


class GroundingVerdict(BaseModel):
    """The grounding gate's verdict on the text that was to be published. `removed`: pieces that were cut off before."""

    passed: bool
    reason: str | None
    removed: int
    sentences: list[GroundedSentence]


class ShadowSource(BaseModel):
    """A page that the chain would have cited."""

    source: str
    pages: list[int]


class ShadowRun(BaseModel):
    """What the chain would have stood on, had it been allowed to answer. `answered` is null where it broke off."""

    answered: bool | None
    sources: list[ShadowSource]
    cited_chunk_ids: list[str]
    ms: float


class ContextChunk(BaseModel):
    """A passage that the draft was written from."""

    chunk_id: str
    source: str
    pages: list[int]
    title: str
    section: str
    text: str


class AgenticPipeline(BaseModel):
    """What the agent chain, or the synthesis, did."""

    enabled: bool
    mode: str | None = Field(examples=["reviewed_answer", "shadow", "off"])
    agents: list[AgentCall]
    accepted_rewrites: list[AcceptedQuery]
    rejected_rewrites: list[RejectedQuery]
    rewrite_reason: str | None = Field(examples=["agent1_low_confidence"])
    original_question: str | None
    retrieval_queries: list[str]
    retrieval_query_count: int
    context_chunk_ids: list[str]
    context_chunk_count: int
    context: list[ContextChunk] | None = Field(None, description="In full with debug_mode only.")
    evidence_ids_used: list[str]
    answer_scope: str | None = Field(examples=["direct"])
    review_status: str = Field(examples=["approved", "revision", "rejected", "unavailable", "not_run"])
    final_status: str = Field(examples=["approved", "revised", "corrected", "unavailable", "fallback", "not_run"])
    answer_origin: str | None = Field(examples=["agent2_reviewed"])
    escalation: str | None = Field(examples=["agent4"])
    fallback_reason: str | None = Field(examples=["provider_not_configured"])
    agentic_fallback_retrieval_used: bool
    grounding: GroundingVerdict | None
    usage: TotalUsage | None
    warnings: list[str]
    shadow: ShadowRun | None
