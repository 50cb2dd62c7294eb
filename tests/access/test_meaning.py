"""With search by meaning on: the same hits, scores and answers, and no word of what is still to be embedded in secret."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from ankare.channels.corpus import OpenCorpus
from ankare.domain.access import PUBLIC, Access
from ankare.index.home import Home
from ankare.retrieve.embedding import VersionEmbedding
from ankare.retrieve.vectors import LAYOUT_FILE
from ankare.service.shelf import HomeShelf
from ankare.wiring import corpus_source
from tests.access.world import BOARD_FILES, LEGAL_FILES, PUBLIC_FILES, QUESTIONS, access, built, take_in, write
from tests.retrieve.corpus import ConceptEmbedder

EMBEDDER = ConceptEmbedder(
    ("avbok", "återbud", "förhinder"), ("backup", "säkerhetskopi"), ("uppköp", "fusion"), ("arkiv",)
)


def embed(home: Home) -> None:
    objects = {entry.object: entry.document.chunk_ids for entry in home.manifest().entries}
    work = VersionEmbedding(home.embeddings, str(home.current_version()), EMBEDDER, objects)
    left = [chunk for key in objects if key not in work.carried for chunk, _terms in home.read_object(key).chunks]
    assert work.run(left)


def opened(home: Home, reader: Access) -> OpenCorpus:
    return corpus_source(home, None, EMBEDDER).load(reader)


def hits(corpus: OpenCorpus) -> list[object]:
    assert corpus.semantic
    found = [corpus.retrieve(corpus.interpret(question, "sv"), 20) for question in QUESTIONS]
    assert any(hit.semantic for one in found for hit in one)
    return [[(hit.chunk.id, hit.score, hit.parts, hit.semantic, hit.duplicates) for hit in one] for one in found]


def test_meaning_is_that_of_a_home_without_secrets(tmp_path: Path) -> None:
    plain = Home(built(tmp_path / "plain", PUBLIC_FILES))
    mixed = Home(built(tmp_path / "mixed", PUBLIC_FILES, BOARD_FILES, LEGAL_FILES))
    embed(plain)
    embed(mixed)
    assert hits(opened(plain, PUBLIC)) == hits(opened(mixed, PUBLIC))
    board = {name: text for name, text in BOARD_FILES.items() if "access" not in name}
    same = Home(built(tmp_path / "board", PUBLIC_FILES, board))
    embed(same)
    assert hits(opened(same, PUBLIC)) == hits(opened(mixed, access("board"))) != hits(opened(mixed, PUBLIC))


def test_a_secret_that_is_still_to_be_embedded_does_not_show(tmp_path: Path) -> None:
    home = Home(built(tmp_path / "plain", PUBLIC_FILES))
    embed(home)
    expected = hits(opened(home, PUBLIC))
    take_in(write(tmp_path / "plain" / "docs", BOARD_FILES), home.path)
    shelf = HomeShelf(home.path)
    assert (shelf.embedded(), shelf.of(access("board")).embedded()) == (False, False)
    assert shelf.of(PUBLIC).embedded() is True
    assert hits(opened(home, PUBLIC)) == expected
    embed(home)
    assert shelf.of(access("board")).embedded() is True
    assert hits(opened(home, PUBLIC)) == expected


def test_what_has_vectors_is_looked_up_again_where_that_failed_for_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(built(tmp_path / "mixed", PUBLIC_FILES, BOARD_FILES))
    embed(home)
    take_in(write(tmp_path / "mixed" / "docs", LEGAL_FILES), home.path)
    shelf = HomeShelf(home.path).of(PUBLIC)
    assert shelf.chunk_count()
    opens = Path.open

    def fails(path: Path, *given: Any, **named: Any) -> Any:
        if path.name == LAYOUT_FILE:
            raise OSError(errno.EMFILE, "Too many open files")
        return opens(path, *given, **named)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", fails)
        assert not shelf.embedded()
    assert shelf.embedded()
