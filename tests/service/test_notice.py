"""The page says quietly that search by meaning is not ready, only where that is so."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from ankare.errors import HomeMissingError
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.service import desk as desk_module
from ankare.service.desk import Desk
from ankare.service.shelf import HomeShelf
from ankare.settings import Settings
from tests.service.real import build_home, write_documents
from tests.service.scripted import ScriptedEngine, ScriptedShelf


class NoShelf(ScriptedShelf):
    def embedded(self) -> bool:
        raise HomeMissingError("There is no index.")


@pytest.mark.parametrize(
    ("wanted", "installed", "embedded", "pending"),
    [
        (True, True, False, True),
        (True, True, True, False),
        (False, True, False, False),
        (True, False, False, False),
        (True, True, None, False),
    ],
)
def test_what_is_pending_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: bool, installed: bool, embedded: bool | None, pending: bool
) -> None:
    monkeypatch.setattr(desk_module, "find_spec", lambda name: object() if installed else None)
    shelf = NoShelf(tmp_path) if embedded is None else ScriptedShelf(tmp_path, meaning=embedded)
    desk = Desk(Settings(home=tmp_path, semantic=wanted), shelf, ScriptedEngine)
    assert desk.meaning_pending() is pending


def test_vectors_that_come_later_are_noticed(tmp_path: Path) -> None:
    home = build_home(tmp_path / "home", write_documents(tmp_path / "documents"))
    shelf = HomeShelf(home)
    assert shelf.embedded() is False
    folder = home / "embeddings" / shelf.version()
    folder.mkdir(parents=True)
    (folder / "layout.json").write_text("{}")
    assert shelf.embedded() is True


def test_versions_come_from_the_metadata_beside_a_document(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "documents")
    (documents / "plan.pdf.meta.toml").write_text('version = "2.0"\n', encoding="utf-8")
    ingest([documents], Home(tmp_path / "home"), workers=1)
    shelf = HomeShelf(tmp_path / "home")
    versions: Mapping[str, str] = shelf.versions()
    assert {shelf.document(document_id).source: version for document_id, version in versions.items()} == {
        "plan.pdf": "2.0"
    }
