"""Spans of a request, its question, steps and calls of models: right names, one trace, no word of anybody, no cost when off."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

pytest.importorskip("opentelemetry.sdk")

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
from opentelemetry.semconv.attributes import error_attributes, http_attributes, server_attributes, url_attributes
from opentelemetry.trace import SpanKind, StatusCode

from ankare import wiring
from ankare.domain.tracing import _NOTHING, Kind, span
from ankare.errors import MissingExtraError, ProviderError
from ankare.llm.scripted import ScriptedProvider
from ankare.service.app import create_app
from ankare.service.watch import spans
from ankare.service.watch.redaction import Redaction
from ankare.service.watch.spans import OtelTracer, open_tracer
from ankare.settings import Settings
from tests.channels.scripted_agents import DECIDES, GOOD, QUESTION, build_home
from tests.service.scripted import ScriptedEngine, ScriptedShelf

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
AGENTIC = {"question": QUESTION, "enable_agentic_rag": True}
KEY = "sk-own-key-of-the-service"
CONVENTIONS = {
    getattr(module, name)
    for module in (gen_ai_attributes, http_attributes, url_attributes, server_attributes, error_attributes)
    for name in dir(module)
    if name.isupper() and isinstance(getattr(module, name), str)
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_home(tmp_path_factory.mktemp("traced")).path


@contextmanager
def traced(home: Path, script: Sequence[Any], **given: Any) -> Iterator[tuple[TestClient, InMemorySpanExporter]]:
    """A service whose model follows a script and whose spans are kept in memory."""
    kept = InMemorySpanExporter()
    settings = Settings(home=home, semantic=False, llm_provider="mock", revision="r-17", llm_api_key=KEY, **given)
    tracer = OtelTracer(SimpleSpanProcessor(kept), settings.revision, Redaction(settings.secrets, 4000))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wiring, "provider_of", lambda _settings: ScriptedProvider(script))
        app = create_app(settings, page=False, tracer=tracer)
        with TestClient(app, raise_server_exceptions=False) as client:
            client.get("/ready")
            while client.get("/ready").status_code != 200:
                pass
            kept.clear()
            yield client, kept


def by_name(kept: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    return {one.name: one for one in kept.get_finished_spans()}


def told(one: ReadableSpan) -> dict[str, Any]:
    return dict(one.attributes or {})


def said_in(kept: InMemorySpanExporter) -> str:
    """Everything that would leave the process."""
    return "\n".join(one.to_json() for one in kept.get_finished_spans()).casefold()


def test_a_question_is_one_trace_from_the_request_to_the_model(home: Path) -> None:
    with traced(home, GOOD, llm_model="house-model") as (client, kept):
        body = client.post("/api/ask", json=AGENTIC).json()
    found = by_name(kept)
    request, question = found["POST /api/ask"], found["ankare.question"]
    assert {one.context.trace_id for one in found.values()} == {request.context.trace_id}
    assert request.parent is None and request.kind is SpanKind.SERVER
    assert question.parent is not None and question.parent.span_id == request.context.span_id
    assert {"ankare.interpret", "ankare.retrieve", "ankare.relevance", "ankare.grounding"} <= set(found)
    assert told(question)["ankare.answer_id"] == body["answer_id"]
    wanted = {"outcome": "answered", "route": "narrative", "origin": "agent2_reviewed", "revision": "r-17"}
    assert {f"ankare.{name}": value for name, value in wanted.items()}.items() <= told(question).items()
    assert told(question)["ankare.index_version"] == body["index_version"]
    assert request.resource.attributes["ankare.revision"] == "r-17"
    assert request.resource.attributes["service.name"] == "ankare"


def test_a_call_of_a_model_is_told_by_the_names_for_generative_ai(home: Path) -> None:
    with traced(home, GOOD, llm_model="house-model") as (client, kept):
        client.post("/api/ask", json=AGENTIC)
    calls = [one for one in kept.get_finished_spans() if one.kind is SpanKind.CLIENT]
    assert {one.name for one in calls} == {"chat house-model"}
    assert [told(one)["gen_ai.agent.name"] for one in calls] == [
        "retrieval_rewrite",
        "evidence_answer",
        "grounded_review",
    ]
    draft = told(calls[1])
    assert (draft["gen_ai.operation.name"], draft["gen_ai.request.model"]) == ("chat", "house-model")
    assert (draft["gen_ai.usage.input_tokens"], draft["gen_ai.usage.output_tokens"]) == (100, 20)
    assert draft["gen_ai.response.finish_reasons"] == ("stop",)
    assert draft["gen_ai.provider.name"] == "openai"


def test_every_name_is_one_of_the_conventions_or_ours(home: Path) -> None:
    with traced(home, GOOD) as (client, kept):
        client.post("/api/ask", json=AGENTIC)
    names = {name for one in kept.get_finished_spans() for name in told(one)}
    assert {name for name in names if not name.startswith("ankare.")} - CONVENTIONS == set()
    assert len(names & CONVENTIONS) > 10


def test_a_call_that_fails_is_told_by_its_kind(home: Path) -> None:
    trouble = ProviderError("The service at secret.example said something.", kind="rate_limited", status=429)
    with traced(home, [trouble] * 4) as (client, kept):
        client.post("/api/ask", json=AGENTIC)
    call = next(one for one in kept.get_finished_spans() if one.kind is SpanKind.CLIENT)
    assert told(call)["error.type"] == "rate_limited"
    assert call.status.status_code is StatusCode.ERROR
    assert call.events == () and "secret.example" not in said_in(kept)


WORDS = ("styrgruppen", "beslutar om", QUESTION.casefold(), DECIDES.casefold())


def test_no_word_of_anybody_leaves_in_a_span(home: Path) -> None:
    with traced(home, GOOD) as (client, kept):
        client.post("/api/ask?q=hemlig", json=AGENTIC)
        client.get("/hemlig/adress?nyckel=hemlig")
    assert [word for word in (*WORDS, "hemlig", KEY) if word in said_in(kept)] == []
    assert by_name(kept)["GET unknown"].attributes


def test_saboteur_words_are_found_where_texts_are_asked_for(home: Path) -> None:
    with traced(home, GOOD, log_texts=True) as (client, kept):
        client.post("/api/ask", json=AGENTIC)
    assert [word for word in WORDS if word not in said_in(kept)] == []


def test_no_key_leaves_in_a_span_with_texts(home: Path) -> None:
    with traced(home, GOOD, log_texts=True) as (client, kept):
        client.post("/api/ask", json={"question": f"{QUESTION} {KEY}"})
    assert KEY not in said_in(kept)
    assert "***" in said_in(kept)


@pytest.mark.parametrize("sampled", ["01", "00"])
def test_the_trace_of_the_caller_goes_on(home: Path, sampled: str) -> None:
    with traced(home, GOOD) as (client, kept):
        header = {"traceparent": f"00-{TRACE}-{PARENT}-{sampled}"}
        answer = client.post("/api/ask", json={"question": QUESTION}, headers=header)
    assert answer.headers["x-request-id"] == TRACE
    found = kept.get_finished_spans()
    assert bool(found) is (sampled == "01")  # who began the trace has decided whether it is kept
    for one in found:
        assert f"{one.context.trace_id:032x}" == TRACE


def test_a_fault_fails_the_request_and_tells_no_message(tmp_path: Path) -> None:
    class Faulty(ScriptedEngine):
        def ask(self, question: str, **given: object) -> Any:
            raise RuntimeError("secret detail")

    kept = InMemorySpanExporter()
    tracer = OtelTracer(SimpleSpanProcessor(kept), "r", Redaction((), 4000))
    app = create_app(Settings(home=tmp_path), Faulty(), ScriptedShelf(tmp_path), page=False, tracer=tracer)
    TestClient(app, raise_server_exceptions=False).post("/api/ask", json={"question": "Hej?"})
    found = by_name(kept)
    assert told(found["POST /api/ask"])["http.response.status_code"] == 500
    assert told(found["POST /api/ask"])["error.type"] == "500"
    assert told(found["ankare.question"])["error.type"] == "RuntimeError"
    assert (told(found["ankare.question"])["ankare.outcome"], told(found["ankare.question"])["ankare.reason"]) == (
        "error",
        "500",
    )
    assert "secret" not in said_in(kept)


# Sent for real.


class Collector(BaseHTTPRequestHandler):
    """Takes what an exporter sends."""

    sent: list[tuple[str, str, bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.sent.append((self.path, self.headers["content-type"], body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Not to standard error."""


