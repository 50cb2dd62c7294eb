"""What may a caller send, and what comes back?

The request models judge what comes in (strictly: "true" is not a boolean). The response models only describe: answers
are built by `ankare.cite.body`, and a test holds the two together. What models had to do with an answer stands in
`schemas_agents`.
"""

from __future__ import annotations

import json
from datetime import date
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ankare.messages import FALLBACK
from ankare.service.api.bad_input import date_fault, fault_text
from ankare.service.api.schemas_agents import AgenticPipeline, AnswerUsage
from ankare.service.problem import ProblemError

Model = TypeVar("Model", bound=BaseModel)

_INVISIBLE = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), 0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF])
_TRUE = frozenset({"true", "1", "yes", "on"})
_FALSE = frozenset({"false", "0", "no", "off"})


class AskRequest(BaseModel):
    """A question and how it is to be answered. Fields that are not named here are ignored."""

    model_config = ConfigDict(
        strict=True,
        json_schema_extra={
            "examples": [
                {"question": "Vem fattar gallringsbeslutet?", "debug_mode": False, "enable_agentic_rag": False}
            ]
        },
    )

    question: Annotated[str, Field(description="The question, in any accepted language.", min_length=1)]
    debug_mode: bool | None = Field(None, description="Tell the text and the score parts of every hit.")
    enable_agentic_rag: bool | None = Field(None, description="Run the agent chain; needs a configured provider.")
    enable_synthesis: bool | None = Field(None, description="Let a model rewrite the answer behind the gate.")
    language: Annotated[
        str | None, Field(description="Answer as if asked in this language.", pattern=r"^[a-z]{2}$")
    ] = None
    reference_date: str | None = Field(None, description="ISO date that relative periods count from.")

    @field_validator("reference_date")
    @classmethod
    def _is_date(cls, value: str | None) -> str | None:
        try:
            year = None if value is None else date.fromisoformat(value).year
        except ValueError:
            raise date_fault(form=True) from None
        if year is not None and not 1950 <= year <= 2150:
            raise date_fault(form=False)
        return value


class SearchRequest(BaseModel):
    """A search without an answer."""

    model_config = ConfigDict(strict=True, json_schema_extra={"examples": [{"query": "etapper", "top_k": 8}]})

    query: Annotated[str, Field(description="What to look for.", min_length=1)]
    top_k: Annotated[int | None, Field(description="How many hits at most.", ge=1, le=50)] = None
    language: Annotated[str | None, Field(pattern=r"^[a-z]{2}$")] = None


class UnderstandRequest(BaseModel):
    """A text, and the question before it as it was understood."""

    model_config = ConfigDict(
        strict=True,
        json_schema_extra={
            "examples": [{"previous": "Vad var omsättningen i Norge 2024?", "question": "och 2023?", "language": "sv"}]
        },
    )

    previous: Annotated[str, Field(description="The question before, as it was sent; empty for none.")]
    question: Annotated[str, Field(description="What the user writes now.", min_length=1)]
    language: Annotated[str | None, Field(description="Read it as this language.", pattern=r"^[a-z]{2}$")] = None
    reference_date: str | None = Field(None, description="ISO date that relative periods count from.")

    @field_validator("reference_date")
    @classmethod
    def _is_date(cls, value: str | None) -> str | None:
        return AskRequest._is_date(value)


class UnderstandResponse(BaseModel):
    """The question on its own. Nothing has been asked: show it, let it be edited, and send it to /api/ask."""

    question: str = Field(examples=["Vad var omsättningen i Norge 2023?"])
    changed: bool = Field(description="Is it another text than the one that was sent?")
    taken_over: list[str] = Field(
        description="The pieces of the question before that it holds.", examples=[["Vad var omsättningen i Norge"]]
    )


