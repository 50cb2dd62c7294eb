"""What is being read into the index, what waits, and what came of it? Every worker of a service sees the same.

    home/jobs/<id>.json   one job, replaced in one step
    home/jobs/.queue      held for a moment by whoever looks at jobs or changes them
    home/jobs/.running    held by the one process that works on them, which gets the lock from whoever starts it

A job whose file says "running" while nobody holds `.running` was killed: it is "interrupted". A job is asked for under the
lock under which the working process looks for the next one before it ends, so none is forgotten.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any
from uuid import uuid4

from ankare.regular_file import read_json
from ankare.service.library.file_lock import held, taken
from ankare.service.problem import LOG, ProblemError

FOLDER = "jobs"
KEPT = 50
"""So many ended jobs are remembered."""
START_AGAIN_SECONDS = 5.0


class JobState(StrEnum):
    """How far a job is. `INTERRUPTED`: its process was killed; the next job does what it left undone."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


class HalfDoneError(ProblemError):
    """A change of the library that was neither made nor taken back: its job stays, and sees what there is."""


@dataclass(frozen=True, slots=True)
class Job:
    """One reading of the library into the index.

    `remove`: documents by source, and files of figures by path, that are taken out first; `removed`: they are, or another job
    has taken that over. `everything`: read all folders again that the home knows. Times are ISO in UTC, "" for not yet.
    `stage`: "waiting" for another ingest, "removing" or "reading". `done` of `total` files are read, the last one is `current`.
    `report`: as `ankare ingest --json` gives it, less the files that are as they were, which are counted. `error`: why it
    failed. `told`: one of the services knows that it is over. `number`: they are numbered as they are asked for, whatever a
    clock says.
    """

    id: str
    state: JobState = JobState.QUEUED
    requested: str = ""
    started: str = ""
    ended: str = ""
    remove: tuple[str, ...] = ()
    removed: bool = False
    everything: bool = False
    stage: str = ""
    done: int = 0
    total: int = 0
    current: str = ""
    pid: int = 0
    report: Mapping[str, Any] | None = None
    error: str = ""
    told: bool = False
    number: int = 0

    @property
    def over(self) -> bool:
        """Is it finished, for better or worse?"""
        return self.state not in (JobState.QUEUED, JobState.RUNNING)


