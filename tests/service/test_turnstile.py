"""Questions that wait for a model stand in nobody's way who needs none, however the question comes in."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ankare.domain.reply import Reply
from ankare.service.app import create_app
from ankare.service.problem import ProblemError
from ankare.service.turnstile import Turnstile
from ankare.service.watch.measures import Measures
from ankare.settings import Settings
from tests.service.scripted import ScriptedEngine, ScriptedShelf

LONG = 60
QUESTION = "Vilka etapper?"
PLAIN: dict[str, tuple[str, dict[str, Any], str]] = {
    "api": ("/api/ask", {"question": QUESTION, "enable_agentic_rag": False}, "application/json"),
    "api, stream": ("/api/ask", {"question": QUESTION, "enable_agentic_rag": False}, "text/event-stream"),
    "page": ("/page/ask?enable_agentic_rag=false", {"question": QUESTION}, "text/event-stream"),
    "chat": (
        "/v1/chat/completions",
        {"model": "ankare-extractive", "messages": [{"role": "user", "content": QUESTION}]},
        "application/json",
    ),
    "chat, stream": (
        "/v1/chat/completions",
        {"model": "ankare-extractive", "messages": [{"role": "user", "content": QUESTION}], "stream": True},
        "text/event-stream",
    ),
}


class SlowModel(ScriptedEngine):
    """Waits where it is to ask a model."""

    def __init__(self) -> None:
        super().__init__()
        self.go, self.waiting = threading.Event(), threading.Semaphore(0)

    def ask(self, question: str, *, agentic: bool | None = None, **given: Any) -> Reply:
        if agentic:
            self.waiting.release()
            assert self.go.wait(LONG)
        return super().ask(question, agentic=agentic, **given)


def turnstile(most: int) -> Turnstile:
    return Turnstile(most, Measures())


@pytest.mark.parametrize(("most", "waiting"), [(1, 1), (2, 2), (4, 3), (256, 192)])
def test_those_who_wait_for_a_model_leave_a_quarter_of_the_places(most: int, waiting: int) -> None:
    gate = turnstile(most)
    with ExitStack() as inside:
        for _ in range(waiting):
            inside.enter_context(gate.of(waits=True))
        with pytest.raises(ProblemError), gate.of(waits=True):
            pass
        for _ in range(most - waiting):
            inside.enter_context(gate.of(waits=False))
        for waits in (True, False):
            with pytest.raises(ProblemError), gate.of(waits=waits):
                pass
    with ExitStack() as again:  # all places have been given back
        for _ in range(most):
            again.enter_context(gate.of(waits=False))


def test_where_nobody_waits_all_places_are_everybodys() -> None:
    gate = turnstile(4)
    with ExitStack() as inside:
        for _ in range(4):
            inside.enter_context(gate)
        with pytest.raises(ProblemError), gate.of(waits=True):
            pass


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[TestClient, SlowModel]]:
    monkeypatch.setattr("ankare.service.app.PATIENT", 3)
    engine = SlowModel()
    settings = Settings(home=tmp_path, max_in_flight=4, enable_agentic_rag=True, llm_provider="mock", mcp=False)
    with TestClient(create_app(settings, engine, ScriptedShelf(tmp_path))) as client:
        yield client, engine
        engine.go.set()


@pytest.mark.parametrize("form", PLAIN)
def test_a_model_that_does_not_answer_keeps_no_other_question_waiting(
    service: tuple[TestClient, SlowModel], form: str
) -> None:
    client, engine = service
    with ThreadPoolExecutor(4) as pool:
        held = [pool.submit(client.post, "/api/ask", json={"question": QUESTION}) for _ in range(4)]
        for _ in range(3):
            assert engine.waiting.acquire(timeout=LONG)
        address, body, accept = PLAIN[form]
        answer = client.post(address, json=body, headers={"Accept": accept})
        assert answer.status_code == 200
        assert "Etapperna är tre" in answer.text
        engine.go.set()
        assert sorted(one.result().status_code for one in held) == [200, 200, 200, 503]
