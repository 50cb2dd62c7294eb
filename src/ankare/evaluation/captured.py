"""What came back for a question, and how did it come about?

A capture keeps the whole body of `/api/ask` with `debug_mode`; what the scores read of it stands here as values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ankare.evaluation.case import Suite

Json = Mapping[str, Any]


class AnswerPath(StrEnum):
    """The way that an answer was meant to take."""

    CONTROL = "control"
    SYNTHESIS = "synthesis"
    AGENTIC = "agentic"
    SHADOW = "shadow"


class FailureKind(StrEnum):
    """Why no answer came back."""

    PROVIDER = "provider"  # the model's service: no key, no quota, not reached
    TIMEOUT = "timeout"
    OVERLOAD = "overload"  # 429, 503 without a provider's part in it
    REFUSED = "refused"  # the request itself: 4xx
    BROKEN = "broken"  # 5xx, a body that cannot be read, a connection that broke off


@dataclass(frozen=True, slots=True)
class Failure:
    """A recorded outcome that is no answer. `status`: of HTTP, None in process. `detail` holds no key and no path."""

    kind: FailureKind
    detail: str = ""
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """A chunk that the answer could stand on, as it was ranked (best first). `text` is "" where the body does not tell it."""

    chunk_id: str
    source: str
    pages: tuple[int, ...]
    text: str = ""
    title: str = ""
    section: str = ""
    score: float | None = None


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """The stretch of a document that a statement cites."""

    source: str
    pages: tuple[int, ...]
    text: str
    chunk_id: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence, item, step or row of an answer from documents with what it cites. `form`: text, item, step or row."""

    text: str
    evidence: tuple[CitedSpan, ...] = ()
    form: str = "text"


@dataclass(frozen=True, slots=True)
class FigureFound:
    """One look-up of the structured channel: `status` "found", "not_found", ... ; `value` a decimal as text, "" for none."""

    status: str
    metric: str = ""
    entity: str = ""
    period: str = ""
    channel: str = ""
    value: str = ""
    unit: str = ""
    source: str = ""
    locator: str = ""


@dataclass(frozen=True, slots=True)
class AgentCall:
    """One call of a model. Tokens and milliseconds are None where nobody told them. `truncated`: its reply could not be read,
    and ended at the most that it was allowed to hold."""

    agent: str
    role: str = ""
    model: str = ""
    status: str = ""
    reason: str = ""
    ms: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Chain:
    """What models had to do with an answer. Words as in the body: `final_status`, `review_status`, `fallback_reason`.

    `context`: what the chain's draft could stand on; of a shadow run it is not what the answer stood on. `cited`: the places
    that the chain's text cites. `sentences`: the grounding gate's verdicts as the body tells them.
    """

    enabled: bool = False
    mode: str = ""
    origin: str = ""
    final_status: str = ""
    review_status: str = ""
    fallback_reason: str = ""
    escalation: str = ""
    calls: tuple[AgentCall, ...] = ()
    context: tuple[Context, ...] = ()
    cited: tuple[CitedSpan, ...] = ()
    shadow: bool = False
    shadow_answered: bool | None = None
    ms: float | None = None
    sentences: tuple[Json, ...] = ()
    rewrites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Response:
    """An answer, a refusal or a question asked back, as the scores read it.

    `statements`: what the documents are said to say, without notes and lists of sources. `context`: the hits in their order.
    Tokens: of everything that models were asked for the answer; None where no model was asked, or where some were not told.
    """

    question: str
    answered: bool
    origin: str
    route: str
    language: str = ""
    markdown: str = ""
    partial: bool = False
    refusal_reason: str = ""
    clarify_mode: str = ""
    statements: tuple[Statement, ...] = ()
    sources: tuple[CitedSpan, ...] = ()
    figures: tuple[FigureFound, ...] = ()
    context: tuple[Context, ...] = ()
    chain: Chain = field(default_factory=Chain)
    question_type: str = ""
    model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    tokens_complete: bool = True
    model_calls: int = 0
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    ms: float | None = None
    revision: str = ""
    index_version: str = ""


@dataclass(frozen=True, slots=True)
class Capture:
    """One question asked once. `repeat` counts from 0; `wall_ms`: from the question to its answer, as the asker saw it.

    Exactly one of `response` and `failure` is there. `body`: the response as it came.
    """

    case_id: str
    repeat: int
    path: AnswerPath
    at: str
    wall_ms: float
    response: Response | None = None
    failure: Failure | None = None
    body: Json | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Conditions:
    """Under what a run was made: everything that has to be alike for two runs to be compared, or that explains a difference.

    `settings`: values as they were, without keys; `versions`: of the index, each that answered. `by_meaning`: how far search by
    meaning had a part in what was found, "no", "partly" or "yes", each that came up, in that order. `note`: what whoever made
    the run wants its readers to know.
    """

    path: AnswerPath
    suite_digest: str
    suite_name: str = ""
    base_url: str = ""
    name: str = ""
    started: str = ""
    finished: str = ""
    repeats: int = 1
    revisions: tuple[str, ...] = ()
    index_versions: tuple[str, ...] = ()
    ankare_version: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    by_meaning: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """One run over a suite: what was asked, under what, and what came back."""

    conditions: Conditions
    suite: Suite
    captures: tuple[Capture, ...]
