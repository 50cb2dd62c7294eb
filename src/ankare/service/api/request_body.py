"""How is the JSON body of a request read, and which bodies are not read at all?

A client that says nothing of its content type, or `curl -d` that says it wrongly, is understood. A page of another site is
not: its forms can send only types that are not JSON, and a browser asks for leave before any other.
"""

from __future__ import annotations

from typing import TypeVar

from fastapi import Request
from pydantic import BaseModel

from ankare.service.api.bad_input import language_of
from ankare.service.api.schemas import read_request
from ankare.service.door.origin import is_foreign
from ankare.service.problem import ProblemError

Model = TypeVar("Model", bound=BaseModel)


async def read_json(model: type[Model], request: Request) -> Model:
    """The request in the body. Raises ProblemError: 415 for the form of another site's page, else as `read_request`."""
    refuse_foreign_forms(request)
    raw = await request.body()
    try:
        return read_request(model, raw)
    except ProblemError:
        return read_request(
            model, raw, language_of(request, raw)
        )  # a fault is read once more, to be told in its language


def refuse_foreign_forms(request: Request) -> None:
    """Raises ProblemError (415) for a body that is not said to be JSON and comes from a page that is not ours."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json" or kind.endswith("+json"):
        return
    if is_foreign(request.scope):
        raise ProblemError(415, "From a page of another site, the body must be sent as application/json.")
