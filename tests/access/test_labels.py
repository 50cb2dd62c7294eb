"""Which label a file gets, and that one in doubt is never published."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from ankare.domain.access import PUBLIC
from ankare.errors import DocumentError
from ankare.facts.sqlite import SqliteFactStore
from ankare.index.home import Home
from ankare.index.views import Views
from ankare.ingest import work
from ankare.ingest.labels import Labels, folder_label
from ankare.ingest.run import ingest
from tests.access.world import PUBLIC_FILES, access, take_in, write

TEXT = "Planen gäller i Kina.\n"
TABLE = "metric,entity,period,value,unit\nREVENUE,ACME_CN,2024,1,USD_M\n"


def labels(home: Path) -> dict[str, str]:
    """Each document with its label."""
    return {d.source: d.access for d in Home(home).open_current().documents.values()}


def public(home: Path) -> set[str]:
    """What everybody sees."""
    return set(Views(Home(home)).open(PUBLIC).sources)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, ""),
        ({"a/b/c.md.meta.toml": 'access = "BOARD"'}, "board"),
        ({"a/b/access.toml": 'label = "board"'}, "board"),
        ({"access.toml": 'label = "board"'}, "board"),
        ({"access.toml": 'label = "outer"', "a/b/access.toml": 'label = "inner"'}, "inner"),
        ({"a/access.toml": 'label = "outer"', "a/b/c.md.meta.toml": 'access = "own"'}, "own"),
        ({"a/access.toml": 'label = "outer"', "a/b/c.md.meta.toml": 'title = "T"'}, "outer"),
        ({"a/x/access.toml": 'label = "beside"'}, ""),
        ({"a/b/c.md.meta.toml": 'label = "own"'}, "own"),
        ({"a/access.toml": 'access = "outer"'}, "outer"),
        ({"a/access.toml": 'access = "Board"\nlabel = "board"'}, "board"),
        ({"a/b/c.md.meta.toml": 'access = "board"\nlabel = "BOARD"\ntitle = "T"'}, "board"),
    ],
)
def test_the_nearest_label_wins(tmp_path: Path, files: dict[str, str], expected: str) -> None:
    write(tmp_path, {"a/b/c.md": TEXT, **files})
    assert Labels().of(tmp_path / "a" / "b" / "c.md") == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("access.toml", ""),
        ("access.toml", 'label = ""'),
        ("access.toml", 'label = "a b"'),
        ("access.toml", "label = 3"),
        ("access.toml", 'labels = "board"'),
        ("access.toml", 'label = "board"\nnote = "x"'),
        ("access.toml", 'label = "' + "x" * 65 + '"'),
        ("access.toml", "label = board"),
        ("access.toml", b"\xff\xfe"),
        ("Access.toml", 'label = "board"'),
        ("aCCess.Toml", 'label = "board"'),
        ("a/plan.md.meta.toml", 'access = ""'),
        ("a/plan.md.meta.toml", 'acess = "board"'),
        ("a/plan.md.meta.toml", 'access = ["board"]'),
        ("a/plan.md.meta.toml", "access"),
        ("a/plan.md.meta.toml", 'label = ""\naccess = "board"'),
        ("a/plan.md.meta.toml", 'label = "board"\naccess = "legal"'),
        ("access.toml", 'label = "board"\naccess = "legal"'),
        ("access.toml", 'access = ""'),
    ],
)
def test_a_label_in_doubt_takes_a_document_and_its_figures_out(tmp_path: Path, name: str, text: str | bytes) -> None:
    docs = write(tmp_path / "docs", {"a/plan.md": TEXT, "a/facts/tal.csv": TABLE})
    home = take_in(docs, tmp_path / "home")
    assert public(home.path) == {"a/plan.md"}
    sidecar = name.endswith(".meta.toml")
    write(docs, {name: text, **({name.replace("plan.md", "facts/tal.csv"): text} if sidecar else {})})
    report = ingest([docs], home)
    told = {file.source: file.message for file in report.failed}
    assert name.rpartition("/")[2] in told["a/plan.md"], told
    assert public(home.path) == set()
    store = SqliteFactStore(home.path / "facts.db")
    assert store.count() == 0
    store.close()


def test_what_stands_in_the_way_of_a_label_is_told_with_its_remedy(tmp_path: Path) -> None:
    write(tmp_path, {"access.toml": 'label = "Vår styrelse"'})
    with pytest.raises(DocumentError) as told:
        Labels().of(tmp_path / "plan.md")
    assert str(tmp_path / "access.toml") in told.value.message and "board" in told.value.remedy


def test_two_labels_in_one_file_are_told_with_both(tmp_path: Path) -> None:
    write(tmp_path, {"access.toml": 'label = "board"\naccess = "legal"'})
    with pytest.raises(DocumentError) as told:
        Labels().of(tmp_path / "plan.md")
    assert 'label = "board" and access = "legal"' in told.value.message and "Keep label" in told.value.remedy


def test_a_file_named_alone_has_the_label_of_its_folders(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"secret/access.toml": 'label = "board"', "secret/2025/plan.md": TEXT})
    home = Home(tmp_path / "home")
    ingest([docs / "secret" / "2025" / "plan.md"], home)
    assert labels(home.path) == {"plan.md": "board"}
    ingest([docs / "secret" / "2025"], Home(tmp_path / "other"))
    assert labels(tmp_path / "other") == {"plan.md": "board"}


def test_a_link_to_a_secret_is_secret(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"öppet/a.md": TEXT})
    write(tmp_path / "secret", {"access.toml": 'label = "board"', "b/plan.md": TEXT, "c.md": TEXT})
    (docs / "öppet" / "mapp").symlink_to(tmp_path / "secret" / "b")
    (docs / "öppet" / "c.md").symlink_to(tmp_path / "secret" / "c.md")
    ingest([docs], Home(tmp_path / "home"))
    assert labels(tmp_path / "home") == {"öppet/a.md": "", "öppet/c.md": "board", "öppet/mapp/plan.md": "board"}


def _sidecar(docs: Path, label: str) -> None:
    path = docs / "a" / "plan.md.meta.toml"
    path.write_text(f'access = "{label}"') if label else path.unlink()


def _folder(docs: Path, label: str) -> None:
    path = docs / "a" / "access.toml"
    path.write_text(f'label = "{label}"') if label else path.unlink()


@pytest.mark.parametrize("write_label", [_sidecar, _folder])
def test_a_change_of_the_label_alone_is_noticed(tmp_path: Path, write_label: Callable[[Path, str], None]) -> None:
    docs = write(tmp_path / "docs", {"a/plan.md": TEXT, "b.md": TEXT})
    home = take_in(docs, tmp_path / "home")
    for label in ("board", "legal", ""):
        write_label(docs, label)
        report = ingest([docs], home)
        (changed,) = (file for file in report.files if file.status == "changed")
        assert (changed.source, changed.access, report.to_json()["labels"]) == (
            "a/plan.md",
            label,
            {label: 1} if label else {},
        )
        assert ("a/plan.md" in public(home.path)) is (not label)
        assert not ingest([docs], home).built
        assert labels(home.path)["a/plan.md"] == label


def test_a_document_that_cannot_be_read_any_more_gets_its_new_label(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"a/plan.pdf": PUBLIC_FILES["allmänt/plan.pdf"]})
    home = take_in(docs, tmp_path / "home")
    write(docs, {"a/access.toml": 'label = "board"', "a/plan.pdf": b"%PDF-1.4 cut short"})
    report = ingest([docs], home)
    assert "stays" in report.failed[0].message
    assert labels(home.path) == {"a/plan.pdf": "board"}
    assert public(home.path) == set()


def test_a_label_that_comes_while_a_document_is_read_stops_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = write(tmp_path / "docs", {"a/plan.md": TEXT})
    read = work.read_document  # type: ignore[attr-defined]

    def slowly(*given: object) -> object:
        write(docs, {"a/access.toml": 'label = "board"'})
        return read(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(work, "read_document", slowly)
    report = ingest([docs], Home(tmp_path / "home"), workers=1)
    assert "label changed" in report.failed[0].message
    assert labels(tmp_path / "home") == {}
    assert [file.access for file in ingest([docs], Home(tmp_path / "home"), workers=1).files] == ["board"]


def test_an_unlabelled_manifest_is_as_it_was(tmp_path: Path) -> None:
    home = take_in(write(tmp_path / "docs", {"a.md": TEXT}), tmp_path / "home")
    assert b"access" not in (home.version_folder() / "manifest.json").read_bytes()
    assert not home.views.exists()


def test_figures_get_their_label_and_lose_it(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"facts/tal.csv": TABLE, "facts/tal.csv.meta.toml": 'access = "board"'})
    home = take_in(docs, tmp_path / "home")
    store = SqliteFactStore(home.path / "facts.db")
    counts = [(store.count(), store.readable(PUBLIC).count(), store.readable(access("board")).count())]
    (docs / "facts" / "tal.csv.meta.toml").unlink()
    report = ingest([docs], home)
    assert [(file.source, file.status, file.access) for file in report.files] == [("facts/tal.csv", "changed", "")]
    counts.append((store.count(), store.readable(PUBLIC).count(), store.readable(access("board")).count()))
    write(docs, {"facts/access.toml": 'label = "board"', "facts/tal.csv": "metric,entity\n"})
    report = ingest([docs], home)  # a table that is refused, and has another label now
    assert "taken out" in report.failed[0].message
    counts.append((store.count(), store.readable(PUBLIC).count(), store.readable(access("board")).count()))
    assert counts == [(1, 0, 1), (1, 1, 1), (0, 0, 0)]
    store.close()


@pytest.mark.parametrize("first", ["secret", "public"])
def test_the_name_of_a_public_document_does_not_tell_of_a_secret_one(tmp_path: Path, first: str) -> None:
    write(
        tmp_path, {"secret/plan.md": TEXT, "secret/access.toml": 'label = "board"', "public/plan.md": "Annan text.\n"}
    )
    home = Home(tmp_path / "home")
    second = {"secret": "public", "public": "secret"}[first]
    ingest([tmp_path / first], home)
    ingest([tmp_path / second], home)
    assert labels(home.path) == {"plan.md": "", "secret/plan.md": "board"}
    ingest([tmp_path / first, tmp_path / second], home)
    assert labels(home.path) == {"plan.md": "", "secret/plan.md": "board"}


@pytest.mark.parametrize("number", [errno.EMFILE, errno.EIO, errno.ESTALE])
def test_a_folder_that_cannot_be_listed_for_a_moment_is_not_public(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    (tmp_path / "Access.toml").write_text('label = "board"\n', "utf-8")

    def fails(_folder: Path) -> list[Path]:
        raise OSError(number, "for a moment")

    monkeypatch.setattr(Path, "iterdir", fails)
    with pytest.raises(DocumentError, match="for a moment"):
        folder_label(tmp_path)
