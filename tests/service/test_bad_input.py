"""Bad input is told in plain words, in the language of the request, with the field and what to write there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from ankare.messages import languages, messages
from ankare.service.api.bad_input import SAME, TABLE, fault_text
from tests.service.doors import Doors, doors

ANSWER = "4b1f0e5c6f0b4f0c9a3f6f0f4f7a2b1c"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with doors(tmp_path_factory.mktemp("bad"), api_keys="optional") as found:
        yield found


def told(opened: Doors, path: str, body: object, language: str) -> dict[str, Any]:
    kind = {"content": body} if isinstance(body, bytes) else {"json": body}
    answer = opened.client.post(path, headers={"Accept-Language": language}, **kind)
    assert answer.status_code == 400, answer.text
    return dict(answer.json())


CASES: list[tuple[str, object, str, str, str]] = [
    ("/api/ask", {"question": ""}, "question", "minst 1", "least is 1"),
    ("/api/ask", {"question": " "}, "question", "det är tomt", "it is blank"),
    ("/api/ask", {"question": "x" * 9000}, "question", "9000 tecken är för många", "9000 characters are too many"),
    ("/api/ask", {}, "question", "måste anges", "is needed"),
    ("/api/ask", {"question": 3}, "question", "text inom citattecken", "text in quotes"),
    ("/api/ask", {"question": "a?", "debug_mode": "ja"}, "debug_mode", "true eller false", "true or false"),
    ("/api/ask", {"question": "a?", "language": "svenska"}, "language", "två små bokstäver", "two small letters"),
    (
        "/api/ask",
        {"question": "a?", "reference_date": "igår"},
        "reference_date",
        "formen 2025-05-20",
        "like 2025-05-20",
    ),
    ("/api/ask", {"question": "a?", "reference_date": "1066-10-14"}, "reference_date", "1950 till", "1950 to"),
    ("/api/ask", [1], "", "klamrar", "braces"),
    ("/api/ask", b"{nej", "", "inte giltig JSON", "not valid JSON"),
    ("/api/search", {"query": "a", "top_k": 0}, "top_k", "minsta är 1", "least is 1"),
    ("/api/search", {"query": "a", "top_k": 99}, "top_k", "största är 50", "most is 50"),
    ("/api/search", {"query": "a", "top_k": 1.5}, "top_k", "heltal", "whole number"),
    ("/api/understand", {"question": "a"}, "previous", "måste anges", "is needed"),
    ("/api/feedback", {"answer_id": "x", "rating": "up"}, "answer_id", "32 tecken", "32 signs"),
    ("/api/feedback", {"answer_id": ANSWER, "rating": "bra"}, "rating", "'up', 'down'", "'up', 'down'"),
    ("/api/feedback", {"answer_id": ANSWER, "rating": "up", "x": 1}, "x", "inget sådant fält", "no such field"),
    ("/api/feedback", {"answer_id": ANSWER, "rating": "up", "comment": "x" * 5000}, "comment", "för lång", "too long"),
]


@pytest.mark.parametrize(("path", "body", "field", "swedish", "english"), CASES)
def test_a_fault_names_its_field_and_what_to_write(
    opened: Doors, path: str, body: object, field: str, swedish: str, english: str
) -> None:
    for language, words in (("sv-SE,sv;q=0.9", swedish), ("en", english), ("fi", english)):
        found = told(opened, path, body, language)
        assert found.get("field", "") == field
        assert words in found["detail"]
        assert found["detail"].startswith(f"{field}:") or not field
        assert not any(pydantic in found["detail"] for pydantic in ("Input should", "String should", "Value error"))


def test_the_language_of_the_body_and_of_the_url_wins(opened: Doors) -> None:
    assert "最小" in told(opened, "/api/search", {"query": "a", "top_k": 0, "language": "zh"}, "sv")["detail"]
    assert "tomt" in told(opened, "/api/ask?language=sv", {"question": " "}, "en")["detail"]
    assert "tomt" in told(opened, "/api/ask", {"question": " ", "language": "sv"}, "en")["detail"]


def test_bad_parameters_of_an_address_are_told_alike(tmp_path: Path) -> None:
    with doors(tmp_path, admin_token="the-token-of-the-administrator") as opened:  # noqa: S106
        sent = {"Authorization": "Bearer the-token-of-the-administrator", "Accept-Language": "sv"}
        found = opened.client.get("/api/admin/feedback?limit=0", headers=sent).json()
    assert (found["status"], found["field"], found["detail"]) == (400, "query.limit", "query.limit: det minsta är 1.")


class Odd(BaseModel):
    when: float


def test_a_fault_that_nobody_foresaw_keeps_its_text() -> None:
    with pytest.raises(ValidationError) as caught:
        Odd(when="aldrig")  # type: ignore[arg-type]
    text, field = fault_text(dict(caught.value.errors()[0]), "sv")
    assert (field, "valid number" in text) == ("when", True)


def test_every_type_that_means_the_same_as_another_has_its_text() -> None:
    for language in languages():
        assert {f"{TABLE}.{kind}" for kind in SAME.values()} <= messages(language).keys()


@pytest.mark.parametrize("text", ["{nej}", "{0}", "} or {", "{"])
def test_what_a_caller_writes_is_never_a_template(text: str) -> None:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(dict[str, int]).validate_python({text: "x"})
    assert text in fault_text(dict(caught.value.errors()[0]), "sv")[0]


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/docs/oauth2-redirect"])
def test_there_is_no_interactive_page(opened: Doors, path: str) -> None:
    """It would load scripts from elsewhere; the guide says where the description is instead."""
    assert opened.client.get(path).status_code == 404
    assert opened.client.get("/openapi.json").json()["openapi"].startswith("3.1")
