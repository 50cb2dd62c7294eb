"""An address that can be no file is a 404 with a problem, on every route, and never a fault."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from ankare.service.app import create_app
from ankare.service.page import paths
from ankare.settings import Settings
from tests.service.librarian import ADMIN, TOKEN

LONG = "a" * 5000
ODD = (
    LONG,
    "a" * 256,
    "å" * 200,
    "a/" * 2400,
    "%00",
    "a%00b",
    "%ff%fe",
    "%ed%a0%80",
    "..%2f" * 50,
    "%5c" * 300,
    "a" * 3000 + ".js",
)
PLACES = (
    *("/assets/{}", "/static/{}", "/svelte/{}", "/gradio_api/file={}", "/gradio_api/file/{}", "/file={}", "/{}"),
    *("/static/img/{}", "/gradio_api/stream/{}", "/gradio_api/custom_component/{}/client/component/index.js"),
    *("/page/{}", "/page/{}/page.css", "/theme.css/{}", "/pwa_icon/{}", "/gradio_api/call/submit/{}"),
)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    return create_app(Settings(home=tmp_path_factory.mktemp("home"), semantic=False, admin_token=TOKEN))


@pytest.fixture(scope="module")
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, raise_server_exceptions=False) as opened:
        yield opened


def check(client: TestClient, address: str, caplog: pytest.LogCaptureFixture) -> int:
    """The status; nothing may be a fault or leave a traceback."""
    with caplog.at_level(logging.ERROR):
        answer = client.get(address, headers={**ADMIN, "Accept": "application/json"})
    assert answer.status_code < 500 or answer.status_code == 503, (address[:60], answer.text[:200])
    assert "Traceback" not in answer.text + caplog.text
    return answer.status_code


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd[:12])
@pytest.mark.parametrize("place", PLACES)
def test_an_odd_address_of_the_page_is_no_fault(
    client: TestClient, place: str, odd: str, caplog: pytest.LogCaptureFixture
) -> None:
    check(client, place.format(odd), caplog)


@pytest.mark.parametrize("place", PLACES[:3])
def test_what_is_too_long_for_any_file_is_a_404_with_a_problem(client: TestClient, place: str) -> None:
    answer = client.get(place.format(LONG))
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
    assert answer.json()["detail"] == "There is no such file."


def test_an_odd_name_in_any_route_with_a_name_is_no_fault(
    app: FastAPI, client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    routes = [path for path, methods in app.openapi()["paths"].items() if "{" in path and "get" in methods]
    assert len(routes) >= 3
    for path in routes:
        for odd in ODD:
            check(client, re.sub(r"\{[^}]*\}", odd, path), caplog)


def test_a_fault_of_the_page_is_told_as_a_problem(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(paths, "is_no_file", lambda _path: False)
    answer = client.get(f"/assets/{LONG}")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert "File name too long" not in answer.text


def test_what_is_there_is_served_as_before(client: TestClient) -> None:
    found = re.findall(r'(?:src|href)="[^"]*?(/assets/[^"]+)"', client.get("/").text)
    assert found
    assert client.get(found[0]).status_code == 200
    assert Path(found[0]).name


# Saboteur


def test_a_saboteur_that_asks_the_disk_for_everything_is_caught(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(paths, "is_no_file", lambda _path: False)
    with pytest.raises(AssertionError):
        check(client, f"/assets/{LONG}", caplog)
