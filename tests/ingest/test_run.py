"""What an ingest promises: only what changed is touched, errors stay with their file, two builds are the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ankare.errors import BadInputError, HomeDamagedError, HomeError, HomeLockedError, PackError, ProfileError
from ankare.index import build as build_module
from ankare.index.build import locked
from ankare.index.home import Home
from ankare.index.protocol import LexicalQuery, WeightedTerm
from ankare.ingest import work as work_module
from ankare.ingest.report import IngestReport
from ankare.ingest.run import ingest
from tests.ingest.making import folder_of, pdf, words


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    files = {
        "drift.md": f"# Drift\n\nDriften ska testas. {words(20)}\n",
        "roller/chef.txt": "Chefen beslutar om planen. Det gör hon varje vecka.\n",
        "sida.html": "<h1>Stöd</h1><p>Stödet ges av helpdesk varje dag.</p>",
    }
    return folder_of(tmp_path / "docs", files)


def statuses(report: IngestReport) -> dict[str, str]:
    return {file.source: file.status.value for file in report.files}


def settle(folder: Path) -> None:
    """Give files times in the past, as if they had lain there a while."""
    past = time.time() - 100
    for path in folder.rglob("*"):
        os.utime(path, (past, past))


def tree(home: Home) -> Iterator[tuple[str, bytes]]:
    """Everything that two builds must have alike: not the engine's own files, nor where the documents were found."""
    for path in sorted(home.path.rglob("*")):
        if path.is_file() and path.parent.name != "tantivy" and path.name not in ("origins.json", "sizes.json"):
            yield str(path.relative_to(home.path)), path.read_bytes()


def test_all_files_go_in_and_can_be_opened(home: Home, docs: Path) -> None:
    report = ingest([docs], home)
    assert set(statuses(report).values()) == {"added"}
    snapshot = home.open_current()
    assert snapshot.name == report.version == home.current_version()
    assert sorted(snapshot.sources) == ["drift.md", "roller/chef.txt", "sida.html"]
    assert len(snapshot.index) == sum(file.chunks for file in report.files)
    assert snapshot.vocabulary["helpdesk"] == 1
    document = snapshot.sources["drift.md"]
    assert snapshot.original(document.id).read_bytes() == (docs / "drift.md").read_bytes()
    assert [chunk.id for chunk in snapshot.index.chunks(document.chunk_ids)] == list(document.chunk_ids)


def test_a_second_run_changes_nothing(home: Home, docs: Path) -> None:
    first = ingest([docs], home)
    before = dict(tree(home))
    second = ingest([docs], home)
    assert set(statuses(second).values()) == {"unchanged"}
    assert (second.version, second.built) == (first.version, False)
    assert [file.chunks for file in second.files] == [file.chunks for file in first.files]
    assert dict(tree(home)) == before


def test_only_the_changed_file_gets_new_chunks(home: Home, docs: Path) -> None:
    ingest([docs], home)
    before = home.open_current()
    (docs / "drift.md").write_text("# Drift\n\nNu gäller leverans.\n")
    (docs / "ny.txt").write_text("Ny fil om arkiv.")
    (docs / "sida.html").unlink()
    report = ingest([docs], home)
    assert statuses(report) == {
        "drift.md": "changed",
        "ny.txt": "added",
        "roller/chef.txt": "unchanged",
        "sida.html": "removed",
    }
    after = home.open_current()
    assert before.sources["roller/chef.txt"] == after.sources["roller/chef.txt"]
    assert "sida.html" not in after.sources
    assert after.vocabulary["leverans"] == 1
    assert "helpdesk" not in after.vocabulary
    assert len(after.index) == sum(len(document.chunk_ids) for document in after.documents.values())
    # A reader that had the old version open goes on with it.
    assert len(before.index.chunks(before.sources["sida.html"].chunk_ids)) == 1


def test_changes_one_by_one_end_where_a_fresh_build_does(home: Home, docs: Path, tmp_path: Path) -> None:
    ingest([docs / "drift.md"], home)
    ingest([docs], home)
    (docs / "sida.html").unlink()
    ingest([docs], home)
    fresh = Home(tmp_path / "fresh")
    ingest([docs], fresh)
    kept, built = home.open_current(), fresh.open_current()
    assert kept.manifest == built.manifest
    assert kept.vocabulary == built.vocabulary


