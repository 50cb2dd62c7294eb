"""GET /health, /ready and /metrics: is the process up, can it answer, and how is it doing? Nothing here tells a secret."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from ankare._version import __version__
from ankare.errors import AnkareError
from ankare.service.api.openapi import problems
from ankare.service.api.schemas import HealthResponse, ReadyResponse
from ankare.service.caller import caller_of
from ankare.service.crew import Crew
from ankare.service.desk import NO_MODEL as NO_MODEL_TEXT
from ankare.service.desk import Desk
from ankare.service.problem import NO_MODEL, NOT_READY, RETRY_SECONDS, problem
from ankare.service.shelf import Shelf
from ankare.service.watch.measures import CONTENT_TYPE


def add_ops(app: FastAPI, desk: Desk, crew: Crew) -> None:
    """Put the routes on the app. `crew` has nothing else to do, so that whoever looks after the service is always answered."""
    router = APIRouter(tags=["operation"])

    @router.head("/health", include_in_schema=False)
    @router.get("/health", summary="Is the process up?", response_model=HealthResponse)
    async def health(request: Request) -> dict[str, Any]:
        settings, shelf = desk.settings, _shelf(desk, request)
        return {
            "status": "ok",
            "version": __version__,
            "revision": settings.revision,
            "ready": not await crew.run(desk.why_not_ready),
            "index_version": (await crew.run(_held, shelf))[0],
            "provider": settings.provider_kind,
            "enable_agentic_rag": settings.enable_agentic_rag,
            "agentic_rag_mode": settings.agentic_rag_mode.value,
            "enable_synthesis": settings.enable_llm_synthesis,
            "semantic": settings.semantic,
            "max_question_chars": settings.max_question_chars,
            "top_k": settings.top_k,
        }

    @router.head("/ready", include_in_schema=False)
    @router.get(
        "/ready",
        summary="Can it answer questions?",
        response_model=None,
        responses={200: {"model": ReadyResponse}, **problems(503)},
    )
    async def ready(request: Request) -> Response:
        missing = await crew.run(desk.why_not_ready)
        if missing:
            code = NO_MODEL if missing == NO_MODEL_TEXT else NOT_READY
            return problem(503, missing, retry_after=RETRY_SECONDS, code=code)
        version, chunks = await crew.run(_held, _shelf(desk, request))
        return JSONResponse({"status": "ready", "index_version": version, "chunks": chunks})

    @router.head("/metrics", include_in_schema=False)
    @router.get(
        "/metrics",
        summary="Measures for Prometheus",
        response_class=PlainTextResponse,
        responses={200: {"description": "The text format of Prometheus."}, **problems(401, 403)},
    )
    async def metrics(request: Request) -> Response:
        shelf = _shelf(desk, request)
        version, chunks = await crew.run(_held, shelf)
        built = await crew.run(_built, shelf)
        pending = desk.meaning_pending()
        # Set and told without a pause between: what one caller may know never stands in what another one gets.
        desk.measures.show_index(version or "", chunks, built, pending)
        return Response(desk.measures.text(), headers={"Content-Type": CONTENT_TYPE})

    app.include_router(router)


def _shelf(desk: Desk, request: Request) -> Shelf:
    return desk.shelf.of(caller_of(request.scope).access)


def _held(shelf: Shelf) -> tuple[str | None, int]:
    """What the caller sees of the index: its name and how many chunks it has; (None, 0) where there is none."""
    try:
        return shelf.version(), shelf.chunk_count()
    except AnkareError:
        return None, 0


def _built(shelf: Shelf) -> float:
    """When what the caller sees was put in place, seconds since the epoch; 0 where that is not known."""
    try:
        return shelf.built()
    except AnkareError:
        return 0.0
