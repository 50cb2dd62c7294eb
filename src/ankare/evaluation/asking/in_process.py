"""How is a question of a suite answered in this process, with the same body as over HTTP?"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Timer
from typing import Any
from uuid import uuid4

from pydantic import SecretStr

from ankare.channels.corpus import OpenCorpus
from ankare.cite.body import RunFlags, ask_body
from ankare.cite.links import Links, versions_of
from ankare.cite.markdown import render
from ankare.domain.access import OWNER, Access
from ankare.domain.agents import Mode
from ankare.domain.cancel import CallCancelledError, CancelToken, cancelled_by
from ankare.errors import (
    AnkareError,
    FactStoreError,
    HomeError,
    ProviderError,
    ProviderServiceError,
    QuestionError,
    SettingsError,
)
from ankare.evaluation.asking.asker import Asked, Told
from ankare.evaluation.asking.meaning import Meaning, not_ready
from ankare.evaluation.captured import AnswerPath, Failure, FailureKind, Json
from ankare.evaluation.case import Case
from ankare.index.home import Home
from ankare.retrieve.embed import semantic_installed
from ankare.retrieve.embedding import embedded_version
from ankare.settings import Settings
from ankare.wiring import cast_from, open_engine

LOG = logging.getLogger("ankare.evaluation")
_OF_THE_HOME = (HomeError, FactStoreError)
"""What any other question would meet too."""
_MODES = {AnswerPath.AGENTIC: Mode.REVIEWED_ANSWER, AnswerPath.SHADOW: Mode.SHADOW}
_OF_THE_CALL = frozenset({"llm_provider", "enable_agentic_rag", "agentic_rag_with_provider", "enable_llm_synthesis"})
_OF_THE_MACHINE = frozenset({"home", "pack", "log_dir", "revision", "threads", "shared_folder"})
_OF_THE_SERVICE = frozenset(
    {
        "max_in_flight",
        "host",
        "port",
        "frame_ancestors",
        "api_keys",
        "rate_per_minute",
        "trusted_proxies",
        "cors_origins",
        "max_body_bytes",
        "max_upload_bytes",
        "max_library_bytes",
        "body_seconds",
        "request_seconds",
        "grace_seconds",
        "workers",
        "public_url",
        "mcp",
        "mcp_allowed_hosts",
        "log_texts",
        "log_format",
        "log_level",
        "reader_memory_bytes",
        "reader_seconds",
        "otel",
        "agentic_rag_log_contracts",
    }
)
_UNTOLD = _OF_THE_CALL | _OF_THE_MACHINE | _OF_THE_SERVICE
"""Settings that no answer depends on, or that the path has its own for. Any other is told, also one that is new."""


class InProcess:
    """An engine that is opened once, asked by one path, through the eyes of one reader."""

    def __init__(self, settings: Settings, path: AnswerPath, *, access: Access = OWNER, seconds: float = 120.0) -> None:
        """`seconds`: for one question; its calls of models end then. Raises as `wiring.open_engine`, and SettingsError where
        the path needs a model and none is configured."""
        if path is not AnswerPath.CONTROL and settings.provider_kind == "none":
            raise SettingsError(
                f"The path {path.value} needs a model, and none is configured.",
                "Set ANKARE_LLM_PROVIDER, or take --path control.",
            )
        mode = _MODES.get(path, settings.agentic_rag_mode)
        self._settings = settings.model_copy(update={"agentic_rag_mode": mode})
        self._flags = RunFlags(
            debug=True,
            agentic=path in _MODES,
            synthesis=path is AnswerPath.SYNTHESIS,
            provider=settings.provider_kind,
        )
        self._path = path
        self._access = access
        self._seconds = seconds
        self._engine = open_engine(self._settings)

    @property
    def secrets(self) -> tuple[str, ...]:
        """The keys of the settings."""
        return self._settings.secrets

    def told(self) -> Told:
        """The settings that answers depend on. Opens the index and warms what answers need, so that no question pays for it.
        Raises HomeError."""
        warming_ms = self._warm()
        corpus = self._engine.corpus(self._access)
        settings = {**settings_told(self._settings), "semantic_in_use": corpus.semantic, "reader": reader(self._access)}
        about = {"index_version": corpus.version, **made_from(corpus, self._settings.pack), WARMING: warming_ms}
        remedy = self._to_prepare()
        warnings = not_ready(self._meaning(corpus), remedy) if self._settings.semantic else ()
        return Told("", self._settings.revision, settings, about, warnings, remedy)

    def _warm(self) -> float:
        """Milliseconds that the engine took to be as fast as it gets: it is asked for a title in each language, which no suite
        asks. Where a model could have a part in the answer, it is only searched."""
        started = time.perf_counter()
        self._engine.prepare(self._access)
        corpus = self._engine.corpus(self._access)
        alone = self._path is AnswerPath.CONTROL and not self._settings.figures_tool_loop
        for language, title in {one.language: one.title for one in corpus.documents.values()}.items():
            with suppress(AnkareError):  # a title that cannot be asked for warms nothing
                if alone:
                    self._body(Case("", title, language))
                else:
                    self._engine.search(title, language=language, access=self._access)
        return round(_since(started), 3)

    def _meaning(self, corpus: OpenCorpus) -> Meaning:
        """How far search by meaning is ready for this version of the index."""
        if not corpus.semantic:
            return Meaning.NO
        version = corpus.snapshot.version
        whole = embedded_version(Home(self._settings.home).embeddings, version) == version
        return Meaning.YES if whole else Meaning.PARTLY

    def _to_prepare(self) -> str:
        if not semantic_installed():
            return "Install the `semantic` extra, or ask with --no-semantic."
        return f"Run `ankare embed --home {self._settings.home}` first, or ask with --no-semantic."

    def ask(self, case: Case, stop: Event) -> Asked | None:
        """Ask one question; a failure of any kind is told, not raised."""
        if stop.is_set():
            return None
        started = time.perf_counter()
        body, failure, hopeless = self._outcome(case)
        return Asked(_since(started), body, failure, hopeless)

    def _outcome(self, case: Case) -> tuple[Json | None, Failure | None, bool]:
        try:
            return self._body(case), None, False
        except ProviderServiceError as error:
            return None, Failure(FailureKind.PROVIDER, _of_provider(error)), True
        except ProviderError as error:
            return None, Failure(FailureKind.PROVIDER, _of_provider(error)), False
        except CallCancelledError:
            return None, Failure(FailureKind.TIMEOUT, f"no answer in {self._seconds:g} s"), False
        except QuestionError as error:
            return None, Failure(FailureKind.REFUSED, str(error)), False
        except (
            Exception
        ) as error:  # whatever it is, it is an outcome of this question, and the others are still to be asked
            LOG.warning("%s has no answer: %s", case.id, error, exc_info=not isinstance(error, AnkareError))
            return None, Failure(FailureKind.BROKEN, type(error).__name__), isinstance(error, _OF_THE_HOME)

    def _body(self, case: Case) -> Json:
        """As the service makes it, see `ankare.service.desk`."""
        started = time.perf_counter()
        corpus = self._engine.corpus(self._access)
        known = corpus.profile.home.languages
        if case.language and case.language not in known:
            raise QuestionError(f"language: {case.language[:10]!r} is not one of {', '.join(known)}.")
        with _in_time(self._seconds):
            reply = self._engine.ask(
                case.question,
                language=case.language or None,
                reference_date=case.reference_date,
                agentic=self._flags.agentic,
                synthesis=self._flags.synthesis,
                access=self._access,
            )
        links = Links.of(corpus.profile, versions_of(corpus.documents.values()))
        body = ask_body(reply, render(reply, links), links, self._flags, self._settings.revision)
        body["timing_ms"] = round(_since(started), 3)
        body["answer_id"] = uuid4().hex
        return body


WARMING = "warming_ms"
"""In the environment: what it took to be warm, which is in no answer's time."""


