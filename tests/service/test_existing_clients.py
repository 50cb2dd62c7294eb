"""Clients that were written for the forerunner of the API go on working: fields, flags, variables, and the call of its page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ankare.service.app import create_app
from ankare.service.page.message import message_text
from ankare.service.problem import ProblemError
from ankare.settings import load_settings
from tests.service.scripted import ScriptedEngine, ScriptedShelf

QUESTION = "Vilka etapper finns?"
FIELDS = {
    "question": str,
    "answer_markdown": str,
    "route": str,
    "model": str,
    "sources": list,
    "homepage_links": list,
    "retrieval": dict,
    "agentic_pipeline": dict,
    "timing_ms": float,
    "revision": str,
}
SOURCE_FIELDS = ("source", "source_type", "title", "section", "pages", "url", "score", "chunk_id")
RETRIEVAL_FIELDS = ("intent", "query_terms", "top_results", "relevance_supported", "relevance_reason")
PIPELINE_FIELDS = (
    "agents",
    "accepted_rewrites",
    "rejected_rewrites",
    "review_status",
    "final_status",
    "escalation",
    "fallback_reason",
    "usage",
)
CONVERSATION = [
    {"role": "user", "content": "Hej"},
    {"role": "assistant", "content": "Hej! Vad vill du veta?"},
    {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
]
MESSAGES = [
    QUESTION,
    {"text": QUESTION, "files": []},
    {"role": "user", "content": QUESTION},
    {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
    CONVERSATION,
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("home")
    app = create_app(load_settings(home=folder), ScriptedEngine(), ScriptedShelf(folder))
    with TestClient(app) as client:
        yield client


def test_the_answer_has_every_field_under_its_old_name(client: TestClient) -> None:
    body = client.post("/api/ask", json={"question": QUESTION, "debug_mode": False, "enable_agentic_rag": False}).json()
    assert {name: type(body[name]) for name in FIELDS} == FIELDS
    assert "llm_usage" in body
    assert all(name in body["sources"][0] for name in SOURCE_FIELDS)
    assert all(name in body["retrieval"] for name in RETRIEVAL_FIELDS)
    assert all(name in body["agentic_pipeline"] for name in PIPELINE_FIELDS)


@pytest.mark.parametrize(
    ("body", "url", "environment", "expected"),
    [
        ({"enable_agentic_rag": True}, "?enable_agentic_rag=false", "false", True),
        ({"enable_agentic_rag": False}, "?enable_agentic_rag=true", "true", False),
        ({}, "?enable_agentic_rag=true", "false", True),
        ({}, "?enable_agentic_rag=false", "true", False),
        ({}, "", "true", True),
        ({}, "", "false", False),
    ],
)
def test_a_flag_in_the_body_wins_over_the_address_and_that_over_the_old_variable(
    body: dict[str, bool], url: str, environment: str, expected: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYSTEMINFORANDE_ENABLE_AGENTIC_RAG", environment)
    app = create_app(load_settings(home=tmp_path), ScriptedEngine(), ScriptedShelf(tmp_path), page=False)
    told = TestClient(app).post(f"/api/ask{url}", json={"question": QUESTION, **body}).json()["agentic_pipeline"]
    assert (told["fallback_reason"] == "provider_not_configured") is expected


@pytest.mark.parametrize("flag", ["enable_agentic_rag", "enable_synthesis", "debug_mode", "debug"])
def test_an_invalid_flag_in_the_address_is_bad_input(client: TestClient, flag: str) -> None:
    assert client.post(f"/api/ask?{flag}=kanske", json={"question": QUESTION}).status_code == 400


@pytest.mark.parametrize("message", MESSAGES)
def test_a_chat_message_goes_in_and_markdown_comes_out(client: TestClient, message: object) -> None:
    assert submitted(client, message) == client.post("/api/ask", json={"question": QUESTION}).json()["answer_markdown"]


@pytest.mark.parametrize("message", [None, 7, {}, [], {"role": "assistant", "content": QUESTION}, {"text": 7}, " "])
def test_what_is_no_message_is_told_in_words(client: TestClient, message: object) -> None:
    assert submitted(client, message) == "Skriv en fråga först."


def test_only_the_last_words_of_the_user_are_a_question() -> None:
    assert message_text(CONVERSATION) == QUESTION
    with pytest.raises(ProblemError):
        message_text([{"role": "system", "content": QUESTION}])


def submitted(client: TestClient, message: object) -> str:
    event = client.post("/gradio_api/call/submit", json={"data": [message]}).json()["event_id"]
    lines = client.get(f"/gradio_api/call/submit/{event}").text.splitlines()
    assert "event: complete" in lines
    data = next(line for line in lines if line.startswith("data: ")).removeprefix("data: ")
    return str(json.loads(data)[0])
