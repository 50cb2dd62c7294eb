"""POST /api/understand: which question is a text on its own, after the question before it? Nothing is asked here."""

from __future__ import annotations

from datetime import date

import orjson
from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response

from ankare.service.api.bad_input import language_of
from ankare.service.api.openapi import json_body, problems
from ankare.service.api.request_body import read_json
from ankare.service.api.schemas import UnderstandRequest, UnderstandResponse, usable_text
from ankare.service.caller import Caller, caller_of
from ankare.service.crew import Crew
from ankare.service.desk import Desk


def add_understand(app: FastAPI, desk: Desk, crew: Crew) -> None:
    """Put the route on the app."""
    router = APIRouter()

    @router.post(
        "/api/understand",
        summary="Turn a follow-up into a question of its own",
        tags=["questions"],
        response_model=None,
        responses={200: {"model": UnderstandResponse}, **problems(400, 415, 503)},
        openapi_extra=json_body(UnderstandRequest),
    )
    async def understand(request: Request) -> Response:
        call = await read_json(UnderstandRequest, request)
        most, told_in = desk.settings.max_question_chars, language_of(request, call)
        text = usable_text(call.question, "question", most, told_in)
        previous = usable_text(call.previous, "previous", most, told_in) if call.previous.strip() else ""
        with desk.turnstile:
            given = (desk, previous, text, call, caller_of(request.scope))
            body = await crew.run_while(request.is_disconnected, _understand, *given)
        return Response(body, media_type="application/json")

    app.include_router(router)


def _understand(desk: Desk, previous: str, text: str, call: UnderstandRequest, caller: Caller) -> bytes:
    reference = date.fromisoformat(call.reference_date) if call.reference_date else None
    found = desk.understand(previous, text, call.language, reference, caller)
    return orjson.dumps({"question": found.question, "changed": found.changed, "taken_over": found.taken_over})
