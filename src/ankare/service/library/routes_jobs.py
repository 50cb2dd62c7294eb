"""/api/admin/jobs: what is being read into the index, how far is it, and what came of it?"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response, StreamingResponse

from ankare.service.api.openapi import json_body, problems
from ankare.service.api.request_body import refuse_foreign_forms
from ankare.service.api.schemas import read_request
from ankare.service.api.stream import EVENT_STREAM
from ankare.service.library.jobs import Job, JobQueue
from ankare.service.library.remarks import asked_language, job_body
from ankare.service.library.schemas import JobBody, JobRequest, Jobs, Started
from ankare.service.library.store import changing
from ankare.service.problem import ProblemError

Lang = Annotated[str, Query(max_length=20, description="The language of texts on files; without it Accept-Language.")]
LOOK_SECONDS = 0.3
KEEP_ALIVE_SECONDS = 15.0
FOLLOWED_SECONDS = 60.0
"""Then the stream ends although the job goes on; browsers ask again by themselves."""
KEEP_ALIVE = b": still here\n\n"
SHOWN = 20
MOST_FILES = 100
STREAM_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""The second one lets nginx hand on each event as it comes."""


def add_jobs(router: APIRouter, queue: JobQueue) -> None:
    """Put the routes on the router."""

    @router.get("/jobs", summary="The latest jobs, the newest first")
    def jobs(request: Request, lang: Lang = "") -> Jobs:
        language = asked_language(lang, request)
        return Jobs(jobs=[_shortened(job_body(job, language)) for job in queue.jobs()[:SHOWN]])

    @router.post(
        "/jobs",
        summary="Read the library again, or everything",
        status_code=202,
        responses=problems(415),
        openapi_extra=json_body(JobRequest),
    )
    async def read_again(request: Request) -> Started:
        refuse_foreign_forms(request)
        wanted = read_request(JobRequest, await request.body() or b"{}")
        job = await run_in_threadpool(lambda: asked(queue, everything=wanted.everything))
        return Started(job=job_body(job))

    @router.get(
        "/jobs/{job_id}",
        summary="One job; where the client accepts them as server-sent events, until it is over or for a minute",
        response_model=None,
        responses={200: {"model": JobBody, "content": {EVENT_STREAM: {}}}},
    )
    async def job(request: Request, job_id: str, lang: Lang = "") -> Response:
        language = asked_language(lang, request)
        found = await run_in_threadpool(queue.job, job_id)
        if found is None:
            raise ProblemError(404, "There is no such job.")
        if EVENT_STREAM in request.headers.get("accept", ""):
            return StreamingResponse(_events(queue, found, language), media_type=EVENT_STREAM, headers=STREAM_HEADERS)
        return JSONResponse(job_body(found, language).model_dump(mode="json"))


def asked(queue: JobQueue, remove: Sequence[str] = (), *, everything: bool = False) -> Job:
    """`queue.request`. Raises ProblemError (503, 507) where the home cannot be written."""
    with changing():
        return queue.request(remove, everything=everything)


def _shortened(job: JobBody) -> JobBody:
    """A job with so many files at most, those that need somebody first."""
    if job.report is None or len(job.report.files) <= MOST_FILES:
        return job
    files = sorted(job.report.files, key=lambda file: file.status not in ("failed", "skipped"))
    return job.model_copy(update={"report": job.report.model_copy(update={"files": files[:MOST_FILES], "more": True})})


async def _events(queue: JobQueue, job: Job, language: str) -> AsyncIterator[bytes]:
    """`event: job` with the job whenever it has changed, until it is over or has been followed long enough."""
    told: JobBody | None = None
    quiet = followed = 0.0
    found: Job | None = job
    while found is not None and followed < FOLLOWED_SECONDS:
        body = job_body(found, language)
        if body != told:
            told, quiet = body, 0.0
            yield b"event: job\ndata: " + body.model_dump_json().encode() + b"\n\n"
        elif quiet >= KEEP_ALIVE_SECONDS:
            quiet = 0.0
            yield KEEP_ALIVE
        if found.over:
            return
        await asyncio.sleep(LOOK_SECONDS)
        quiet += LOOK_SECONDS
        followed += LOOK_SECONDS
        found = await run_in_threadpool(queue.job, job.id)
