"""The page names itself in the browser's language, and nobody else's pictures or makers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from ankare.messages import messages
from ankare.service.app import create_app
from ankare.settings import Settings
from tests.service.scripted import ScriptedEngine, ScriptedShelf


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("shell")
    with TestClient(create_app(Settings(home=folder), ScriptedEngine(), ScriptedShelf(folder))) as client:
        yield client


@pytest.mark.parametrize(("accepted", "language"), [("sv-SE", "sv"), ("en-US,en", "en"), ("zh-CN", "zh"), ("fi", "sv")])
def test_the_title_is_in_the_browsers_language(client: TestClient, accepted: str, language: str) -> None:
    answer = client.get("/", headers={"Accept-Language": accepted, "Accept-Encoding": "gzip, br"})
    title = messages(language)["page.title"]
    assert f"<title>{title}</title>" in answer.text
    assert f'<meta property="og:title" content="{title}" />' in answer.text
    assert f'"title":"{title}",' in answer.text
    assert f'<html\n\tlang="{language}"' in answer.text
    assert "Accept-Language" in answer.headers["vary"]
    assert int(answer.headers["content-length"]) == len(answer.content)


def test_the_page_advertises_nobody_else(client: TestClient) -> None:
    page = client.get("/").text
    for foreign in ("githubusercontent", "@Gradio", "@teamGradio", "gradio.app", 'name="twitter:', "og:image"):
        assert foreign not in page


def test_asking_only_for_the_head_works(client: TestClient) -> None:
    assert client.head("/").status_code == 200
