"""How is a suite asked so that an interrupted run goes on where it was?

Every question of a run is asked once for each repeat, the whole suite before its next repeat, so that what drifts shows. Each
outcome is on the disk before whoever asked asks on; whatever is recorded is not asked again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Lock

from ankare.errors import EvaluationError
from ankare.evaluation.asking.asker import Asked, Asker, Told
from ankare.evaluation.asking.conditions import answered_by, conditions_of, now, resumed
from ankare.evaluation.asking.hidden import bytes_without_secrets, without_secrets
from ankare.evaluation.asking.meaning import ANOTHER_RUN, told_after
from ankare.evaluation.asking.response import response_of
from ankare.evaluation.asking.run_folder import (
    ANSWERS,
    CONDITIONS,
    LOCK,
    SUITE,
    Answers,
    Place,
    capture_line,
    captures_of,
    keep_suite,
    locked,
    read_conditions,
    write_conditions,
)
from ankare.evaluation.captured import AnswerPath, Capture, Conditions, Failure, FailureKind, Json, Response
from ankare.evaluation.case import Case, Suite

MOST_HOPELESS = 5
"""Failures in a row that any other question would meet too, after which the run stops."""
_NO_JSON = "the body is no JSON"
_NO_CUSTOMER = frozenset({"auth", "quota"})
"""Why a chain in the shadow of an answer broke off, where the model's service refuses us."""
_OURS = frozenset({CONDITIONS, SUITE, ANSWERS, LOCK})
_Job = tuple[Case, int]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a suite is asked. `retry_failed`: ask again what has failed. `name`: what the run is called in comparisons; `note`:
    what its readers should know."""

    path: AnswerPath
    repeats: int = 1
    concurrency: int = 1
    retry_failed: bool = False
    name: str = ""
    most_hopeless: int = MOST_HOPELESS
    note: str = ""


@dataclass(frozen=True, slots=True)
class Captured:
    """What a capture came to. `before`: outcomes that were there already; `asked`: those that were added; `left`: questions
    without one. `stopped`: why it ended early, "" where nothing is left. `notes`: what is to be told."""

    folder: Path
    asked: int
    before: int
    left: int
    stopped: str = ""
    notes: tuple[str, ...] = ()


Watch = Callable[[int, int, Capture], None]
"""Told after each outcome: how many there are now, of how many, and the newest."""


def capture(
    suite: Suite,
    asker: Asker,
    folder: Path,
    plan: Plan,
    *,
    watch: Watch = lambda done, of, newest: None,
    warn: Callable[[str], None] = lambda line: None,
    stop: Event | None = None,
) -> Captured:
    """Ask what the folder does not hold yet. Once `stop` is set, questions under way are finished and no other is begun.
    `warn` is told what should be known before anything is asked.

    Raises EvaluationError for a folder that is in use, holds another run or cannot be read, and whatever `asker.told` raises.
    A disk that is full ends the run early; what is written stays whole.
    """
    told = _without_secrets(asker.told(), asker.secrets)
    fresh = conditions_of(suite, told, plan.path, plan.repeats, plan.name, {"concurrency": plan.concurrency}, plan.note)
    with locked(folder):
        before = read_conditions(folder) if (folder / CONDITIONS).exists() else None
        conditions = _begun(folder, before, fresh, suite)
        done = _recorded(folder, retry_failed=plan.retry_failed)
        jobs = [(case, n) for n in range(plan.repeats) for case in suite if (case.id, n) not in done]
        if before is not None and before.finished and not jobs:
            return _nothing_asked(folder, before, conditions.note, told, len(done))
        for warning in told.warnings:
            warn(warning)
        answers = Answers(folder)
        try:
            stop = stop or Event()
            writer = _Writer(folder, answers, asker.secrets, plan, conditions, stop)
            writer.save()
            total = plan.repeats * len(suite)

            def keep(job: _Job, asked: Asked) -> None:
                newest = writer.keep(job, asked)
                if newest is not None:
                    watch(total - len(jobs) + writer.kept, total, newest)

            _ask_all(jobs, asker, plan.concurrency, stop, keep)
            writer.close(complete=writer.kept == len(jobs))
        finally:
            answers.close()
    left = len(jobs) - writer.kept
    notes = (*_cut_note(answers.cut), *writer.notes(), *told_after(writer.conditions, told.to_prepare))
    return Captured(folder, writer.kept, total - len(jobs), left, _why_stopped(left, writer), notes)


def _without_secrets(told: Told, secrets: tuple[str, ...]) -> Told:
    return Told(
        base_url=told.base_url,
        revision=without_secrets(told.revision, secrets),
        settings=without_secrets(told.settings, secrets),
        about=without_secrets(told.about, secrets),
        warnings=tuple(without_secrets(told.warnings, secrets)),
        to_prepare=told.to_prepare,
    )


def _begun(folder: Path, before: Conditions | None, fresh: Conditions, suite: Suite) -> Conditions:
    """The conditions under which the run goes on, or begins. Raises EvaluationError."""
    if before is not None:
        return resumed(before, fresh, str(folder))
    strange = sorted(entry.name for entry in folder.iterdir() if entry.name not in _OURS and entry.name[0] != ".")
    if strange or (folder / ANSWERS).exists():
        raise EvaluationError(
            f"{folder} is no run's folder, and not empty ({(strange or [ANSWERS])[0]}).", "Name another --out."
        )
    keep_suite(folder, suite)
    return fresh


def _nothing_asked(folder: Path, held: Conditions, note: str, told: Told, outcomes: int) -> Captured:
    """A finished run stays as it is, but for a note that is given now."""
    if note != held.note:
        write_conditions(folder, replace(held, note=note))
    now, answered = str(told.about.get("index_version") or ""), held.index_versions[-1:]
    moved = now and answered and now != answered[0]
    notes = (f"The index is {now} now; the answers are of {answered[0]}. {ANOTHER_RUN}",) if moved else ()
    return Captured(folder, 0, outcomes, 0, notes=notes)


def _recorded(folder: Path, *, retry_failed: bool) -> set[Place]:
    """What has an outcome that is to stay."""
    latest = {(one.case_id, one.repeat): _to_stay(one) for one in captures_of(folder, bodies=retry_failed)}
    return {place for place, stays in latest.items() if stays or not retry_failed}


def _to_stay(found: Capture) -> bool:
    return found.failure is None and not (found.response and _no_customer(found.response))


def _no_customer(response: Response) -> bool:
    """Did the model's service refuse us in the shadow of the answer?"""
    return response.chain.fallback_reason in _NO_CUSTOMER


