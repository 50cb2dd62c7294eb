"""Where does a run lie on disk, and how is it read again?

    folder/
      run.json        under what it was made (`Conditions`), replaced in one step
      suite.jsonl     the suite as it was asked
      answers.jsonl   one line per capture, whole, in the order in which they came
      lock            held by the process that captures

A process that is killed leaves every line that it had written and at most one half of a line, which reading passes over.
A capture that was made again stands on a later line, and the later one counts.
"""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

from pydantic import TypeAdapter, ValidationError

from ankare.cite.escape import plain
from ankare.errors import EvaluationError
from ankare.evaluation.asking.conditions import faults_of
from ankare.evaluation.asking.response import response_of
from ankare.evaluation.asking.response_values import count, decoded, mapping, number, text
from ankare.evaluation.captured import AnswerPath, Capture, Conditions, Failure, FailureKind, Run
from ankare.evaluation.case import Suite
from ankare.evaluation.suites.suite import read_suite, write_suite

CONDITIONS, SUITE, ANSWERS, LOCK = "run.json", "suite.jsonl", "answers.jsonl", "lock"
LONGEST_LINE = 64_000_000
"""Bytes of a capture: more than any body that is taken."""
MOST_CONDITIONS = 5_000_000
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
_ADAPTER = TypeAdapter(Conditions)
Place = tuple[str, int]
"""A case by its id, and a repeat of it."""


def read_run(folder: Path) -> Run:
    """The run of a folder: captures in the order of the suite, each case's repeats together.

    Captures of cases that the suite does not hold are left out. Raises EvaluationError with file and line, and where the suite
    is not the one that was asked: with another gold its scores would be those of no run.
    """
    refuse_links(folder)
    conditions, suite = read_conditions(folder), read_kept_suite(folder)
    if suite.digest != conditions.suite_digest:
        raise EvaluationError(
            f"{folder / SUITE}: the suite in this folder is not the one that was asked ({suite.digest[:12]}, not "
            f"{conditions.suite_digest[:12]}).",
            "Put it back, or ask again with another --out.",
        )
    order = {case.id: place for place, case in enumerate(suite)}
    latest = {(one.case_id, one.repeat): one for one in captures_of(folder) if one.case_id in order}
    captures = sorted(latest.values(), key=lambda one: (order[one.case_id], one.repeat))
    return Run(conditions, replace(suite, name=conditions.suite_name or suite.name), tuple(captures))


def read_conditions(folder: Path) -> Conditions:
    """Under what the run was made. Raises EvaluationError."""
    path = folder / CONDITIONS
    try:
        with path.open("rb") as file:
            found = _ADAPTER.validate_json(file.read(MOST_CONDITIONS))
        field = next(faults_of(found), "")
    except FileNotFoundError:
        raise EvaluationError(
            f"{folder} holds no run.", "Name the folder that `ankare eval run` has written."
        ) from None
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (ValidationError, RecursionError) as error:
        raise _untold(path, _field(error)) from error
    if field:
        raise _untold(path, field)
    return found


def _field(error: ValidationError | RecursionError) -> str:
    """Where in the file it is wrong, as far as that is known."""
    places = error.errors(include_input=False, include_url=False) if isinstance(error, ValidationError) else []
    return plain(".".join(map(str, places[0]["loc"])))[:100] if places else ""


def _untold(path: Path, field: str) -> EvaluationError:
    where = f" ({field})" if field else ""
    return EvaluationError(f"{path} does not tell under what the run was made{where}.", "Put it back, or capture anew.")


