"""The agent chain over HTTP: flags, metadata, refused keys, the shadow, logs, streams and clients that go away."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from ankare import wiring
from ankare.errors import ProviderServiceError
from ankare.llm.faults import fault
from ankare.llm.scripted import ScriptedProvider
from ankare.service.api.schemas import AskResponse
from ankare.service.api.stream import pieces
from ankare.service.app import create_app
from ankare.service.watch.usage_log import MAX_RAW
from ankare.settings import Settings
from tests.channels.scripted_agents import (
    DECIDES,
    GOOD,
    INVENTED,
    OFF_TOPIC,
    QUESTION,
    build_home,
    cites,
    review,
    rewrite,
    said,
)

AGENTIC = {"question": QUESTION, "enable_agentic_rag": True}
QUOTA = ProviderServiceError("The quota is used up.", kind="quota", status=402)
DENIED = ProviderServiceError("The key is not accepted.", kind="auth", status=401)
CUT = '{"answer": "Styrgruppen beslutar om budg'
ITS_OWN = ("answer_id", "agentic_pipeline", "timing_ms", "timings_ms")
"""What may differ between the control path and an answer with a shadow."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_home(tmp_path_factory.mktemp("served")).path


@contextmanager
def serving(home: Path, script: Sequence[Any] | None, **given: Any) -> Iterator[tuple[TestClient, ScriptedProvider]]:
    """A service whose model follows a script; None is a service without a model."""
    provider = ScriptedProvider(script or ())
    with pytest.MonkeyPatch.context() as patch:
        if script is not None:
            given.setdefault("llm_provider", "mock")
            patch.setattr(wiring, "provider_of", lambda _settings: provider)
        app = create_app(Settings(home=home, semantic=False, **given), page=False)
        with TestClient(app, raise_server_exceptions=False) as client:
            yield client, provider


def ask(client: TestClient, body: dict[str, Any], query: str = "") -> dict[str, Any]:
    answer = client.post("/api/ask" + query, json=body)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    AskResponse.model_validate(told, extra="forbid")
    return dict(told)


def the_answer(body: dict[str, Any]) -> str:
    return json.dumps({key: value for key, value in body.items() if key not in ITS_OWN})


def test_a_reviewed_answer_carries_all_that_clients_know(home: Path) -> None:
    with serving(home, GOOD, llm_model="house-model") as (client, _):
        body = ask(client, AGENTIC)
    assert body["answer_markdown"].startswith(DECIDES)
    assert (body["answer_origin"], body["model"]) == ("agent2_reviewed", "house-model")
    assert [source["source"] for source in body["sources"]] == ["plan.md"]
    assert body["claims"][0]["evidence"][0]["text"] == DECIDES
    assert body["llm_usage"]["total_tokens"] == 360
    assert body["llm_usage"]["agents"]["agent2"]["total_tokens"] == 120
    told = body["agentic_pipeline"]
    assert (told["review_status"], told["final_status"], told["fallback_reason"]) == ("approved", "approved", None)
    assert [(run["agent"], run["role"], run["status"]) for run in told["agents"]] == [
        ("agent1", "retrieval_rewrite", "ok"),
        ("agent2", "evidence_answer", "ok"),
        ("agent3", "grounded_review", "approved"),
    ]
    assert told["retrieval_query_count"] == len(told["retrieval_queries"]) == 2
    assert told["accepted_rewrites"] == [{"query": "beslut om budget", "purpose": "synonym"}]
    assert told["grounding"]["sentences"][0]["evidence"][0]["chunk_id"] in told["context_chunk_ids"]
    assert set(told["usage"]) == {
        "prompt_tokens",
        "completion_tokens",
        "total_tokens",
        "calls",
        "calls_without_usage",
        "complete",
    }


