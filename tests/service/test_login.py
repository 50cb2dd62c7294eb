"""Logging in: the key goes into a cookie that scripts and other sites never get, and leads nowhere but to our own page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from ankare.service.door import admission
from ankare.service.door.keys import read_keys, revoke_key
from ankare.service.door.origin import is_foreign
from ankare.service.door.routes_login import own_path
from tests.service.doors import QUESTION, TOKEN, Doors, doors

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Doors]:
    with doors(tmp_path, api_keys="required", admin_token=TOKEN, trusted_proxies="203.0.113.7") as opened:
        yield opened


def log_in(opened: Doors, key: str, target: str = "/", **headers: str) -> object:
    body = f"key={quote(key, safe='')}&next={quote(target, safe='')}"
    return opened.client.post("/login", content=body, headers={**FORM, **headers})


@pytest.mark.parametrize(
    ("language", "heading"), [("sv-SE", "Logga in"), ("en-GB", "Log in"), ("zh-CN", "登录"), ("fi", "Logga in")]
)
def test_the_form_is_in_the_browsers_language_and_runs_nothing(opened: Doors, language: str, heading: str) -> None:
    answer = opened.client.get("/login?next=/%3Fq%3D1", headers={"Accept-Language": language})
    assert answer.status_code == 200
    assert f"<h1>{heading}</h1>" in answer.text
    assert "<script" not in answer.text
    assert 'name="next" value="/?q=1"' in answer.text
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert answer.headers["cache-control"] == "no-store"


def test_a_key_becomes_a_cookie_that_no_script_and_no_other_site_gets(opened: Doors) -> None:
    key = opened.key()
    answer = log_in(opened, key, "/?q=Hej")
    assert (answer.status_code, answer.headers["location"]) == (303, "/?q=Hej")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"ankare_key={key};")
    assert {"HttpOnly", "Path=/", "SameSite=strict"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    assert opened.client.post("/api/ask", json=QUESTION).status_code == 200
    revoke_key(opened.home, read_keys(opened.home)[0].id)
    assert opened.client.post("/api/ask", json=QUESTION).status_code == 401


def test_where_only_the_library_needs_a_key_nobody_else_is_told_to_log_in(tmp_path: Path) -> None:
    with doors(tmp_path, page=True, api_keys="off", admin_token=TOKEN) as opened:
        page = opened.client.get("/", headers={"Accept-Language": "sv"}).text
        assert "Logga in" not in page.partition("<footer")[0]
        assert '<a href="/library">Biblioteket</a></footer>' in page
        form = opened.client.get("/login", headers={"Accept-Language": "sv"}).text
        assert "Biblioteket kräver administratörens nyckel." in form
        assert "Tjänsten kräver en nyckel" not in form
        assert log_in(opened, TOKEN).headers["location"] == "/library"
        assert opened.client.get("/library").status_code == 200


def test_the_page_and_the_form_say_what_a_key_is_for(tmp_path: Path) -> None:
    with doors(tmp_path, page=True, api_keys="optional", admin_token=TOKEN) as opened:
        page = opened.client.get("/", headers={"Accept-Language": "sv"}).text
        assert '<a href="/login">Logga in</a>' in page
        assert "/library" not in page
        assert "Frågor kan ställas utan nyckel" in opened.client.get("/login", headers={"Accept-Language": "sv"}).text
    with doors(tmp_path, api_keys="required") as opened:
        assert "Tjänsten kräver en nyckel" in opened.client.get("/login", headers={"Accept-Language": "sv"}).text


def test_over_https_the_cookie_is_bound_to_it(opened: Doors) -> None:
    answer = log_in(opened, opened.key(), **{"X-Forwarded-Proto": "https"})
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-ankare_key=")
    assert "Secure" in cookie.split("; ")


def test_a_strangers_word_for_https_is_not_believed(opened: Doors) -> None:
    sent = {**FORM, "X-Forwarded-Proto": "https"}
    answer = opened.at("8.8.8.8").post("/login", content=f"key={opened.key()}", headers=sent)
    assert answer.headers["set-cookie"].startswith("ankare_key=")


def test_whatever_the_admin_token_holds_comes_back_whole(tmp_path: Path) -> None:
    token = 'a token; with "odd", signs: å % ='  # noqa: S105
    with doors(tmp_path, api_keys="required", admin_token=token) as opened:
        assert log_in(opened, token).status_code == 303
        assert opened.client.get("/api/admin/documents").status_code == 200


@pytest.mark.parametrize("key", ["", "ank_00000000_x", "<script>alert(1)</script>"])
def test_a_wrong_key_is_told_and_sets_nothing(opened: Doors, key: str) -> None:
    answer = log_in(opened, key)
    assert answer.status_code == 401
    assert 'role="alert"' in answer.text
    assert "set-cookie" not in answer.headers
    assert "<script" not in answer.text


def test_guessing_is_bounded(opened: Doors) -> None:
    assert [log_in(opened, f"guess {n} of the token").status_code for n in range(12)] == [401] * 10 + [429] * 2
    turned_away = log_in(opened, TOKEN)
    assert turned_away.status_code == 429 and int(turned_away.headers["retry-after"]) > 0
    assert log_in(opened, opened.key()).status_code == 303


FOREIGN_TARGETS = (
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/a\\b",
    "javascript:alert(1)",
    "evil.example",
    "/\t/evil.example",
    "/ /evil",
    "/\r\nSet-Cookie: a=b",
    "",
)


@pytest.mark.parametrize("target", FOREIGN_TARGETS)
def test_logging_in_leads_to_no_other_place(opened: Doors, target: str) -> None:
    assert own_path(target) == "/"
    answer = log_in(opened, opened.key(), target)
    assert answer.headers["location"] == "/"


def test_who_is_logged_in_is_led_on_and_logging_out_forgets_the_key(opened: Doors) -> None:
    log_in(opened, opened.key())
    assert opened.client.get("/login?next=/library").headers["location"] == "/library"
    out = opened.client.post("/logout")
    assert (out.status_code, out.headers["location"]) == (303, "/")
    assert opened.client.get("/login").status_code == 200
    assert opened.client.post("/api/ask", json=QUESTION).status_code == 401


def test_a_link_from_another_site_comes_through_on_the_second_step(opened: Doors) -> None:
    """The browser keeps the cookie back from a request that another site began; the next one is our own."""
    away = opened.client.get("/login?next=/%3Fq%3DHej", headers={"Sec-Fetch-Site": "cross-site"})
    assert '<meta http-equiv="refresh" content="0; url=/login?next=%2F%3Fq%3DHej">' in away.text
    here = opened.client.get("/login?next=/%3Fq%3DHej", headers={"Sec-Fetch-Site": "same-origin"})
    assert "<form" in here.text


def test_a_stale_cookie_is_forgotten_and_counts_as_one_wrong_key(opened: Doors) -> None:
    opened.client.cookies.set("ankare_key", "ank_00000000_x", domain="testserver.local")
    assert [opened.client.get("/login").status_code for _ in range(15)] == [200] * 15
    assert not opened.client.cookies


def test_without_keys_and_token_there_is_nothing_to_log_in_to(tmp_path: Path) -> None:
    with doors(tmp_path) as bare:
        assert bare.client.get("/login").status_code == 404
        assert bare.client.post("/login").status_code == 404
        assert bare.client.post("/logout").status_code == 404


FOREIGN = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://testserver:8080"},
    {"Origin": "http://testserver.evil.example"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver"},
)
OWN = (
    {},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "http://testserver"},
    {"Origin": "https://testserver"},
    {"Origin": "https://public.example", "X-Forwarded-Host": "public.example"},
)


def assert_foreign_pages_are_refused(opened: Doors) -> None:
    log_in(opened, opened.key())
    for headers in FOREIGN:
        assert opened.client.post("/api/ask", json=QUESTION, headers=headers).status_code == 403, headers
        assert log_in(opened, TOKEN, **headers).status_code == 403, headers
        assert opened.client.post("/logout", headers=headers).status_code == 403, headers
        assert opened.client.delete("/api/admin/documents/d1", headers=headers).status_code == 403, headers


def test_another_sites_page_can_do_nothing_in_its_visitors_name(opened: Doors) -> None:
    assert_foreign_pages_are_refused(opened)


def test_a_lock_that_looks_at_nothing_would_be_found_out(opened: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "refuse_foreign", lambda scope: None)
    with pytest.raises(AssertionError):
        assert_foreign_pages_are_refused(opened)


@pytest.mark.parametrize("headers", OWN)
def test_our_own_page_is_not_taken_for_another(opened: Doors, headers: dict[str, str]) -> None:
    log_in(opened, opened.key())
    assert opened.client.post("/api/ask", json=QUESTION, headers=headers).status_code == 200


def test_a_forwarded_host_is_believed_of_a_trusted_proxy_only() -> None:
    headers = [(b"host", b"inner"), (b"origin", b"https://evil.example"), (b"x-forwarded-host", b"evil.example")]
    assert is_foreign({"headers": headers})


def test_a_key_in_a_header_needs_no_such_lock(opened: Doors) -> None:
    assert opened.ask(opened.key(), Origin="https://a.example").status_code == 200
