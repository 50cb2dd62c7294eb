"""Is what was written of a run read again, whatever befell the process that wrote it?"""

from __future__ import annotations

import errno
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ankare.errors import EvaluationError
from ankare.evaluation.asking.response import response_of
from ankare.evaluation.asking.run_folder import (
    ANSWERS,
    CONDITIONS,
    Answers,
    capture_line,
    captures_of,
    keep_suite,
    locked,
    read_conditions,
    read_run,
    write_conditions,
)
from ankare.evaluation.captured import AnswerPath, Capture, Conditions, Failure, FailureKind
from ankare.evaluation.case import Case
from ankare.evaluation.suites.suite import suite_of

SUITE = suite_of([Case("q1", "Vad?"), Case("q2", "Vem?")], "frågor")
CONDITIONS_OF_A_RUN = Conditions(
    AnswerPath.AGENTIC,
    SUITE.digest,
    "frågor",
    "http://127.0.0.1:7860",
    repeats=2,
    revisions=("a", "b"),
    settings={"top_k": 8, "cast": {"agent1": {"temperature": 0.0}}, "semantic": True},
    environment={"cpus": 2},
)


def body(text: str) -> dict[str, Any]:
    return {"answer_markdown": text, "answered": True, "claims": [], "language": "sv"}


def answered(case_id: str, repeat: int = 0, text: str = "Svar.\u2028Ny rad\x85.") -> Capture:
    told = body(text)
    return Capture(
        case_id, repeat, AnswerPath.AGENTIC, "2026-01-01T00:00:00+00:00", 12.5, response_of(told), None, told
    )


def failed(case_id: str, repeat: int = 0) -> Capture:
    failure = Failure(FailureKind.OVERLOAD, "busy", 503)
    return Capture(case_id, repeat, AnswerPath.AGENTIC, "2026-01-01T00:00:00+00:00", 1.0, None, failure)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_conditions(tmp_path, CONDITIONS_OF_A_RUN)
    keep_suite(tmp_path, SUITE)
    return tmp_path


def append(folder: Path, *captures: Capture) -> None:
    answers = Answers(folder)
    for one in captures:
        answers.append(capture_line(one))
    answers.close()


def test_a_run_is_read_as_it_was_written_in_the_order_of_the_suite(folder: Path) -> None:
    append(folder, answered("q2", 1), failed("q1", 1), answered("q2"), answered("q1"))
    run = read_run(folder)
    assert run.conditions == CONDITIONS_OF_A_RUN
    assert (run.suite.cases, run.suite.digest, run.suite.name) == (SUITE.cases, SUITE.digest, "frågor")
    assert run.captures == (answered("q1"), failed("q1", 1), answered("q2"), answered("q2", 1))
    assert run.captures[0].body == body("Svar.\u2028Ny rad\x85.")


def test_what_was_asked_again_counts_as_it_came_out_the_last_time(folder: Path) -> None:
    append(folder, failed("q1"), answered("q1"), answered("q2"), answered("q3 of another suite"))
    assert read_run(folder).captures == (answered("q1"), answered("q2"))


@pytest.mark.parametrize("kept", [1, 20, -1])
def test_a_half_line_at_the_end_is_passed_over_and_then_cut_off(folder: Path, kept: int) -> None:
    append(folder, answered("q1"))
    whole = (folder / ANSWERS).read_bytes()
    half = capture_line(answered("q2"))[:kept]
    (folder / ANSWERS).write_bytes(whole + half)
    assert [one.case_id for one in read_run(folder).captures] == ["q1"]
    answers = Answers(folder)
    assert answers.cut == len(half)
    answers.close()
    assert (folder / ANSWERS).read_bytes() == whole


def test_a_half_line_longer_than_what_is_looked_at_at_once_is_cut_off_whole(folder: Path) -> None:
    append(folder, answered("q1"))
    whole = (folder / ANSWERS).read_bytes()
    (folder / ANSWERS).write_bytes(whole + b'{"a": "' + b"x" * 2_500_000)
    Answers(folder).close()
    assert (folder / ANSWERS).read_bytes() == whole


GOOD = capture_line(answered("q1"))


@pytest.mark.parametrize(
    "line",
    [
        b"{\n",
        b"[]\n",
        b"null\n",
        b"\x00\x00\x00\n",
        b"[" * 100_000 + b"\n",
        GOOD.replace(b'"repeat": 0', b'"repeat": -1'),
        GOOD.replace(b'"repeat": 0', b'"repeat": true'),
        GOOD.replace(b'"wall_ms": 12.5', b'"wall_ms": NaN'),
        GOOD.replace(b'"path": "agentic"', b'"path": "other"'),
        GOOD.replace(b'"case_id"', b'"case"'),
        GOOD.replace(b'"failure": null', b'"failure": {"kind": "broken"}'),
        capture_line(failed("q1")).replace(b"overload", b"unheard of"),
    ],
)
def test_a_broken_line_in_the_middle_is_told_with_file_and_line(folder: Path, line: bytes) -> None:
    (folder / ANSWERS).write_bytes(GOOD + line + GOOD)
    with pytest.raises(EvaluationError, match=r"answers\.jsonl, line 2 cannot be read") as caught:
        read_run(folder)
    assert len(str(caught.value)) < 400 + len(str(folder))


