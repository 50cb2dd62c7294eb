"""A service and its models for scenarios: real sockets on both sides, and everything between them as it is built.

question -> HTTP -> service -> engine -> chain -> provider -> HTTP -> model server (what the scenario says)
"""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import uvicorn

from ankare import wiring
from ankare.answer.cast import Cast
from ankare.domain.agents import Agent
from ankare.llm import choose
from ankare.llm.budget import Budget
from ankare.llm.retry import RetryPolicy
from ankare.llm.service import Link
from ankare.service.app import create_app
from ankare.settings import Settings
from tests.hostile.models import HONEST, KEY
from tests.hostile.pack import AFTERWARDS
from tests.hostile.scenario import HASTY, MODELS, PATIENT, Scenario
from tests.model_server import ModelServer, by_model, model_server

PATIENCE = 300.0
"""Longer than anything here takes; only a failure gets there."""
HANGING = ("ankare-model-call", "_serve")
"""Names of threads that end with their question: calls of models, and the connections of the model server."""


@dataclass(frozen=True)
class Response:
    """What came back over HTTP. `seconds`: how long it took."""

    status: int
    text: str
    seconds: float

    @property
    def body(self) -> dict[str, Any]:
        return dict(json.loads(self.text))


@dataclass
class Stand:
    """One service with one model server. `control`: the answers without a model, by question."""

    url: str
    models: ModelServer
    seconds: float
    control: dict[str, Response] = field(default_factory=dict)

    def does(self, behaviours: Mapping[str, Any]) -> None:
        self.models.does(by_model({**HONEST, **behaviours}))
        self.models.seen.clear()

    def ask(self, question: str, accept: str = "application/json", **flags: bool) -> Response:
        data = json.dumps({"question": question, **flags}).encode()
        headers = {"content-type": "application/json", "accept": accept}
        request = urllib.request.Request(f"{self.url}/api/ask", data, headers)  # noqa: S310
        started = time.monotonic()
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                return Response(answer.status, answer.read().decode(), time.monotonic() - started)
        except urllib.error.HTTPError as error:
            return Response(error.code, error.read().decode(), time.monotonic() - started)

    def plain(self, question: str) -> Response:
        """The answer without a model; asked once."""
        if question not in self.control:
            self.control[question] = self.ask(question)
        return self.control[question]


@dataclass(frozen=True)
class Hurried(Cast):
    """A cast in which some agents get little time, however much there is."""

    hurried: Collection[str] = ()

    def seconds(self, agent: Agent, budget: Budget) -> float:
        granted = super().seconds(agent, budget)
        return min(granted, HASTY) if agent.value in self.hurried else granted


@contextmanager
def wired(hurried: Collection[str]) -> Iterator[None]:
    """Services that are opened meanwhile ask again after short waits, and hurry these agents."""
    cast_from = wiring.cast_from

    def hurrying(settings: Settings) -> Cast:
        cast = cast_from(settings)
        return Hurried(cast.parts, cast.warnings, hurried)

    short_waits = partial(Link, policy=RetryPolicy(first_wait=0.05, longest_wait=0.2))
    with patch.object(wiring, "cast_from", hurrying), patch.object(choose, "Link", short_waits):
        yield


@contextmanager
def stand(home: Path, settings: Mapping[str, Any], hurried: Collection[str] = ()) -> Iterator[Stand]:
    """A service over the home, with its models, while this lasts."""
    with ExitStack() as while_opening, model_server() as models:
        while_opening.enter_context(wired(hurried))
        models.does(by_model(HONEST))
        given = Settings(
            home=home,
            semantic=False,
            llm_base_url=f"{models.url}/v1",
            llm_api_key=KEY,
            **{
                "agentic_rag_timeout_seconds": PATIENT,
                **{f"{agent}_model": MODELS[agent] for agent in ("agent1", "agent2", "agent3")},
                "agent_correction_model": MODELS["agent4"],
                "llm_synthesis_model": MODELS["synthesis"],
                **settings,
            },
        )
        server = uvicorn.Server(
            uvicorn.Config(
                create_app(given, page=False), host="127.0.0.1", port=0, log_level="critical", log_config=None
            )
        )
        thread = threading.Thread(target=server.run, name="hostile-service", daemon=True)
        thread.start()
        assert until(lambda: server.started), "the service did not start"
        url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        try:
            running = Stand(url, models, given.agentic_rag_timeout_seconds)
            running.plain(AFTERWARDS)  # opens what the question needs, so that nothing is wired later
            while_opening.close()
            yield running
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


@dataclass
class Stands(AbstractContextManager["Stands"]):
    """A stand for each way in which a service is configured, opened when it is first needed."""

    home: Path
    opened: dict[str, Stand] = field(default_factory=dict)
    stack: ExitStack = field(default_factory=ExitStack)

    def of(self, scenario: Scenario) -> Stand:
        key = f"{sorted(scenario.settings.items())}{scenario.hurried}{scenario.name if scenario.alone else ''}"
        if key not in self.opened:
            self.opened[key] = self.stack.enter_context(stand(self.home, scenario.settings, scenario.hurried))
        return self.opened[key]

    def __exit__(self, *_: object) -> None:
        self.stack.close()


def until(done: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Wait for something that comes soon; False where it does not come at all."""
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def hanging() -> list[str]:
    """The threads that should be over with their question."""
    return [thread.name for thread in threading.enumerate() if any(name in thread.name for name in HANGING)]


def sockets() -> int:
    """Sockets that this process has open; 0 where the system does not tell."""
    folder = Path("/proc/self/fd")
    return sum(_is_socket(link) for link in folder.iterdir()) if folder.is_dir() else 0


def _is_socket(link: Path) -> bool:
    try:
        return str(link.readlink()).startswith("socket:")
    except OSError:
        return False
