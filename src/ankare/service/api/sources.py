"""GET /sources/{id} and its page pictures: what does the cited document look like?

A document is named by the id it has in the index, never by a path. What a browser would run (HTML, SVG in a document) is
sent as plain text or as a download, in a sandbox.
"""

from __future__ import annotations

import re
from email.utils import formatdate
from pathlib import PurePosixPath
from urllib.parse import quote

from fastapi import APIRouter, FastAPI, Query, Request
from starlette.responses import FileResponse, Response

from ankare.cite.links import PAGED
from ankare.cite.pages import PagePictures
from ankare.domain.document import Box, Chunk, Document
from ankare.errors import DocumentError
from ankare.service.api.openapi import problems
from ankare.service.caller import caller_of
from ankare.service.crew import Crew
from ankare.service.desk import Desk
from ankare.service.problem import ProblemError
from ankare.service.shelf import Shelf
from ankare.service.turnstile import Turnstile
from ankare.service.watch.operator_log import OPERATOR

TEXT = "text/plain; charset=utf-8"
OFFICE = "application/vnd.openxmlformats-officedocument."
MEDIA_TYPES = {
    "pdf": "application/pdf",
    "docx": OFFICE + "wordprocessingml.document",
    "pptx": OFFICE + "presentationml.presentation",
    "xlsx": OFFICE + "spreadsheetml.sheet",
    "html": TEXT,
    "md": TEXT,
    "txt": TEXT,
    "csv": TEXT,
}
MAX_MARKS = 60
MOST_PICTURES = 128
"""Page pictures that wait to be drawn; one takes some hundredths of a second."""
_MARK = re.compile(r"([^:,]{1,200}):(\d{1,9})-(\d{1,9})")


def add_sources(app: FastAPI, desk: Desk, crew: Crew) -> None:
    """Put the routes on the app."""
    router = APIRouter(tags=["sources"])
    pictures = PagePictures()
    easel = Turnstile(MOST_PICTURES, desk.measures)  # one of their own: pictures must not take the places of questions

    @router.get(
        "/sources/{document_id}", summary="An ingested document", response_model=None, responses=problems(400, 404, 503)
    )
    def source(request: Request, document_id: str) -> Response:
        shelf = _shelf(desk, request)
        document = _document(shelf, document_id)
        media = MEDIA_TYPES.get(document.source_type, "application/octet-stream")
        shown = "inline" if media in ("application/pdf", TEXT) else "attachment"
        headers = {
            "Content-Disposition": disposition(shown, document.source),
            "Cache-Control": "private, no-cache",
            # Not those of the file: it may have lain there under a label before, or under another name.
            "ETag": f'"{document.sha256}"',
            "Last-Modified": formatdate(shelf.built(), usegmt=True),
        }
        if media != "application/pdf":
            headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
        return FileResponse(shelf.original(document.id), headers=headers, media_type=media)

    @router.get(
        "/sources/{document_id}/pages/{page}.png",
        summary="A page of a PDF with the cited text marked",
        response_model=None,
        responses={200: {"content": {"image/png": {}}}, **problems(400, 404, 503)},
    )
    async def page_picture(
        request: Request,
        document_id: str,
        page: str,
        claim: str = Query("", max_length=20_000, description="`chunk_id:start-end`, several with commas between."),
    ) -> Response:
        number = page_number(page)
        with easel:
            return await crew.run(_picture, _shelf(desk, request), pictures, document_id, number, claim)

    @router.get("/sources/{rest:path}", include_in_schema=False)
    def nothing_else(rest: str) -> Response:
        raise ProblemError(404, "There is no such source.")

    app.include_router(router)


def page_number(text: str) -> int:
    """Raises ProblemError (400) for anything but a positive whole number."""
    if not re.fullmatch(r"[0-9]{1,6}", text) or int(text) < 1:
        raise ProblemError(400, "The page must be a whole number from 1.", field="page")
    return int(text)


def parse_marks(claim: str) -> list[tuple[str, int, int]]:
    """The marks of a `claim` parameter: (chunk id, start, end). Raises ProblemError (400)."""
    marks = []
    for part in filter(None, claim.split(",")):
        match = _MARK.fullmatch(part)
        if match is None or int(match[2]) >= int(match[3]):
            raise ProblemError(400, "claim must be chunk_id:start-end, several with commas between.", field="claim")
        marks.append((match[1], int(match[2]), int(match[3])))
    if len(marks) > MAX_MARKS:
        raise ProblemError(400, f"claim: {MAX_MARKS} marks are the most.", field="claim")
    return marks


def marked_boxes(chunk: Chunk, start: int, end: int, page: int) -> list[Box]:
    """The rectangles on a page of the sentences that `chunk.text[start:end]` touches."""
    return [
        box
        for sentence in chunk.sentences
        if sentence.start < end and start < sentence.end
        for place in sentence.places
        if place.page == page
        for box in place.boxes
    ]


def disposition(shown: str, source: str) -> str:
    """A Content-Disposition (RFC 6266) that no file name can break out of."""
    name = PurePosixPath(source).name
    simple = re.sub(r"[^A-Za-z0-9._ -]", "_", name)[:120] or "source"
    return f"{shown}; filename=\"{simple}\"; filename*=UTF-8''{quote(name.encode('utf-8', 'replace'), safe='')[:400]}"


def _shelf(desk: Desk, request: Request) -> Shelf:
    return desk.shelf.of(caller_of(request.scope).access)


def _document(shelf: Shelf, document_id: str) -> Document:
    try:
        return shelf.document(document_id)
    except KeyError:
        raise ProblemError(404, "There is no such source in the index.") from None


def _picture(shelf: Shelf, pictures: PagePictures, document_id: str, page: int, claim: str) -> Response:
    document = _document(shelf, document_id)
    marks = parse_marks(claim)
    if document.source_type not in PAGED:
        raise ProblemError(404, f"A {document.source_type} document has no page pictures; the answer quotes its text.")
    if page > document.page_count:
        raise ProblemError(404, f"The document has {document.page_count} pages.", field="page")
    boxes = [box for mark in marks for box in _boxes_of(shelf, document, page, mark)]
    try:
        png = pictures.png(document.sha256, shelf.original(document.id), page, boxes)
    except DocumentError as error:
        OPERATOR.tell(error)
        raise ProblemError(404, "No picture can be made of this page.") from error
    return Response(png, media_type="image/png", headers={"Cache-Control": "private, max-age=600"})


def _boxes_of(shelf: Shelf, document: Document, page: int, mark: tuple[str, int, int]) -> list[Box]:
    try:
        chunk = shelf.chunk(mark[0])
    except KeyError:
        chunk = None
    if chunk is None or chunk.document_id != document.id:
        raise ProblemError(404, "claim names a passage that this document does not have; ask again.", field="claim")
    return marked_boxes(chunk, mark[1], mark[2], page)
