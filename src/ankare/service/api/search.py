"""POST /api/search: which chunks does a query find? The same hits as `ankare search --batch`."""

from __future__ import annotations

import orjson
from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response

from ankare.service.api.bad_input import language_of
from ankare.service.api.openapi import json_body, problems
from ankare.service.api.request_body import read_json
from ankare.service.api.schemas import SearchRequest, SearchResponse, usable_text
from ankare.service.caller import Caller, caller_of
from ankare.service.crew import Crew
from ankare.service.desk import Desk


def add_search(app: FastAPI, desk: Desk, crew: Crew) -> None:
    """Put the route on the app."""
    router = APIRouter()

    @router.post(
        "/api/search",
        summary="Search the documents",
        tags=["questions"],
        response_model=None,
        responses={200: {"model": SearchResponse}, **problems(400, 415, 503)},
        openapi_extra=json_body(SearchRequest),
    )
    async def search(request: Request) -> Response:
        call = await read_json(SearchRequest, request)
        query = usable_text(call.query, "query", desk.settings.max_question_chars, language_of(request, call))
        with desk.turnstile:
            given = (desk, query, call, caller_of(request.scope))
            body = await crew.run_while(request.is_disconnected, _search, *given)
        return Response(body, media_type="application/json")

    app.include_router(router)


def _search(desk: Desk, query: str, call: SearchRequest, caller: Caller) -> bytes:
    return orjson.dumps(desk.search(query, call.top_k, call.language, caller))