def test_two_builds_are_the_same_byte_for_byte(home: Home, docs: Path, tmp_path: Path) -> None:
    ingest([docs], home, workers=1)
    elsewhere = shutil.copytree(docs, tmp_path / "elsewhere")
    other = Home(tmp_path / "other")
    ingest([elsewhere], other, workers=2)
    assert dict(tree(home)) == dict(tree(other))


def test_a_touched_file_is_unchanged_and_a_quick_change_of_equal_size_is_seen(home: Home, docs: Path) -> None:
    settle(docs)
    ingest([docs], home)
    os.utime(docs / "drift.md")
    assert statuses(ingest([docs], home))["drift.md"] == "unchanged"
    (docs / "a.txt").write_text("Ett tal: 1.")
    ingest([docs], home)
    (docs / "a.txt").write_text("Ett tal: 2.")
    assert statuses(ingest([docs], home))["a.txt"] == "changed"


def test_single_files_leave_the_others_alone(home: Home, docs: Path) -> None:
    ingest([docs], home)
    (docs / "sida.html").unlink()
    report = ingest([docs / "drift.md"], home)
    assert "sida.html" not in statuses(report)
    assert "sida.html" in home.open_current().sources


def test_a_file_named_alone_keeps_the_source_that_its_folder_gave_it(home: Home, docs: Path) -> None:
    ingest([docs], home)
    (docs / "roller" / "chef.txt").write_text("Ägaren beslutar.")
    assert statuses(ingest([docs / "roller" / "chef.txt"], home)) == {"roller/chef.txt": "changed"}
    assert set(statuses(ingest([docs / "roller"], home))) == {"roller/chef.txt"}
    (docs / "roller" / "chef.txt").unlink()
    assert statuses(ingest([docs / "roller"], home)) == {"roller/chef.txt": "removed"}


def test_a_folder_gives_a_file_that_was_named_alone_its_full_source(home: Home, docs: Path) -> None:
    ingest([docs / "roller" / "chef.txt"], home)
    report = statuses(ingest([docs], home))
    assert (report["chef.txt"], report["roller/chef.txt"]) == ("removed", "added")
    assert len(home.open_current().sources) == 3


def test_the_same_folder_by_another_name_is_not_taken_twice(home: Home, docs: Path, tmp_path: Path) -> None:
    ingest([docs], home)
    (tmp_path / "link").symlink_to(docs)
    assert set(statuses(ingest([tmp_path / "link"], home)).values()) == {"unchanged"}


def test_a_home_inside_the_documents_is_not_read(docs: Path) -> None:
    home = Home(docs / "h")
    ingest([docs], home)
    report = ingest([docs], home)
    assert len(report.files) == 3


def test_names_that_are_not_utf8_are_read_in_every_format(home: Home, tmp_path: Path) -> None:
    folder = tmp_path / "namn"
    folder.mkdir()
    (folder / os.fsdecode(b"a\xe5.pdf")).write_bytes(pdf([["Planen testas."]]))
    (folder / os.fsdecode(b"b\xe5.txt")).write_text("Planen testas.")
    assert statuses(ingest([folder], home, workers=1)) == {"a%E5.pdf": "added", "b%E5.txt": "added"}


def test_a_fact_table_is_no_document(home: Home, docs: Path) -> None:
    (docs / "tal.csv").write_text("Metric,entity,period,value,unit,channel\nREVENUE,A,2024,12,USD_M,\n")
    (docs / "lista.csv").write_text("Roll,Ansvar\nChef,Beslut\n")
    report = statuses(ingest([docs], home))
    assert (report["tal.csv"], report["lista.csv"]) == ("skipped", "added")


def test_one_bad_file_does_not_stop_the_others(home: Home, docs: Path) -> None:
    folder_of(docs, {"tom.pdf": b"", "trasig.docx": b"PK\x03\x04xx", "binär.txt": b"\0\1"})
    report = ingest([docs], home)
    assert {file.source for file in report.failed} == {"tom.pdf", "trasig.docx", "binär.txt"}
    assert all(file.message for file in report.failed)
    assert len(home.open_current().sources) == 3
    assert dict(home.manifest().failed).keys() == {"tom.pdf", "trasig.docx", "binär.txt"}


def test_a_file_that_breaks_keeps_what_was_read_earlier(home: Home, docs: Path) -> None:
    ingest([docs], home)
    (docs / "sida.html").write_bytes(b"")
    report = ingest([docs], home)
    assert statuses(report)["sida.html"] == "failed"
    assert "earlier stays" in report.failed[0].message
    assert "sida.html" in home.open_current().sources


