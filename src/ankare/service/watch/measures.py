"""How is the service doing? Its measures for Prometheus: requests, questions, steps, models, index, feedback.

A label takes few values, whatever callers and models write: what is not known is counted as "other". Where several worker
processes answer, each writes to files in one folder (`PROMETHEUS_MULTIPROC_DIR`), and whoever is asked tells the sum.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, values
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from ankare.domain.agents import Agent, Origin, Reason, RunStatus, fault_of

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 20.0)
SOURCES = (0, 1, 2, 3, 5, 8)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
OTHER = "other"
MOST_VALUES = 60
"""Values of a label that are told apart where there is no list of them; they come from our own code, so this is a bound only
for what should never happen."""
CHANNELS = ("api", "page", "chat", "mcp")
ROUTES = ("narrative", "structured", "composite", "none")
ORIGINS = (*Origin, "figures", "refusal", "none")
LOOK_UP = "figures"
AGENTS = (*Agent, LOOK_UP)
STATUSES = tuple(RunStatus)
_SERVICE_FAULTS = (
    "timeout",
    "network",
    "rate_limited",
    "server",
    "bad_reply",
    "bad_request",
    "auth",
    "quota",
    "chain_error",
)
FALLBACKS = (*Reason, *(fault_of(agent, "invalid_json") for agent in Agent), *_SERVICE_FAULTS)


@dataclass(frozen=True, slots=True)
class State:
    """What is so right now: told by whoever is asked, and never summed. `built`: when the index was made, seconds since the
    epoch. `pending`: search by meaning is wanted, and its vectors are not there yet."""

    version: str = ""
    chunks: int = 0
    built: float = 0.0
    pending: bool = False


class Measures:
    """The measures of one app, in a registry of its own. `package` and `revision` stand in `ankare_build_info`."""

    def __init__(self, package: str = "", revision: str = "") -> None:
        self.registry = CollectorRegistry()
        self._build = (package, revision)
        self._index = State()
        self._seen: dict[str, set[str]] = {}
        self._requests()
        self._questions()
        self._models()
        self._events()
        self.start.set(time.time())

    def _requests(self) -> None:
        self.requests = self._counter("requests", "Requests by route and status.", "route", "status")
        self.latency = self._times("request", "Time to answer, by route.", "route")
        self.in_flight = self._gauge("requests_in_flight", "Requests that are being answered.", "livesum")
        self.waits = self._times("queue", "Time that work waits for a thread.", "crew")
        self.abandoned = self._gauge("abandoned_work", "Threads at work that nobody waits for.", "livesum")
        told = "Time from when nobody waited for work any more until its thread was free."
        self.abandoned_time = self._times("abandoned", told, "crew")
        self.overloads = self._counter("overloads", "Requests turned away with 503.")
        self.limited = self._counter("rate_limited", "Requests turned away with 429, by what was counted.", "by")
        self.refused_keys = self._counter("auth_failures", "Requests without the key that they need.", "why")
        self.start = self._gauge("start_time_seconds", "When the youngest process began, since the epoch.", "livemax")

    def _questions(self) -> None:
        told = "Questions by outcome: answered, why refused, what was asked back, or the error."
        self.outcomes = self._counter("outcomes", told, "outcome")
        told = "Questions by where they came from, who answered and how it went."
        self.questions = self._counter("questions", told, "channel", "route", "origin", "outcome")
        self.question_time = self._times("question", "Time for a question, by channel.", "channel")
        self.steps = self._times("step", "Time in each step.", "step")
        self.sources = Histogram(
            "ankare_answer_sources", "Sources that an answer cites.", buckets=SOURCES, registry=self.registry
        )

    def _models(self) -> None:
        self.calls = self._counter("model_calls", "Calls of a model, and how they ended.", "agent", "status")
        self.call_time = self._times("model_call", "Time for a call of a model.", "agent")
        self.tokens = self._counter("model_tokens", "Tokens that services told.", "agent", "direction")
        told = "Answers that a model was to take part in, and did not."
        self.fallbacks = self._counter("fallbacks", told, "reason")

    def _events(self) -> None:
        self.feedback = self._counter("feedback", "Thumbs up and down.", "rating", "reason")
        self.jobs = self._counter("ingest_jobs", "Jobs that change what is held, by how they ended.", "status")

    def _counter(self, name: str, told: str, *labels: str) -> Counter:
        return Counter(f"ankare_{name}", told, labels, registry=self.registry)

    def _times(self, name: str, told: str, *labels: str) -> Histogram:
        return Histogram(f"ankare_{name}_seconds", told, labels, buckets=BUCKETS, registry=self.registry)

    def _gauge(self, name: str, told: str, joined: Literal["livesum", "livemax"]) -> Gauge:
        return Gauge(f"ankare_{name}", told, registry=self.registry, multiprocess_mode=joined)

    def known(self, label: str, value: str, allowed: Iterable[str] = ()) -> str:
        """The value where it is one of `allowed` or, without any, one of the first `MOST_VALUES` of this label."""
        if allowed:
            return str(value) if value in allowed else OTHER
        seen = self._seen.setdefault(label, set())
        if value not in seen and len(seen) >= MOST_VALUES:
            return OTHER
        seen.add(value)
        return str(value)

    def rate_limited(self, by: str) -> None:
        """A request was turned away with 429; `by` says what was counted: "key" or "address"."""
        self.limited.labels(self.known("by", by)).inc()

    def key_refused(self, why: str) -> None:
        """A request was turned away: "no_key" that opens the service (401), or one that does not open this ("not_allowed")."""
        self.refused_keys.labels(self.known("why", why)).inc()

    def ingest_job(self, status: str) -> None:
        """A job that changes what is held has ended: "finished", "failed", "interrupted"."""
        self.jobs.labels(self.known("status", status)).inc()

    def model_call(self, agent: str, status: str, seconds: float, tokens: tuple[int | None, int | None]) -> None:
        """A call of a model has ended. `tokens`: those of the prompt and of the reply, None where they were not told."""
        agent = self.known("agent", agent, AGENTS)
        self.calls.labels(agent, self.known("status", status, STATUSES)).inc()
        self.call_time.labels(agent).observe(seconds)
        for direction, count in zip(("in", "out"), tokens, strict=True):
            if count is not None and count > 0:
                self.tokens.labels(agent, direction).inc(count)

    def fallback(self, reason: str) -> None:
        """A model was to have a part in an answer and has none."""
        self.fallbacks.labels(self.known("reason", reason, FALLBACKS)).inc()

    def show_index(self, version: str, chunks: int, built: float = 0.0, pending: bool = False) -> None:
        """Set what is told of the index."""
        self._index = State(version, chunks, built, pending)

    def text(self) -> bytes:
        """All measures in the text format: those of this process, or the sums over all workers."""
        now = _Now(self._index, self._build)
        if not shared():
            return generate_latest(self.registry) + generate_latest(_holding(now))
        registry = _holding(now)
        collector: Any = MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        forget_the_dead(Path(collector._path))  # the library has read the environment: nobody else does
        return generate_latest(registry)


def shared() -> bool:
    """Do several processes write their measures to one folder? That is settled when the library is imported."""
    return values.ValueClass is not values.MutexValue


def forget_the_dead(folder: Path) -> None:
    """Take away what workers were doing that are no more; what they have done stays counted."""
    for file in folder.glob("gauge_live*_*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdigit() and not _alive(int(pid)):
            mark_process_dead(int(pid), str(folder))  # type: ignore[no-untyped-call]


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _holding(now: _Now) -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(now)
    return registry


class _Now:
    """Tells the state as measures."""

    def __init__(self, state: State, build: tuple[str, str]) -> None:
        self._state = state
        self._build = build

    def collect(self) -> Iterator[Metric]:
        """The measures."""
        build = GaugeMetricFamily(
            "ankare_build_info", "1 for the version and revision that run.", labels=["version", "revision"]
        )
        build.add_metric(list(self._build), 1)
        yield build
        state = self._state
        if not state.version:
            return
        index = GaugeMetricFamily("ankare_index_info", "1 for the index version in use.", labels=["version"])
        index.add_metric([state.version], 1)
        yield index
        yield GaugeMetricFamily("ankare_index_chunks", "Chunks in the index in use.", value=state.chunks)
        yield GaugeMetricFamily(
            "ankare_embeddings_pending", "1 while search by meaning waits for its vectors.", value=int(state.pending)
        )
        if state.built:
            age = max(0.0, time.time() - state.built)
            yield GaugeMetricFamily("ankare_index_age_seconds", "How long ago the index was made.", value=age)
