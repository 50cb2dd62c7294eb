"""Any question gets an answer, a refusal, or a clear 400: never a 500, and never markup that a browser would run."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ankare.service.api.schemas import AskResponse, SearchResponse
from ankare.service.app import create_app
from ankare.settings import Settings
from tests.service.conftest import Service
from tests.service.odd_questions import ODD
from tests.service.scripted import ScriptedEngine, ScriptedShelf

QUESTION = {"question": "Vilka etapper finns?"}
PROBLEM = "application/problem+json"

BAD = {
    "empty": b'{"question": ""}',
    "blank": b'{"question": " \\t\\n\\u00a0 "}',
    "only invisible": '{"question": "\u200b\u2060\\u0000\\u0007"}'.encode(),
    "10 kB": json.dumps({"question": "å" * 10_000}).encode(),
    "lone surrogate": b'{"question": "hej \\ud800 du"}',
    "number": b'{"question": 5}',
    "null": b'{"question": null}',
    "list": b'{"question": ["a"]}',
    "missing": b"{}",
    "not an object": b"[1, 2]",
    "not JSON": b"question=hej",
    "cut JSON": b'{"question": "hej',
    "no body": b"",
    "not UTF-8": b'{"question": "\xff\xfe"}',
    "NaN": b'{"question": NaN}',
    "deep": b'{"question": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    "text flag": b'{"question": "hej", "enable_agentic_rag": "true"}',
    "number flag": b'{"question": "hej", "debug_mode": 1}',
    "no date": b'{"question": "hej", "reference_date": "i morgon"}',
    "no language": b'{"question": "hej", "language": "../../etc"}',
    "unaccepted language": b'{"question": "hej", "language": "xx"}',
}


def test_a_body_that_is_too_large_is_told(service: Service) -> None:
    answer = service.client.post("/api/ask", content=b'{"question": "hej", "x": "' + b"x" * 200_000 + b'"}')
    assert answer.status_code == 413
    assert answer.json()["detail"] == "The body is too large: 100000 bytes are the most."


@pytest.mark.parametrize("body", BAD.values(), ids=BAD.keys())
def test_bad_input_is_told_with_a_clear_400(service: Service, body: bytes) -> None:
    answer = service.client.post("/api/ask", content=body)
    assert answer.status_code == 400
    assert answer.headers["content-type"] == PROBLEM
    told = answer.json()
    assert told["status"] == 400
    assert len(told["detail"]) > 10
    assert service.engine.asked == []


@pytest.mark.parametrize("question", ODD.values(), ids=ODD.keys())
def test_an_odd_question_gets_a_normal_answer(service: Service, question: str) -> None:
    answer = service.client.post("/api/ask", json={"question": question})
    assert answer.status_code == 200
    assert answer.json()["question"] == question


def test_the_answer_has_the_fields_that_clients_know(service: Service) -> None:
    body = service.client.post("/api/ask", json={**QUESTION, "debug_mode": True}).json()
    AskResponse.model_validate(body, extra="forbid")
    assert body["answered"] is True
    assert body["answer_origin"] == "extractive"
    assert body["revision"] == "abc123"
    assert body["index_version"] == "v1"
    assert body["sources"][0]["source"] == "plan å.pdf"
    assert body["sources"][0]["pages"] == [1]
    assert body["agentic_pipeline"]["fallback_reason"] is None


def test_claims_carry_the_text_that_they_stand_on(service: Service) -> None:
    body = service.client.post("/api/ask", json=QUESTION).json()
    texts = {chunk.id: chunk.text for chunk in service.chunks}
    evidence = [piece for claim in body["claims"] for piece in claim["evidence"]]
    assert evidence
    for piece in evidence:
        assert texts[piece["chunk_id"]][piece["start"] : piece["end"]] == piece["text"]
        assert piece["boxes"][0]["page"] in piece["pages"]


def test_a_refusal_has_no_sources(service: Service) -> None:
    body = service.client.post("/api/ask", json={"question": "Det här saknas"}).json()
    assert (body["answered"], body["sources"], body["homepage_links"], body["claims"]) == (False, [], [], [])
    assert "sources/" not in body["answer_markdown"]
    AskResponse.model_validate(body)


def test_no_text_of_a_document_becomes_markup(service: Service) -> None:
    markdown = service.client.post("/api/ask", json=QUESTION).json()["answer_markdown"]
    html = MarkdownIt("commonmark", {"html": True}).render(markdown)
    assert "alert(1)" in html
    for dangerous in ("<script", "<img", "<b>", 'href="javascript', "<code"):
        assert dangerous not in html


@pytest.mark.parametrize(
    ("environment", "url", "body", "expected"),
    [
        (False, "", None, False),
        (True, "", None, True),
        (False, "true", None, True),
        (True, "off", None, False),
        (False, "1", False, False),
        (True, "no", True, True),
    ],
)
def test_the_body_wins_over_the_url_and_the_url_over_the_environment(
    tmp_path: Path, environment: bool, url: str, body: bool | None, expected: bool
) -> None:
    configured = Settings(home=tmp_path, enable_agentic_rag=environment)
    app = create_app(configured, ScriptedEngine(), ScriptedShelf(tmp_path), page=False)
    query = f"?enable_agentic_rag={url}" if url else ""
    given = QUESTION if body is None else {**QUESTION, "enable_agentic_rag": body}
    pipeline = TestClient(app).post("/api/ask" + query, json=given).json()["agentic_pipeline"]
    assert pipeline["enabled"] is expected
    assert pipeline["fallback_reason"] == ("provider_not_configured" if expected else None)


@pytest.mark.parametrize("query", ["enable_agentic_rag=kanske", "enable_synthesis=", "debug_mode=2", "debug=sant"])
def test_an_invalid_boolean_in_the_url_is_400_even_where_the_body_decides(service: Service, query: str) -> None:
    body = {**QUESTION, "enable_agentic_rag": False, "enable_synthesis": False, "debug_mode": False}
    answer = service.client.post("/api/ask?" + query, json=body)
    assert answer.status_code == 400
    assert query.split("=")[0] in answer.json()["detail"]


def test_a_caller_cannot_choose_a_model_or_an_address(service: Service) -> None:
    wishes = {
        "llm_model": "http://127.0.0.1:9/v1",
        "model": "x",
        "base_url": "http://x",
        "api_key": "k",
        "home": "/etc",
    }
    answer = service.client.post("/api/ask", json={**QUESTION, **wishes})
    assert answer.status_code == 200
    assert answer.json()["model"] == "none"
    assert "127.0.0.1" not in answer.text


def test_the_language_reaches_the_engine(service: Service) -> None:
    service.client.post("/api/ask?language=zh", json=QUESTION)
    service.client.post("/api/ask?language=zh", json={**QUESTION, "language": "en"})
    assert [language for _, language in service.engine.asked] == ["zh", "en"]


def test_a_hundred_at_once_are_all_answered(service: Service) -> None:
    with ThreadPoolExecutor(100) as pool:
        answers = list(
            pool.map(lambda n: service.client.post("/api/ask", json={"question": f"Fråga {n}?"}), range(100))
        )
    assert {answer.status_code for answer in answers} == {200}
    assert sorted(answer.json()["question"] for answer in answers) == sorted(f"Fråga {n}?" for n in range(100))


def test_more_than_can_be_answered_are_told_to_come_back(tmp_path: Path) -> None:
    configured = Settings(home=tmp_path, max_in_flight=1, threads=1)
    engine = ScriptedEngine()
    app = create_app(configured, engine, ScriptedShelf(tmp_path), page=False)
    with TestClient(app) as client, ThreadPoolExecutor(2) as pool, engine.held() as release:
        first = pool.submit(client.post, "/api/ask", json=QUESTION)
        engine.wait_for_a_question()
        second = client.post("/api/ask", json=QUESTION)
        release()
        assert first.result().status_code == 200
    assert second.status_code == 503
    assert int(second.headers["retry-after"]) >= 1
    assert second.json()["detail"]


def test_search_gives_the_hits(service: Service) -> None:
    body = service.client.post("/api/search", json={"query": "etapper", "top_k": 2}).json()
    SearchResponse.model_validate(body, extra="forbid")
    assert [hit["chunk_id"] for hit in body["hits"]] == [chunk.id for chunk in service.chunks[:2]]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"query": ""},
        {"query": " "},
        {"query": "a", "top_k": 0},
        {"query": "a", "top_k": 51},
        {"query": "a", "top_k": "8"},
    ],
)
def test_a_bad_search_is_400(service: Service, body: dict[str, object]) -> None:
    assert service.client.post("/api/search", json=body).status_code == 400


def test_questions_are_logged_where_a_folder_is_configured(service: Service, tmp_path: Path) -> None:
    service.client.post("/api/ask", json=QUESTION)
    service.client.post("/api/ask", json={"question": "Det\nsaknas"})
    lines = [json.loads(line) for line in (tmp_path / "log" / "usage.jsonl").read_text("utf-8").splitlines()]
    assert [(line["outcome"], line["reason"]) for line in lines] == [
        ("answered", None),
        ("refused", "subject_not_covered"),
    ]


def test_a_log_that_cannot_be_written_costs_no_answer(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    configured = Settings(home=tmp_path, log_dir=tmp_path / "file" / "log")
    app = create_app(configured, ScriptedEngine(), ScriptedShelf(tmp_path), page=False)
    assert TestClient(app).post("/api/ask", json=QUESTION).status_code == 200


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    ["question", "language", "debug_mode", "enable_agentic_rag", "reference_date", "top_k", "query"]
)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    folder = tmp_path_factory.mktemp("bare")
    app = create_app(Settings(home=folder), ScriptedEngine(), ScriptedShelf(folder), page=False)
    return TestClient(app, raise_server_exceptions=False)


@given(body=st.binary(max_size=60) | st.dictionaries(FIELDS, JSON_VALUES).map(lambda value: json.dumps(value).encode()))
@settings(max_examples=150)
def test_no_body_whatever_is_a_fault(bare: TestClient, body: bytes) -> None:
    for path in ("/api/ask", "/api/search"):
        answer = bare.post(path, content=body)
        assert answer.status_code in (200, 400)
        assert answer.status_code == 200 or answer.json()["detail"]


@given(name=st.sampled_from(["claim", "enable_agentic_rag", "debug", "language"]), value=st.text(max_size=30))
@settings(max_examples=100)
def test_no_parameter_whatever_is_a_fault(bare: TestClient, name: str, value: str) -> None:
    assert bare.post("/api/ask", json=QUESTION, params={name: value}).status_code in (200, 400)
    assert bare.get("/sources/dbdc549e8a4/pages/1.png", params={name: value}).status_code in (200, 400, 404)
    assert bare.get(f"/sources/{quote(value, safe='')}").status_code in (400, 404)
