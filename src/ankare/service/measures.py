"""How is the service doing: requests, latency, answers and refusals, and the index in use, for Prometheus?"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 20.0)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Measures:
    """The measures of one app, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "ankare_requests", "Requests by route and status.", ["route", "status"], registry=self.registry
        )
        self.latency = Histogram(
            "ankare_request_seconds", "Time to answer, by route.", ["route"], buckets=BUCKETS, registry=self.registry
        )
        self.outcomes = Counter(
            "ankare_outcomes",
            "Questions by outcome: answered or the reason of the refusal.",
            ["outcome"],
            registry=self.registry,
        )
        self.overloads = Counter("ankare_overloads", "Requests turned away with 503.", registry=self.registry)
        self.index = Gauge("ankare_index_info", "1 for the index version in use.", ["version"], registry=self.registry)
        self.chunks = Gauge("ankare_index_chunks", "Chunks in the index in use.", registry=self.registry)

    def show_index(self, version: str, chunks: int) -> None:
        """Set the measures of the index."""
        self.index.clear()
        self.index.labels(version).set(1)
        self.chunks.set(chunks)

    def text(self) -> bytes:
        """All measures in the text format."""
        return generate_latest(self.registry)
