"""Are scores believed only while they are those of the answers, the suite and the measures as they are now?"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from ankare.errors import EvaluationError
from ankare.evaluation.asking.run_folder import ANSWERS, SUITE, capture_line, keep_suite, read_run, write_conditions
from ankare.evaluation.captured import AnswerPath, Capture, Conditions
from ankare.evaluation.case import Case, Suite
from ankare.evaluation.measures import scored_from as module
from ankare.evaluation.measures.fitting_scores import fitting_scores
from ankare.evaluation.measures.score import score_run
from ankare.evaluation.measures.scored_from import SOURCES, measures_version, version_of
from ankare.evaluation.measures.scores_file import FILE, read_scores, write_scores
from ankare.evaluation.scored import ScoredRun
from ankare.evaluation.suites.suite import digest_of

CASES = (
    Case("a", "Who pays?", language="en", answerable=True),
    Case("b", "Who asks?", language="en", answerable=False),
)
Read = Callable[[Path], ScoredRun]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    suite = Suite(CASES, digest_of(CASES))
    write_conditions(tmp_path, Conditions(AnswerPath.CONTROL, suite.digest))
    keep_suite(tmp_path, suite)
    body = {"answered": True, "claims": [{"text": "The buyer pays."}]}
    lines = (
        capture_line(Capture(case.id, 0, AnswerPath.CONTROL, "2026-01-31T12:00:00+00:00", 5.0, body=body))
        for case in CASES
    )
    (tmp_path / ANSWERS).write_bytes(b"".join(lines))
    write_scores(score_run(read_run(tmp_path)), tmp_path)
    return tmp_path


def answers_failed(folder: Path) -> None:
    text = (folder / ANSWERS).read_text("utf-8")
    rows = [json.loads(line) | {"body": None, "failure": {"kind": "broken"}} for line in text.splitlines()]
    (folder / ANSWERS).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def suite_was_spaced_anew(folder: Path) -> None:
    path = folder / SUITE
    path.write_text(path.read_text("utf-8").replace("Who pays?", "Who  pays?"), "utf-8")


def rows_were_doubled(folder: Path) -> None:
    path = folder / FILE
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines, lines[-1].replace('"b"', '"x"')]), "utf-8")


def head_was_cut(folder: Path) -> None:
    path = folder / FILE
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[1:]), "utf-8")


def scores_are_gone(folder: Path) -> None:
    (folder / FILE).unlink()


STALE = {
    "answers": answers_failed,
    "suite": suite_was_spaced_anew,
    "rows": rows_were_doubled,
    "scored_from": head_was_cut,
    "scores": scores_are_gone,
}


def fitting(folder: Path) -> ScoredRun:
    return fitting_scores(folder).run


def as_kept(folder: Path) -> ScoredRun:
    """The saboteur: what stands there was scored."""
    return read_scores(folder) if (folder / FILE).is_file() else score_run(read_run(folder))


def caught(read: Read, folder: Path) -> set[str]:
    """The kinds of stale scores that are not taken for the scores of the answers."""
    found = set()
    for name, spoil in STALE.items():
        copy = shutil.copytree(folder, folder.parent / f"{folder.name}-{read.__name__}-{name}")
        spoil(copy)
        if read(copy).rows == score_run(read_run(copy)).rows:
            found.add(name)
    return found


def test_scores_that_fit_are_taken_as_they_are(folder: Path) -> None:
    kept = fitting_scores(folder)
    assert kept.anew == ()
    assert kept.run == read_scores(folder)


@pytest.mark.parametrize(("reason", "spoil"), STALE.items())
def test_scores_that_do_not_fit_are_made_anew_and_it_is_told_why(
    reason: str, spoil: Callable[[Path], None], folder: Path
) -> None:
    spoil(folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    found = fitting_scores(folder)
    assert found.anew == (reason,)
    assert found.run.rows == score_run(read_run(folder)).rows
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before, "nothing is written"


def test_a_reader_that_believes_what_stands_there_is_noticed(folder: Path) -> None:
    assert caught(fitting, folder) == set(STALE)
    assert {"answers", "rows"}.isdisjoint(caught(as_kept, folder))


def test_another_version_of_the_measures_scores_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "measures_version", lambda: "another")
    assert fitting_scores(folder).anew == ("measures",)


def test_answers_that_came_while_it_was_scored_make_the_scores_old(folder: Path) -> None:
    made_of = module.scored_from(folder)
    answers_failed(folder)
    write_scores(score_run(read_run(folder)), folder, made_of)
    assert fitting_scores(folder).anew == ("answers",)


@pytest.mark.parametrize("gone", [ANSWERS, SUITE])
def test_scores_without_what_they_were_made_of_are_refused(gone: str, folder: Path) -> None:
    (folder / gone).unlink()
    with pytest.raises(EvaluationError, match="do not fit"):
        fitting_scores(folder)


def test_the_version_is_that_of_every_file_that_measures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the sources in which one byte differs has another version."""
    assert version_of(SOURCES) == measures_version() == version_of(tuple(reversed(SOURCES)))
    for package, name in (
        ("measures", "support.py"),
        ("measures", "language_cues.toml"),
        ("asking", "response_values.py"),
    ):
        source = tmp_path / package / name
        source.parent.mkdir(exist_ok=True)
        source.write_bytes(files(f"ankare.evaluation.{package}").joinpath(name).read_bytes() + b"\n")

    def spoiled(package: str, own: Callable[[str], object] = files) -> object:
        return Overlaid(own(package), tmp_path / package.rpartition(".")[2])

    for changed in sorted(tmp_path.rglob("*.*")):
        with monkeypatch.context() as patch:
            patch.setattr(module, "files", spoiled)
            assert version_of(SOURCES) != measures_version(), changed
        changed.unlink()


class Overlaid:
    """A package's files, with those of a folder in their place."""

    def __init__(self, package: object, folder: Path) -> None:
        self._package, self._folder = package, folder

    def iterdir(self) -> list[object]:
        own = {file.name for file in self._folder.glob("*")}
        return [file for file in self._package.iterdir() if file.name not in own] + list(self._folder.glob("*"))  # type: ignore[attr-defined]
