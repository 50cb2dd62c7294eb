"""Health, readiness, measures, headers, and what lies at no address."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ankare.errors import HomeMissingError
from ankare.service.app import create_app
from ankare.service.door.guard import METHODS
from ankare.settings import Settings
from tests.service.conftest import Service
from tests.service.scripted import ScriptedEngine, ScriptedShelf


def test_health_tells_the_run_and_no_secret(service: Service) -> None:
    body = service.client.get("/health").json()
    assert body["status"] == "ok"
    assert body["revision"] == "abc123"
    assert body["index_version"] == "v1"
    assert not {"home", "log_dir", "pack", "api_key"} & set(body)


def test_ready_once_the_index_is_loaded(service: Service) -> None:
    answer = service.client.get("/ready")
    assert (answer.status_code, answer.json()["chunks"]) == (200, 3)


def test_without_an_index_the_process_is_up_but_not_ready(tmp_path: Path) -> None:
    app = create_app(Settings(home=tmp_path / "nothing"), page=False)
    client = TestClient(app, raise_server_exceptions=False)
    assert client.get("/health").status_code == 200
    for answer in (client.get("/ready"), client.post("/api/ask", json={"question": "Hej?"}), client.get("/sources/d1")):
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) >= 1
        assert answer.headers["content-type"] == "application/problem+json"
    assert "ankare ingest" in client.get("/ready").json()["detail"]
    assert client.get("/ready").json()["code"] == "not-ready"


def test_measures_count_requests_and_outcomes(service: Service) -> None:
    service.client.post("/api/ask", json={"question": "Vilka etapper?"})
    service.client.post("/api/ask", json={"question": "Det saknas"})
    service.client.post("/api/ask", json={"question": ""})
    service.client.get("/wp-admin/" + "x" * 500)
    text = service.client.get("/metrics").text
    for line in (
        'ankare_requests_total{route="/api/ask",status="200"} 2.0',
        'ankare_requests_total{route="/api/ask",status="400"} 1.0',
        'ankare_requests_total{route="unknown",status="404"} 1.0',
        'ankare_outcomes_total{outcome="answered"} 1.0',
        'ankare_outcomes_total{outcome="subject_not_covered"} 1.0',
        'ankare_index_info{version="v1"} 1.0',
        "ankare_index_chunks 3.0",
    ):
        assert line in text
    assert "xxx" not in text


@pytest.mark.parametrize(
    "path",
    ["/nothing", "/api/nothing", "/docs", "/.env", "/sources", "/sources/", "/api/ask/", "//", "/gradio_api/upload"],
)
def test_an_unknown_address_is_a_json_404(service: Service, path: str) -> None:
    answer = service.client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_wrong_method_is_told(service: Service) -> None:
    answer = service.client.get("/api/ask")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert answer.json()["detail"] == "/api/ask takes POST."


@pytest.mark.parametrize("path", [path for path, methods in METHODS.items() if "HEAD" in methods])
def test_what_is_looked_at_without_its_body_has_the_same_head(service: Service, path: str) -> None:
    head, got = service.client.head(path), service.client.get(path)
    assert (head.status_code, head.headers.get("content-type")) == (got.status_code, got.headers.get("content-type"))


@pytest.mark.parametrize("path", ["/health", "/nothing", "/openapi.json", "/sources/x"])
def test_every_response_carries_the_security_headers(service: Service, path: str) -> None:
    headers = service.client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "'unsafe-eval'" not in headers["content-security-policy"]
    assert "object-src 'none'" in headers["content-security-policy"]


def test_a_fault_is_a_problem_without_inner_details(tmp_path: Path) -> None:
    class Faulty(ScriptedEngine):
        def ask(self, question: str, **given: object) -> object:  # type: ignore[override]
            raise RuntimeError("secret detail")

    app = create_app(Settings(home=tmp_path), Faulty(), ScriptedShelf(tmp_path), page=False)
    answer = TestClient(app, raise_server_exceptions=False).post("/api/ask", json={"question": "Hej?"})
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert "secret" not in answer.text


def test_the_engine_is_tried_again_after_an_ingest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ready: list[ScriptedEngine] = []

    def open_engine(settings: Settings) -> ScriptedEngine:
        if not ready:
            raise HomeMissingError("Nothing has been ingested.")
        return ready[0]

    monkeypatch.setattr("ankare.service.app._open_engine", open_engine)
    monkeypatch.setattr("ankare.service.desk.RETRY_OPEN_SECONDS", 0.0)
    app = create_app(Settings(home=tmp_path), None, ScriptedShelf(tmp_path), page=False)
    client = TestClient(app)
    assert client.post("/api/ask", json={"question": "Hej?"}).status_code == 503
    ready.append(ScriptedEngine())
    assert client.post("/api/ask", json={"question": "Hej?"}).status_code == 200
    assert client.get("/ready").status_code == 200


def test_whatever_keeps_the_index_closed_is_told_once_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody asks a service that is not ready: by itself it must become so."""
    tried = []

    def open_engine(settings: Settings) -> ScriptedEngine:
        tried.append(settings)
        if len(tried) < 4:
            raise OSError("too many open files")
        return ScriptedEngine()

    monkeypatch.setattr("ankare.service.app._open_engine", open_engine)
    monkeypatch.setattr("ankare.service.app.RETRY_SECONDS", 0.0)
    app = create_app(Settings(home=tmp_path), None, ScriptedShelf(tmp_path), page=False)
    with TestClient(app) as client:
        deadline = time.monotonic() + 60
        while client.get("/ready").status_code != 200:
            assert time.monotonic() < deadline
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == [
        "the index cannot be opened"
    ]
