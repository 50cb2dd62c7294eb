"""POST /api/feedback: what did the reader think of an answer? GET /api/admin/feedback: what did all of them think?

An unknown answer is thanked for like a known one: several processes answer, and nobody learns which answers there are.
"""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from ankare.service.api.openapi import json_body, problems
from ankare.service.api.request_body import read_json
from ankare.service.caller import Caller, caller_of
from ankare.service.desk import Desk
from ankare.service.door.admin import require_admin
from ankare.service.problem import LOG, ProblemError
from ankare.service.watch.feedback import FeedbackRecord, FeedbackStore, Rating, Why, moment, read_feedback

MOST_COMMENT = 2000
MOST_SHOWN = 10_000
RETRY_SECONDS = 60


class FeedbackRequest(BaseModel):
    """What a reader thinks of one answer."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"answer_id": "4b1f0e5c6f0b4f0c9a3f6f0f4f7a2b1c", "rating": "up"},
                {
                    "answer_id": "4b1f0e5c6f0b4f0c9a3f6f0f4f7a2b1c",
                    "rating": "down",
                    "reason": "incomplete",
                    "comment": "Steget om avslut saknas.",
                },
            ]
        },
    )

    answer_id: Annotated[str, Field(description="`answer_id` of the answer.", pattern=r"^[0-9a-f]{32}$")]
    rating: Annotated[Rating, Field(description="Was it any good?")]
    reason: Annotated[Why | None, Field(description="What was wrong with it.")] = None
    comment: Annotated[str, Field(description="In the reader's own words.", max_length=MOST_COMMENT)] = ""
    question: Annotated[str, Field(description="The question, where the reader chose to send it along.")] = ""


class FeedbackShown(BaseModel):
    """One thumb with what is known of its answer; "" is not known."""

    model_config = ConfigDict(from_attributes=True)

    time: str
    answer_id: str
    rating: Rating
    reason: str
    comment: str
    question: str
    key: str
    outcome: str
    outcome_reason: str
    channel: str
    route: str
    origin: str
    language: str
    index_version: str
    revision: str


class FeedbackList(BaseModel):
    """The feedback that was asked for, the oldest first."""

    feedback: list[FeedbackShown]
    more: bool


def add_feedback(app: FastAPI, desk: Desk) -> None:
    """Put the routes on the app."""
    router, store = APIRouter(tags=["feedback"]), FeedbackStore(desk.settings.home, desk.logs.redaction)

    @router.post(
        "/api/feedback",
        summary="Say what an answer was worth",
        status_code=204,
        response_model=None,
        responses=problems(400, 415, 503),
        openapi_extra=json_body(FeedbackRequest),
    )
    async def give(request: Request) -> Response:
        said = await read_json(FeedbackRequest, request)
        if len(said.question) > desk.settings.max_question_chars:
            raise ProblemError(400, "question: it is longer than a question may be.", field="question")
        await run_in_threadpool(keep, desk, store, said, caller_of(request.scope))
        return Response(status_code=204)

    @router.get(
        "/api/admin/feedback",
        summary="What readers thought of answers",
        response_model=FeedbackList,
        dependencies=[Depends(require_admin)],
        responses=problems(400),
    )
    def listed(
        since: Annotated[str, Query(description="An ISO date or time; only later ones.")] = "",
        limit: Annotated[int, Query(ge=1, le=MOST_SHOWN)] = 1000,
    ) -> dict[str, Any]:
        try:
            start = moment(since) if since else None
        except ValueError:
            raise ProblemError(400, "since: not an ISO date or time.", field="since") from None
        found = list(islice(read_feedback(desk.settings.home, start), limit + 1))
        return {"feedback": [asdict(record) for record in found[:limit]], "more": len(found) > limit}

    app.include_router(router)


def keep(desk: Desk, store: FeedbackStore, said: FeedbackRequest, caller: Caller) -> None:
    """Keep what was said with what is known of the answer. Raises HomeMissingError, and ProblemError for no room."""
    record = FeedbackRecord.about(
        desk.accounts.recent.of(said.answer_id),
        answer_id=said.answer_id,
        rating=said.rating.value,
        reason=said.reason.value if said.reason else "",
        comment=said.comment.strip(),
        question=said.question.strip(),
        key=caller.name,
    )
    try:
        store.keep(record)
    except OSError as error:
        LOG.error("feedback could not be kept: %s", error)
        raise ProblemError(503, "The feedback could not be kept.", retry_after=RETRY_SECONDS) from error
    desk.measures.feedback.labels(record.rating, record.reason or "none").inc()