class JobQueue:
    """The jobs of a home. Safe for many threads and processes; every method may raise OSError.

    `environment`: the variables under which the working process is started; None: it is not started from here. `on_end` is told
    how each job ended: once, however many processes look at the jobs, and soon after its end.
    """

    def __init__(
        self,
        home: Path,
        environment: Mapping[str, str] | None = None,
        on_end: Callable[[JobState], None] | None = None,
    ) -> None:
        self._home = home
        self._folder = home / FOLDER
        self._running = self._folder / ".running"
        self._environment = environment
        self._on_end = on_end
        self._started = 0.0
        self._held: int | None = None

    def request(
        self, remove: Sequence[str] = (), *, everything: bool = False, change: Callable[[], object] | None = None
    ) -> Job:
        """Ask for a job, and start a process for it where none is at work. One that waits already takes on what is asked.

        `change` is what the job has to be done for. It is called once the job is written down and before any process sees it:
        where the job cannot be written nothing is changed, where the change fails there is no job, and after a kill in between
        the job is there. Raises what it raises.
        """
        with self._looking():
            found = self._read()
            waiting = next((job for job in found if job.state is JobState.QUEUED), None)
            number = max((job.number for job in found), default=0) + 1
            job = waiting or Job(_new_id(), requested=now(), number=number)
            wanted = tuple(dict.fromkeys((*job.remove, *remove)))
            job = replace(job, remove=wanted, everything=job.everything or everything)
            self._write(job)
            if change is not None:
                self._changed(change, job, waiting)
            self._employ()
        return job

    def _changed(self, change: Callable[[], object], job: Job, before: Job | None) -> None:
        try:
            change()
        except HalfDoneError:
            raise
        except BaseException:
            with suppress(OSError):  # a job too many reads what is there, and does no harm
                if before is None:
                    (self._folder / f"{job.id}.json").unlink()
                else:
                    self._write(before)
            raise

    def _employ(self) -> None:
        """Start a process, where none is at work. Where that fails the job waits, and whoever looks at jobs tries again."""
        try:
            descriptor = taken(self._running)
            if descriptor is not None:
                self._start(descriptor)
        except (OSError, RuntimeError) as error:
            LOG.warning("no process could be started for the job that waits: %s", error)

    def jobs(self) -> list[Job]:
        """All jobs, the newest first. Where one waits and no process is at work, one is started, now and then."""
        if not self._folder.is_dir():
            return []
        with self._looking():
            descriptor = taken(self._running)
            if descriptor is None:
                return self._told(self._read())[::-1]
            found = self._told(self._settled())
            waits = any(job.state is JobState.QUEUED for job in found)
            os.close(descriptor)
            if waits and time.monotonic() - self._started > START_AGAIN_SECONDS:
                self._employ()
        return found[::-1]

    def job(self, job_id: str) -> Job | None:
        """One job, None for an id that is not there."""
        return next((job for job in self.jobs() if job.id == job_id), None)

    def adopt(self, descriptor: int) -> None:
        """For the process that works: hold the lock that it was started with."""
        os.set_inheritable(descriptor, False)
        self._held = descriptor
        os.register_at_fork(after_in_child=self._let_go)  # a reading process that outlives this one must not hold it

    def next(self) -> Job | None:
        """For the process that works: the next job, now running; None where there is none, and then it works no longer."""
        with self._looking():
            found = self._settled()
            job = next((job for job in found if job.state is JobState.QUEUED), None)
            if job is None:
                self._let_go()
                return None
            left = [other for other in found if other.state is JobState.INTERRUPTED and not other.removed]
            wanted = tuple(dict.fromkeys(name for other in (*left, job) for name in other.remove))
            job = replace(job, state=JobState.RUNNING, started=now(), pid=os.getpid(), remove=wanted)
            self._write(job)
            for other in left:
                self._write(replace(other, removed=True))
            self._prune(found)
        return job

    def note(self, job: Job) -> Job:
        """For the process that works: write down how far a job is."""
        self._write(job)
        return job

    def _looking(self) -> AbstractContextManager[None]:
        return held(self._folder / ".queue")

    def _let_go(self) -> None:
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def _start(self, descriptor: int) -> None:
        """Start the process that works. The lock that was taken for it is handed on: there is no moment at which nobody has it
        while a process is on its way."""
        try:
            if self._environment is None:
                return
            self._started = time.monotonic()
            process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "ankare.service.library.runner", str(descriptor)],
                env=dict(self._environment),
                pass_fds=(descriptor,),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
            threading.Thread(target=self._wait_for, args=(process,), daemon=True).start()
        finally:
            os.close(descriptor)

    def _wait_for(self, process: subprocess.Popen[bytes]) -> None:
        """Once it has ended, `on_end` is told, also where nobody looks at the jobs."""
        process.wait()
        with suppress(OSError), self._looking():
            descriptor = taken(self._running)
            if descriptor is not None:
                self._told(self._settled())
                os.close(descriptor)

    def _told(self, found: list[Job]) -> list[Job]:
        """The same jobs, now that `on_end` knows of those that are over."""
        if self._on_end is None:
            return found
        for place, job in enumerate(found):
            if job.over and not job.told:
                with suppress(OSError):  # told once it can be written down that it is
                    self._write(replace(job, told=True))
                    found[place] = replace(job, told=True)
                    self._on_end(job.state)
        return found

    def _settled(self) -> list[Job]:
        """All jobs, the first one asked for first, while no process works: what says that it runs was killed."""
        found = []
        for job in self._read():
            if job.state is JobState.RUNNING:
                job = replace(job, state=JobState.INTERRUPTED, ended=now(), removed=job.removed or not job.remove)
                with suppress(OSError):  # on a full disk it is found out anew each time
                    self._write(job)
            found.append(job)
        return found

    def _read(self) -> list[Job]:
        found = [job for path in self._folder.glob("*.json") if (job := _job(path)) is not None]
        return sorted(found, key=lambda job: (job.number, job.id))

    def _write(self, job: Job) -> None:
        path = self._folder / f"{job.id}.json"
        temporary = path.with_suffix(".tmp")
        try:
            temporary.write_text(json.dumps(asdict(job)), encoding="utf-8")
            temporary.replace(path)
        except OSError:
            temporary.unlink(missing_ok=True)  # on a full disk also half a file is too much
            raise

    def _prune(self, found: Sequence[Job]) -> None:
        ended = [job for job in found if job.over and (job.removed or job.state is not JobState.INTERRUPTED)]
        for job in ended[:-KEPT]:
            (self._folder / f"{job.id}.json").unlink(missing_ok=True)


def now() -> str:
    """The time, in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _new_id() -> str:
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}-{uuid4().hex[:8]}"


def _job(path: Path) -> Job | None:
    """The job in a file, None where it is none of ours."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        raw = read_json(path)
        state = JobState(raw["state"])
        job = Job(**{**raw, "state": state, "remove": tuple(raw["remove"])})
        if job.id == path.stem and _sound(job):
            return job if "told" in raw else replace(job, told=job.over)  # of an earlier ankare: nobody counts it now
    return None


def _sound(job: Job) -> bool:
    """Has each value the type that it must have?"""
    unset = Job("")
    alike = all(type(getattr(job, item.name)) is type(getattr(unset, item.name)) for item in _SIMPLE)
    return alike and isinstance(job.state, JobState) and isinstance(job.report, Mapping | None)


_SIMPLE = [item for item in fields(Job) if item.name not in ("state", "report")]
