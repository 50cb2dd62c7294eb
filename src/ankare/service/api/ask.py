"""POST /api/ask: how is a question to be answered, and who may say so?

A flag in the body wins over one in the URL, which wins over the environment. A caller chooses between ways that the
service is configured for; never a model, an address, a key or a path. Questions that wait for a model have threads of their
own; all end when the client goes away. Who accepts `text/event-stream` is told each step and gets the answer in pieces.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any

import orjson
from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response, StreamingResponse

from ankare.cite.body import RunFlags
from ankare.service.api.bad_input import language_of
from ankare.service.api.openapi import json_body, problems
from ankare.service.api.request_body import read_json
from ankare.service.api.schemas import AskRequest, AskResponse, url_flag, usable_text
from ankare.service.api.stream import EVENT_STREAM, OnStep, once_begun, stream
from ankare.service.caller import Caller, caller_of
from ankare.service.crew import Crew
from ankare.service.desk import Desk, Served
from ankare.settings import Settings

JSON_TYPE = "application/json"
EVENTS = {
    "example": 'event: step\ndata: {"step": "draft"}\n\nevent: text\ndata: {"text": "..."}\n\nevent: answer\ndata: {}\n\n',
}
"""What a client gets that accepts an event stream: steps, the finished text in pieces, the body; or a problem."""


def add_ask(app: FastAPI, desk: Desk, crew: Crew, patient: Crew) -> None:
    """Put the route on the app. `crew` answers without a model, `patient` waits for one."""
    router = APIRouter()

    @router.post(
        "/api/ask",
        summary="Ask a question of the documents and figures",
        tags=["questions"],
        response_model=None,
        responses={200: {"model": AskResponse, "content": {EVENT_STREAM: EVENTS}}, **problems(400, 415, 503)},
        openapi_extra=json_body(
            AskRequest, ("enable_agentic_rag", "enable_synthesis", "debug_mode", "debug"), ("language",)
        ),
    )
    async def ask(request: Request) -> Response:
        call = await read_json(AskRequest, request)
        flags = run_flags(call, request.query_params, desk.settings)
        question = usable_text(call.question, "question", desk.settings.max_question_chars, language_of(request, call))
        language = call.language or request.query_params.get("language")
        reference = date.fromisoformat(call.reference_date) if call.reference_date else None
        given = (desk, question, language, flags, reference, caller_of(request.scope))
        waits = flags.agentic or flags.synthesis
        chosen, place = patient if waits else crew, desk.turnstile.of(waits=waits)
        if EVENT_STREAM in request.headers.get("accept", ""):
            served = partial(_served, *given)
            events = stream(chosen, place, request.is_disconnected, lambda step: served(on_step=step))
            return StreamingResponse(
                await once_begun(events), media_type=EVENT_STREAM, headers={"Cache-Control": "no-store"}
            )
        with place:
            body = await chosen.run_while(request.is_disconnected, _answer, *given)
        return Response(body, media_type=JSON_TYPE)

    app.include_router(router)


def run_flags(call: AskRequest, url: Mapping[str, str], settings: Settings) -> RunFlags:
    """Body, then URL, then environment. Raises ProblemError (400) for an invalid boolean in the URL, used or not."""
    debug = _first(call.debug_mode, url_flag("debug_mode", url.get("debug_mode")), url_flag("debug", url.get("debug")))
    in_url = url_flag("enable_agentic_rag", url.get("enable_agentic_rag"))
    agentic = _first(call.enable_agentic_rag, in_url, settings.enable_agentic_rag)
    in_url = url_flag("enable_synthesis", url.get("enable_synthesis"))
    synthesis = _first(call.enable_synthesis, in_url, settings.enable_llm_synthesis)
    return RunFlags(debug=debug, agentic=agentic, synthesis=synthesis, provider=settings.provider_kind)


def _first(*values: bool | None) -> bool:
    return next((value for value in values if value is not None), False)


def _answer(*given: Any) -> bytes:
    return orjson.dumps(_served(*given).body)


def _served(
    desk: Desk,
    question: str,
    language: str | None,
    flags: RunFlags,
    reference: date | None,
    caller: Caller,
    *,
    on_step: OnStep | None = None,
) -> Served:
    return desk.ask(question, language, flags, "api", reference, on_step, caller)