class Problem(BaseModel):
    """A problem document (RFC 9457)."""

    type: str = Field("about:blank", examples=["about:blank", "/problems/model-quota"])
    code: str | None = Field(
        None, examples=["model-auth", "model-quota", "no-index", "index-unusable", "not-ready", "overloaded"]
    )
    title: str = Field(examples=["Bad Request"])
    status: int = Field(examples=[400])
    detail: str = Field(examples=["question: it is blank."])
    field: str | None = Field(None, examples=["question"])
    instance: str | None = Field(None, description="The request, by its id.", examples=["/requests/a7412a2d"])


class MarkedBox(BaseModel):
    """A rectangle on a page, in points from its top left corner."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class ClaimEvidence(BaseModel):
    """What a claim stands on: `text` is the chunk's text from `start` to `end`."""

    text: str
    chunk_id: str
    source: str
    pages: list[int]
    start: int
    end: int
    boxes: list[MarkedBox]


class AnswerClaim(BaseModel):
    """One sentence, list item, step or table row of the answer."""

    text: str
    form: str = Field(examples=["text", "item", "step", "row"])
    evidence: list[ClaimEvidence]


class AnswerSource(BaseModel):
    """A cited page of a document, or the place of a figure in a table (then without url and ids)."""

    number: int
    source: str = Field(examples=["handbok.pdf"])
    source_type: str = Field(examples=["pdf"])
    title: str
    section: str
    pages: list[int] = Field(examples=[[5]])
    url: str | None = Field(examples=["/sources/d1#page=5"])
    score: float | None
    chunk_id: str | None
    document_id: str | None
    page_image: str | None
    locator: str | None = Field(None, description="Of a figure: the cell or row.", examples=["Blad1!C7"])


class HomepageLink(BaseModel):
    """A related web page that the profile approves."""

    label: str
    url: str


class TopResult(BaseModel):
    """A hit, used or not. `text`, `parts` and `duplicates` only in debug mode."""

    chunk_id: str
    source: str
    source_type: str
    title: str
    section: str
    pages: list[int]
    url: str
    score: float
    lexical: float
    semantic: float | None
    text: str | None = None
    parts: list[dict[str, Any]] | None = None
    duplicates: list[dict[str, Any]] | None = None


class Retrieval(BaseModel):
    """How the question was read, what was found, and what the relevance gate said."""

    intent: str = Field(examples=["list"])
    query_terms: list[str]
    corrections: dict[str, str]
    top_results: list[TopResult]
    relevance_supported: bool
    relevance_reason: str
    coverage: float
    probability: float
    covered: list[str]
    missing: list[str]
    semantic: float | None


class NarrowingChoice(BaseModel):
    """A choice that answers with one click: ask its question."""

    label: str = Field(examples=["Omsättning"])
    question: str


class Clarification(BaseModel):
    """What is asked back before anything is looked up, or what was assumed."""

    mode: str = Field(examples=["none", "ask_first", "answer_with_assumptions", "out_of_scope_entity"])
    assumed_slots: dict[str, Any] = Field(examples=[{"entity": "GROUP", "period": ["FY", "2024"]}])
    assumption_note: str = Field(
        description="What was assumed; of a span, which periods are meant and which are missing."
    )
    narrowing_options: list[NarrowingChoice]
    question: str


class FactResult(BaseModel):
    """A look-up among the figures. `value` is a decimal string. An unrecognised parameter has `param` and `raw` alone."""

    status: str = Field(examples=["found", "not_found", "unrecognized_param"])
    metric: str | None = None
    entity: str | None = None
    period_type: str | None = Field(
        None, description="FY, HY (half-year), TERTIAL (four months), QUARTER or MONTH.", examples=["FY"]
    )
    period: str | None = Field(None, description="FY2024, 2024H1, 2024T1, 2024Q3 or 2024-03.", examples=["FY2024"])
    channel: str | None = None
    geography: str | None = None
    value: str | None = Field(None, examples=["1320.5"])
    unit: str | None = None
    source: dict[str, str] | None = Field(None, examples=[{"doc": "Bokslut.xlsx", "locator": "Blad1!C7"}])
    valid_as_of: str | None = None
    conflicts: list[dict[str, Any]] = []
    param: str | None = None
    raw: str | None = None


