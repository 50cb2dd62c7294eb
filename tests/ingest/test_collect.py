"""Which files a path means, whatever they are called."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ankare.errors import BadInputError
from ankare.index.manifest import Origin
from ankare.ingest.collect import FoundFile, collect, is_sidecar
from tests.ingest.making import folder_of


def sources(found: list[FoundFile]) -> list[str]:
    return [file.source for file in found if not file.problem]


def test_a_folder_gives_its_files_below_it_sorted(tmp_path: Path) -> None:
    folder_of(tmp_path, {"b.txt": "b", "a/x.txt": "a", "c/x.txt": "c"})
    assert sources(collect([tmp_path], {})) == ["a/x.txt", "b.txt", "c/x.txt"]


@pytest.mark.parametrize("name", ["med blank.txt", "å.txt", "🎉.txt", "\"citat'.txt", "rad\nbryt.txt", "#?%.txt"])
def test_unusual_names_are_kept(tmp_path: Path, name: str) -> None:
    folder_of(tmp_path, {name: "x"})
    assert sources(collect([tmp_path], {})) == [name]


def test_bytes_that_are_not_utf8_and_decomposed_letters_get_a_printable_source(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"a\xe5.txt")).write_text("x")
    (tmp_path / "bå.txt").write_text("x")
    assert sources(collect([tmp_path], {})) == ["a%E5.txt", "bå.txt"]


def test_two_files_of_one_name_get_sources_of_their_own(tmp_path: Path) -> None:
    folder_of(tmp_path, {"a/x.txt": "a", "b/x.txt": "b"})
    found = collect([tmp_path / "b" / "x.txt", tmp_path / "a" / "x.txt"], {})
    assert sources(found) == ["b/x.txt", "x.txt"]


def test_a_source_that_a_living_file_has_is_not_taken_from_it(tmp_path: Path) -> None:
    folder_of(tmp_path, {"a/x.txt": "a", "b/x.txt": "b"})
    first = Origin("x.txt", "", str(tmp_path / "a" / "x.txt"), 1, 1)
    assert sources(collect([tmp_path / "b" / "x.txt"], {"x.txt": first})) == ["b/x.txt"]
    (tmp_path / "a" / "x.txt").unlink()
    assert sources(collect([tmp_path / "b" / "x.txt"], {"x.txt": first})) == ["x.txt"]


def test_a_symlink_loop_ends_and_is_told(tmp_path: Path) -> None:
    folder_of(tmp_path, {"a/x.txt": "a"})
    (tmp_path / "a" / "again").symlink_to(tmp_path)
    found = collect([tmp_path], {})
    assert sources(found) == ["a/x.txt"]
    assert [file.source for file in found if file.problem] == ["a/again"]


def test_broken_links_pipes_and_unknown_types_are_told(tmp_path: Path) -> None:
    folder_of(tmp_path, {"bild.png": b"x", ".dold.txt": "x", "~$lås.docx": "x"})
    (tmp_path / "bruten.txt").symlink_to(tmp_path / "ingenstans")
    os.mkfifo(tmp_path / "rör.txt")
    found = {file.source: file for file in collect([tmp_path], {})}
    assert sorted(found) == ["bild.png", "bruten.txt", "rör.txt"]
    assert found["bruten.txt"].failed
    assert not found["bild.png"].failed


def test_a_sidecar_belongs_to_its_document_and_one_without_is_told(tmp_path: Path) -> None:
    folder_of(tmp_path, {"a.txt": "x", "a.txt.meta.toml": "", "b.txt.meta.toml": ""})
    found = {file.source: file for file in collect([tmp_path], {})}
    assert is_sidecar(found["a.txt.meta.toml"])
    assert found["b.txt.meta.toml"].failed


def test_a_path_that_does_not_exist_is_bad_use(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="does not exist"):
        collect([tmp_path / "saknas"], {})


@pytest.mark.parametrize(
    ("name", "problem", "failed"),
    [
        ("tal.xls", "no reader for .xls files: save it as .xlsx", False),
        ("Brev.DOC", "no reader for .doc files: save it as .docx", False),
        ("tal.exe", "no reader for .exe files", False),
        ("tal.csv.map.toml", "describes a table tal.csv, and no file of that name lies beside it", True),
        ("a.toml", "no reader for .toml files", False),
    ],
)
def test_what_is_not_read_is_told_with_what_to_do(name: str, problem: str, failed: bool, tmp_path: Path) -> None:
    (found,) = collect([folder_of(tmp_path, {name: "x"})], {})
    assert (found.problem, found.failed) == (problem, failed)
