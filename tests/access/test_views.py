"""A view is what a home would be that holds nothing else; it comes about whole or not at all, and goes when nobody needs it."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ankare.domain.access import OWNER, PUBLIC
from ankare.engine import Engine
from ankare.index import view_build
from ankare.index.home import Home, Snapshot
from ankare.index.manifest import read_manifest
from ankare.index.objects import DocumentObject
from ankare.index.protocol import LexicalQuery, WeightedTerm
from ankare.index.views import Views, readable, view_name
from ankare.settings import Settings
from ankare.wiring import open_engine
from tests.access.world import BOARD_FILES, LEGAL_FILES, PUBLIC_FILES, WAYS, access, at_once, built, take_in, write

WORDS = ("backup", "styrgrupp", "lokal", "avbrott", "zirkonbolag", "arkiv")


def everything(snapshot: Snapshot) -> tuple[object, ...]:
    """All that a search can see of an index."""
    query = LexicalQuery(tuple(WeightedTerm(word, 1.0) for word in WORDS))
    hits = [(hit.chunk_id, hit.score) for hit in snapshot.index.search(query, 100)]
    parts = [snapshot.index.explain(query, chunk_id) for chunk_id, _score in hits]
    counts = [snapshot.index.doc_freq(word) for word in WORDS]
    return hits, parts, counts, len(snapshot.index), snapshot.vocabulary, snapshot.documents


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(at_once(tmp_path))


def engine_of(home: Home) -> Engine:
    return open_engine(Settings(home=home.path, semantic=False))


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_view_is_a_fresh_home_of_what_it_holds(tmp_path: Path, way: object) -> None:
    plain = Home(built(tmp_path / "plain", PUBLIC_FILES))
    seen = Views(Home(way(tmp_path / "mixed"))).open(PUBLIC)  # type: ignore[operator]
    assert everything(seen) == everything(plain.open_current())
    assert view_name(seen.manifest) == Views(plain).standing(PUBLIC).name


def test_a_change_of_what_is_secret_leaves_the_public_view_alone(tmp_path: Path, home: Home) -> None:
    (folder,) = view_build.view_folders(home)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.suffix != ".lock"}
    take_in(write(tmp_path / "docs", {"styrelse/fusion.md": "# Fusion\n\nUppköpet är inställt.\n"}), home.path)
    Views(home).open(PUBLIC)
    assert view_build.view_folders(home) == [folder]
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.suffix != ".lock"} == before


@pytest.mark.parametrize("large", [False, True])
def test_a_large_view_that_only_adds_documents_takes_over_what_is_there(
    home: Home, monkeypatch: pytest.MonkeyPatch, large: bool
) -> None:
    """One that is not large is written in one piece: a search goes through one segment."""
    monkeypatch.setattr(view_build, "REWRITE_LIMIT", 0 if large else 1000)
    read: list[str] = []
    object_of = Home.read_object

    def noted(self: Home, key: str) -> DocumentObject:
        read.append(key)
        return object_of(self, key)

    monkeypatch.setattr(Home, "read_object", noted)
    seen = Views(home).open(access("board", "legal"))
    entries = home.manifest().entries
    assert set(read) == {entry.object for entry in entries if entry.document.access or not large}
    (folder,) = (folder for folder in view_build.view_folders(home) if read_manifest(folder) == seen.manifest)
    assert len({path.stem for path in folder.glob("tantivy/*.term")}) == (2 if large else 1)
    whole = home.open_current()
    assert everything(replace(seen, documents={})) == everything(replace(whole, documents={}))


def test_readers_of_the_same_share_one_corpus(home: Home) -> None:
    engine = engine_of(home)
    board = engine.corpus(access("board"))
    assert engine.corpus(access("board", "nobody")) is board
    assert engine.corpus(PUBLIC) is engine.corpus(access("nobody")) is not board
    assert engine.corpus(OWNER).version == home.current_version()


def test_where_nothing_has_a_label_all_share_one_corpus_under_their_names(tmp_path: Path) -> None:
    home = Home(built(tmp_path, PUBLIC_FILES))
    engine = engine_of(home)
    engine.prepare(PUBLIC)
    owner, public = engine.corpus(OWNER), engine.corpus(PUBLIC)
    assert owner.snapshot.index is public.snapshot.index
    assert owner.version == home.current_version() != public.version == Views(home).standing(PUBLIC).name
    assert not home.views.exists()


def test_a_running_engine_moves_on_with_its_readers(tmp_path: Path, home: Home) -> None:
    engine = engine_of(home)
    board, public = engine.corpus(access("board")), engine.corpus(PUBLIC)
    write(tmp_path / "docs", {"styrelse/ny.md": "# Ny\n\nNyheten är hemlig.\n"})
    take_in(tmp_path / "docs", home.path)
    assert engine.corpus(PUBLIC) is public
    assert "styrelse/ny.md" in engine.corpus(access("board")).snapshot.sources
    assert "styrelse/ny.md" not in board.snapshot.sources
    assert not engine.ask("Vad är hemlig nyheten?", access=PUBLIC).answered


def test_views_go_when_no_version_needs_them(tmp_path: Path, home: Home) -> None:
    docs = tmp_path / "docs"
    for label in ("board", "legal"):
        Views(home).open(access(label))
    assert len(view_build.view_folders(home)) == 3
    for number in range(3):  # two versions are kept, so the old views go with the second change
        take_in(write(docs, {"allmänt/drift.md": f"# Drift\n\nDriften är ny för {number}:e gången.\n"}), home.path)
    used = {view_name(readable(home.manifest(), PUBLIC)).removeprefix("view-")}
    assert used <= {folder.name for folder in view_build.view_folders(home)}
    assert len(view_build.view_folders(home)) == 2
    for name in (*BOARD_FILES, *LEGAL_FILES):
        (docs / name).unlink()
    take_in(docs, home.path)
    take_in(write(docs, {"allmänt/drift.md": "# Drift\n\nDriften är åter ny.\n"}), home.path)
    assert view_build.view_folders(home) == []


def test_a_damaged_view_is_built_anew(home: Home) -> None:
    (folder,) = view_build.view_folders(home)
    expected = everything(Views(home).open(PUBLIC))
    for name in ("vocabulary.tsv", "manifest.json", "tantivy/meta.json", "sizes.json"):
        (folder / name).write_bytes(b"")
        assert everything(Views(home).open(PUBLIC)) == expected
        (folder / name).unlink()
        assert everything(Views(home).open(PUBLIC)) == expected


def take_away(folder: Path) -> None:
    """Remove a folder in which the index that was open may still put down a lock file meanwhile."""
    deadline = time.monotonic() + 60
    while folder.exists():
        assert time.monotonic() < deadline
        shutil.rmtree(folder, ignore_errors=True)


def test_a_home_that_cannot_be_written_is_read(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = everything(Views(home).open(access("board")))
    take_away(home.views)
    make = Path.mkdir

    def refused(self: Path, *given: object, **named: object) -> None:
        if home.path in self.parents:
            raise OSError(errno.EROFS, "Read-only file system")
        make(self, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "mkdir", refused)
    first = Views(home).open(access("board"))
    assert everything(first) == expected
    assert everything(Views(home).open(access("board", "x"))) == expected
    assert not home.views.exists()


BUILDING = """
import sys, time
from pathlib import Path
from ankare.domain.access import Access
from ankare.index import view_build
from ankare.index.home import Home
from ankare.index.views import Views
if sys.argv[2] == "hang":
    def hang(*_):
        print("building", flush=True)
        time.sleep(600)
    view_build.sync = hang
