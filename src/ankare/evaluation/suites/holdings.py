"""What does a home hold, page by page, and where do given words stand in it?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

from ankare.domain.document import Chunk, Document
from ankare.domain.fact import Fact, FactKey, ReviewStatus
from ankare.evaluation.suites.gold import Place, holds
from ankare.facts.open import open_store
from ankare.index.home import Home
from ankare.profile.load import load_profile
from ankare.profile.model import Profile
from ankare.settings import load_settings

MOST_FACTS = 100_000


@dataclass(frozen=True)
class Holdings:
    """One version of a home as its owner sees it. Chunks stand by source and in reading order; figures are approved ones."""

    documents: Mapping[str, Document]
    chunks: tuple[Chunk, ...]
    profile: Profile
    facts: Mapping[FactKey, tuple[Fact, ...]]

    @cached_property
    def pages(self) -> Mapping[Place, str]:
        """The text of each page that has any, as far as it can be cited."""
        lines: dict[Place, list[str]] = {}
        for chunk in self.chunks:
            for sentence in chunk.sentences:
                for page in dict.fromkeys(place.page for place in sentence.places):
                    lines.setdefault(Place(chunk.source, page), []).append(chunk.sentence_text(sentence))
        return {place: "\n".join(held) for place, held in lines.items()}

    def text_of(self, source: str, pages: tuple[int, ...]) -> str:
        """The text of these pages of a source, of all its pages where none is named."""
        wanted = pages or tuple(place.page or 0 for place in self.pages if place.source == source)
        return "\n".join(self.pages.get(Place(source, page), "") for page in wanted)

    @cached_property
    def superseded(self) -> frozenset[str]:
        """Sources that a newer document of the home replaces."""
        return frozenset(source for document in self.documents.values() for source in document.supersedes)

    def places_of(self, snippet: str) -> tuple[Place, ...]:
        """Every page on which these words stand, by source and page."""
        return tuple(place for place, text in self.pages.items() if holds(text, snippet))


def read_holdings(home: Path, figures: Callable[[Profile], Collection[FactKey]] | None = None) -> Holdings:
    """What a home holds now. `figures`: the keys that are looked up, by the home's profile; without it the first `MOST_FACTS`
    figures are read.

    Raises HomeError where it holds no index, ProfileError, FactStoreError.
    """
    opened = Home(home)
    snapshot = opened.open_current()
    chunks = [chunk for entry in snapshot.manifest.entries for chunk, _ in opened.read_object(entry.object).chunks]
    profile = Profile() if snapshot.profile_path is None else load_profile(snapshot.profile_path)
    return Holdings(snapshot.sources, tuple(chunks), profile, _facts(home, profile, figures))


def _facts(
    home: Path, profile: Profile, figures: Callable[[Profile], Collection[FactKey]] | None
) -> Mapping[FactKey, tuple[Fact, ...]]:
    location = load_settings(home=home).facts_location
    if isinstance(location, Path) and not location.exists():
        return {}
    store = open_store(location, profile)
    try:
        if not store.ready():
            return {}
        if figures is not None:
            return store.lookup_all(list(figures(profile)))
        found: dict[FactKey, list[Fact]] = {}
        for stored in islice(store.facts(status=ReviewStatus.APPROVED), MOST_FACTS):
            found.setdefault(stored.fact.key, []).append(stored.fact)
    finally:
        store.close()
    return {key: tuple(facts) for key, facts in found.items()}
