"""Of Gradio's many addresses only those that the page needs exist, and the page tells nothing about the machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ankare.service.app import create_app
from ankare.settings import Settings
from tests.service.scripted import ScriptedEngine, ScriptedShelf

CLOSED = (
    "/gradio_api/file=/etc/passwd",
    "/gradio_api/file/etc/passwd",
    "/gradio_api/proxy=http://127.0.0.1:9/",
    "/gradio_api/upload",
    "/gradio_api/upload_progress",
    "/gradio_api/vibe-code",
    "/gradio_api/runs",
    "/gradio_api/dev/reload",
    "/gradio_api/deep_link",
    "/monitoring",
    "/login",
    "/nothing",
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("secret-folder-name")
    settings = Settings(home=folder, frame_ancestors="'self' https://example.org")
    app = create_app(settings, ScriptedEngine(), ScriptedShelf(folder))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize("path", CLOSED)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_addresses_that_the_page_does_not_need_are_closed(client: TestClient, method: str, path: str) -> None:
    answer = client.request(method, path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/", "/config", "/gradio_api/info", "/theme.css"])
def test_the_page_is_served_and_tells_no_path(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert "secret-folder-name" not in answer.text
    assert answer.headers["content-security-policy"].endswith("frame-ancestors 'self' https://example.org")
    assert str(Path.home()) + "/" not in answer.text


def test_the_page_names_no_other_host_to_load_from(client: TestClient) -> None:
    page = client.get("/").text
    for loading in ('src="http', 'href="http', "@import", "fonts.googleapis"):
        assert loading not in page


def test_a_huge_body_is_stopped_on_the_page_too(client: TestClient) -> None:
    answer = client.post("/gradio_api/call/submit", content=b"x" * 300_000)
    assert answer.status_code == 400


def test_the_api_of_the_page_says_what_it_takes(client: TestClient) -> None:
    assert list(client.get("/gradio_api/info").json()["named_endpoints"]) == ["/submit"]