def test_whoever_asks_for_details_sees_what_the_draft_was_written_from(home: Path) -> None:
    with serving(home, GOOD) as (client, _):
        told = ask(client, {**AGENTIC, "debug_mode": True})["agentic_pipeline"]
    assert [passage["chunk_id"] for passage in told["context"]] == told["context_chunk_ids"]
    assert DECIDES in told["context"][0]["text"]
    assert (told["context"][0]["source"], told["context"][0]["pages"]) == ("plan.md", [1])
    with serving(home, GOOD) as (client, _):
        assert ask(client, AGENTIC)["agentic_pipeline"]["context"] is None


def test_only_one_list_of_sources_is_shown_whatever_the_model_wrote(home: Path) -> None:
    for heading in ("**Källor**", "## Källor", "Källor:", "Sources:"):
        script = (rewrite(), cites(DECIDES, f"{DECIDES}\n\n{heading}\n- plan.md, s. 1"), review())
        with serving(home, script) as (client, _):
            body = ask(client, AGENTIC)
        assert body["answer_origin"] == "agent2_reviewed"
        assert body["answer_markdown"].count("Källor") == 1
        assert "Sources" not in body["answer_markdown"]


@pytest.mark.parametrize("script", [(*GOOD[:1], said(CUT)), (rewrite(), cites(DECIDES, INVENTED), review())])
def test_a_fallback_is_the_answer_of_the_control_path_and_says_so(home: Path, script: tuple[Any, ...]) -> None:
    with serving(home, script) as (client, _):
        control = ask(client, {"question": QUESTION})
        body = ask(client, AGENTIC)
    for field in ("answer_markdown", "sources", "claims", "homepage_links", "retrieval"):
        assert body[field] == control[field]
    assert (body["answer_origin"], body["model"]) == ("fallback", "none")
    assert body["agentic_pipeline"]["agentic_fallback_retrieval_used"]
    assert INVENTED not in json.dumps(body, ensure_ascii=False)


def test_what_is_not_supported_stands_nowhere_in_the_answer(home: Path) -> None:
    link = "https://evil.example/?q=budget"
    script = (rewrite(), cites(DECIDES, f"{DECIDES} Se {link} och <img src=x>."), review())
    with serving(home, script, agentic_rag_log_contracts=True) as (client, _):
        answer = client.post("/api/ask", json=AGENTIC)
    assert answer.json()["answer_origin"] == "fallback"
    assert "evil.example" not in answer.text
    assert "<img" not in answer.text


def test_an_off_topic_question_asks_no_model(home: Path) -> None:
    with serving(home, ()) as (client, provider):
        body = ask(client, {**AGENTIC, "question": OFF_TOPIC})
    assert (body["answered"], body["sources"], body["homepage_links"]) == (False, [], [])
    assert body["agentic_pipeline"]["fallback_reason"] == "thin_evidence"
    assert (body["agentic_pipeline"]["agents"], provider.calls) == ([], ())


@pytest.mark.parametrize(
    ("environment", "url", "body", "runs"),
    [
        (False, "", None, False),
        (True, "", None, True),
        (False, "?enable_agentic_rag=true", None, True),
        (True, "?enable_agentic_rag=false", None, False),
        (False, "?enable_agentic_rag=true", False, False),
        (True, "?enable_agentic_rag=false", True, True),
    ],
)
def test_the_body_goes_before_the_url_and_the_url_before_the_environment(
    home: Path, environment: bool, url: str, body: bool | None, runs: bool
) -> None:
    given = {"question": QUESTION} | ({} if body is None else {"enable_agentic_rag": body})
    with serving(home, GOOD, enable_agentic_rag=environment) as (client, provider):
        told = ask(client, given, url)["agentic_pipeline"]
    assert bool(provider.calls) is runs
    assert told["enabled"] is runs
    assert told["final_status"] == ("approved" if runs else "not_run")


def test_a_synthesis_is_told_as_one(home: Path) -> None:
    with serving(home, (cites(DECIDES, DECIDES, agent="synthesis"),)) as (client, _):
        body = ask(client, {"question": QUESTION, "enable_synthesis": True})
    assert (body["answer_origin"], body["agentic_pipeline"]["agents"][0]["agent"]) == ("synthesis", "synthesis")
    assert body["agentic_pipeline"]["enabled"] is False


