"""The times of the steps add up to the time of the answer: none is counted twice, and none is forgotten."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ankare import wiring
from ankare.channels.way import Clock
from ankare.cite.body import RunFlags
from ankare.domain.reply import Timing
from ankare.llm.protocol import Usage
from ankare.llm.scripted import ScriptedProvider, completion
from ankare.service.app import create_app
from ankare.service.desk import Desk
from ankare.settings import Settings
from tests.service.test_figures_over_http import home

__all__ = ["home"]
STEP = 1000.0
"""Every look at the clock finds a second more: what a step takes is how often something in it looks."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Sets the clock going that goes on by itself."""

    def start() -> None:
        moments: Iterator[int] = count()
        monkeypatch.setattr(time, "perf_counter", lambda: float(next(moments)))

    return start


def asked(desk: Desk, question: str, **flags: bool) -> dict[str, Any]:
    given = RunFlags(**{"debug": False, "agentic": False, "synthesis": False, "provider": "mock", **flags})
    return desk.ask(question, "sv", given, "api").body


@pytest.mark.parametrize(
    ("question", "route", "steps"),
    [
        ("Vad var omsättningen i Kina 2024?", "structured", {"figures"}),
        (
            "Varför minskade vinsten i Kina 2024?",
            "composite",
            {"figures", "interpret", "retrieve", "relevance", "answer"},
        ),
        ("Vad ökade?", "narrative", {"figures", "interpret", "retrieve", "relevance", "answer"}),
    ],
)
def test_steps_add_up_to_the_whole(
    home: Path, clock: Callable[[], None], question: str, route: str, steps: set[str]
) -> None:
    desk = create_app(Settings(home=home, semantic=False), page=False).state.desk
    asked(desk, question)
    clock()
    body = asked(desk, question)
    assert body["route"] == route
    assert set(body["timings_ms"]) == steps
    told = sum(body["timings_ms"].values())
    assert told <= body["timing_ms"]
    assert body["timing_ms"] - told <= STEP * (2 * len(steps) + 4), body["timings_ms"]  # the looks between two steps


def test_a_step_inside_another_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: moment[0])
    clock = Clock()
    with clock.step("figures"):
        moment[0] += 1
        with clock.step("retrieve"):
            moment[0] += 2
        with clock.step("answer"):
            moment[0] += 4
        clock.leave_out([Timing("of another clock", 500)])
        moment[0] += 8
    with clock.step("grounding"):
        moment[0] += 16
    assert {timing.step: timing.milliseconds for timing in clock.timings} == {
        "retrieve": 2000,
        "answer": 4000,
        "figures": 8500,
        "grounding": 16000,
    }


def test_what_the_model_that_looks_figures_up_cost_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted = ScriptedProvider([completion("Jag vet inte.", usage=Usage(100, 20, 120))])
    monkeypatch.setattr(wiring, "provider_of", lambda _settings: scripted)
    settings = Settings(home=home, semantic=False, figures_tool_loop=True)
    with TestClient(create_app(settings, page=False)) as client:
        body = client.post("/api/ask", json={"question": "Vad var omsättningen i Kina 2024?"}).json()
        measures = client.get("/metrics").text
    usage = body["llm_usage"]
    assert usage["agents"] == {"figures": {name: value for name, value in usage.items() if name != "agents"}}
    assert (usage["calls"], usage["prompt_tokens"], usage["completion_tokens"]) == (1, 100, 20)
    assert 'ankare_model_calls_total{agent="figures",status="ok"} 1.0' in measures
    assert 'ankare_model_tokens_total{agent="figures",direction="in"} 100.0' in measures