def made_from(corpus: OpenCorpus, pack: Path | None = None) -> Mapping[str, str]:
    """The documents and the profile that answers stand on, as digests: a new version of the index tells by them what of it is
    new. `pack`: the one whose profile is used instead of the home's."""
    manifest = corpus.snapshot.manifest
    profile = manifest.profile if pack is None else hashlib.sha256((pack / "profile.toml").read_bytes()).hexdigest()
    entries = sorted((one.document.source, one.document.sha256, one.sidecar) for one in manifest.entries)
    return {"documents": hashlib.sha256(repr(entries).encode()).hexdigest()[:12], "profile": profile[:12] or "none"}


def settings_told(settings: Settings) -> Mapping[str, Any]:
    """The settings that answers depend on, without keys and paths, and which model plays which part how freely."""
    secret = {name for name, value in settings if isinstance(value, SecretStr)}
    told: dict[str, Any] = settings.model_dump(mode="json", exclude={*_UNTOLD, *secret})
    told["provider"] = settings.provider_kind
    if settings.provider_kind != "none":
        told["cast"] = {
            agent.value: {"model": part.shown, "temperature": part.temperature, "max_tokens": part.max_tokens}
            for agent, part in cast_from(settings).parts.items()
        }
    return told


def reader(access: Access) -> str:
    """Who reads, in a word: "owner", "public", or the labels."""
    if access == OWNER:
        return "owner"
    return " ".join(sorted(access.labels)) or "public"


@contextmanager
def _in_time(seconds: float) -> Iterator[None]:
    """While this lasts, calls of models end when the seconds are over."""
    token = CancelToken()
    timer = Timer(seconds, token.cancel)
    timer.daemon = True
    timer.start()
    try:
        with cancelled_by(token):
            yield
    finally:
        timer.cancel()


def _of_provider(error: ProviderError) -> str:
    """Its kind and status: the message names the service's host."""
    return error.kind if error.status is None else f"{error.kind}, status {error.status}"


def _since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
