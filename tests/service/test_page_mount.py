"""Of Gradio's many addresses only those that the page needs exist, and the page tells nothing about the machine."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import gradio as gr
import pytest
from fastapi.testclient import TestClient
from gradio import processing_utils
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from ankare.service.app import create_app
from ankare.service.door import headers
from ankare.service.door.guard import Guard
from ankare.service.page import mount
from ankare.service.page.mount import MOST_SESSIONS
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


FILE_OF = {
    "a file of the machine": "{file}",
    "a file that is not there": "{file}.not",
    "a device": "/dev/null",
    "an address": "http://93.184.215.14/plan.pdf",
}
SENT_AS = {
    "alone": lambda file: file,
    "in a list": lambda file: [file],
    "beside a text": lambda file: {"text": " ", "files": [file]},
}


CALLS = ("run/submit", "call/submit")


@pytest.mark.parametrize("path", CALLS)
def test_what_a_program_names_as_a_file_is_neither_read_nor_fetched(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, touched = files_named(path, tmp_path, monkeypatch)
    assert told == {"Skriv en fråga först."}
    assert not touched


@pytest.mark.parametrize("path", CALLS)
def test_a_saboteur_that_leaves_files_to_gradio_is_caught(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mount, "_Blocks", gr.Blocks)
    _, touched = files_named(path, tmp_path, monkeypatch)
    assert {"secret.txt", "plan.pdf"} <= touched


def files_named(path: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[set[str], set[str]]:
    """What is told to whoever names files in a message, and the names of the files that were copied or fetched for it."""
    touched: set[str] = set()

    async def fetch(url: str, **_: object) -> None:
        touched.add(Path(url).name)

    kept, file = folder / "kept", folder / "secret.txt"
    file.write_text("secret", encoding="utf-8")
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(kept))
    monkeypatch.setattr(processing_utils, "async_ssrf_protected_download", fetch)
    app = create_app(Settings(home=folder), ScriptedEngine(), ScriptedShelf(folder))
    told = set()
    with TestClient(app, raise_server_exceptions=False) as client:
        for named, sent_as in product(FILE_OF.values(), SENT_AS.values()):
            data = {"path": named.format(file=file), "meta": {"_type": "gradio.FileData"}}
            told.add(words_of(client, path, sent_as(data)))
    return told, touched | {copy.name for copy in kept.rglob("*") if copy.is_file()}


def words_of(client: TestClient, path: str, message: object) -> str:
    answer = client.post(f"/gradio_api/{path}", json={"data": [message]})
    if path.startswith("run/"):
        return str(answer.json().get("data", [""])[0])
    lines = client.get(f"/gradio_api/{path}/{answer.json()['event_id']}").text.splitlines()
    data = json.loads(next(line.removeprefix("data: ") for line in lines if line.startswith("data: ")))
    return str(data[0]) if isinstance(data, list) else str(data)


OTHER_SITES = ("https://elsewhere.example", "https://other.example.org", "http://localhost:3000", "null")
ASKED = (
    ("GET", "/", None),
    ("GET", "/config", None),
    ("GET", "/gradio_api/info", None),
    ("GET", "/theme.css", None),
    ("POST", "/gradio_api/run/submit", {"data": ["x"]}),
    ("OPTIONS", "/gradio_api/run/submit", None),
    ("POST", "/page/ask", {"question": "x"}),
)


@pytest.mark.parametrize("site", OTHER_SITES)
@pytest.mark.parametrize("host", ["ankare.example.org", "localhost:7860"])
def test_the_page_gives_scripts_of_other_sites_nothing(client: TestClient, host: str, site: str) -> None:
    asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    for method, path, body in ASKED:
        answer = client.request(method, path, json=body, headers={"Host": host, "Origin": site, **asks})
        assert not [name for name in answer.headers if name.startswith("access-control-")], path


def test_a_saboteur_that_leaves_other_sites_to_gradio_is_caught(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headers, "LEAVE", b"none of these")
    with pytest.raises(AssertionError):
        test_the_page_gives_scripts_of_other_sites_nothing(client, "ankare.example.org", OTHER_SITES[0])


def test_very_many_callers_take_up_little_memory(client: TestClient) -> None:
    for number in range(MOST_SESSIONS + 20):
        client.post("/gradio_api/run/submit", json={"data": [" "], "session_hash": f"caller {number}"})
    page = next(route.app for route in client.app.routes if hasattr(getattr(route, "app", None), "state_holder"))
    assert len(page.state_holder.session_data) == MOST_SESSIONS


def test_a_caller_who_hangs_up_is_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise ClientDisconnect

    scope = {"type": "http", "path": "/api/ask", "method": "POST", "headers": []}
    asyncio.run(Guard(app, Measures())(scope, _nothing, _nothing))
    assert not caplog.records


async def _nothing(*_: object) -> dict[str, object]:
    return {"type": "http.disconnect"}
