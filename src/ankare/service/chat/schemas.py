"""What does a client of the OpenAI form send, and what comes back?

A chat is read for one thing: its question. Which of its parameters are honoured, which are harmless and ignored, and which
ask for something that ankare does not do (a 400 that names them) is decided here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ankare.service.api.schemas import AskRequest, AskResponse
from ankare.service.problem import ProblemError

MAX_TURNS = 12
"""Questions of a chat, the newest ones, that are read to understand the last one."""
_TEXT_PARTS = frozenset({"text", "input_text"})


class TextPart(BaseModel):
    """A piece of text. Pieces of a message are joined by line ends."""

    type: Literal["text"] = "text"
    text: str


class ChatMessage(BaseModel):
    """One turn. Only those of role `user` are read: ankare takes no instructions, and its own earlier answers prove nothing."""

    role: Annotated[
        Literal["system", "developer", "user", "assistant", "tool", "function"],
        Field(description="system and developer are accepted and ignored."),
    ]
    content: Annotated[
        Any,
        Field(
            description="A text, or a list of text parts.",
            json_schema_extra={
                "anyOf": [
                    {"type": "string"},
                    {"type": "array", "items": TextPart.model_json_schema()},
                    {"type": "null"},
                ]
            },
        ),
    ] = None


class StreamOptions(BaseModel):
    """`include_usage`: a last chunk with the tokens, before `[DONE]`."""

    include_usage: bool | None = None


class ChatRequest(BaseModel):
    """A chat whose last question is to be answered. Parameters that steer a model's wording (temperature, max_tokens, seed,
    stop, user, metadata, tools without `tool_choice: required` and others) are accepted and ignored."""

    model_config = ConfigDict(
        strict=True,
        json_schema_extra={
            "examples": [
                {"model": "ankare", "messages": [{"role": "user", "content": "Vem beslutar om budgeten?"}]},
                {
                    "model": "ankare-extractive",
                    "messages": [
                        {"role": "user", "content": "Vem beslutar om budgeten?"},
                        {"role": "assistant", "content": "Styrgruppen beslutar om budgeten. [1]"},
                        {"role": "user", "content": [{"type": "text", "text": "Och om tidplanen?"}]},
                    ],
                    "stream": True,
                    "stream_options": {"include_usage": True},
                    "language": "sv",
                },
            ]
        },
    )

    model: Annotated[str, Field(description="One of those that GET /v1/models lists.", min_length=1)]
    messages: Annotated[
        list[ChatMessage], Field(description="The last one of role `user` is the question.", min_length=1)
    ]
    stream: bool | None = Field(None, description="Server-sent events in place of one body. Off by default.")
    stream_options: StreamOptions | None = None
    n: int | None = Field(None, description="1 is all there is.", ge=1, le=1)
    language: Annotated[
        str | None, Field(description="Ours: answer as if asked in this language.", pattern=r"^[a-z]{2}$")
    ] = None
    reference_date: str | None = Field(None, description="Ours: ISO date that relative periods count from.")
    debug_mode: bool | None = Field(None, description="Ours: as in /api/ask; told in the field `ankare`.")
    response_format: dict[str, Any] | None = Field(None, description="Only {type: text}.")
    tool_choice: str | dict[str, Any] | None = Field(None, description="none or auto: no tool is ever called.")
    function_call: str | dict[str, Any] | None = Field(None, description="none or auto.")
    modalities: list[str] | None = Field(None, description="Only [text].")
    logprobs: bool | None = Field(None, description="Not told: only false.")

    @field_validator("reference_date")
    @classmethod
    def _is_date(cls, value: str | None) -> str | None:
        return AskRequest._is_date(value)

    @property
    def reference(self) -> date | None:
        """What relative periods count from."""
        return date.fromisoformat(self.reference_date) if self.reference_date else None

    @property
    def wants_usage(self) -> bool:
        """Is a stream to end with its usage?"""
        return bool(self.stream_options and self.stream_options.include_usage)

    def refuse_the_impossible(self) -> None:
        """Raises ProblemError (400) for the first parameter that asks for what ankare does not do."""
        for name, asked in (
            ("response_format", self.response_format is not None and self.response_format.get("type") != "text"),
            ("tool_choice", self.tool_choice not in (None, "none", "auto")),
            ("function_call", self.function_call not in (None, "none", "auto")),
            ("modalities", bool(self.modalities) and self.modalities != ["text"]),
            ("logprobs", bool(self.logprobs)),
        ):
            if asked:
                raise ProblemError(
                    400,
                    f"{name}: ankare answers in text and does not do this.",
                    field=name,
                    code="unsupported-parameter",
                )

    def questions(self) -> tuple[tuple[str, str], ...]:
        """What the user has asked, newest last, each with the place that it stands in; at most `MAX_TURNS`.

        Raises ProblemError (400) where there is none, or one holds something else than text.
        """
        asked = [
            (text_of(message.content, f"messages.{place}.content"), f"messages.{place}.content")
            for place, message in enumerate(self.messages)
            if message.role == "user"
        ]
        if not asked:
            raise ProblemError(400, "messages: there is none of the role user, so nothing is asked.", field="messages")
        return tuple(asked[-MAX_TURNS:])


def text_of(content: object, place: str) -> str:
    """The text of a message. Raises ProblemError (400) that names what is no text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence) or not content:
        raise ProblemError(400, f"{place}: a text or a list of text parts is needed.", field=place)
    return "\n".join(_part_text(part, f"{place}.{number}") for number, part in enumerate(content))


