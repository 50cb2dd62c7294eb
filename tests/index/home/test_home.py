"""What a home says when it is missing, older, newer or damaged, and that what it writes comes back the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ankare.domain.document import Document
from ankare.errors import HomeDamagedError, HomeMissingError, HomeVersionError
from ankare.index.home import Home
from ankare.index.manifest import Entry, Manifest, manifest_bytes, read_manifest
from ankare.index.objects import decode_object, encode_object
from ankare.ingest.run import ingest


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / "a.txt").write_text("Driften ska testas av beställaren. Planen gäller.")
    home = Home(tmp_path / "home")
    ingest([tmp_path / "a.txt"], home)
    return home


def rewrite_format(home: Home, number: object) -> None:
    path = home.version_folder() / "manifest.json"
    raw = json.loads(path.read_bytes())
    raw["format"] = number
    path.write_text(json.dumps(raw))


def test_an_empty_home_names_the_remedy(tmp_path: Path) -> None:
    assert Home(tmp_path / "none").current_version() is None
    with pytest.raises(HomeMissingError, match="ankare ingest"):
        Home(tmp_path / "none").open_current()


@pytest.mark.parametrize(("number", "remedy"), [(0, "--fresh"), (99, "newer"), ("x", "--fresh")])
def test_another_format_names_the_remedy(home: Home, number: object, remedy: str) -> None:
    rewrite_format(home, number)
    with pytest.raises(HomeVersionError, match=remedy):
        home.open_current()


def test_a_fresh_build_replaces_a_home_of_another_format(home: Home, tmp_path: Path) -> None:
    rewrite_format(home, 0)
    with pytest.raises(HomeVersionError):
        ingest([tmp_path / "a.txt"], home)
    ingest([tmp_path / "a.txt"], home, fresh=True)
    assert len(home.open_current().documents) == 1


@pytest.mark.parametrize("name", ["manifest.json", "vocabulary.tsv", "tantivy/meta.json"])
def test_a_damaged_version_says_which_file(home: Home, name: str) -> None:
    (home.version_folder() / name).unlink()
    with pytest.raises(HomeDamagedError) as told:
        home.open_current()
    assert "ankare ingest" in told.value.remedy


def test_a_manifest_that_was_changed_by_hand_is_damage(home: Home) -> None:
    path = home.version_folder() / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b"a.txt", b"b.txt"))
    with pytest.raises(HomeDamagedError, match="not the manifest"):
        home.open_current()


def test_a_name_of_a_version_that_is_not_there_is_damage(home: Home) -> None:
    home.current_file.write_text("000009-00000000")
    with pytest.raises(HomeDamagedError):
        home.open_current()


def test_only_ingested_documents_have_an_original(home: Home) -> None:
    snapshot = home.open_current()
    with pytest.raises(KeyError):
        snapshot.original("../CURRENT")
    (document,) = snapshot.documents.values()
    snapshot.original(document.id).unlink()
    with pytest.raises(HomeDamagedError):
        snapshot.original(document.id)


def test_an_object_comes_back_the_same(home: Home) -> None:
    (entry,) = home.manifest().entries
    data = home.object_path(entry.object).read_bytes()
    read = decode_object(data)
    assert encode_object(read) == data
    assert read.document == entry.document
    assert [chunk for chunk, _ in read.chunks] == list(home.chunks())


def test_a_manifest_comes_back_the_same_in_any_order(tmp_path: Path) -> None:
    documents = [
        Document(f"id{n}", f"å{n}.pdf", "pdf", "0" * 64, "T", "sv", 3, (2,), "1", "2025-01-01", ("x",), ("c",))
        for n in range(3)
    ]
    entries = tuple(Entry(document, "key", "side", ("note",)) for document in documents)
    manifest = Manifest(entries, (("a", "1"),), (("b.pdf", "broken"),), "p")
    (tmp_path / "manifest.json").write_bytes(manifest_bytes(manifest))
    assert read_manifest(tmp_path) == manifest
    assert manifest_bytes(Manifest(entries[::-1], manifest.settings, manifest.failed, "p")) == manifest_bytes(manifest)
