"""/openapi.json is a valid OpenAPI 3.1 document that describes every route, and what it shows is what the service answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from fastapi.testclient import TestClient
from schemathesis.specs.openapi.definitions import OPENAPI_31

from ankare.service.api.openapi import TAGS
from ankare.service.api.schemas import AskResponse, UnderstandResponse
from ankare.service.app import create_app
from ankare.service.chat.schemas import ChatCompletion
from ankare.service.door.guard import METHODS
from ankare.settings import Settings
from tests.service.make_openapi_examples import ASK, CHAT, FILE, answers, sample_service, shortened
from tests.service.scripted import ScriptedEngine, ScriptedShelf

MOVING = frozenset({"score", "lexical", "index_version", "version", "probability", "coverage"})
"""Fields that change with the state of the code; the rest of an example has to be what the service answers now."""


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("openapi")
    settings = Settings(home=folder, public_url="https://svar.example.org/")
    app = create_app(settings, ScriptedEngine(), ScriptedShelf(folder), page=False)
    told: dict[str, Any] = TestClient(app).get("/openapi.json").json()
    return told


@pytest.fixture(scope="module")
def sample() -> Iterator[TestClient]:
    with sample_service() as client:
        yield client


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield f"{method.upper()} {path}", operation


def fitting(document: dict[str, Any], schema: dict[str, Any], value: object) -> None:
    """Raises ValidationError where the value is not what the schema of the document says."""
    whole = {**schema, "components": document["components"]}
    jsonschema.Draft202012Validator(whole).validate(value)


def test_it_is_a_valid_document(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    jsonschema.Draft202012Validator(OPENAPI_31).validate(document)


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    def follow(part: Any) -> None:
        if isinstance(part, dict):
            if "$ref" in part:
                found: Any = document
                for name in part["$ref"].removeprefix("#/").split("/"):
                    found = found[name]
            for value in part.values():
                follow(value)
        elif isinstance(part, list):
            for value in part:
                follow(value)

    follow(document)


def test_every_route_is_described(document: dict[str, Any]) -> None:
    let_in = {path for path in METHODS if path.startswith(("/api/", "/v1/"))}
    needed = {*let_in, "/health", "/ready", "/metrics", "/sources/{id}", "/sources/{id}/pages/{page}.png"}
    assert {bare(path) for path in needed} <= {bare(path) for path in document["paths"]}
    for name, operation in operations(document):
        assert operation["summary"], name
        assert set(operation["tags"]) <= set(TAGS), name
        assert any(status.startswith("2") for status in operation["responses"]), name
        assert "422" not in operation["responses"], name
        for status, response in operation["responses"].items():
            kinds = set(response.get("content", {}))
            if status.startswith(("4", "5")):
                assert kinds == {"application/json" if " /v1/" in name else "application/problem+json"}, (name, status)


def bare(path: str) -> str:
    """A path whose parameters have no names."""
    return re.sub(r"\{\w+\}", "{}", path)


def test_bodies_have_examples_that_fit(document: dict[str, Any]) -> None:
    for name, operation in operations(document):
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if content is None:
            continue
        assert content["examples"], name
        for example in content["examples"].values():
            fitting(document, content["schema"], example["value"])


def test_the_document_tells_servers_keys_and_areas(document: dict[str, Any]) -> None:
    assert document["servers"] == [{"url": "https://svar.example.org"}]
    assert {"bearer", "header"} == set(document["components"]["securitySchemes"])
    assert {} in document["security"]
    assert [tag["name"] for tag in document["tags"]] == list(TAGS)
    assert all(tag["description"] for tag in document["tags"])


def test_examples_are_what_the_sample_pack_answers(document: dict[str, Any], sample: TestClient) -> None:
    held = json.loads(FILE.read_text(encoding="utf-8"))
    now = {call: {"200": shortened(answer)} for call, answer in answers(sample).items()}
    assert settled(held) == settled(now), "run python -m tests.service.make_openapi_examples, and look at what changed"
    shown = dict(operations(document))
    for call, by_status in held.items():
        for status, value in by_status.items():
            content = shown[call]["responses"][status]["content"]["application/json"]
            assert content["examples"]["sample"]["value"] == value
            fitting(document, content["schema"], value)


def settled(value: Any) -> Any:
    if isinstance(value, list):
        return [settled(item) for item in value]
    if isinstance(value, dict):
        return {name: settled(item) for name, item in value.items() if name not in MOVING}
    return value


@pytest.mark.parametrize(
    "question", [ASK["question"], "Vad var omsättningen 2024?", "Vad var omsättningen?", "Var är x?"]
)
def test_real_answers_are_what_the_models_say_and_nothing_else(sample: TestClient, question: str) -> None:
    body = sample.post("/api/ask", json={"question": question, "debug_mode": True}).json()
    AskResponse.model_validate(body, extra="forbid")
    chat = {**CHAT, "messages": [{"role": "user", "content": question}]}
    ChatCompletion.model_validate(sample.post("/v1/chat/completions", json=chat).json(), extra="forbid")
    follow_up = {"previous": question, "question": "och 2023?"}
    UnderstandResponse.model_validate(sample.post("/api/understand", json=follow_up).json(), extra="forbid")
