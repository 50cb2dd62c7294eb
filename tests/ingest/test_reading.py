"""The fingerprint of reading changes with what is read from files, and with nothing else."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ankare.index.home import Home
from ankare.ingest import reading
from ankare.ingest import work as work_module
from ankare.ingest.reading import fingerprint, library_versions, reading_fingerprint
from ankare.ingest.run import ingest
from ankare.language import wordtable
from tests.ingest.making import folder_of, pdf, words

FILES = {
    "domain/document.py": "x = 1",
    "index/payload.py": "",
    "index/terms.py": "x = 2",
    "index/home.py": "x = 3",
    "ingest/pdf/read.py": "x = 4",
    "language/packs/sv/stop.txt": "och",
    "service/app.py": "x = 5",
}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path) -> Iterator[None]:
    before = list(wordtable._folder)
    wordtable.use_cache_folder(tmp_path / "cache")
    yield
    wordtable._folder[:] = before


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return folder_of(tmp_path / "package", FILES)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("domain/document.py", True),
        ("index/terms.py", True),
        ("ingest/pdf/read.py", True),
        ("language/packs/sv/stop.txt", True),
        ("index/home.py", False),
        ("service/app.py", False),
        ("ingest/__pycache__/read.cpython-311.pyc", False),
    ],
)
def test_it_changes_with_code_and_data_of_reading_only(package: Path, name: str, counts: bool) -> None:
    before = fingerprint(package, ["a 1"])
    folder_of(package, {name: "changed"})
    assert (fingerprint(package, ["a 1"]) != before) is counts


def test_a_new_file_and_another_library_change_it(package: Path) -> None:
    before = fingerprint(package, ["a 1"])
    assert fingerprint(package, ["a 2"]) != before
    folder_of(package, {"ingest/read_new.py": ""})
    assert fingerprint(package, ["a 1"]) != before


def test_it_is_the_same_for_the_same_code_in_another_place_at_another_time(package: Path, tmp_path: Path) -> None:
    shutil.copytree(package, tmp_path / "other")
    for path in (tmp_path / "other").rglob("*"):
        os.utime(path, (1, 1))
    assert fingerprint(tmp_path / "other", ["a 1"]) == fingerprint(package, ["a 1"])


def test_a_second_process_does_not_hash_again(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = fingerprint(package, ["a 1"])
    monkeypatch.setattr(reading, "_digest", lambda *_arguments: pytest.fail("hashed again"))
    assert fingerprint(package, ["a 1"]) == first


@pytest.mark.parametrize("kept", [b"", b"nonsense", b"\xff\xfe", b"0 1"])
def test_a_damaged_cache_is_not_believed(package: Path, tmp_path: Path, kept: bytes) -> None:
    first = fingerprint(package, ["a 1"])
    (tmp_path / "cache" / "reading.txt").write_bytes(kept)
    assert fingerprint(package, ["a 1"]) == first


def test_without_a_cache_folder_it_is_the_same(package: Path) -> None:
    first = fingerprint(package, ["a 1"])
    wordtable.use_cache_folder(None)
    assert fingerprint(package, ["a 1"]) == first


def test_the_installed_code_has_one_and_its_libraries_are_all_there() -> None:
    assert len(reading_fingerprint()) == 16
    assert all(" " in version for version in library_versions())


def test_a_pdf_read_anew_from_its_copy_keeps_its_title(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    folder_of(tmp_path / "a", {"Rutin_arkivering.pdf": pdf([["Arkivering av handlingar", *[words(9)] * 20]])})
    folder_of(tmp_path / "pack", {"profile.toml": '[home]\nlanguage = "sv"\nlanguages = ["sv", "zh"]'})
    folder_of(tmp_path / "pack", {"documents/a.txt": "Planen."})
    ingest([tmp_path / "a"], home)
    before = home.open_current()
    ingest([tmp_path / "pack"], home)
    after = home.open_current()
    assert before.manifest.settings != after.manifest.settings
    titles = [snapshot.sources["Rutin_arkivering.pdf"].title for snapshot in (before, after)]
    assert titles == ["Arkivering av handlingar"] * 2


def test_other_code_of_the_readers_reads_everything_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, docs = Home(tmp_path / "home"), folder_of(tmp_path / "docs", {"a.txt": "Planen testas."})
    first = ingest([docs], home)
    monkeypatch.setattr(work_module, "reading_fingerprint", lambda: "0123456789abcdef")
    second = ingest([docs], home)
    assert (second.built, second.version != first.version) == (True, True)
    assert ("reading", "0123456789abcdef") in home.manifest().settings
