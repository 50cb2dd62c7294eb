"""PUT and DELETE below /api/admin: how do files come into the library, and how is something taken out?"""

from __future__ import annotations

import os

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool

from ankare.service.api.openapi import problems
from ankare.service.library.jobs import JobQueue
from ankare.service.library.names import kept_as, plain_label, plain_name
from ankare.service.library.remarks import job_body
from ankare.service.library.routes_jobs import asked
from ankare.service.library.schemas import Started, UploadedFile
from ankare.service.library.store import Library, LibraryFile, changing
from ankare.service.library.upload import Uploads
from ankare.service.library.view import LibraryView
from ankare.service.problem import ProblemError

COMES_BACK = "Its file lies outside the library: when its folder is read again, it comes back."
PARAMETERS = ("label", "replace")
BODY = {"requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"format": "binary"}}}}}


def add_files(router: APIRouter, uploads: Uploads, library: Library, view: LibraryView, queue: JobQueue) -> None:
    """Put the routes on the router."""

    @router.put(
        "/files/{name:path}",
        summary="Take a file into the library",
        status_code=201,
        responses=problems(408, 409, 413, 415, 507),
        openapi_extra=BODY,
    )
    async def put_file(
        request: Request,
        name: str,
        label: str | None = Query(None, description="Who may read it; empty: everyone. Without: as before."),
        replace: bool = Query(False, description="Replace a file of that name."),
    ) -> Started:
        _refuse_doubt(request)
        plain, wanted = plain_name(name), None if label is None else plain_label(label)
        before = await run_in_threadpool(library.named, plain)
        file, job = await uploads.take(request, plain, wanted, replace=replace)
        return Started(job=job_body(job), file=uploaded(file), replaced=before is not None)

    @router.delete("/files/{name:path}", summary="Take a file out of the library", status_code=202)
    def delete_file(name: str) -> Started:
        found = ((known, library.named(known)) for known in (name, kept_as(name)))
        file = next((file for known, file in found if file is not None and file.name == known), None)
        if file is None:
            raise ProblemError(404, "The library has no such file.")
        return _without(file)

    @router.delete("/documents/{document_id}", summary="Take a document out of the index", status_code=202)
    def delete_document(document_id: str) -> Started:
        try:
            entry, file = view.document(document_id)
        except KeyError:
            raise ProblemError(404, "There is no such document in the index.") from None
        return _without(file) if file is not None else _unread(entry.document.source)

    @router.delete("/facts/{file_id}", summary="Take a file of figures out of the store", status_code=202)
    def delete_facts(file_id: str) -> Started:
        try:
            path, file = view.figure_file(file_id)
        except KeyError:
            raise ProblemError(404, "There is no such file of figures.") from None
        return _without(file) if file is not None else _unread(path)

    def _without(file: LibraryFile) -> Started:
        """The file goes at once, what was read of it with the job: the folder no longer holds it."""
        with changing():
            job = queue.request(change=lambda: library.take_away(file))
        return Started(job=job_body(job), file=uploaded(file))

    def _unread(name: str) -> Started:
        returns = os.path.lexists(name) if name.startswith("/") else True
        job = asked(queue, [name])
        return Started(job=job_body(job), returns=returns, note=COMES_BACK if returns else "")


def _refuse_doubt(request: Request) -> None:
    """Raises ProblemError (400) where the address has another parameter than an upload takes, or one twice: a label that is
    written wrongly must not publish the file."""
    sent = [name for name, _ in request.query_params.multi_items()]
    for name in sent:
        if name not in PARAMETERS:
            raise ProblemError(
                400, f"An upload takes {' and '.join(PARAMETERS)}, and no {name[:40]!r}.", field=name[:40]
            )
        if sent.count(name) > 1:
            raise ProblemError(400, f"{name} stands twice in the address.", field=name)


def uploaded(file: LibraryFile, *, held: bool = False) -> UploadedFile:
    """A file of the library as it is told."""
    kind = "figures" if file.kind == "figures" else "document"
    return UploadedFile(name=file.name, kind=kind, size=file.size, label=file.label, added=file.added, held=held)