def write_conditions(folder: Path, conditions: Conditions) -> None:
    """Put `run.json` in place in one step. Raises OSError."""
    told = json.dumps(asdict(conditions), ensure_ascii=False, indent=1, allow_nan=False)
    handle, beside = tempfile.mkstemp(dir=folder, prefix=f".{CONDITIONS}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(told.encode("utf-8", "backslashreplace") + b"\n")
            file.flush()
            os.fsync(file.fileno())
        Path(beside).chmod(0o644)
        Path(beside).replace(folder / CONDITIONS)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def refuse_links(folder: Path) -> None:
    """Raises EvaluationError where a file of the run is a symbolic link: what is written would go elsewhere."""
    for name in (CONDITIONS, SUITE, ANSWERS, LOCK):
        if (folder / name).is_symlink():
            raise EvaluationError(
                f"{folder / name} is a symbolic link; the files of a run are its own.",
                "Put the file itself there, or name another folder.",
            )


def read_kept_suite(folder: Path) -> Suite:
    """The suite as it was asked. Raises SuiteError."""
    return read_suite(folder / SUITE)


def keep_suite(folder: Path, suite: Suite) -> None:
    """Keep the suite beside the answers. Raises SuiteError and OSError."""
    write_suite(suite, folder / SUITE)


def captures_of(folder: Path, *, bodies: bool = True) -> Iterator[Capture]:
    """The captures line by line, also those that were made again later; without `bodies`, neither body nor response.

    A half line at the end is passed over. Raises EvaluationError for any other that cannot be read.
    """
    path = folder / ANSWERS
    try:
        with path.open("rb") as file:
            for line_number, line in _lines(file, path):
                yield _capture(line, path, line_number, bodies)
    except FileNotFoundError:
        return
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read: {error.strerror or error}.") from error


def _lines(file: BinaryIO, path: Path) -> Iterator[tuple[int, bytes]]:
    line_number = 0
    while line := file.readline(LONGEST_LINE):
        line_number += 1
        if line.endswith(b"\n"):
            if line.strip():
                yield line_number, line
        elif len(line) >= LONGEST_LINE:
            raise _unreadable(path, line_number, f"it is longer than {LONGEST_LINE} bytes")


def _capture(line: bytes, path: Path, line_number: int, bodies: bool) -> Capture:
    try:
        return _of_json(mapping(decoded(line)), bodies)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise _unreadable(path, line_number, f"{type(error).__name__}: {str(error)[:100]}") from error


def _of_json(told: Mapping[str, Any], bodies: bool) -> Capture:
    failure, body = told.get("failure"), told.get("body")
    if (failure is None) == (body is None):
        raise ValueError("either a body or a failure belongs there")
    repeat, wall_ms = count(told["repeat"]), number(told["wall_ms"])
    if repeat is None or wall_ms is None or not isinstance(told["case_id"], str):
        raise TypeError("case_id, repeat and wall_ms tell what was asked when")
    kept = bodies and body is not None
    return Capture(
        case_id=told["case_id"],
        repeat=repeat,
        path=AnswerPath(told["path"]),
        at=text(told.get("at")),
        wall_ms=wall_ms,
        response=response_of(mapping(body)) if kept else None,
        failure=None if failure is None else _failure(mapping(failure)),
        body=mapping(body) if kept else None,
    )


def _failure(told: Mapping[str, Any]) -> Failure:
    return Failure(FailureKind(text(told.get("kind"))), text(told.get("detail")), count(told.get("status")))


def _unreadable(path: Path, line_number: int, why: str) -> EvaluationError:
    return EvaluationError(
        f"{path}, line {line_number} cannot be read: {why}.", "Take the line away; its question can be asked again."
    )


def capture_line(capture: Capture) -> bytes:
    """The line that tells a capture. Raises ValueError and RecursionError for a body that is no JSON."""
    told = {
        "case_id": capture.case_id,
        "repeat": capture.repeat,
        "path": capture.path.value,
        "at": capture.at,
        "wall_ms": round(capture.wall_ms, 3),
        "failure": None if capture.failure is None else asdict(capture.failure),
        "body": capture.body,
    }
    return json.dumps(told, ensure_ascii=False, allow_nan=False).encode("utf-8", "backslashreplace") + b"\n"


class Answers:
    """Appends captures to a folder that this process has locked. Safe for many threads."""

    def __init__(self, folder: Path) -> None:
        """Opens the file, and cuts off the half line that a killed process has left. Raises OSError."""
        self._descriptor = os.open(folder / ANSWERS, _FLAGS | os.O_APPEND, 0o644)
        self._lock = Lock()
        self.cut = self._cut_half_line()

    def append(self, line: bytes) -> None:
        """Write one whole line, on the disk before this returns. Raises OSError; then nothing of the line is left."""
        with self._lock:
            before = os.fstat(self._descriptor).st_size
            try:
                written = 0
                while written < len(line):
                    written += os.write(self._descriptor, line[written:])
                os.fsync(self._descriptor)
            except BaseException:
                os.ftruncate(self._descriptor, before)
                raise

    def close(self) -> None:
        """Nothing more is appended: whoever tries gets an OSError."""
        with self._lock:
            os.close(self._descriptor)
            self._descriptor = -1

    def _cut_half_line(self) -> int:
        """How many bytes stood behind the last line end; they are gone now."""
        size = at = os.fstat(self._descriptor).st_size
        while at > 0:
            start = max(0, at - 1_000_000)
            found = os.pread(self._descriptor, at - start, start).rfind(b"\n")
            if found >= 0:
                at = start + found + 1
                break
            at = start
        if at < size:
            os.ftruncate(self._descriptor, at)
        return size - at


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Nobody else writes into the folder while this lasts. Raises EvaluationError where somebody does, and for links."""
    folder.mkdir(parents=True, exist_ok=True)
    refuse_links(folder)
    descriptor = os.open(folder / LOCK, _FLAGS, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise EvaluationError(
            f"Another process is capturing into {folder}.", "Wait for it, or name another --out."
        ) from None
    try:
        yield
    finally:
        os.close(descriptor)