def _cut_note(cut: int) -> tuple[str, ...]:
    return (f"{ANSWERS} ended in half a line ({cut} bytes), which was cut off; its question was asked again.",) * bool(
        cut
    )


def _why_stopped(left: int, writer: _Writer) -> str:
    return "" if left == 0 else writer.why or "interrupted"


def _ask_all(
    jobs: Sequence[_Job], asker: Asker, threads: int, stop: Event, keep: Callable[[_Job, Asked], None]
) -> None:
    """Ask with so many threads. What one has asked is kept before it asks on: nothing is ever ahead of the file by more."""
    waiting, lock = iter(jobs), Lock()
    faults: list[BaseException] = []

    def work() -> None:
        try:
            while not stop.is_set():
                with lock:
                    job = next(waiting, None)
                asked = None if job is None else asker.ask(job[0], stop)
                if job is None or asked is None:
                    return
                with lock:
                    keep(job, asked)
        except BaseException as error:  # whatever it is, the thread that waits has to learn of it
            faults.append(error)
            stop.set()

    at_work = [
        threading.Thread(target=work, name="ankare-capture", daemon=True) for _ in range(min(threads, len(jobs)))
    ]
    for thread in at_work:
        thread.start()
    for thread in at_work:
        thread.join()
    if faults:
        raise faults[0]


@dataclass
class _Writer:
    """Keeps outcomes, and ends the run where it makes no sense to go on."""

    folder: Path
    answers: Answers
    secrets: tuple[str, ...]
    plan: Plan
    conditions: Conditions
    stop: Event
    kept: int = 0
    why: str = ""
    _in_a_row: int = 0

    def keep(self, job: _Job, asked: Asked) -> Capture | None:
        """Write an outcome; None where it could not be written, which ends the run."""
        found = self._capture(job, asked)
        try:
            self.answers.append(self._line(found))
        except OSError as error:
            self._end(f"{ANSWERS} cannot be written: {error.strerror or error}")
            return None
        self.kept += 1
        self._look(found, hopeless=asked.hopeless)
        return found

    def _capture(self, job: _Job, asked: Asked) -> Capture:
        case, repeat = job
        body, failure = self._outcome(asked)
        response = None if body is None else response_of(body)
        return Capture(case.id, repeat, self.plan.path, now(), asked.wall_ms, response, failure, body)

    def _outcome(self, asked: Asked) -> tuple[Json | None, Failure | None]:
        """Body or failure, without secrets."""
        if asked.failure is not None:
            return None, replace(asked.failure, detail=without_secrets(asked.failure.detail, self.secrets))
        try:
            return without_secrets(asked.body, self.secrets), None
        except RecursionError:
            return None, Failure(FailureKind.BROKEN, _NO_JSON)

    def _line(self, found: Capture) -> bytes:
        """The line without secrets. A body that is no JSON is a broken answer."""
        try:
            line = capture_line(found)
        except (ValueError, TypeError, RecursionError):
            broken = Failure(FailureKind.BROKEN, _NO_JSON)
            line = capture_line(replace(found, body=None, response=None, failure=broken))
        return bytes_without_secrets(line, self.secrets)

    def _look(self, found: Capture, *, hopeless: bool) -> None:
        """What this outcome says of the run."""
        refused = found.response is not None and _no_customer(found.response)
        self._in_a_row = self._in_a_row + 1 if hopeless or refused else 0
        if self._in_a_row >= self.plan.most_hopeless:
            self._end(f"{self._in_a_row} questions in a row failed in a way that any other would ({_reason(found)})")
        conditions = self.conditions
        if found.response is not None:
            conditions = answered_by(conditions, found.response, found.body or {})
        if conditions is not self.conditions:
            self.conditions = conditions
            self.save()

    def save(self) -> None:
        """Put the conditions in place. A disk that is full ends the run."""
        try:
            write_conditions(self.folder, self.conditions)
        except OSError as error:
            self._end(f"{CONDITIONS} cannot be written: {error.strerror or error}")

    def close(self, *, complete: bool) -> None:
        """The run is over for now; it is finished where every question has an outcome."""
        self.conditions = replace(self.conditions, finished=now() if complete else "")
        self.save()

    def notes(self) -> Iterator[str]:
        """What changed under the run."""
        for what, known in (("revision", self.conditions.revisions), ("index", self.conditions.index_versions)):
            if len(known) > 1:
                yield f"The {what} changed during the run: {', '.join(one[:12] for one in known)}."

    def _end(self, why: str) -> None:
        self.why = self.why or why
        self.stop.set()


def _reason(found: Capture) -> str:
    if found.failure is not None:
        return ": ".join(filter(None, (found.failure.kind.value, found.failure.detail)))
    return f"provider: {found.response.chain.fallback_reason}" if found.response else ""
