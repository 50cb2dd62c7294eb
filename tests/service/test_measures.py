"""Measures say what happened, in few labels, and as one sum however many processes answer; the alerts ask for what there is."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families

from ankare.domain.agents import Agent, Reason, RunStatus
from ankare.service.app import create_app
from ankare.service.watch.measures import MOST_VALUES, OTHER, Measures
from ankare.settings import Settings
from tests.cli.test_serving import free_port
from tests.service.real import build_home, write_documents
from tests.service.scripted import ScriptedEngine, ScriptedShelf

MONITORING = Path(__file__).parents[2] / "deploy/monitoring"
PATIENCE = 90.0


def values(text: str, name: str, **labels: str) -> list[float]:
    return [
        sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    ]


def names(text: str) -> set[str]:
    """Every series that a query may name, whether or not anything has been counted yet."""
    found = set()
    for family in text_string_to_metric_families(text):
        ends = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}.get(family.type, ("",))
        found |= {family.name + end for end in ends}
    return found


# Labels.


def test_no_label_grows_whatever_is_counted() -> None:
    measures = Measures()
    for n in range(500):
        measures.model_call(f"agent {n}", f"status {n}", 0.1, (1, None))
        measures.fallback(f"what a model wrote {n}")
        measures.rate_limited(f"by {n}")
        measures.ingest_job(f"status {n}")
        measures.known("outcome", f"outcome {n}")
    text = measures.text().decode()
    assert values(text, "ankare_model_calls_total") == [500]
    assert values(text, "ankare_model_calls_total", agent=OTHER, status=OTHER) == [500]
    assert values(text, "ankare_fallbacks_total", reason=OTHER) == [500]
    for name in ("ankare_rate_limited_total", "ankare_ingest_jobs_total"):
        assert len(values(text, name)) == MOST_VALUES + 1
    assert "what a model wrote" not in text


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_to_fall_back_is_told_apart(reason: str) -> None:
    measures = Measures()
    measures.fallback(reason)
    assert values(measures.text().decode(), "ankare_fallbacks_total", reason=str(reason)) == [1]


def test_a_call_of_a_model_is_counted_with_its_tokens() -> None:
    measures = Measures()
    measures.model_call(Agent.DRAFT, RunStatus.OK, 0.5, (100, 20))
    measures.model_call(Agent.DRAFT, RunStatus.TIMEOUT, 0.5, (None, None))
    text = measures.text().decode()
    assert values(text, "ankare_model_tokens_total", agent="agent2", direction="in") == [100]
    assert values(text, "ankare_model_tokens_total", agent="agent2", direction="out") == [20]
    assert values(text, "ankare_model_calls_total", agent="agent2", status="timeout") == [1]
    assert values(text, "ankare_model_call_seconds_count", agent="agent2") == [2]


def test_only_the_index_in_use_is_told() -> None:
    measures = Measures("1.2", "r1")
    assert values(measures.text().decode(), "ankare_index_info") == []
    for version in ("v1", "v2"):
        measures.show_index(version, 5, built=time.time() - 60, pending=True)
    text = measures.text().decode()
    assert values(text, "ankare_index_info") == values(text, "ankare_index_info", version="v2") == [1]
    assert values(text, "ankare_embeddings_pending") == [1]
    assert 59 < values(text, "ankare_index_age_seconds")[0] < 3600
    assert values(text, "ankare_build_info", version="1.2", revision="r1") == [1]


# One process.


def test_a_question_is_counted_by_where_it_came_from_and_how_it_went(tmp_path: Path) -> None:
    app = create_app(Settings(home=tmp_path), ScriptedEngine(), ScriptedShelf(tmp_path), page=False)
    client = TestClient(app)
    for question in ("Vilka etapper finns?", "Det saknas", "Det saknas"):
        client.post("/api/ask", json={"question": question})
    client.get("/nowhere/1")
    client.get("/nowhere/2")
    text = client.get("/metrics").text
    told = {"channel": "api", "route": "narrative"}
    assert values(text, "ankare_questions_total", outcome="answered", origin="extractive", **told) == [1]
    assert values(text, "ankare_questions_total", outcome="refused", origin="refusal", **told) == [2]
    assert values(text, "ankare_outcomes_total", outcome="subject_not_covered") == [2]
    assert values(text, "ankare_step_seconds_count", step="retrieve") == [3]
    assert values(text, "ankare_queue_seconds_count", crew="crew") == [3]
    assert values(text, "ankare_requests_total", route="unknown") == [2]
    assert values(text, "ankare_requests_in_flight") == [1]


# Several processes.


@pytest.fixture
def two_workers(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    home = build_home(tmp_path / "home", write_documents(tmp_path / "documents"))
    port = free_port()
    command = [sys.executable, "-c", "from ankare.cli.main import run; run()", "serve", "--workers", "2"]
    environment = {**os.environ, "ANKARE_SEMANTIC": "false", "TMPDIR": str(tmp_path)}
    log = (tmp_path / "log").open("wb")
    process = subprocess.Popen(
        [*command, "--home", str(home), "--port", str(port)], env=environment, stderr=log, stdout=log
    )
    try:
        yield f"http://127.0.0.1:{port}", process
    finally:
        process.terminate()
        process.wait(30)
        log.close()


def wait_for(base: str, is_so: object) -> str:
    """The measures once they are as wanted; each time over a new connection, so that any worker may answer."""
    deadline = time.monotonic() + PATIENCE
    text = ""
    while time.monotonic() < deadline:
        try:
            text = httpx.get(f"{base}/metrics", timeout=PATIENCE).text
            if is_so(text):  # type: ignore[operator]
                return text
        except httpx.HTTPError:
            pass
        time.sleep(0.1)
    raise AssertionError(f"the measures did not come about:\n{text}")


def workers_of(folder: Path) -> set[int]:
    return {int(file.stem.rpartition("_")[2]) for file in folder.glob("*/gauge_livesum_*.db")}


def started(text: str, count: int = 2) -> bool:
    return values(text, "ankare_start_time_seconds") != [] and values(text, "ankare_index_info") == [1]


@pytest.mark.slow
def test_one_scrape_tells_the_sum_of_all_workers_and_forgets_those_that_died(
    two_workers: tuple[str, subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    base, process = two_workers
    wait_for(base, started)
    while len(workers_of(tmp_path)) < 2:
        time.sleep(0.1)
    asked = 0
    for _ in range(40):
        asked += httpx.post(f"{base}/api/ask", json={"question": "Vem beslutar om budgeten?"}).status_code == 200
    text = wait_for(base, lambda told: sum(values(told, "ankare_questions_total")) == asked)
    assert sum(values(text, "ankare_questions_total", outcome="answered")) == asked == 40
    assert values(text, "ankare_requests_in_flight") == [1]
    assert len(values(text, "ankare_start_time_seconds")) == len(values(text, "ankare_index_info")) == 1
    dead = min(workers_of(tmp_path))
    os.kill(dead, signal.SIGKILL)
    text = wait_for(base, lambda told: dead not in workers_of(tmp_path) and started(told))
    assert sum(values(text, "ankare_questions_total")) == asked
    process.terminate()
    process.wait(30)
    assert list(tmp_path.glob("ankare-measures-*")) == []


# What looks at them.

NAMED = re.compile(r"\bankare_[a-z_]+")


def queries() -> list[str]:
    board = json.loads((MONITORING / "grafana-dashboard.json").read_text("utf-8"))
    shown = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    rules = (MONITORING / "alerts.yml").read_text("utf-8")
    return [*shown, *re.findall(r"expr:((?:.|\n)*?)\n {8}\w", rules)]


def test_dashboard_and_alerts_ask_for_measures_that_there_are() -> None:
    measures = Measures("1", "r")
    measures.show_index("v", 1, built=1.0)
    held = names(measures.text().decode())
    asked = {name for query in queries() for name in NAMED.findall(query)}
    assert len(asked) > 20
    assert asked - held == set()


def test_saboteur_a_measure_that_is_not_there_is_found() -> None:
    assert "ankare_questions" not in names(Measures().text().decode())


def test_every_measure_is_explained() -> None:
    measures = Measures("1", "r")
    measures.show_index("v", 1, built=1.0)
    guide = (MONITORING.parents[1] / "docs/observability.md").read_text("utf-8")
    for family in text_string_to_metric_families(measures.text().decode()):
        if not family.name.endswith("_created"):
            assert f"`{family.name}" in guide, family.name


def test_each_panel_stands_in_a_place_of_its_own() -> None:
    board = json.loads((MONITORING / "grafana-dashboard.json").read_text("utf-8"))
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in board["panels"]]
    assert len(set(places)) == len(places) == len({panel["id"] for panel in board["panels"]})