def sent_by(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, bytes]]:
    """What a service with these settings sends to the collector that the environment names."""
    handler = type("Handler", (Collector,), {"sent": []})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        app = create_app(settings, ScriptedEngine(), ScriptedShelf(settings.home), page=False)
        with TestClient(app) as client:
            client.post("/api/ask", json={"question": "Vilka etapper finns?"})
        server.shutdown()
    return list(handler.sent)


@pytest.mark.parametrize("own", ["true", "false"])
def test_nothing_is_sent_unless_it_is_asked_for_not_by_the_framework_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str
) -> None:
    monkeypatch.setenv("FASTAPI_OTEL_AUTO_CONFIGURE", own)
    assert sent_by(Settings(home=tmp_path), monkeypatch) == []


def test_spans_arrive_where_the_standard_variables_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    monkeypatch.setenv("OTEL_SERVICE_NAME", "our-ankare")
    path, kind, body = sent_by(Settings(home=tmp_path, otel=True, revision="r-17"), monkeypatch)[0]
    assert (path, kind) == ("/v1/traces", "application/x-protobuf")
    (resource,) = ExportTraceServiceRequest.FromString(body).resource_spans
    held = {one.key: one.value.string_value for one in resource.resource.attributes}
    assert (held["service.name"], held["ankare.revision"]) == ("our-ankare", "r-17")
    names = {one.name for scope in resource.scope_spans for one in scope.spans}
    assert {"POST /api/ask", "ankare.question"} <= names


# Off.


def test_nothing_is_traced_unless_it_is_asked_for(tmp_path: Path) -> None:
    assert open_tracer(Settings(home=tmp_path)) is None
    assert span("ankare.x", {"a": 1}, Kind.CLIENT) is _NOTHING
    with span("ankare.x") as nobody:
        nobody.note({"a": 1})


def test_without_the_extra_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans, "NEEDED", ("opentelemetry.not_there.at_all",))
    with pytest.raises(MissingExtraError, match=r"ankare\[otel\]"):
        open_tracer(Settings(home=tmp_path, otel=True))


def test_the_core_does_not_import_opentelemetry() -> None:
    code = (
        "import sys, ankare, ankare.wiring, ankare.cite.body, ankare.ingest.run\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
