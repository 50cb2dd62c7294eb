"""GET /page/...: the page's own style sheet and scripts, as they lie in the package.

Each is served under its plain address, and under one that holds a hash of them all: what the second one gives never changes, so
a browser keeps it. Modules import each other by relative addresses and stay under the hash.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response

from ankare.plot import style_sheet
from ankare.service.problem import ProblemError

PLOT_STYLE = "plot.css"
"""The style of drawings, which is `ankare.plot`'s."""
TYPES = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "public, no-cache"


def add_page_files(app: FastAPI) -> None:
    """Put the routes on the app."""
    router = APIRouter()

    @router.api_route("/page/{name}", methods=["GET", "HEAD"], include_in_schema=False, response_model=None)
    def plain(request: Request, name: str) -> Response:
        return _file(request, name, ASK_AGAIN)

    @router.api_route("/page/{version}/{name}", methods=["GET", "HEAD"], include_in_schema=False, response_model=None)
    def kept(request: Request, version: str, name: str) -> Response:
        return _file(request, name, FOR_EVER if version == page_version() else ASK_AGAIN)

    app.include_router(router)


@cache
def page_files() -> dict[str, bytes]:
    """The files by name."""
    found = (entry for entry in files("ankare.service.page").joinpath("assets").iterdir())
    own = {entry.name: entry.read_bytes() for entry in found if entry.name.rsplit(".", 1)[-1] in TYPES}
    return {**own, PLOT_STYLE: style_sheet().encode()}


@cache
def page_version() -> str:
    """A hash over all files: another one as soon as any has changed."""
    digest = hashlib.sha256()
    for name, data in sorted(page_files().items()):
        digest.update(name.encode() + b"\0" + data)
    return digest.hexdigest()[:16]


def file_url(name: str) -> str:
    """The address that a browser may keep."""
    return f"/page/{page_version()}/{name}"


def _file(request: Request, name: str, keeping: str) -> Response:
    data = page_files().get(name)
    if data is None:
        raise ProblemError(404, "The page has no such file.")
    tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": keeping}
    if tag in [told.strip().removeprefix("W/") for told in request.headers.get("if-none-match", "").split(",")]:
        return Response(status_code=304, headers=headers)
    return Response(data, media_type=TYPES[name.rsplit(".", 1)[-1]], headers=headers)
