"""Whatever a client makes of /openapi.json, the service answers as the document says, and never with a fault."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import nullcontext, suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from pydantic import SecretStr
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ankare.service.app import create_app
from ankare.settings import Settings
from tests.service.real import build_home, write_documents
from tests.service.scripted import ScriptedEngine, ScriptedShelf

pytestmark = pytest.mark.slow
CHECKS: list[Callable[..., Any]] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
CHANGING = ("PUT ", "DELETE ", "POST /api/admin/jobs")
SLOW_MACHINE = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


def drive(app: FastAPI, examples: int, only: str = "/", key: str = "") -> int:
    """Send so many requests to each operation below a path, as its schema says and as it does not; gives how many operations
    there are. `key`: then those that change what is held are left out."""
    schema = schemathesis.openapi.from_asgi("/openapi.json", app)
    operations = [
        found
        for found in (result.ok() for result in schema.get_all_operations())
        if found.path.startswith(only) and not (key and f"{found.method.upper()} {found.path}".startswith(CHANGING))
    ]
    headers = {"Authorization": f"Bearer {key}"} if key else None
    for operation, mode in product(operations, GenerationMode):
        chosen = settings(
            max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=SLOW_MACHINE
        )

        @chosen
        @given(case=operation.as_strategy(generation_mode=mode))
        def send(case: schemathesis.Case) -> None:
            case.call_and_validate(checks=CHECKS, headers=headers)

        # A route without body and flags takes whatever is sent: nothing can be said wrongly there.
        with suppress(Unsatisfiable) if mode is GenerationMode.NEGATIVE else nullcontext():
            send()
    return len(operations)


def test_no_request_whatever_is_a_fault(tmp_path: Path) -> None:
    chosen = Settings(home=tmp_path, llm_provider="mock")
    assert drive(create_app(chosen, ScriptedEngine(), ScriptedShelf(tmp_path), page=False), examples=25) > 10


def test_no_request_to_a_real_home_is_a_fault(tmp_path: Path) -> None:
    home = build_home(tmp_path / "home", write_documents(tmp_path / "documents"))
    assert drive(create_app(Settings(home=home, semantic=False), page=False), examples=6) > 10


def test_no_request_of_who_may_change_what_is_held_is_a_fault(tmp_path: Path) -> None:
    home, token = build_home(tmp_path / "home", write_documents(tmp_path / "documents")), "a-token-of-a-test-only"
    app = create_app(Settings(home=home, semantic=False, admin_token=SecretStr(token)), page=False)
    assert drive(app, examples=6, only="/api/admin", key=token) > 5


def test_a_service_that_answers_otherwise_is_found_out(tmp_path: Path) -> None:
    app = create_app(Settings(home=tmp_path), ScriptedEngine(), ScriptedShelf(tmp_path), page=False)

    @app.middleware("http")
    async def spoil(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        answer = await go_on(request)
        return JSONResponse({"status": "fine"}) if request.url.path == "/health" else answer

    with pytest.raises(FailureGroup):
        drive(app, examples=2)
