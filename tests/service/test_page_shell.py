"""The document at / names itself in the reader's language, nobody else's pictures or makers, and each script that may run."""

from __future__ import annotations

import json
import re
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
    assert f'"title":"{title}"' in answer.text
    assert f'<html\n\tlang="{language}"' in answer.text
    assert "Accept-Language" in answer.headers["vary"]
    assert int(answer.headers["content-length"]) == len(answer.content)


def test_the_page_advertises_nobody_else(client: TestClient) -> None:
    page = client.get("/").text
    for foreign in ("githubusercontent", "@Gradio", "@teamGradio", "gradio.app", 'name="twitter:', "og:image"):
        assert foreign not in page


def test_asking_only_for_the_head_works(client: TestClient) -> None:
    assert client.head("/").status_code == 200


@pytest.mark.parametrize(
    ("query", "cookie", "language"),
    [("?lang=en", "", "en"), ("", "en", "en"), ("?lang=zh", "en", "zh"), ("?lang=xx", "", "sv"), ("", "<b>", "sv")],
)
def test_a_reader_s_choice_wins_over_the_browser(client: TestClient, query: str, cookie: str, language: str) -> None:
    headers = {"Accept-Language": "sv", **({"Cookie": f"ankare_lang={cookie}"} if cookie else {})}
    page = client.get("/" + query, headers=headers).text
    assert f'lang="{language}"' in page[:200]
    assert f'data-lang="{language}" aria-current="true"' in page


def test_only_scripts_that_carry_the_nonce_of_the_response_may_run(client: TestClient) -> None:
    first, second = client.get("/"), client.get("/")
    nonces = [re.search(r"'nonce-([\w-]+)'", one.headers["content-security-policy"])[1] for one in (first, second)]  # type: ignore[index]
    assert nonces[0] != nonces[1]
    assert "unsafe" not in first.headers["content-security-policy"].split("style-src")[0]
    assert first.headers["cache-control"] == "no-store"
    inline = re.findall(r"<script(?![^>]*\bsrc=)([^>]*)>", first.text)
    assert inline
    assert all(f'nonce="{nonces[0]}"' in given or "application/json" in given for given in inline)


def test_no_other_address_lets_scripts_of_its_text_run(client: TestClient) -> None:
    for path in ("/config", "/health", "/nothing", "/page/page.js"):
        assert "script-src 'self';" in client.get(path).headers["content-security-policy"]


def test_the_flags_of_the_address_are_kept_when_the_language_changes(client: TestClient) -> None:
    page = client.get("/?debug=true&enable_synthesis=%22%3E%3Cscript%3E").text
    assert "/?enable_synthesis=%22%3E%3Cscript%3E&amp;debug=true&amp;lang=en" in page


def test_what_the_script_is_told_cannot_end_its_element(client: TestClient) -> None:
    page = client.get("/", headers={"Accept-Language": "en"}).text
    told = re.search(r'<script type="application/json" id="start">(.*?)</script>', page)
    assert told is not None
    assert "<" not in told[1]
    assert json.loads(told[1])["limit"] == 2000


def test_the_pages_files_are_kept_by_their_hash_and_asked_for_again_without(client: TestClient) -> None:
    page = client.get("/").text
    address = re.search(r'src="(/page/\w+/page.js)"', page)[1]  # type: ignore[index]
    kept, plain = client.get(address), client.get("/page/page.js")
    assert "immutable" in kept.headers["cache-control"]
    assert plain.headers["cache-control"] == "public, no-cache"
    assert kept.content == plain.content
    assert kept.headers["content-type"].startswith("text/javascript")
    again = client.get("/page/page.js", headers={"If-None-Match": plain.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    for module in re.findall(r'from "(\./[\w./]+)"', kept.text):
        assert client.get("/page/x/" + module[2:]).status_code == 200
    assert client.get("/page/nothing.js").status_code == 404
    assert client.get("/page/..%2fapp.py").status_code == 404
