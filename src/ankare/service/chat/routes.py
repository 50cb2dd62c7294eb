"""POST /v1/chat/completions and GET /v1/models: how do clients of the OpenAI form ask?

The last message of the user is the question. Earlier ones decide nothing but how it reads on its own, which is told; system
messages and earlier answers are not read at all. A `model` is one of the ways that the service is configured for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import orjson
from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response, StreamingResponse

from ankare.cite.body import RunFlags
from ankare.domain.agents import Mode
from ankare.service.api.openapi import json_body, openai_problems
from ankare.service.api.request_body import read_json
from ankare.service.api.schemas import is_usable, usable_text
from ankare.service.api.stream import EVENT_STREAM, OnStep, once_begun
from ankare.service.caller import Caller, caller_of
from ankare.service.chat.answer import Completion, Understanding
from ankare.service.chat.schemas import ChatCompletion, ChatRequest, Model, ModelList
from ankare.service.chat.stream import chat_stream
from ankare.service.crew import Crew
from ankare.service.desk import Desk, Served
from ankare.service.problem import ProblemError
from ankare.settings import Settings

CHANNEL = "chat"
OWNER_NAME = "ankare"
CREATED = 1_767_225_600
"""Ways have no birthday, but clients want one: 2026-01-01."""
EVENTS = {
    "example": 'data: {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "..."}}]}\n\n'
    "data: [DONE]\n\n",
}


def add_chat(app: FastAPI, desk: Desk, crew: Crew, patient: Crew) -> None:
    """Put the routes on the app. `crew` answers without a model, `patient` waits for one."""
    router = APIRouter(tags=["openai"])

    @router.post(
        "/v1/chat/completions",
        summary="Answer the last question of a chat",
        response_model=None,
        responses={
            200: {"model": ChatCompletion, "content": {EVENT_STREAM: EVENTS}},
            **openai_problems(400, 404, 415, 503),
        },
        openapi_extra=json_body(ChatRequest),
    )
    async def complete(request: Request) -> Response:
        call = await read_json(ChatRequest, request)
        call.refuse_the_impossible()
        flags = flags_of(call, desk.settings)
        asked = Asking.of(desk, call, flags, caller_of(request.scope))
        completion = Completion(call.model)
        waits = flags.agentic or flags.synthesis
        chosen, place = patient if waits else crew, desk.turnstile.of(waits=waits)
        if call.stream:
            events = chat_stream(chosen, place, request.is_disconnected, asked.answer, completion, call.wants_usage)
            return StreamingResponse(
                await once_begun(events), media_type=EVENT_STREAM, headers={"Cache-Control": "no-store"}
            )
        with place:
            body = await chosen.run_while(request.is_disconnected, partial(_whole, asked, completion))
        return Response(body, media_type="application/json")

    @router.get("/v1/models", summary="The ways to an answer that are configured", response_model=ModelList)
    async def models() -> dict[str, Any]:
        return {"object": "list", "data": list(ways(desk.settings).values())}

    @router.get(
        "/v1/models/{model}", summary="One way to an answer", response_model=Model, responses=openai_problems(404)
    )
    async def model(model: str) -> dict[str, Any]:
        return _way(model, desk.settings)

    app.include_router(router)


@dataclass(frozen=True, slots=True)
class Asking:
    """One chat, checked, and ready to be answered in a thread. `earlier`: the questions before, oldest first."""

    desk: Desk
    question: str
    earlier: tuple[str, ...]
    ignored: int
    call: ChatRequest
    flags: RunFlags
    caller: Caller

    @classmethod
    def of(cls, desk: Desk, call: ChatRequest, flags: RunFlags, caller: Caller) -> Asking:
        """Raises ProblemError (400) for a question that cannot be asked. Earlier ones that cannot are passed over."""
        most = desk.settings.max_question_chars
        *before, (last, place) = call.questions()
        earlier = tuple(text for text, _ in before if is_usable(text, most))
        ignored = sum(message.role in ("system", "developer") for message in call.messages)
        return cls(desk, usable_text(last, place, most), earlier, ignored, call, flags, caller)

    def answer(self, on_step: OnStep | None = None) -> tuple[Served, Understanding]:
        """The answer, and how the question was understood. Raises as `Desk.ask`."""
        read = self.understand()
        served = self.desk.ask(
            read.question, self.call.language, self.flags, CHANNEL, self.call.reference, on_step, self.caller
        )
        return served, read

    def understand(self) -> Understanding:
        """The question on its own: each one is read after the one before it, as that was understood."""
        question, changed, taken_over = "", False, tuple[str, ...]()
        for text in (*self.earlier, self.question):
            found = self.desk.understand(question, text, self.call.language, self.call.reference, self.caller)
            question, changed, taken_over = found.question, found.changed, tuple(found.taken_over)
        return Understanding(question, changed, taken_over, self.ignored)


def ways(settings: Settings) -> Mapping[str, dict[str, Any]]:
    """The models that can be named, by id: the configured way, and each way that this service can go."""
    told = {
        "ankare": "As this service is configured.",
        "ankare-extractive": "Word for word from the material, no model.",
    }
    if settings.provider_kind != "none":
        if settings.agentic_rag_mode is Mode.REVIEWED_ANSWER:
            told["ankare-agentic"] = "Models search, draft and review behind the grounding gate."
        told["ankare-synthesis"] = "A model rewrites the extractive answer behind the grounding gate."
    return {
        name: {"id": name, "object": "model", "created": CREATED, "owned_by": OWNER_NAME, "description": text}
        for name, text in told.items()
    }


def flags_of(call: ChatRequest, settings: Settings) -> RunFlags:
    """How a question to this model is to be answered. Raises ProblemError (404) for one that is not listed."""
    _way(call.model, settings)
    usual = RunFlags(
        debug=bool(call.debug_mode),
        agentic=settings.enable_agentic_rag,
        synthesis=settings.enable_llm_synthesis,
        provider=settings.provider_kind,
    )
    if call.model == "ankare":
        return usual
    return replace(usual, agentic=call.model == "ankare-agentic", synthesis=call.model == "ankare-synthesis")


def _way(name: str, settings: Settings) -> dict[str, Any]:
    try:
        return ways(settings)[name]
    except KeyError:
        known = ", ".join(ways(settings))
        raise ProblemError(
            404, f"There is no model {name[:80]!r} here; there is {known}.", field="model", code="model-not-found"
        ) from None


def _whole(asked: Asking, completion: Completion) -> bytes:
    return orjson.dumps(completion.whole(*asked.answer()))
