"""Of Gradio's many addresses only those that the page needs exist, and the page tells nothing about the machine."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from ankare.service.app import create_app
from ankare.service.door.guard import Guard
from ankare.service.watch.measures import Measures
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
    assert answer.status_code == 413


def test_the_api_of_the_page_says_what_it_takes(client: TestClient) -> None:
    assert list(client.get("/gradio_api/info").json()["named_endpoints"]) == ["/submit"]


@pytest.mark.parametrize("path", ["queue/join", "run/submit", "run/nothing", "call/submit", "call/nothing"])
@pytest.mark.parametrize("data", [[], [1], [None], [["a"]], [{"path": "/etc/hostname"}], "x", None])
def test_a_wrong_call_of_the_pages_interface_is_never_a_fault_of_ours(
    client: TestClient, path: str, data: object, caplog: pytest.LogCaptureFixture
) -> None:
    answer = client.post(f"/gradio_api/{path}", json={"data": data, "fn_index": 99_999, "session_hash": "x"})
    assert answer.status_code < 500
    assert not [record for record in caplog.records if record.name == "ankare.service"]


def test_a_caller_who_hangs_up_is_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise ClientDisconnect

    scope = {"type": "http", "path": "/api/ask", "method": "POST", "headers": []}
    asyncio.run(Guard(app, Measures())(scope, _nothing, _nothing))
    assert not caplog.records


async def _nothing(*_: object) -> dict[str, object]:
    return {"type": "http.disconnect"}