elif sys.argv[2] == "slow":
    sync = view_build.sync
    view_build.sync = lambda path: (time.sleep(0.05), sync(path))
print(len(Views(Home(Path(sys.argv[1]))).open(Access(frozenset(("board",)))).index), flush=True)
"""


def start(home: Home, how: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", BUILDING, str(home.path), how], stdout=subprocess.PIPE, text=True, env={**os.environ}
    )


def test_a_process_that_is_killed_while_it_builds_leaves_a_home_that_works(home: Home) -> None:
    child = start(home, "hang")
    assert child.stdout is not None and child.stdout.readline() == "building\n"
    assert [path for path in home.views.iterdir() if path.name.startswith(".building-")]
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert len(view_build.view_folders(home)) == 1  # the public one
    assert "styrelse/fusion.md" in Views(home).open(access("board")).sources
    assert not [path for path in home.views.iterdir() if path.name.startswith(".building-")]


def test_processes_that_build_the_same_at_once_all_get_it(home: Home) -> None:
    children = [start(home, "slow") for _ in range(3)]
    told = {child.communicate(timeout=120)[0] for child in children}
    assert [child.returncode for child in children] == [0, 0, 0]
    assert told == {f"{len(Views(home).open(access('board')).index)}\n"}
    assert len(view_build.view_folders(home)) == 2


def test_a_corpus_that_moved_on_while_it_was_loaded_is_not_taken_for_another(tmp_path: Path, home: Home) -> None:
    """Between looking and loading a secret is added for one reader; another reader, who sees what the first one saw before,
    must not get it."""
    docs = write(tmp_path / "d", PUBLIC_FILES, {"x/access.toml": 'label = "x"', "y/access.toml": 'label = "y"'})
    home = take_in(write(docs, {"y/y.md": "# Y\n\nYtan är grön.\n"}), tmp_path / "h")
    engine = engine_of(home)
    source = engine._corpora._source
    moved: list[bool] = []

    def load(reader: object) -> object:
        if not moved:
            moved.append(True)
            take_in(write(docs, {"x/x.md": "# X\n\nHemlighet om xylofonen.\n"}), home.path)
        return source.load(reader)  # type: ignore[arg-type]

    engine._corpora._source = replace(source, load=load)  # type: ignore[arg-type]
    assert "x/x.md" in engine.corpus(access("x")).snapshot.sources
    assert "x/x.md" not in engine.corpus(PUBLIC).snapshot.sources