def test_an_unreadable_folder_keeps_its_documents(home: Home, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest([docs], home)
    real = os.scandir

    def closed(path: Path) -> object:
        if Path(path).name == "roller":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", closed)
    report = ingest([docs], home)
    assert statuses(report)["roller"] == "failed"
    assert "roller/chef.txt" in home.open_current().sources


def test_equal_content_in_two_files_is_kept_twice(home: Home, docs: Path) -> None:
    shutil.copy(docs / "drift.md", docs / "kopia.md")
    ingest([docs], home)
    sources = home.open_current().sources
    assert sources["drift.md"].sha256 == sources["kopia.md"].sha256
    assert set(sources["drift.md"].chunk_ids).isdisjoint(sources["kopia.md"].chunk_ids)


def test_a_type_that_the_profile_does_not_allow_is_never_indexed(home: Home, docs: Path, tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    shutil.copytree(docs, pack / "documents")
    (pack / "profile.toml").write_text('[documents]\nallowed_types = ["md", "txt"]\n')
    report = ingest([pack], home)
    assert statuses(report) == {"drift.md": "added", "roller/chef.txt": "added", "sida.html": "skipped"}
    (pack / "profile.toml").write_text('[documents]\nallowed_types = ["md"]\n')
    report = ingest([pack], home)
    assert statuses(report)["roller/chef.txt"] == "skipped"
    assert list(home.open_current().sources) == ["drift.md"]


def test_the_home_keeps_the_profile(home: Home, docs: Path, tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    shutil.copytree(docs, pack / "documents")
    (pack / "profile.toml").write_text('[synonyms]\nhelpdesk = ["support"]\n')
    ingest([], home, pack=pack)
    ingest([docs / "drift.md"], home)
    kept = home.open_current().profile_path
    assert kept is not None
    assert kept.read_bytes() == (pack / "profile.toml").read_bytes()


def test_a_sidecar_gives_title_and_version_and_its_change_is_a_change(home: Home, docs: Path) -> None:
    sidecar = docs / "roller" / "chef.txt.meta.toml"
    sidecar.write_text('title = "Chefens roll"\nvalid_from = 2025-01-01\nsupersedes = ["gammal.txt"]\n')
    ingest([docs], home)
    document = home.open_current().sources["roller/chef.txt"]
    assert (document.title, document.valid_from) == ("Chefens roll", "2025-01-01")
    assert document.supersedes == ("roller/gammal.txt",)
    sidecar.write_text('title = "Roll"\n')
    assert statuses(ingest([docs], home))["roller/chef.txt"] == "changed"
    sidecar.write_text("titel = 3\n")
    report = ingest([docs], home)
    assert "titel" in report.failed[0].message
    sidecar.unlink()
    assert (
        statuses(ingest([docs], home))["roller/chef.txt"] == "added"
    )  # a broken one takes it out: who may read it is in doubt


def test_other_languages_read_everything_anew_also_what_was_not_named(home: Home, docs: Path, tmp_path: Path) -> None:
    ingest([docs], home)
    pack = folder_of(
        tmp_path / "pack",
        {"profile.toml": '[home]\nlanguage = "en"\nlanguages = ["en"]\n', "documents/a.txt": "The plan is tested."},
    )
    report = ingest([pack], home)
    assert statuses(report) == {
        "a.txt": "added",
        "drift.md": "changed",
        "roller/chef.txt": "changed",
        "sida.html": "changed",
    }
    assert {document.language for document in home.open_current().documents.values()} == {"en"}


def test_pdf_pages_and_pages_without_text_are_reported(home: Home, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf([["Planen testas av beställaren."], [], ["Driften tar vid."]]))
    (file,) = ingest([tmp_path / "a.pdf"], home).files
    assert (file.pages, file.pages_without_text) == (3, (2,))
    assert "2" in file.message


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers are forked, so that they have what the test has put in: a thread left by an earlier test would make them new."""
    monkeypatch.setattr("ankare.ingest.pool.threading.active_count", lambda: 1)


@pytest.mark.usefixtures("forked")
def test_a_reader_that_kills_its_process_fails_only_its_file(
    home: Home, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = work_module.read_document

    def deadly(path: Path, *more: object) -> object:
        if path.name == "sida.html":
            os._exit(139)
        return real(path, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(work_module, "read_document", deadly)
    for number in range(12):
        (docs / f"{number}.txt").write_text(f"Rad {number}.")
    report = ingest([docs], home, workers=2)
    assert [file.source for file in report.failed] == ["sida.html"]
    assert len(home.open_current().sources) == 14


def test_a_file_that_changes_while_it_is_read_is_told(home: Home, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = work_module.read_document

    def growing(path: Path, *more: object) -> object:
        found = real(path, *more)  # type: ignore[arg-type]
        path.write_bytes(path.read_bytes() + b" Mer.")
        return found

    with monkeypatch.context() as patch:
        patch.setattr(work_module, "read_document", growing)
        (file,) = ingest([docs / "drift.md"], home).failed
    assert "changed while" in file.message
    assert not ingest([docs / "drift.md"], home).failed


@pytest.mark.usefixtures("forked")
def test_a_small_archive_that_kills_its_reader_does_not_end_the_ingest(
    home: Home, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_module, "source_type_of", lambda path: os._exit(139) if path.name == "a.txt" else "md")
    (docs / "a.txt").write_bytes(b"PK\x03\x04")
    assert [file.source for file in ingest([docs], home).failed] == ["a.txt"]


def test_two_ingests_at_once_are_refused(home: Home, docs: Path) -> None:
    with locked(home), pytest.raises(HomeLockedError):
        ingest([docs], home)


def test_a_full_disk_leaves_the_old_index_and_says_so(home: Home, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = ingest([docs], home).version
    (docs / "ny.txt").write_text("Ny fil.")

    def full(*_args: object, **_more: object) -> None:
        raise OSError(28, "No space left on device")

    for module, name in ((work_module, "write_once"), (build_module, "_replace")):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, full)
            with pytest.raises(HomeError, match="disk is full"):
                ingest([docs], home)
        assert home.open_current().name == before
    assert statuses(ingest([docs], home))["ny.txt"] == "added"


_KILLED = """
import os, sys
from pathlib import Path
from ankare.index import build
from ankare.index.home import Home
from ankare.ingest.run import ingest

def kill(*args, **more):
    os.kill(os.getpid(), 9)

target, name = sys.argv[3].rsplit(".", 1)
setattr(build.Build if target == "Build" else build, name, kill)
ingest([Path(sys.argv[1])], Home(Path(sys.argv[2])), workers=1)
"""


@pytest.mark.parametrize(
    "moment", ["Build.add", "Build.remove", "Build._make_durable", "build._replace", "build.manifest_bytes"]
)
def test_a_killed_build_leaves_the_old_index_whole(home: Home, docs: Path, moment: str) -> None:
    before = ingest([docs], home).version
    (docs / "drift.md").write_text("Nu gäller leverans.")
    killed = subprocess.run([sys.executable, "-c", _KILLED, str(docs), str(home.path), moment], check=False)
    assert killed.returncode == -9
    snapshot = home.open_current()
    assert snapshot.name == before
    assert "leverans" not in snapshot.vocabulary
    query = LexicalQuery((WeightedTerm("helpdesk", 1.0),))
    assert len(snapshot.index.search(query, 3)) == 1
    ingest([docs], home)
    after = home.open_current()
    assert after.vocabulary["leverans"] == 1
    names = sorted(path.name for path in home.versions.iterdir())
    assert len(names) == 2
    assert all("." not in name for name in names)


_READING = """
import sys, time
from pathlib import Path
from ankare.index.home import Home
from ankare.ingest import work
from ankare.ingest.run import ingest

def endless(*args):
    print("reading", flush=True)
    time.sleep(600)

work.read_document = endless
ingest([Path(sys.argv[1])], Home(Path(sys.argv[2])), workers=2)
"""


def test_readers_of_a_killed_ingest_end_and_hold_no_lock(home: Home, docs: Path) -> None:
    command = [sys.executable, "-c", _READING, str(docs), str(home.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as killed:
        assert killed.stdout is not None
        killed.stdout.readline()
        killed.kill()
        killed.stdout.read()  # comes to its end when the last reader has ended
    assert ingest([docs], home).built


def test_old_versions_and_what_only_they_used_are_taken_away(home: Home, docs: Path) -> None:
    for number in range(4):
        (docs / "drift.md").write_text(f"Driften har version {number}.")
        ingest([docs], home)
    assert len(list(home.versions.iterdir())) == 2
    assert len(list(home.objects.iterdir())) == 4
    assert len(list(home.originals.iterdir())) == 4


def test_a_fresh_build_reads_everything_anew_and_loses_nothing(
    home: Home, docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = folder_of(tmp_path / "other", {"b.txt": "Beställaren godkänner."})
    ingest([docs], home)
    ingest([other], home)
    before = home.manifest()
    read: list[str] = []
    real = work_module.read_document
    monkeypatch.setattr(work_module, "read_document", lambda path, *more: read.append(path.name) or real(path, *more))
    report = ingest([docs], home, fresh=True, workers=1)
    assert set(statuses(report).values()) == {"unchanged"}
    assert len(read) == 4
    assert home.manifest() == before
    assert len(home.open_current().index) == sum(file.chunks for file in report.files)


@pytest.mark.parametrize("gone", [True, False])
@pytest.mark.parametrize(
    "name", ["vocabulary.tsv", "tantivy/meta.json", "tantivy/*.pos", "tantivy/*.store", "sizes.json"]
)
def test_an_index_that_is_gone_or_cut_is_made_anew_from_what_was_read(
    home: Home, docs: Path, name: str, gone: bool
) -> None:
    ingest([docs], home)
    words = home.open_current().vocabulary
    (file,) = home.version_folder().glob(name)
    data = file.read_bytes()
    file.unlink()  # and never cut in place: this process has mapped it
    if not gone:
        file.write_bytes(data[:-2])
    if name == "sizes.json" and gone:
        assert home.open_current().vocabulary == words
        return
    with pytest.raises(HomeDamagedError, match="ankare ingest"):
        home.open_current()
    report = ingest([docs / "drift.md"], home)
    assert report.built
    snapshot = home.open_current()
    assert len(snapshot.documents) == 3
    assert snapshot.vocabulary == words
    assert len(snapshot.index) == sum(len(document.chunk_ids) for document in snapshot.documents.values())


@pytest.mark.parametrize("keep", [0, 10])
def test_a_fresh_build_makes_every_file_of_the_home_whole(home: Home, docs: Path, keep: int) -> None:
    ingest([docs], home)
    whole = {name: data for name, data in tree(home) if name.startswith(("objects/", "originals/"))}
    for name, data in whole.items():
        (home.path / name).write_bytes(data[:keep])
    ingest([docs], home, fresh=True)
    assert whole.items() <= dict(tree(home)).items()


def test_an_object_that_lacks_chunks_is_damage(home: Home, docs: Path) -> None:
    ingest([docs], home)
    path = home.object_path(home.manifest().entries[0].object)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    with pytest.raises(HomeDamagedError, match="--fresh"):
        list(home.chunks())


def test_an_empty_current_file_is_damage_not_an_empty_home(home: Home, docs: Path) -> None:
    ingest([docs], home)
    home.current_file.write_bytes(b"")
    with pytest.raises(HomeDamagedError, match="--fresh"):
        ingest([docs / "drift.md"], home)


def test_a_damaged_kept_profile_asks_for_its_pack(home: Home, docs: Path, tmp_path: Path) -> None:
    pack = folder_of(tmp_path / "pack", {"profile.toml": '[home]\nlanguage = "sv"', "documents/a.txt": "Planen."})
    ingest([pack], home)
    (home.version_folder() / "profile.toml").write_text("[")
    with pytest.raises(HomeDamagedError, match="--pack"):
        ingest([docs], home)
    assert ingest([docs], home, pack=pack).built


def test_what_a_full_disk_cut_short_does_not_stay(home: Home, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.write_bytes

    def half(path: Path, data: bytes) -> int:
        real(path, data[:10])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", half)
        with pytest.raises(HomeError, match="disk is full"):
            ingest([docs], home, workers=1)
    assert not [path for path in home.path.rglob("*") if path.is_file() and path.name != "lock"]
    (home.originals / "left.txt.17.tmp").write_text("killed while writing")
    ingest([docs], home)
    assert not list(home.path.rglob("*.tmp"))


def test_nothing_to_ingest_is_bad_use(home: Home, tmp_path: Path) -> None:
    with pytest.raises(BadInputError):
        ingest([], home)
    with pytest.raises(PackError):
        ingest([], home, pack=tmp_path)
    folder_of(tmp_path, {"profile.toml": "[home]\nfoo = 1", "documents/a.txt": "x"})
    with pytest.raises(ProfileError):
        ingest([tmp_path], home)
