"""/api/admin/...: what does the service hold, and what has to be decided about it?

    GET     documents, facts, conflicts, files         what there is (here)
    POST    facts/review                               decide about figures (here)
    PUT     files/{name}                               take a file in (routes_admin_files)
    DELETE  documents/{id}, facts/{id}, files/{name}   take something out (routes_admin_files)
    GET     jobs, jobs/{id}; POST jobs                 what is being read; read again (routes_admin_jobs)
    GET     usage                                      how the service is used (routes_usage)

All of it is a 404 unless an admin token, or a key with the admin flag, is set. What changes the index goes through a job.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Literal

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from starlette.concurrency import run_in_threadpool

from ankare.domain.fact import ReviewStatus
from ankare.errors import AnkareError, BadInputError
from ankare.service.api.openapi import json_body, problems
from ankare.service.api.request_body import read_json
from ankare.service.door.admin import require_admin
from ankare.service.library.jobs import JobQueue, JobState
from ankare.service.library.routes_files import add_files, uploaded
from ankare.service.library.routes_jobs import add_jobs
from ankare.service.library.schemas import (
    FiguresToDecide,
    HeldDocuments,
    HeldFigureFiles,
    ReviewRequest,
    UploadedFiles,
)
from ankare.service.library.store import Library
from ankare.service.library.upload import Uploads
from ankare.service.library.view import LibraryView
from ankare.service.problem import ProblemError
from ankare.settings import Settings, child_environment

MOST_ROWS = 500
HANDED_ON = ("HOME", "PACK", "FACTS_URL", "SEMANTIC", "MAX_LIBRARY_BYTES", "READER_MEMORY_BYTES", "READER_SECONDS")
"""The settings that the process needs that works on jobs; it gets no others."""


def add_admin(app: FastAPI, settings: Settings, on_end: Callable[[JobState], None] | None = None) -> Callable[[], None]:
    """Put the routes on the app; `on_end` is told how each job ended. Gives what goes on, once the app has started, with jobs
    that wait since before."""
    library = Library(settings.home, settings.max_library_bytes)
    view = LibraryView(settings, library)
    queue = JobQueue(settings.home, child_environment(settings, HANDED_ON), on_end)
    router = APIRouter(
        prefix="/api/admin",
        tags=["library"],
        dependencies=[Depends(require_admin)],
        responses=problems(400, 401, 403, 404, 503),
    )
    _add_lists(router, view, library, settings)
    add_files(router, Uploads(library, queue), library, view, queue)
    add_jobs(router, queue)
    app.include_router(router)

    def go_on() -> None:
        with suppress(OSError):  # nothing waits in a home that cannot be written
            queue.jobs()
        if library.folder.is_dir():
            Thread(target=_catch_up, args=(queue, view), daemon=True).start()  # the figures' database may be slow

    return go_on


def _catch_up(queue: JobQueue, view: LibraryView) -> None:
    """Ask for a job where the library holds other files than were read: a kill, or a disk that was full, came in between."""
    with suppress(OSError, AnkareError):
        found = queue.jobs()
        if all(job.over for job in found) and view.is_behind(found):
            queue.request()


def _add_lists(router: APIRouter, view: LibraryView, library: Library, settings: Settings) -> None:
    @router.get("/documents", summary="The documents of the index")
    def documents(
        search: str = Query("", max_length=200, description="Only those whose source, title or label holds this."),
        sort: Literal["source", "title", "type", "pages", "chunks", "label", "added"] = Query("source"),
        descending: bool = Query(False),
        offset: int = Query(0, ge=0, le=10_000_000),
        limit: int = Query(100, ge=1, le=MOST_ROWS),
    ) -> HeldDocuments:
        return view.documents(search, offset, limit, sort, descending=descending)

    @router.get("/facts", summary="The files of figures")
    def facts() -> HeldFigureFiles:
        return view.figure_files()

    @router.get("/conflicts", summary="Figures for which sources differ, and those that wait for review")
    def conflicts() -> FiguresToDecide:
        return view.to_decide()

    @router.get("/files", summary="The files of the library")
    def files() -> UploadedFiles:
        held = view.held_paths()
        found = [uploaded(file, held=os.path.abspath(file.path) in held) for file in library.files()]  # noqa: PTH100
        return UploadedFiles(
            files=found,
            bytes=sum(file.size for file in found),
            most_bytes=settings.max_library_bytes,
            most_bytes_of_one=settings.max_upload_bytes,
        )

    @router.post(
        "/facts/review",
        summary="Decide about figures",
        responses=problems(415),
        openapi_extra=json_body(ReviewRequest),
    )
    async def review(request: Request) -> FiguresToDecide:
        decision = await read_json(ReviewRequest, request)
        return await run_in_threadpool(_decide, view, decision)


def _decide(view: LibraryView, decision: ReviewRequest) -> FiguresToDecide:
    with view.store() as store:
        if store is None:
            raise ProblemError(404, "There are no figures yet.")
        try:
            decided = store.review_all(decision.ids, status := ReviewStatus(decision.status))
        except BadInputError as error:
            raise ProblemError(404, str(error), field="ids") from error
    if status is not ReviewStatus.APPROVED:
        view.tables.forget(one.fact for one in decided)
    return view.to_decide()
