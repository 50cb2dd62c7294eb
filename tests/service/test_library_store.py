"""What the library's files promise at every moment: no content stands under a label that is not its own, killed or not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from ankare.ingest.sidecar import load_sidecar
from ankare.service.library import names as library_names
from ankare.service.library import store as library_module
from ankare.service.library.store import NOBODY, Library, label_of
from ankare.service.problem import ProblemError
from tests.service import test_library_names as names

LABELS = ("", "hr", "board")
PAIRS = [(before, after) for before in LABELS for after in LABELS]


class KilledError(BaseException):
    """The process ends here."""


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path, 10**9)


def put(library: Library, text: str, label: str | None, *, replace: bool = False) -> None:
    incoming = library.begin("plan.txt", 10)
    try:
        incoming.write(text.encode())
        library.keep(incoming, "plan.txt", "document", label, replace=replace)
    finally:
        incoming.discard()


def state(library: Library) -> tuple[str, str]:
    """The content of the file and its label; the content of one that is not there is empty."""
    path = library.folders["document"] / "plan.txt"
    return (path.read_text() if path.exists() else "", label_of(path))


@contextmanager
def watched(library: Library, kill_after: int | None = None) -> Iterator[list[tuple[str, str]]]:
    """What a reader could have met after each change on the disk; the process is killed after some of them."""
    seen: list[tuple[str, str]] = []
    originals = {name: getattr(Path, name) for name in ("replace", "unlink")}

    def noting(name: str) -> Any:
        def step(self: Path, *given: Any, **named: Any) -> Any:
            result = originals[name](self, *given, **named)
            seen.append(state(library))
            if len(seen) == kill_after:
                raise KilledError
            return result

        return step

    with pytest.MonkeyPatch.context() as patch:
        for name in originals:
            patch.setattr(Path, name, noting(name))
        yield seen


def never_mixed(seen: list[tuple[str, str]], before: str, after: str) -> None:
    for content, label in seen:
        assert content == "" or label == NOBODY or (content, label) in (("old", before), ("new", after))


@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_a_replaced_content_never_stands_under_the_others_label(library: Library, before: str, after: str) -> None:
    put(library, "old", before)
    with watched(library) as seen:
        put(library, "new", after, replace=True)
    never_mixed(seen, before, after)
    assert state(library) == ("new", after)


@pytest.mark.parametrize(("before", "after"), PAIRS)
@pytest.mark.parametrize("kill_after", range(1, 6))
def test_nor_does_it_after_a_kill_and_the_next_upload_mends(
    library: Library, before: str, after: str, kill_after: int
) -> None:
    put(library, "old", before)
    with watched(library, kill_after) as seen, suppress(KilledError):
        put(library, "new", after, replace=True)
    never_mixed([*seen, state(library)], before, after)
    put(library, "new", after, replace=True)
    assert state(library) == ("new", after)


def test_the_label_of_a_file_that_is_being_replaced_is_in_doubt_for_an_ingest(library: Library) -> None:
    put(library, "old", "hr")
    path = library.folders["document"] / "plan.txt"
    library_module._write_label(path, NOBODY)
    with pytest.raises(library_module.DocumentError):
        load_sidecar(path)


def test_a_file_that_is_taken_away_is_gone_before_its_label(library: Library) -> None:
    put(library, "old", "hr")
    found = library.named("plan.txt")
    assert found is not None
    with watched(library) as seen:
        library.take_away(found)
    never_mixed(seen, "hr", "hr")
    assert state(library) == ("", "")


def test_a_new_file_does_not_inherit_what_was_left_of_another(library: Library) -> None:
    sidecar = library.folders["document"] / "plan.txt.meta.toml"
    sidecar.parent.mkdir(parents=True)
    sidecar.write_text('access = "hr"\ntitle = "Other"\n', "utf-8")
    put(library, "new", None)
    assert (state(library), sidecar.exists()) == (("new", ""), False)


def test_what_else_a_sidecar_says_stays_when_the_label_changes(library: Library) -> None:
    put(library, "old", "hr")
    sidecar = library.folders["document"] / "plan.txt.meta.toml"
    sidecar.write_text('title = "Plan å"\naccess = "hr"\n', "utf-8")
    put(library, "new", "board", replace=True)
    assert sidecar.read_text("utf-8") == 'access = "board"\ntitle = "Plan å"\n'
    put(library, "new", "", replace=True)
    assert sidecar.read_text("utf-8") == 'title = "Plan å"\n'


def test_a_file_on_its_way_is_not_swept_away_by_another(library: Library) -> None:
    one = library.begin("ett.txt", 1)
    one.write(b"one")
    two = library.begin("tva.txt", 1)
    assert one.path.exists()
    assert library.keep(one, "ett.txt", "document", "", replace=False).size == 3
    two.discard()
    assert list(one.path.parent.iterdir()) == []


def test_nothing_is_kept_half_when_the_disk_fails(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(5, os.strerror(5))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="Input/output"):
        put(library, "new", "")
    monkeypatch.undo()
    assert state(library) == ("", "")


# Saboteurs


def test_a_saboteur_that_sets_the_label_last_is_caught(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def label_last(self: Library, incoming: Any, target: Path, before: Any, label: str) -> None:
        incoming.path.replace(target)
        library_module._write_label(target, label)
        incoming.discard()

    monkeypatch.setattr(Library, "_put", label_last)
    with pytest.raises(AssertionError):
        test_a_replaced_content_never_stands_under_the_others_label(library, "", "board")


def test_a_saboteur_that_sets_the_label_first_is_caught(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def label_first(self: Library, incoming: Any, target: Path, before: Any, label: str) -> None:
        library_module._write_label(target, label)
        incoming.path.replace(target)
        incoming.discard()

    monkeypatch.setattr(Library, "_put", label_first)
    with pytest.raises(AssertionError):
        test_a_replaced_content_never_stands_under_the_others_label(library, "hr", "")


def test_a_saboteur_that_takes_the_label_away_first_is_caught(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def label_first(path: Path) -> None:
        library_module.sidecar_path(path).unlink()
        path.unlink()

    monkeypatch.setattr(library_module, "_take_away", label_first)
    with pytest.raises(AssertionError):
        test_a_file_that_is_taken_away_is_gone_before_its_label(library)


def test_a_saboteur_that_believes_names_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_names, "_wrong", lambda name: "")
    monkeypatch.setattr(library_names, "_unreadable", lambda raw: False)
    slipped = [raw for raw in names.HOSTILE.values() if not _is_refused(raw)]
    assert len(slipped) > len(names.HOSTILE) / 2


def _is_refused(raw: str) -> bool:
    try:
        library_names.plain_name(raw)
    except ProblemError as error:
        return error.status == 400
    return False
