"""How do spans leave for whoever collects them, by OpenTelemetry and its standard variables (`OTEL_*`)?

A request is a server span, the question, its steps and calls of models are inside it, with the attribute names of the semantic
conventions (HTTP, GenAI) where these have one, and `ankare.` before ours. An error is told by its kind: no message and no
traceback, which can hold what somebody wrote. Importing this module imports nothing of OpenTelemetry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from ankare._version import __version__
from ankare.domain.tracing import Kind, Span, Tracer, Value
from ankare.errors import MissingExtraError
from ankare.service.watch.redaction import Redaction
from ankare.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider

NEEDED = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")
LONGEST = 4000
"""Characters of an attribute."""
SERVICE = "ankare"


class RequestTracer(Tracer, Protocol):
    """Keeps spans of requests too."""

    def request(
        self, name: str, headers: Iterable[tuple[bytes, bytes]], attributes: Mapping[str, Value | None]
    ) -> AbstractContextManager[Span]:
        """What happens inside is the span of one request; a part of the caller's trace where the headers name one."""

    def trace_id(self) -> str:
        """The id of the trace that is under way here, "" outside of one."""

    def close(self) -> None:
        """Send what is left."""


def open_tracer(settings: Settings) -> RequestTracer | None:
    """The tracer that the settings want, None for none. Raises MissingExtraError where the extra is not installed."""
    if not settings.otel:
        return None
    if any(_missing(name) for name in NEEDED):
        raise MissingExtraError("ANKARE_OTEL needs OpenTelemetry.", "Install it: pip install 'ankare[otel]'.")
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    return OtelTracer(BatchSpanProcessor(OTLPSpanExporter()), settings.revision, Redaction(settings.secrets, LONGEST))


def _missing(name: str) -> bool:
    try:
        return find_spec(name) is None
    except ModuleNotFoundError:
        return True


class OtelTracer:
    """Spans by the SDK of OpenTelemetry, in a provider of its own: nothing global is set."""

    def __init__(self, processor: SpanProcessor, revision: str, redaction: Redaction) -> None:
        from opentelemetry.sdk.resources import OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider

        ours = Resource.create({"service.name": SERVICE, "service.version": __version__, "ankare.revision": revision})
        self._provider: TracerProvider = TracerProvider(resource=ours.merge(OTELResourceDetector().detect()))
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer(SERVICE, __version__)
        self._redaction = redaction

    @contextmanager
    def span(self, name: str, kind: Kind, attributes: Mapping[str, Value | None]) -> Iterator[Span]:
        """One span, a part of the one that is under way."""
        from opentelemetry.trace import SpanKind

        found = SpanKind.CLIENT if kind is Kind.CLIENT else SpanKind.INTERNAL
        with self._opened(name, found, None, attributes) as told:
            yield told

    @contextmanager
    def request(
        self, name: str, headers: Iterable[tuple[bytes, bytes]], attributes: Mapping[str, Value | None]
    ) -> Iterator[Span]:
        """The span of one request."""
        from opentelemetry.trace import SpanKind
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        sent = {key.decode("latin-1"): value.decode("latin-1") for key, value in headers}
        parent = TraceContextTextMapPropagator().extract(sent)
        with self._opened(name, SpanKind.SERVER, parent, attributes) as told:
            yield told

    def trace_id(self) -> str:
        """The trace that is under way here."""
        from opentelemetry.trace import format_trace_id, get_current_span

        found = get_current_span().get_span_context()
        return format_trace_id(found.trace_id) if found.is_valid else ""

    def close(self) -> None:
        """Send what is left."""
        self._provider.shutdown()

    @contextmanager
    def _opened(self, name: str, kind: Any, parent: Any, attributes: Mapping[str, Value | None]) -> Iterator[_OtelSpan]:
        with self._tracer.start_as_current_span(
            name, parent, kind, record_exception=False, set_status_on_exception=False
        ) as span:
            told = _OtelSpan(span, self._redaction)
            told.note(attributes)
            try:
                yield told
            except BaseException as error:
                told.note({"error.type": str(getattr(error, "kind", "")) or type(error).__name__})
                raise


class _OtelSpan:
    """A span under way. An error that it is told makes it a failed one."""

    def __init__(self, span: Any, redaction: Redaction) -> None:
        self._span = span
        self._redaction = redaction

    def note(self, attributes: Mapping[str, Value | None]) -> None:
        """Say something about it."""
        from opentelemetry.trace import StatusCode

        told = {name: self._redaction.value(value) for name, value in attributes.items() if value is not None}
        self._span.set_attributes(told)
        if "error.type" in told:
            self._span.set_status(StatusCode.ERROR)
