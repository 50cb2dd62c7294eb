"""What do the tools of the MCP server take, and what do they give?

The answer of a tool is read by a model as text and by a program as these fields. No field of a call is a path or an address.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ankare.service.api.schemas import AskRequest, Clarification, FactResult, SearchHit

Language = Annotated[
    str | None, Field(description="Language code, where it should not be guessed.", pattern=r"^[a-z]{2}$")
]


class Arguments(BaseModel):
    """What a tool takes: nothing beyond what it names, so that a misspelt name is told."""

    model_config = ConfigDict(strict=True, extra="forbid")


class AskArguments(Arguments):
    """A question."""

    question: Annotated[str, Field(description="One complete question, in any accepted language.", min_length=1)]
    language: Language = None
    reference_date: str | None = Field(None, description="ISO date that relative periods count from; today without it.")

    @field_validator("reference_date")
    @classmethod
    def _is_date(cls, value: str | None) -> str | None:
        return AskRequest._is_date(value)


class SearchArguments(Arguments):
    """What to look for."""

    query: Annotated[str, Field(description="Words or a question.", min_length=1)]
    top_k: Annotated[int, Field(description="How many passages at most.", ge=1, le=50)] = 8
    language: Language = None


class MetricArguments(Arguments):
    """A figure by its names. Each may be a code or any name that the profile knows."""

    metric: Annotated[str, Field(description="What is measured.", min_length=1, max_length=200)]
    period: Annotated[
        str,
        Field(
            description="A year, half-year, tertial, quarter or month: 2024, 2024H1, 2024T1, 2024Q3, 2024-03, or in words.",
            min_length=1,
            max_length=200,
        ),
    ]
    entity: Annotated[
        str | None, Field(description="Whose figure; the home organisation's own without it.", max_length=200)
    ] = None
    channel: Annotated[
        str | None, Field(description="A channel that the figure is split by; the total without it.", max_length=200)
    ] = None


class CitedSource(BaseModel):
    """A cited page of a document, or the place of a figure in a table (then without address and resource)."""

    number: int
    source: str
    title: str
    section: str
    pages: list[int]
    url: str | None
    resource: str | None = Field(description="Its text, as a resource of this server.")
    locator: str | None = Field(description="Of a figure: the cell or row.")


class AskOutput(BaseModel):
    """An answer, a refusal (`answered` false, no sources) or a question asked back (`clarification`)."""

    answered: bool
    answer_markdown: str = Field(description="With numbered citations and the list of sources.")
    refusal_reason: str | None
    partial: bool
    language: str
    question: str
    answer_origin: str
    route: str
    sources: list[CitedSource]
    facts: list[FactResult]
    clarification: Clarification
    answer_id: str
    index_version: str

    @classmethod
    def of(cls, body: dict[str, Any]) -> dict[str, Any]:
        """The fields, from the body of /api/ask."""
        told = {name: body[name] for name in cls.model_fields}
        told["sources"] = [
            {
                **{name: source[name] for name in CitedSource.model_fields if name in source},
                "resource": f"{RESOURCE}{source['document_id']}" if source["document_id"] else None,
            }
            for source in body["sources"]
        ]
        return told


class SearchOutput(BaseModel):
    """Passages, best first."""

    query: str
    hits: list[SearchHit]


class MetricOutput(BaseModel):
    """`status` is found, not_found or unrecognized_param; `value` a decimal string. `choices`: the names that can stand in
    place of one that is not known, or the periods that are held where the asked one is not. No figure is ever estimated."""

    status: str
    message: str
    metric: str | None = None
    entity: str | None = None
    period_type: str | None = None
    period: str | None = None
    channel: str | None = None
    geography: str | None = None
    value: str | None = None
    unit: str | None = None
    source: dict[str, str] | None = None
    valid_as_of: str | None = None
    conflicts: list[dict[str, Any]] = []
    param: str | None = None
    raw: str | None = None
    choices: list[str] = []


RESOURCE = "ankare://sources/"
"""Where the text of a document lies, followed by its id."""