def _part_text(part: object, place: str) -> str:
    kind = part.get("type") if isinstance(part, Mapping) else None
    if kind is not None and kind not in _TEXT_PARTS:
        raise ProblemError(
            400, f"{place}: ankare reads text only, not {str(kind)[:40]!r}.", field=place, code="unsupported-content"
        )
    text = part.get("text") if isinstance(part, Mapping) else None
    if kind is None or not isinstance(text, str):
        raise ProblemError(400, f"{place}: a part of type text with a text is needed.", field=place)
    return text


class UrlCitation(BaseModel):
    """`content[start_index:end_index]` (in Unicode code points) is the mark of the citation."""

    start_index: int
    end_index: int
    url: str = Field(examples=["https://example.org/sources/d1#page=5"])
    title: str


class Annotation(BaseModel):
    """A citation in the content."""

    type: Literal["url_citation"] = "url_citation"
    url_citation: UrlCitation


class AnswerMessage(BaseModel):
    """The answer: Markdown with numbered citations and the list of sources at its end."""

    role: Literal["assistant"] = "assistant"
    content: str
    refusal: None = None
    annotations: list[Annotation]


class Choice(BaseModel):
    """The one answer. A refusal and a question asked back end with `stop` too; `ankare.answered` tells them."""

    index: Literal[0] = 0
    message: AnswerMessage
    finish_reason: Literal["stop"] = "stop"
    logprobs: None = None


class Usage(BaseModel):
    """Tokens of the models that had a part in this answer: 0 where none had, or where its service told none."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ChatExtension(AskResponse):
    """The whole answer of /api/ask, and how the question was understood."""

    understood: bool = Field(description="Was the last message completed with pieces of the questions before it?")
    taken_over: list[str] = Field(description="These pieces. `question` is what was asked.")
    instructions_ignored: int = Field(description="System and developer messages: ankare takes no instructions.")


class ChatCompletion(BaseModel):
    """An answer in the OpenAI form."""

    id: str = Field(examples=["chatcmpl-0f3c"])
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str = Field(examples=["ankare"])
    choices: list[Choice]
    usage: Usage
    ankare: ChatExtension


class Model(BaseModel):
    """A way to an answer that this service is configured for. `created` tells nothing."""

    id: str = Field(examples=["ankare"])
    object: Literal["model"] = "model"
    created: int
    owned_by: str = Field(examples=["ankare"])
    description: str


class ModelList(BaseModel):
    """All ways."""

    object: Literal["list"] = "list"
    data: list[Model]


class ErrorDetail(BaseModel):
    """What is wrong, and with which parameter."""

    message: str
    type: str = Field(examples=["invalid_request_error", "authentication_error", "rate_limit_error", "server_error"])
    param: str | None = Field(examples=["messages.0.content"])
    code: str | None = Field(examples=["model_not_found"])


class ErrorBody(BaseModel):
    """An error in the OpenAI form."""

    error: ErrorDetail
