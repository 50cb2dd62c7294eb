"""A body says each thing once, and no page of another site can ask in its visitor's name."""

from __future__ import annotations

import pytest
from fastapi import Request

from ankare.service.api import request_body
from ankare.service.turnstile import Turnstile
from tests.service.conftest import Service

BODY = b'{"question": "Vilka etapper finns?"}'
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "")
"""All that a page can send to another site without asking first."""
FOREIGN = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://["},
)

TWICE = {
    "the question": (b'{"question": "a?", "question": "b?"}', "question"),
    "a flag": (b'{"question": "a?", "debug_mode": true, "debug_mode": false}', "debug_mode"),
    "what is ignored": (b'{"question": "a?", "x": 1, "x": 1}', "x"),
    "deeper": (b'{"question": "a?", "x": [{"y": 1, "y": 2}]}', "y"),
    "written otherwise": (b'{"question": "a?", "\\u0071uestion": "b?"}', "question"),
}


@pytest.mark.parametrize(("body", "name"), TWICE.values(), ids=TWICE.keys())
def test_a_name_that_stands_twice_is_told(service: Service, body: bytes, name: str) -> None:
    answer = service.client.post("/api/ask", content=body)
    assert answer.status_code == 400
    assert answer.json()["field"] == name
    assert service.engine.asked == []


def test_in_a_chat_too(service: Service) -> None:
    body = b'{"model": "ankare", "messages": [{"role": "user", "content": "a?", "content": "b?"}]}'
    answer = service.client.post("/v1/chat/completions", content=body)
    assert (answer.status_code, answer.json()["error"]["param"]) == (400, "content")


@pytest.mark.parametrize("path", ["/api/ask", "/api/search", "/api/understand", "/v1/chat/completions"])
@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("foreign", FOREIGN)
def test_a_form_of_another_site_is_not_read(service: Service, path: str, kind: str, foreign: dict[str, str]) -> None:
    answer = service.client.post(path, content=BODY, headers={"Content-Type": kind, **foreign})
    assert answer.status_code == 415
    assert service.engine.asked == []


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("own", [{}, {"Sec-Fetch-Site": "same-origin"}, {"Origin": "http://testserver"}])
def test_whoever_only_says_the_type_wrongly_is_understood(service: Service, kind: str, own: dict[str, str]) -> None:
    answer = service.client.post("/api/ask", content=BODY, headers={"Content-Type": kind, **own})
    assert answer.status_code == 200


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "application/ld+json"])
def test_for_json_the_browser_has_asked_first(service: Service, kind: str) -> None:
    headers = {"Content-Type": kind, "Origin": "https://other.example"}
    assert service.client.post("/api/ask", content=BODY, headers=headers).status_code == 200


def test_without_the_look_at_the_type_the_form_would_be_read(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    def lets_all_in(request: Request) -> None:
        """The saboteur."""

    monkeypatch.setattr(request_body, "refuse_foreign_forms", lets_all_in)
    with pytest.raises(AssertionError):
        test_a_form_of_another_site_is_not_read(service, "/api/ask", FORMS[0], FOREIGN[0])


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/ask", {"question": "Hej?"}),
        (
            "/v1/chat/completions",
            {"model": "ankare", "messages": [{"role": "user", "content": "Hej?"}], "stream": True},
        ),
    ],
)
def test_what_goes_wrong_before_a_stream_begins_has_its_own_status(
    service: Service, path: str, body: dict[str, object]
) -> None:
    streamed = {"Accept": "text/event-stream"}
    assert service.client.post(path, json=body, headers=streamed).headers["content-type"].startswith(streamed["Accept"])
    assert service.client.post(path, json={**body, "language": "xx"}, headers=streamed).status_code == 400
    service.app.state.desk.turnstile = Turnstile(1, service.app.state.desk.measures)
    with service.app.state.desk.turnstile:
        turned_away = service.client.post(path, json=body, headers=streamed)
    assert turned_away.status_code == 503
    assert int(turned_away.headers["retry-after"]) >= 1
