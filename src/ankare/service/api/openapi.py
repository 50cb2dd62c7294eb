"""How does the service describe itself in /openapi.json?

Routes that read their bodies themselves tell here what these hold. `describe` completes what FastAPI makes of all routes:
what each area is for, the keys, the problems that any route can end in, and examples from the sample pack.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel

from ankare.service.api.schemas import Problem
from ankare.service.chat.schemas import ErrorBody
from ankare.service.problem import MEDIA_TYPE

JSON_TYPE = "application/json"
TAGS: Mapping[str, str] = {
    "questions": "Ask, search, and turn a follow-up into a question of its own.",
    "openai": "The same for chat clients of the OpenAI form; errors have the form of these clients.",
    "sources": "The documents that answers cite, and pictures of their pages with the cited text marked.",
    "feedback": "What readers think of answers.",
    "library": "What the service holds, for whoever may change it. Not there unless an admin token or an admin key is set.",
    "operation": "Is the service up, can it answer, and how is it doing?",
}
KEYS = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "An API key, where the service asks for one."},
    "header": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "The same key."},
}
ALWAYS = (401, 403, 404, 429, 503, 504)
"""What any request can end in: keys, rights, views, limits, overload, time."""
WITH_BODY = (400, 408, 413, 415)
USAGE = "GET /api/admin/usage"
OPEN = frozenset({"/health", "/ready"})
"""Answered without a key and without limits."""
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
    429: "Too many requests of this key or address; see Retry-After.",
    504: "The answer took too long.",
    503: "No index yet, too many requests at once, or the model's service refuses; `code` tells which. See Retry-After.",
}


def json_body(model: type[BaseModel], url_flags: Iterable[str] = (), url_texts: Iterable[str] = ()) -> dict[str, Any]:
    """`openapi_extra` for a route whose JSON body is `model` and whose URL takes these booleans and texts."""
    schema = model.model_json_schema()
    examples = {f"example{n}": {"value": value} for n, value in enumerate(schema.pop("examples", ()), start=1)}
    content = {JSON_TYPE: {"schema": _in_one_piece(schema), "examples": examples}}
    return {
        "requestBody": {"required": True, "content": content},
        "parameters": [
            {"name": name, "in": "query", "required": False, "schema": {"type": kind}}
            for kind, names in (("boolean", url_flags), ("string", url_texts))
            for name in names
        ],
    }


def openai_problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """`responses` for the problems of a route below /v1/, in the form of its clients."""
    return {status: _problem(status, openai=True) for status in statuses}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """`responses` for the problems that a route can tell."""
    return {status: _problem(status, openai=False) for status in statuses}


def describe(app: FastAPI, public_url: str = "") -> None:
    """Let /openapi.json tell all of this. `public_url`: where clients reach the service, "" for where they found this."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = completed(made(), public_url)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def completed(document: dict[str, Any], public_url: str) -> dict[str, Any]:
    """The document with everything that routes have in common."""
    document["info"]["license"] = {"name": "Apache License 2.0", "identifier": "Apache-2.0"}
    document["servers"] = [{"url": public_url.rstrip("/") or "/"}]
    document["tags"] = [{"name": name, "description": text} for name, text in TAGS.items()]
    document["security"] = [{}, *({name: []} for name in KEYS)]
    components = document.setdefault("components", {})
    components["securitySchemes"] = KEYS
    schemas = components.setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):  # bad input is a problem here, with 400
        schemas.pop(unused, None)
    schemas |= {"Problem": _in_one_piece(Problem.model_json_schema())}
    schemas |= {"ErrorBody": _in_one_piece(ErrorBody.model_json_schema())}
    for path, method, operation in _operations(document):
        _complete(operation, path, method)
    return document


def _complete(operation: dict[str, Any], path: str, method: str) -> None:
    responses = operation["responses"]
    responses.pop("422", None)
    if operation.get("parameters"):
        responses.setdefault("400", _problem(400, openai=path.startswith("/v1/")))
    usual = () if path in OPEN else (*ALWAYS, *(WITH_BODY if "requestBody" in operation else ()))
    for status in usual:
        responses.setdefault(str(status), _problem(status, openai=path.startswith("/v1/")))
    for status, value in _examples().get(f"{method.upper()} {path}", {}).items():
        told = responses[status]["content"][JSON_TYPE]
        told["examples"] = {"sample": {"summary": "From the sample pack, shortened.", "value": value}}
    if f"{method.upper()} {path}" == USAGE:
        responses["200"]["content"][JSON_TYPE]["examples"] = {"made_up": {"summary": "Made up.", "value": _usage()}}


def _problem(status: int, *, openai: bool) -> dict[str, Any]:
    kind, name = (JSON_TYPE, "ErrorBody") if openai else (MEDIA_TYPE, "Problem")
    told: dict[str, Any] = {
        "description": _MEANINGS[status],
        "content": {kind: {"schema": {"$ref": f"#/components/schemas/{name}"}}},
    }
    if status in (429, 503):
        told["headers"] = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "string"}}}
    return told


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield path, method, operation


def _in_one_piece(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with every definition where it is used: a reference would be read from the top of the whole document."""
    definitions = schema.pop("$defs", {})

    def put_in(part: Any) -> Any:
        if isinstance(part, list):
            return [put_in(item) for item in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            return put_in(
                {**definitions[part["$ref"].rsplit("/", 1)[-1]], **{k: v for k, v in part.items() if k != "$ref"}}
            )
        return {name: put_in(value) for name, value in part.items()}

    found: dict[str, Any] = put_in(schema)
    return found


@cache
def _examples() -> dict[str, dict[str, Any]]:
    """By "METHOD path" and status; `tests/service/test_openapi.py` holds them against the sample pack."""
    found: dict[str, dict[str, Any]] = json.loads(
        files(__package__).joinpath("openapi_examples.json").read_text("utf-8")
    )
    return found


@cache
def _usage() -> object:
    return json.loads(files("ankare.service.library").joinpath("usage_example.json").read_text("utf-8"))
