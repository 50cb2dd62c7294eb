"""What does a caller get when a request cannot be answered: a problem document (RFC 9457) with a clear text.

Bad input is 400, an unknown thing 404, a missing or damaged home and overload 503 with Retry-After. Only a fault
of ours is a 500. Where a status has several causes, `code` tells them apart, and `type` is "/problems/<code>". No address of
another service and no advice for operators stands in it: these are in the log.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ankare.errors import (
    AnkareError,
    FactStoreError,
    HomeError,
    HomeMissingError,
    MissingExtraError,
    ProviderServiceError,
    QuestionError,
)
from ankare.service.api.bad_input import fault_text, language_of
from ankare.service.watch.operator_log import OPERATOR
from ankare.service.watch.request_id import current

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 2
LOG = logging.getLogger("ankare.service")
OVERLOADED, NO_MODEL, NOT_READY = "overloaded", "model-not-configured", "not-ready"
RATE_LIMITED, KEYS_UNUSABLE, TOO_SLOW, TIMED_OUT = "rate-limited", "keys-unusable", "too-slow", "timed-out"
TITLES: Mapping[str, str] = {
    "model-auth": "The model's service refuses the key",
    "model-quota": "The model's account is used up",
    NO_MODEL: "No model is configured",
    "no-index": "There is no index yet",
    "index-unusable": "The index cannot be used",
    "figures-unavailable": "The figures cannot be read",
    NOT_READY: "The service cannot answer yet",
    OVERLOADED: "Too many questions at once",
    RATE_LIMITED: "Too many requests",
    KEYS_UNUSABLE: "The keys cannot be read",
    TOO_SLOW: "The request came too slowly",
    TIMED_OUT: "The answer took too long",
    "model-not-found": "There is no such model",
    "unsupported-parameter": "This is not done here",
    "unsupported-content": "Only text is read",
}
"""Problems by `code`."""
_REFUSALS: Mapping[str, str] = {
    "auth": "The language model does not accept the key of this service. It has been logged; ask without a model, or later.",
    "quota": "The account of the language model is used up (quota). It has been logged; ask without a model, or later.",
}
_SENTENCES: Mapping[str, str] = {
    "no-index": "There is no index yet: documents have to be taken in first (ankare ingest).",
    "index-unusable": "The index cannot be used right now. The log of the service says why.",
    "figures-unavailable": "The figures cannot be read right now. The log of the service says why.",
    NOT_READY: "The service cannot answer yet. Its log says why.",
}
_CODES = (
    (HomeMissingError, "no-index"),
    (HomeError, "index-unusable"),
    (FactStoreError, "figures-unavailable"),
    (MissingExtraError, NOT_READY),
)


class ProblemError(Exception):
    """A request that ends here. `field` names the part of the request that is wrong, `code` the problem, see `TITLES`."""

    def __init__(
        self, status: int, detail: str, *, field: str = "", retry_after: int | None = None, code: str = ""
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.field = field
        self.retry_after = retry_after
        self.code = code


def problem(status: int, detail: str, *, field: str = "", retry_after: int | None = None, code: str = "") -> Response:
    """The response that tells a problem. `code`: one of `TITLES`; "" where the status says enough."""
    body: dict[str, object] = {
        "type": f"/problems/{code}" if code else "about:blank",
        "title": TITLES[code] if code else HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    if code:
        body["code"] = code
    if field:
        body["field"] = field
    if request := current().id:
        body["instance"] = f"/requests/{request}"
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(json.dumps(body, ensure_ascii=True), status, headers=headers, media_type=MEDIA_TYPE)


def problem_of(error: Exception) -> Response:
    """The response for anything that a request raised."""
    if isinstance(error, ProblemError):
        return problem(error.status, error.detail, field=error.field, retry_after=error.retry_after, code=error.code)
    if isinstance(error, QuestionError):
        return problem(400, str(error))
    if isinstance(error, ProviderServiceError):
        LOG.error("the model's service refuses: %s", error)
        kind = "quota" if error.kind == "quota" else "auth"
        return problem(503, _REFUSALS[kind], code=f"model-{kind}")
    if isinstance(error, AnkareError):
        return problem(503, plainly(error), retry_after=RETRY_SECONDS, code=code_of(error))
    LOG.error("a request failed", exc_info=error)
    return problem(500, "The request could not be answered because of a fault in the service. It has been logged.")


def plainly(error: AnkareError) -> str:
    """What callers are told of an error about the home, the profile or the installation. Its own text, which may name paths of
    this machine, goes to the log: whoever runs the service can put it right."""
    OPERATOR.tell(error)
    return _SENTENCES[code_of(error)]


def code_of(error: Exception) -> str:
    """One word for an error, for logs and measures: a code of `TITLES` where it has one, else the status that it becomes."""
    if isinstance(error, ProblemError):
        return error.code or str(error.status)
    if isinstance(error, QuestionError):
        return "400"
    if isinstance(error, ProviderServiceError):
        return "model-quota" if error.kind == "quota" else "model-auth"
    if isinstance(error, AnkareError):
        return next((code for kind, code in _CODES if isinstance(error, kind)), NOT_READY)
    return "500"


def install(app: FastAPI) -> None:
    """Let every error of the app leave as a problem document."""

    async def told(request: Request, error: Exception) -> Response:
        return problem_of(error)

    async def http_error(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        detail = f"There is no {request.url.path}." if status == 404 else HTTPStatus(status).description
        return problem(status, detail or HTTPStatus(status).phrase)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for these alone
        text, field = fault_text(error.errors()[0], language_of(request))
        return problem(400, text, field=field)

    for kind in (ProblemError, AnkareError):
        app.add_exception_handler(kind, told)
    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(RequestValidationError, invalid)
