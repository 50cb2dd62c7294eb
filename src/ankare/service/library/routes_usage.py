"""GET /api/admin/usage: how is the service used? GET /library/usage: the same, written for the library page.

Reading a log takes a second for each 25,000 questions and much of a processor. So one summary is made at a time, within a time,
and kept for a short while; whoever asks for another one meanwhile waits a little, or is told to come again.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from starlette.responses import HTMLResponse, Response

from ankare.errors import BadInputError
from ankare.service.api.openapi import problems
from ankare.service.door.admin import require_admin
from ankare.service.page.language import page_language
from ankare.service.problem import LOG, ProblemError
from ankare.service.watch.usage_collect import summarise_usage
from ankare.service.watch.usage_html import sections_html
from ankare.service.watch.usage_period import Period, period_of
from ankare.service.watch.usage_sections import report_sections
from ankare.service.watch.usage_summary import UsageSummary
from ankare.settings import Settings

READ_SECONDS = 10.0
WAIT_SECONDS = 15.0
KEPT_SECONDS = 30.0
MOST_KEPT = 8
RETRY_SECONDS = 5

Asked = tuple[str, str, str, str]
"""The parameters of a request: since, until, by, time zone."""
Since = Annotated[str, Query(max_length=40, description="An ISO date or time; unset: 30 days, today counted.")]
Until = Annotated[str, Query(max_length=40, description="An ISO date (that whole day) or time; unset: now.")]
By = Annotated[
    Literal["", "hour", "day", "week"], Query(description="How long a piece is; unset: as suits the period.")
]
TimeZone = Annotated[
    str, Query(max_length=64, description="Such as Europe/Stockholm; unset: that of the service's machine.")
]


class UsageBook:
    """Summaries of the usage log of one service. Safe for many threads."""

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Callable[[], float] = time.monotonic,
        summarise: Callable[..., UsageSummary] = summarise_usage,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._summarise = summarise
        self._making = Lock()
        self._kept: OrderedDict[Asked, tuple[float, UsageSummary]] = OrderedDict()

    def summary(self, asked: Asked) -> UsageSummary:
        """The summary, not older than half a minute. Raises ProblemError: 400 for a period that there is not, 503 where the log
        cannot be read or others are being served."""
        if not self._making.acquire(timeout=WAIT_SECONDS):
            raise ProblemError(503, "Another summary is being made. Try again.", retry_after=RETRY_SECONDS)
        try:
            return self._held(asked) or self._made(asked)
        finally:
            self._making.release()

    def _held(self, asked: Asked) -> UsageSummary | None:
        made, summary = self._kept.get(asked, (0.0, None))
        return summary if self._clock() - made < KEPT_SECONDS else None

    def _made(self, asked: Asked) -> UsageSummary:
        settings, period = self._settings, _period(asked)
        folders = [settings.log_dir] if settings.log_dir else []
        try:
            summary = self._summarise(
                folders, settings.home if settings.home.is_dir() else None, period, seconds=READ_SECONDS
            )
        except OSError as error:
            LOG.error("the usage log cannot be read: %s", error)
            raise ProblemError(503, "The usage log cannot be read.", retry_after=RETRY_SECONDS) from error
        self._kept[asked] = (self._clock(), summary)
        self._kept.move_to_end(asked)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return summary


def _period(asked: Asked) -> Period:
    try:
        return period_of(*asked)
    except BadInputError as error:
        raise ProblemError(400, str(error)) from error


def add_usage(app: FastAPI, settings: Settings) -> None:
    """Put the routes on the app."""
    book = UsageBook(settings)
    router = APIRouter(dependencies=[Depends(require_admin)])

    @router.get(
        "/api/admin/usage",
        tags=["library"],
        summary="How the service is used",
        responses=problems(400, 401, 403, 404, 503),
    )
    def usage(since: Since = "", until: Until = "", by: By = "", time_zone: TimeZone = "") -> UsageSummary:
        return book.summary((since, until, by, time_zone))

    @router.get("/library/usage", include_in_schema=False, response_model=None)
    def shown(
        request: Request, since: Since = "", until: Until = "", by: By = "", time_zone: TimeZone = ""
    ) -> Response:
        language = page_language(request.query_params, request.cookies, request.headers)
        sections = report_sections(book.summary((since, until, by, time_zone)), language)
        return HTMLResponse(sections_html(sections, level=3), headers={"Cache-Control": "no-store"})

    app.include_router(router)