# A refused key or quota is a 503, and never an answer.


@pytest.mark.parametrize(("error", "code"), [(QUOTA, "model-quota"), (DENIED, "model-auth")])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_refused_key_or_quota_is_a_503_and_no_answer(home: Path, error: Exception, code: str, place: int) -> None:
    with serving(home, [*GOOD[:place], error, *GOOD]) as (client, provider):
        answer = client.post("/api/ask", json=AGENTIC)
    assert (answer.status_code, answer.headers["content-type"]) == (503, "application/problem+json")
    assert "answer_markdown" not in answer.json()
    assert (answer.json()["type"], answer.json()["code"]) == (f"/problems/{code}", code)
    assert len(provider.calls) == place + 1


def test_a_refusal_of_the_models_service_is_told_to_the_log_with_its_place_and_to_the_user_without(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    refused = fault("model.internal:8443", "answered 402", "quota", 402)
    with serving(home, [refused]) as (client, _):
        told = client.post("/api/ask", json=AGENTIC).json()
    assert "model.internal" not in json.dumps(told)
    assert "Top up" not in told["detail"]
    assert "model.internal:8443 answered 402" in caplog.text


@pytest.mark.parametrize("way", ["enable_agentic_rag", "enable_synthesis"])
def test_a_model_that_does_not_answer_is_told_to_the_log_once(
    home: Path, caplog: pytest.LogCaptureFixture, way: str
) -> None:
    broken = fault("model.internal:8443", "answered 503", "server", 503)
    with serving(home, [broken] * 9) as (client, _):
        body = ask(client, {"question": QUESTION, way: True})
    assert caplog.text.count("model.internal:8443 answered 503") == 1
    assert "server, status 503" in caplog.text
    assert body["agentic_pipeline"]["warnings"][-1].endswith("no reply (server, status 503)")
    assert "model.internal" not in json.dumps(body)


def test_a_refusal_in_the_shadow_is_told_to_the_log_once(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    refused = fault("model.internal:8443", "answered 402", "quota", 402)
    with serving(home, [refused], agentic_rag_mode="shadow") as (client, _):
        ask(client, AGENTIC)
    assert caplog.text.count("model.internal:8443 answered 402") == 1


def test_an_answer_that_every_model_had_its_part_in_has_no_warning(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(home, GOOD) as (client, _):
        assert ask(client, AGENTIC)["agentic_pipeline"]["warnings"] == []
    assert not [record for record in caplog.records if record.name == "ankare.service"]


def test_a_refused_quota_ends_a_synthesis_with_503(home: Path) -> None:
    with serving(home, [QUOTA]) as (client, _):
        assert client.post("/api/ask", json={"question": QUESTION, "enable_synthesis": True}).status_code == 503


# The shadow leaves the answer alone.


@pytest.mark.parametrize(
    "script",
    [GOOD, (rewrite(), said(CUT)), (QUOTA,), (rewrite(), DENIED), (rewrite(), cites(DECIDES, INVENTED), review())],
)
@pytest.mark.parametrize("question", [QUESTION, OFF_TOPIC])
def test_in_shadow_mode_the_answer_is_byte_for_byte_that_of_the_control_path(
    home: Path, script: tuple[Any, ...], question: str
) -> None:
    with serving(home, script, agentic_rag_mode="shadow") as (client, _):
        control = ask(client, {"question": question})
        shadowed = ask(client, {"question": question, "enable_agentic_rag": True})
    assert the_answer(shadowed) == the_answer(control)
    assert shadowed["agentic_pipeline"]["mode"] == "shadow"


def test_a_shadow_tells_its_states_and_never_its_text(home: Path) -> None:
    script = (rewrite(), cites("Budgeten följs upp", "Budgeten följs upp varje kvartal."), review())
    with serving(home, script, agentic_rag_mode="shadow") as (client, _):
        body = ask(client, AGENTIC)
    told = body["agentic_pipeline"]
    assert (told["final_status"], told["answer_origin"], body["answer_origin"]) == (
        "approved",
        "agent2_reviewed",
        "extractive",
    )
    assert told["shadow"]["answered"]
    assert told["shadow"]["sources"] == [{"source": "ekonomi.md", "pages": [1]}]
    assert "varje kvartal" not in json.dumps(told, ensure_ascii=False)


def test_a_shadow_is_logged_with_what_the_chain_would_have_changed(home: Path, tmp_path: Path) -> None:
    script = (rewrite(), cites("Budgeten följs upp", "Budgeten följs upp varje kvartal."), review())
    with serving(home, script, agentic_rag_mode="shadow", log_dir=tmp_path, log_texts=True) as (client, _):
        body = ask(client, AGENTIC)
    (line,) = [json.loads(text) for text in (tmp_path / "shadow.jsonl").read_text("utf-8").splitlines()]
    assert line["question"] == QUESTION
    assert line["control"]["answer"] in body["answer_markdown"]
    assert "varje kvartal" in line["shadow"]["answer"]
    assert line["differences"]["sources_added"] == ["ekonomi.md#page=1"]
    assert line["differences"]["same_text"] is False
    assert line["pipeline"]["final_status"] == "approved"
    assert [run["agent"] for run in line["pipeline"]["agents"]] == ["agent1", "agent2", "agent3"]


def test_a_refused_quota_in_the_shadow_is_logged(home: Path, tmp_path: Path) -> None:
    with serving(home, (QUOTA,), agentic_rag_mode="shadow", log_dir=tmp_path) as (client, _):
        body = ask(client, AGENTIC)
    (line,) = [json.loads(text) for text in (tmp_path / "shadow.jsonl").read_text("utf-8").splitlines()]
    assert line["pipeline"]["fallback_reason"] == "quota"
    assert line["control"]["answered"] is True
    assert line["shadow"]["answered"] is None
    assert line["differences"] is None
    assert body["agentic_pipeline"]["shadow"]["answered"] is None


# Replies that broke their contract are kept for the log alone.


@pytest.mark.parametrize("kept", [True, False])
def test_broken_replies_are_logged_where_that_is_wanted_and_never_told(home: Path, tmp_path: Path, kept: bool) -> None:
    script = (rewrite("beslut om budget"), said(CUT, finish_reason="length"))
    with serving(home, script, agentic_rag_log_contracts=kept, log_dir=tmp_path) as (client, _):
        answer = client.post("/api/ask", json=AGENTIC)
    assert CUT not in answer.text
    file = tmp_path / "contracts.jsonl"
    assert file.exists() is kept
    if kept:
        line = json.loads(file.read_text("utf-8"))
        assert (line["kind"], line["agent"], line["raw"]) == ("contract", "agent2", CUT)
        assert line["finish_reason"] == "length"
        assert line["suspected_truncation"]


@pytest.mark.parametrize(
    ("told", "logged"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("content_filter", "content_filter"),
        ("STOP", "other"),
        ("sk-secret-key\n{}", "other"),
        ("stop " * 200_000, "other"),
    ],
)
def test_what_a_service_calls_its_endings_is_neither_logged_nor_told(
    home: Path, tmp_path: Path, told: str, logged: str
) -> None:
    hostile = replace(said(CUT, finish_reason=told), model="sk-secret-key " * 1000)
    with serving(home, (rewrite("beslut om budget"), hostile), agentic_rag_log_contracts=True, log_dir=tmp_path) as (
        client,
        _,
    ):
        body = ask(client, AGENTIC)
    assert body["agentic_pipeline"]["agents"][1]["finish_reason"] == logged
    (line,) = (tmp_path / "contracts.jsonl").read_text("utf-8").splitlines()
    assert json.loads(line)["finish_reason"] == logged
    logs = "".join(file.read_text("utf-8") for file in tmp_path.iterdir())
    assert "sk-secret-key" not in logs
    assert len(logs) < 20_000


@pytest.mark.parametrize("mode", ["reviewed_answer", "shadow"])
@pytest.mark.parametrize("kept", [True, False])
def test_sentences_that_the_gate_blocked_are_logged_where_that_is_wanted_and_never_told(
    home: Path, tmp_path: Path, kept: bool, mode: str
) -> None:
    script = (rewrite("beslut om budget"), cites(DECIDES, f"{DECIDES} {INVENTED}"), review())
    given = {"agentic_rag_log_contracts": kept, "agentic_rag_mode": mode, "log_dir": tmp_path}
    with serving(home, script, **given) as (client, _):
        answer = client.post("/api/ask", json=AGENTIC)
    assert INVENTED not in answer.text
    file = tmp_path / "contracts.jsonl"
    assert file.exists() is kept
    if kept:
        line = json.loads(file.read_text("utf-8"))
        assert (line["kind"], line["question"], line["fallback_reason"]) == (
            "grounding",
            QUESTION,
            "agent2_grounding_failed",
        )
        (blocked,) = line["sentences"]
        assert blocked["text"] == INVENTED
        assert blocked["reason"] == line["reason"]
        assert set(blocked) == {"text", "reason", "detail", "score"}


def test_a_text_that_passed_is_not_logged_among_the_blocked(home: Path, tmp_path: Path) -> None:
    with serving(home, GOOD, agentic_rag_log_contracts=True, log_dir=tmp_path) as (client, _):
        ask(client, AGENTIC)
    assert not (tmp_path / "contracts.jsonl").exists()


def test_a_key_that_a_model_repeats_is_in_no_log(home: Path, tmp_path: Path) -> None:
    script = (rewrite("beslut om budget"), said(f"{CUT} sk-own-key Authorization: Bearer sk-other-key"))
    given = {"agentic_rag_log_contracts": True, "log_dir": tmp_path, "llm_api_key": "sk-own-key"}
    with serving(home, script, **given) as (client, _):
        ask(client, AGENTIC)
    (line,) = (tmp_path / "contracts.jsonl").read_text("utf-8").splitlines()
    assert json.loads(line)["raw"] == f"{CUT} *** Authorization: Bearer ***"


def test_of_an_endless_reply_only_the_beginning_is_kept(home: Path, tmp_path: Path) -> None:
    script = (rewrite("beslut om budget"), said("Utan slut. " * 100_000))
    with serving(home, script, agentic_rag_log_contracts=True, log_dir=tmp_path) as (client, _):
        ask(client, AGENTIC)
    assert len(json.loads((tmp_path / "contracts.jsonl").read_text("utf-8"))["raw"]) == MAX_RAW


def test_the_usage_log_tells_what_agents_did(home: Path, tmp_path: Path) -> None:
    with serving(home, GOOD, log_dir=tmp_path) as (client, _):
        ask(client, AGENTIC)
    line = json.loads((tmp_path / "usage.jsonl").read_text("utf-8"))
    assert line["agentic"]["final_status"] == "approved"
    assert line["llm_usage"]["total_tokens"] == 360


# Readiness.


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({}, 200),
        ({"enable_agentic_rag": True}, 503),
        ({"enable_llm_synthesis": True}, 503),
        ({"enable_agentic_rag": True, "agentic_rag_mode": "off"}, 200),
        ({"enable_agentic_rag": True, "llm_provider": "mock"}, 200),
    ],
)
def test_a_service_that_is_to_use_a_model_is_ready_once_there_is_one(
    home: Path, given: dict[str, Any], status: int
) -> None:
    with serving(home, () if "llm_provider" in given else None, **given) as (client, _):
        client.post("/api/search", json={"query": "budget"})
        answer = client.get("/ready")
        assert client.get("/health").json()["ready"] is (status == 200)
    assert answer.status_code == status
    assert "ANKARE_LLM_BASE_URL" not in answer.text  # that is for the log
    assert status == 200 or answer.json()["code"] == "model-not-configured"


def test_without_a_model_questions_are_still_answered(home: Path) -> None:
    with serving(home, None, enable_agentic_rag=True) as (client, _):
        body = ask(client, {"question": QUESTION})
    assert body["answered"]
    assert body["agentic_pipeline"]["fallback_reason"] == "provider_not_configured"


# Streams: steps as they come, the text once it is finished and judged.


def events(answer: Any) -> list[tuple[str, dict[str, Any]]]:
    found = []
    for block in answer.text.strip().split("\n\n"):
        name, data = block.split("\n", 1)
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def test_a_stream_tells_steps_and_then_the_finished_text(home: Path) -> None:
    with serving(home, GOOD) as (client, _):
        answer = client.post("/api/ask", json=AGENTIC, headers={"Accept": "text/event-stream"})
    told = events(answer)
    names = [name for name, _ in told]
    steps = [data["step"] for name, data in told if name == "step"]
    assert steps[:3] == ["interpret", "retrieve", "relevance"]
    assert steps[-1] == "grounding"
    assert names == ["step"] * len(steps) + ["text"] * names.count("text") + ["answer"]
    body = told[-1][1]
    AskResponse.model_validate(body, extra="forbid")
    assert "".join(data["text"] for name, data in told if name == "text") == body["answer_markdown"]


def test_a_stream_holds_nothing_of_a_draft_that_the_gate_stopped(home: Path) -> None:
    with serving(home, (rewrite(), cites(DECIDES, INVENTED), review())) as (client, _):
        answer = client.post("/api/ask", json=AGENTIC, headers={"Accept": "text/event-stream"})
    assert "miljoner" not in answer.text
    assert events(answer)[-1][1]["answer_origin"] == "fallback"


def test_a_stream_that_cannot_be_answered_ends_in_a_problem(home: Path) -> None:
    with serving(home, (QUOTA,)) as (client, _):
        answer = client.post("/api/ask", json=AGENTIC, headers={"Accept": "text/event-stream"})
    name, data = events(answer)[-1]
    assert (name, data["status"]) == ("problem", 503)
    assert "text" not in {name for name, _ in events(answer)}


@pytest.mark.parametrize("text", ["", "  ", "Ett ord", "x" * 500, "a\n\n- b\n- c  \n", "å ä ö 中国内地 " * 40])
def test_pieces_joined_are_the_text(text: str) -> None:
    assert "".join(pieces(text, 20)) == text
    assert all(pieces(text, 20))


# A client that goes away.


def call_and_leave(app: FastAPI, leave: threading.Event, headers: Sequence[tuple[bytes, bytes]] = ()) -> list[Any]:
    """POST the question, and be gone as soon as `leave` is set. What was sent back."""
    sent: list[Any] = []
    body = [{"type": "http.request", "body": json.dumps(AGENTIC).encode(), "more_body": False}]

    async def receive() -> Any:
        if body:
            return body.pop()
        while not leave.is_set():
            await asyncio.sleep(0.01)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": "POST",
        "path": "/api/ask",
        "raw_path": b"/api/ask",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json"), *headers],
        "scheme": "http",
        "server": ("test", 80),
        "client": ("test", 1),
        "root_path": "",
    }
    asyncio.run(asyncio.wait_for(app(scope, receive, send), 20))
    return sent


@pytest.mark.parametrize("headers", [(), ((b"accept", b"text/event-stream"),)], ids=["whole", "streamed"])
def test_when_the_client_is_gone_no_further_model_is_asked(
    home: Path, monkeypatch: pytest.MonkeyPatch, headers: Sequence[tuple[bytes, bytes]]
) -> None:
    asked, released = threading.Event(), threading.Event()

    def hanging(_messages: object, _tools: object) -> Any:
        asked.set()
        released.wait(20)
        return GOOD[0]

    provider = ScriptedProvider((hanging, *GOOD[1:]))
    monkeypatch.setattr(wiring, "provider_of", lambda _settings: provider)
    app = create_app(Settings(home=home, semantic=False, agentic_rag_timeout_seconds=60), page=False)
    app.state.desk.engine()
    sent = call_and_leave(app, asked, headers)
    released.set()
    assert len(provider.calls) == 1
    assert [message["status"] for message in sent if "status" in message] in ([499], [200])
    assert not any(b"answer_markdown" in message.get("body", b"") for message in sent)
