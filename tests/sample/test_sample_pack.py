"""Promises about the pack that ships with ankare: complete, reproducible, and with a suite whose gold is true."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pypdfium2
import pytest

from ankare.profile.load import load_profile
from ankare.sample import pack_path
from ankare.sample.generate.build import TEXTS
from ankare.sample.generate.check_suite import FIGURE, misplaced, page_texts, plain, read_suite
from ankare.sample.generate.source import read_manuscript

DOCUMENTS, FACTS = pack_path() / "documents", pack_path() / "facts"
PDFS = sorted(DOCUMENTS.glob("*.pdf"))
SUITE = read_suite(pack_path())
NARRATIVE = [case for case in SUITE if case["type"] != FIGURE]
PROFILE = load_profile(pack_path() / "profile.toml")


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Documents and fact files made twice, in processes that differ in hash seed, time zone and locale."""
    folders = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second")
    for folder, seed, zone in zip(folders, ("1", "2"), ("UTC", "Asia/Tokyo"), strict=True):
        into = "--out", str(folder / "documents"), "--facts", str(folder / "facts")
        command = [sys.executable, "-m", "ankare.sample.generate", *into]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone}, capture_output=True)
    return folders


def test_two_runs_write_the_same_bytes(two_runs: tuple[Path, Path]) -> None:
    first, second = ({path.name: path.read_bytes() for path in folder.glob("*/*")} for folder in two_runs)
    assert len(first) == 17
    assert sorted(first) == sorted(second)
    assert [name for name in first if first[name] != second[name]] == []


def test_shipped_files_are_what_the_texts_say(two_runs: tuple[Path, Path]) -> None:
    """Compared by content: another zlib packs the same content into other bytes."""
    for shipped in (DOCUMENTS, FACTS):
        made = two_runs[0] / shipped.name
        names = {path.name for path in shipped.iterdir() if path.suffix != ".toml"}
        assert {path.name for path in made.iterdir()} == names
        for name in sorted(names):
            assert _content(made / name) == _content(shipped / name), name


def _content(path: Path) -> object:
    if path.suffix == ".pdf":
        return page_texts(path), [title for title, _ in _outline(path)]
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    return path.read_bytes()


def _outline(path: Path) -> list[tuple[str, int]]:
    with pypdfium2.PdfDocument(path) as document:
        return [(bookmark.get_title(), bookmark.level) for bookmark in document.get_toc()]


def test_pack_is_small_and_has_every_format() -> None:
    assert sum(path.stat().st_size for path in pack_path().rglob("*") if path.is_file()) < 2_000_000
    suffixes = Counter(path.suffix for path in DOCUMENTS.iterdir())
    assert set(suffixes) == {".pdf", ".docx", ".pptx", ".xlsx", ".html", ".md", ".txt", ".toml"}
    assert suffixes[".pdf"] >= 4
    assert sum(len(page_texts(path)) for path in PDFS) >= 40


def test_profile_loads_and_allows_every_document() -> None:
    types = {path.suffix.lstrip(".") for path in DOCUMENTS.iterdir()} - {"toml"}
    assert types <= set(PROFILE.documents.allowed_types or ())
    assert PROFILE.examples


def test_every_sidecar_stands_beside_a_document() -> None:
    sidecars = sorted(DOCUMENTS.glob("*.meta.toml"))
    assert len(sidecars) == 3
    assert all(path.with_name(path.name.removesuffix(".meta.toml")).exists() for path in sidecars)


def test_one_page_is_an_image_only() -> None:
    empty = [(path.name, number) for path in PDFS for number, text in enumerate(page_texts(path), 1) if not text]
    assert empty == [("Inforandehandbok_Traden.pdf", 11)]


@pytest.mark.parametrize("path", PDFS, ids=lambda path: path.name)
def test_every_pdf_has_running_lines_and_broken_words(path: Path) -> None:
    with pypdfium2.PdfDocument(path) as document:
        texts = [page.get_textpage().get_text_range() for page in document]
    assert any("\ufffe" in text or "\x02" in text for text in texts), "no word is broken at a line end"
    pages = len(texts)
    numbered = [
        text
        for number, text in enumerate(texts, 1)
        if any(form.format(number, pages) in text for form in ("Sida {} ({})", "Sida {} av {}", "{} ({})"))
    ]
    assert len(numbered) >= pages - 2, "all pages but the cover and an image carry a page number"


def test_some_pdfs_have_bookmarks_and_some_have_none() -> None:
    depths = {path.name: {level for _, level in _outline(path)} for path in PDFS}
    assert depths["Inforandehandbok_Traden.pdf"] == {0, 1, 2}
    assert depths["Kravguide.pdf"] == set()


def test_superseded_version_differs_in_one_rule_only() -> None:
    new, old = (read_manuscript(TEXTS / name).blocks for name in ("drift.md", "drift.earlier.toml"))
    changed = [(before.text, after.text) for before, after in zip(old, new, strict=True) if before != after]
    assert len(changed) == 2, "the paragraph on validity and the rule"
    assert "börjar fem arbetsdagar före driftsättningen" in changed[1][0]
    assert "börjar tio arbetsdagar före driftsättningen" in changed[1][1]


def test_suite_has_thirty_cases_of_every_kind_about_the_documents() -> None:
    assert len({case["id"] for case in SUITE}) == len(SUITE)
    assert len(NARRATIVE) == 30
    assert {case["type"] for case in NARRATIVE} == {
        "definition", "list", "process", "responsibility", "planning", "time", "purpose", "existence", "misspelled",
        "ambiguous", "out_of_domain",
    }  # fmt: skip
    assert sum(case["language"] == "en" for case in NARRATIVE) == 2
    assert len({gold["source"] for case in NARRATIVE for gold in case["gold"]}) >= 10


def test_unanswerable_cases_carry_no_gold() -> None:
    unanswerable = [case for case in NARRATIVE if not case["answerable"]]
    assert len(unanswerable) == 6
    assert all(case["gold"] == [] and case["type"] == "out_of_domain" for case in unanswerable)
    assert all(case["gold"] and case["reference_answer"] for case in NARRATIVE if case["answerable"])


def test_every_gold_snippet_stands_on_its_page() -> None:
    assert misplaced(pack_path()) == []


def test_a_snippet_that_stands_elsewhere_is_reported(tmp_path: Path) -> None:
    """The saboteur: the same suite with one page number off by one."""
    (tmp_path / "documents").symlink_to(DOCUMENTS)
    lines = (pack_path() / "suite.jsonl").read_text(encoding="utf-8")
    assert '"pages": [13]' in lines
    (tmp_path / "suite.jsonl").write_text(lines.replace('"pages": [13]', '"pages": [14]'), encoding="utf-8")
    assert len(misplaced(tmp_path)) == 1


def test_a_third_of_the_questions_share_few_words_with_their_gold() -> None:
    answerable = [case for case in NARRATIVE if case["answerable"]]
    assert sum(_shared(case) <= 1 for case in answerable) >= len(answerable) / 3


def _shared(case: dict) -> int:  # type: ignore[type-arg]
    """Content words in common, taken as words of five letters or more with the same first five."""
    stems = [
        {word[:5] for word in plain(text).lower().split() if len(word) >= 5}
        for text in (case["question"], " ".join(gold["snippet"] for gold in case["gold"]))
    ]
    return len(stems[0] & stems[1])
