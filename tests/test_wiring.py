"""Which vectors a corpus is opened with while a new version's own are being made."""

from __future__ import annotations

from pathlib import Path

from ankare.domain.access import OWNER
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.retrieve.embedding import VersionEmbedding
from ankare.wiring import corpus_source
from tests.ingest.making import folder_of
from tests.retrieve.corpus import ConceptEmbedder


def embed(home: Home, embedder: ConceptEmbedder) -> None:
    assert VersionEmbedding(home.embeddings, str(home.current_version()), embedder).run(home.chunks())


def test_search_by_meaning_goes_on_with_what_an_earlier_version_had(tmp_path: Path) -> None:
    embedder = ConceptEmbedder(("avbok", "återbud"), ("kaffe", "fika"))
    home = Home(tmp_path / "h")
    docs = folder_of(tmp_path / "docs", {"a.txt": "Möten avbokas per telefon.", "b.txt": "Kaffe finns i entrén."})
    ingest([docs], home)
    source = corpus_source(home, None, embedder)
    assert not source.load(OWNER).semantic
    embed(home, embedder)
    first = source.state(OWNER)
    assert source.load(OWNER).semantic

    folder_of(docs, {"c.txt": "Kaffe finns också i köket."})
    (docs / "b.txt").unlink()
    ingest([docs], home)
    between = source.state(OWNER)
    corpus = source.load(OWNER)
    hits = corpus.retrieve(corpus.interpret("Hur lämnar man återbud?", "sv"), 5)
    assert [hit.chunk.source for hit in hits if hit.semantic is not None] == ["a.txt"]
    fika = corpus.retrieve(corpus.interpret("Var finns fika?", "sv"), 5)
    assert "b.txt" not in {hit.chunk.source for hit in fika}

    embed(home, embedder)
    last = source.state(OWNER)
    assert len({first, between, last}) == 3
    corpus = source.load(OWNER)
    fika = corpus.retrieve(corpus.interpret("Var finns fika?", "sv"), 5)
    assert next(hit.chunk.source for hit in fika if hit.semantic is not None) == "c.txt"


def test_without_the_semantic_extra_no_vectors_are_looked_for(tmp_path: Path) -> None:
    home = Home(tmp_path / "h")
    ingest([folder_of(tmp_path / "docs", {"a.txt": "Planen."})], home)
    assert corpus_source(home).state(OWNER).index == home.current_version()
    assert not corpus_source(home).load(OWNER).semantic