def test_a_body_with_half_a_character_is_kept_as_it_came(folder: Path) -> None:
    append(folder, answered("q1", text="a\ud800b"))
    (found,) = read_run(folder).captures
    assert found.body == body("a\ud800b")
    json.loads((folder / ANSWERS).read_bytes().decode("utf-8"))


def test_a_disk_that_is_full_leaves_no_half_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append(folder, answered("q1"))
    whole = (folder / ANSWERS).read_bytes()
    answers, write = Answers(folder), os.write

    def full(descriptor: int, data: bytes) -> int:
        if len(data) < 50:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(descriptor, data[: len(data) // 2])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space"):
        answers.append(capture_line(answered("q2")))
    monkeypatch.undo()
    assert (folder / ANSWERS).read_bytes() == whole
    answers.append(capture_line(answered("q2")))
    answers.close()
    assert len(read_run(folder).captures) == 2


def test_conditions_are_replaced_in_one_step(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_conditions(folder, replace(CONDITIONS_OF_A_RUN, name="x" * 10_000))
    assert read_conditions(folder) == CONDITIONS_OF_A_RUN


@pytest.mark.parametrize("written", ["", "{", "[]", '{"path": "other", "suite_digest": "x"}', "[" * 100_000])
def test_conditions_that_cannot_be_read_are_told(folder: Path, written: str) -> None:
    (folder / CONDITIONS).write_text(written)
    with pytest.raises(EvaluationError, match=r"run\.json"):
        read_run(folder)


HELD = {"path": "agentic", "suite_digest": SUITE.digest}


@pytest.mark.parametrize(
    ("told", "field"),
    [
        ('"environment": {"resumed": 7}', "environment.resumed"),
        ('"environment": {"resumed": [7]}', "environment.resumed"),
        ('"environment": {"cpus": NaN}', "environment.cpus"),
        ('"environment": {"cpus": 1e999}', "environment.cpus"),
        ('"environment": {"deep": [{"x": -Infinity}]}', "environment.deep"),
        ('"settings": {"top_k": ' + "9" * 400 + "}", "settings.top_k"),
        ('"base_url": "http://[::1"', "base_url"),
        ('"base_url": "http://a:port"', "base_url"),
        ('"repeats": "many"', "repeats"),
    ],
)
def test_a_field_that_nothing_can_be_made_of_is_named(folder: Path, told: str, field: str) -> None:
    (folder / CONDITIONS).write_text(f"{json.dumps(HELD)[:-1]}, {told}}}")
    with pytest.raises(EvaluationError, match=r"run\.json") as caught:
        read_run(folder)
    assert f"({field})" in str(caught.value)


@pytest.mark.parametrize("name", [CONDITIONS, ANSWERS, "suite.jsonl", "lock"])
def test_a_link_in_the_folder_is_refused_and_what_it_points_to_stays(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    theirs = tmp_path_factory.mktemp("theirs") / "file"
    theirs.write_text("no line end")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(theirs)
    with pytest.raises(EvaluationError, match="symbolic link") as caught:
        read_run(folder)
    assert "Put the file itself there" in caught.value.remedy
    with pytest.raises(EvaluationError, match="symbolic link"), locked(folder):
        pass
    assert theirs.read_text() == "no line end"


def test_a_link_that_is_put_there_at_the_last_moment_is_not_followed(folder: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.write_text("no line end")
    (folder / ANSWERS).symlink_to(theirs)
    (folder / f".{CONDITIONS}.tmp").symlink_to(theirs)
    with pytest.raises(OSError, match="symbolic links"):
        Answers(folder)
    write_conditions(folder, CONDITIONS_OF_A_RUN)
    assert theirs.read_text() == "no line end"
    assert not (folder / CONDITIONS).is_symlink()


@pytest.mark.parametrize(
    "cases", [[Case("q1", "Vad?")], [Case("q1", "Vad?"), Case("q2", "Vem?", reference_answer="Hon.")]]
)
def test_a_suite_that_is_not_the_one_that_was_asked_is_told(folder: Path, cases: list[Case]) -> None:
    append(folder, answered("q1"))
    keep_suite(folder, suite_of(cases))
    with pytest.raises(EvaluationError, match="is not the one that was asked") as caught:
        read_run(folder)
    assert "Put it back, or ask again" in caught.value.remedy


def test_a_folder_without_a_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="holds no run"):
        read_run(tmp_path)


def test_a_run_that_has_no_answer_yet_is_a_run(folder: Path) -> None:
    assert read_run(folder).captures == ()


def test_two_processes_never_write_into_one_folder(folder: Path) -> None:
    with locked(folder), pytest.raises(EvaluationError, match="Another process"), locked(folder):
        pass
    with locked(folder):
        pass


def test_without_bodies_the_outcomes_are_read_alone(folder: Path) -> None:
    append(folder, answered("q1"), failed("q2"))
    assert [(one.body, one.response, one.failure) for one in captures_of(folder, bodies=False)] == [
        (None, None, None),
        (None, None, failed("q2").failure),
    ]
