"""Each measure that the guide, the dashboard or an alert names is moved by what it says that it counts: by a real request."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ankare import wiring
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.llm.protocol import Usage
from ankare.llm.scripted import ScriptedProvider, completion
from ankare.service.app import create_app
from ankare.settings import Settings
from tests.service.doors import Doors, doors
from tests.service.librarian import opened, pack_of
from tests.service.test_figures_over_http import QUESTION as FIGURE_QUESTION
from tests.service.test_figures_over_http import home as home_with_figures
from tests.service.test_measures import MONITORING, NAMED, queries, values

__all__ = ["home_with_figures"]
GUIDE = MONITORING.parents[1] / "docs/observability.md"


@dataclass(frozen=True)
class Stage:
    """Where a measure is to be moved."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch
    request: pytest.FixtureRequest

    def doors(self, **settings: Any) -> Any:
        return doors(self.folder / "doors", **settings)


Action = Callable[[Stage], str]


def asked(stage: Stage) -> str:
    with stage.doors() as service:
        assert service.ask().json()["answered"]
        return told(service)


def told(service: Doors, **headers: str) -> str:
    return service.client.get("/metrics", headers=headers).text


def turned_away(stage: Stage) -> str:
    with stage.doors(max_in_flight=1) as service, service.engine.held() as go_on:
        asking = threading.Thread(target=service.ask)
        asking.start()
        service.engine.wait_for_a_question()
        assert service.ask().status_code == 503
        go_on()
        asking.join(30)
        return told(service)


def in_vain(stage: Stage) -> str:
    """Nobody waits any more for a question whose work does not look."""
    with stage.doors(request_seconds=0.2) as service, service.engine.held():
        assert service.ask().status_code == 504
        return told(service)


def let_go(stage: Stage) -> str:
    with stage.doors(request_seconds=0.2) as service:
        with service.engine.held():
            assert service.ask().status_code == 504
        deadline = time.monotonic() + 60
        while not sum(values(text := told(service), "ankare_abandoned_seconds_count")):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        return text


def too_often(stage: Stage) -> str:
    with stage.doors(rate_per_minute=2) as service:
        assert [service.ask().status_code for _ in range(3)][-1] == 429
        return service.at("198.51.100.9").get("/metrics").text


def without_a_key(stage: Stage) -> str:
    with stage.doors(api_keys="required") as service:
        assert service.ask().status_code == 401
        return told(service, Authorization=f"Bearer {service.key(admin=True)}")


def thumbs(stage: Stage) -> str:
    with stage.doors() as service:
        answer_id = service.ask().json()["answer_id"]
        said = {"answer_id": answer_id, "rating": "down", "reason": "incomplete"}
        assert service.client.post("/api/feedback", json=said).status_code == 204
        return told(service)


def a_model(stage: Stage) -> str:
    scripted = ScriptedProvider([completion("Jag vet inte.", usage=Usage(100, 20, 120))])
    stage.monkeypatch.setattr(wiring, "provider_of", lambda _settings: scripted)
    with with_figures(stage, figures_tool_loop=True) as client:
        assert client.post("/api/ask", json=FIGURE_QUESTION).status_code == 200
        return client.get("/metrics").text


def no_model(stage: Stage) -> str:
    with with_figures(stage) as client:
        asked = {"question": "Varför minskade vinsten i Kina?", "enable_agentic_rag": True}
        assert client.post("/api/ask", json=asked).status_code == 200
        return client.get("/metrics").text


def an_index(stage: Stage) -> str:
    with with_figures(stage) as client:
        return client.get("/metrics").text


@contextmanager
def with_figures(stage: Stage, **settings: Any) -> Iterator[TestClient]:
    home = stage.request.getfixturevalue("home_with_figures")
    with TestClient(create_app(Settings(home=home, semantic=False, **settings), page=False)) as client:
        yield client


def a_job(stage: Stage) -> str:
    home = stage.folder / "library"
    ingest([pack_of(stage.folder / "pack")], Home(home), workers=1)
    with opened(home) as librarian:
        librarian.done(librarian.post("jobs", {}))
        deadline = time.monotonic() + 60
        while not values(text := librarian.client.get("/metrics").text, "ankare_ingest_jobs_total"):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        return text


MOVED: dict[str, tuple[Action, dict[str, str]]] = {
    "ankare_requests_total": (asked, {"route": "/api/ask", "status": "200"}),
    "ankare_request_seconds": (asked, {"route": "/api/ask"}),
    "ankare_requests_in_flight": (asked, {}),
    "ankare_queue_seconds": (asked, {"crew": "crew"}),
    "ankare_abandoned_work": (in_vain, {}),
    "ankare_abandoned_seconds": (let_go, {"crew": "crew"}),
    "ankare_overloads_total": (turned_away, {}),
    "ankare_rate_limited_total": (too_often, {"by": "address"}),
    "ankare_auth_failures_total": (without_a_key, {"why": "no_key"}),
    "ankare_questions_total": (asked, {"channel": "api", "outcome": "answered"}),
    "ankare_question_seconds": (asked, {"channel": "api"}),
    "ankare_outcomes_total": (asked, {"outcome": "answered"}),
    "ankare_step_seconds": (asked, {"step": "retrieve"}),
    "ankare_answer_sources": (asked, {}),
    "ankare_model_calls_total": (a_model, {"agent": "figures", "status": "ok"}),
    "ankare_model_call_seconds": (a_model, {"agent": "figures"}),
    "ankare_model_tokens_total": (a_model, {"agent": "figures", "direction": "out"}),
    "ankare_fallbacks_total": (no_model, {}),
    "ankare_feedback_total": (thumbs, {"rating": "down", "reason": "incomplete"}),
    "ankare_ingest_jobs_total": (a_job, {"status": "finished"}),
    "ankare_index_info": (an_index, {}),
    "ankare_index_chunks": (an_index, {}),
    "ankare_index_age_seconds": (an_index, {}),
    "ankare_build_info": (an_index, {}),
    "ankare_start_time_seconds": (an_index, {}),
}
STATES = {"ankare_embeddings_pending"}
"""What is 0 or 1, and 0 here."""


@pytest.mark.parametrize("name", MOVED)
def test_a_measure_moves(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    act, labels = MOVED[name]
    text = act(Stage(tmp_path, monkeypatch, request))
    found = values(text, name, **labels) or values(text, f"{name}_count", **labels)
    assert found and sum(found) > 0, name


def test_each_measure_that_anything_names_is_in_the_table() -> None:
    rows = re.findall(r"^\| (`ankare_.*?) \|", GUIDE.read_text("utf-8"), re.MULTILINE)
    guide = {name for row in rows for name in NAMED.findall(row)}
    watched = {name for query in queries() for name in NAMED.findall(query)}
    assert len(guide) > 20
    assert {re.sub(r"_(bucket|sum|count)$", "", name) for name in guide | watched} == MOVED.keys() | STATES
