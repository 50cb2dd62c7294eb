"""How do the hand-read routes describe themselves in /openapi.json?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel

from ankare.service.chat_schemas import ErrorBody
from ankare.service.problem import MEDIA_TYPE
from ankare.service.schemas import Problem

_MEANINGS = {
    400: "The request cannot be used; `detail` says why.",
    401: "A key is needed, or this one is not known.",
    403: "This key may not do that.",
    408: "The body came too slowly.",
    409: "There is one of that name already.",
    413: "The body is too large.",
    507: "There is no room for it.",
    415: "A page of another site may send JSON only.",
    404: "There is no such thing in the index in use.",
    503: "No index yet, too many requests at once, or the model's service refuses; `code` tells which. See Retry-After.",
}


def json_body(model: type[BaseModel], url_flags: Iterable[str] = ()) -> dict[str, Any]:
    """`openapi_extra` for a route whose JSON body is `model` and whose URL takes these booleans."""
    schema = model.model_json_schema()
    examples = {f"example{n}": {"value": value} for n, value in enumerate(schema.pop("examples", ()), start=1)}
    return {
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema, "examples": examples}}},
        "parameters": [
            {"name": name, "in": "query", "required": False, "schema": {"type": "boolean"}} for name in url_flags
        ],
    }


def openai_problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """`responses` for the problems of a route below /v1/, in the form of its clients."""
    return {status: {"description": _MEANINGS[status], "model": ErrorBody} for status in statuses}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """`responses` for the problems that a route can tell."""
    schema = Problem.model_json_schema()
    return {
        status: {"description": _MEANINGS[status], "content": {MEDIA_TYPE: {"schema": schema}}} for status in statuses
    }