class AskResponse(BaseModel):
    """An answer or a refusal. A refusal has `answered` false and neither sources nor claims."""

    question: str
    answer_id: str = Field(description="Names this answer in the usage log and in feedback.")
    answer_markdown: str
    answered: bool
    answer_origin: str = Field(
        examples=["extractive", "agent2_reviewed", "synthesis", "fallback", "figures", "refusal"]
    )
    partial: bool
    language: str
    route: str = Field(examples=["narrative", "structured", "composite"])
    model: str = Field(examples=["none"])
    sources: list[AnswerSource]
    homepage_links: list[HomepageLink]
    claims: list[AnswerClaim]
    refusal_reason: str | None
    clarification: Clarification
    facts: list[FactResult]
    retrieval: Retrieval
    agentic_pipeline: AgenticPipeline
    llm_usage: AnswerUsage | None
    timing_ms: float
    timings_ms: dict[str, float]
    revision: str
    index_version: str


class HealthResponse(BaseModel):
    """The process is up. `ready`: it can answer too. The rest is how it is configured to."""

    status: Literal["ok"]
    version: str
    revision: str
    ready: bool
    index_version: str | None
    provider: str = Field(examples=["none", "openai"])
    enable_agentic_rag: bool
    agentic_rag_mode: str
    enable_synthesis: bool
    semantic: bool
    max_question_chars: int
    top_k: int


class ReadyResponse(BaseModel):
    """Questions can be answered as they are configured to be."""

    status: Literal["ready"]
    index_version: str
    chunks: int


class SearchHit(BaseModel):
    """A found chunk."""

    chunk_id: str
    source: str
    pages: list[int]
    score: float
    text: str


class SearchResponse(BaseModel):
    """Hits, best first."""

    query: str
    hits: list[SearchHit]


def read_request(model: type[Model], raw: bytes, language: str = FALLBACK) -> Model:
    """The request in a body. Raises ProblemError (400) that names the field and what to write there, in a language."""
    try:
        request = model.model_validate_json(raw)
    except ValidationError as error:
        text, field = fault_text(error.errors(include_url=False, include_input=False)[0], language)
        raise ProblemError(400, text, field=field) from None
    json.loads(raw, object_pairs_hook=_each_name_once)
    return request


def _each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Readers of JSON differ in which of two values they take: a proxy may have judged another one than is answered."""
    named = dict(pairs)
    if len(named) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)[:40]
        raise ProblemError(400, f"{twice!r} stands twice in the body.", field=twice)
    return named


def is_usable(text: str, limit: int) -> bool:
    """Can something be asked with it?"""
    return len(text) <= limit and bool(text.translate(_INVISIBLE).strip())


def usable_text(text: str, field: str, limit: int, language: str = FALLBACK) -> str:
    """The text, if something can be asked with it. Raises ProblemError (400) if it is blank or too long."""
    fault = "too_many" if len(text) > limit else "" if is_usable(text, limit) else "blank"
    if fault:
        context = {"count": len(text), "most": limit} if fault == "too_many" else {}
        sentence, _ = fault_text({"type": fault, "loc": (field,), "msg": fault, "ctx": context}, language)
        raise ProblemError(400, sentence, field=field)
    return text


def url_date(name: str, value: str | None) -> date | None:
    """A date of the URL, None where it is not there. Raises ProblemError (400) for anything else."""
    if value is None:
        return None
    try:
        day = date.fromisoformat(value)
        return day if 1950 <= day.year <= 2150 else date.fromisoformat("")
    except ValueError:
        raise ProblemError(400, f"{name} in the URL must be a date like 2025-05-20.", field=name) from None


def url_flag(name: str, value: str | None) -> bool | None:
    """A boolean of the URL, None where it is not there. Raises ProblemError (400) for anything else."""
    if value is None:
        return None
    word = value.strip().lower()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise ProblemError(400, f"{name} in the URL must be true or false, not {value[:40]!r}.", field=name)
