"""How are many files read at once, and what if reading one kills its process?

Each reader holds one file at a time, so that the file whose reader ended is known. It fails, and all others are read on.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from multiprocessing import connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ankare.index.build import leave_locks
from ankare.ingest.bounds import Bounds, limit_memory, limit_seconds, memory_in_use, patience
from ankare.ingest.refused import Refused
from ankare.ingest.work import Outcome, Task, work

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext

SMALL_BYTES = 200_000
"""So little to read is read in this process: starting others would take longer."""


def run_tasks(tasks: Sequence[Task], workers: int | None = None, bounds: Bounds | None = None) -> Iterator[Outcome]:
    """The outcomes, as they are ready. `workers` None: as many processes as this one may use processors.

    A file that breaks a bound fails, and is not tried again under the same bounds. Raises HomeError where the home cannot be
    written.
    """
    if (workers or 1) == 1 and sum(task.size for task in tasks) <= SMALL_BYTES and not any(map(_packed, tasks)):
        yield from map(work, tasks)
        return
    count = max(1, min(workers or processors(), len(tasks)))
    yield from _Pool(sorted(tasks, key=lambda task: (-task.size, task.source)), bounds or Bounds()).run(count)


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(slots=True)
class _Reader:
    """A process that reads, seen from the one that started it.

    `task`: what it has in hand. `began`, `memory`: how many bytes it had when it was bounded and when it was last looked at.
    `seconds`: what its task was given. `done`: how many tasks it did.
    """

    process: Any
    channel: Connection
    task: Task | None = None
    began: int = 0
    memory: int = 0
    seconds: float = 0.0
    done: int = 0

    def give(self, task: Task) -> None:
        """Hand it a task. A process that has died meanwhile is found out when its answer is waited for."""
        self.task = task
        with suppress(BrokenPipeError, ConnectionResetError):
            self.channel.send(task)

    def look(self) -> None:
        """See how much memory it has."""
        self.memory = memory_in_use(self.process.pid) or self.memory

    def end(self) -> None:
        """Nothing more is asked of it."""
        with suppress(OSError):
            self.channel.send(None)
        self.channel.close()
        self.process.join(_END_SECONDS)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()


class _Pool:
    """Readers, and the tasks that wait for one."""

    def __init__(self, tasks: Sequence[Task], bounds: Bounds) -> None:
        self._bounds = bounds
        self._refused = Refused(tasks[0].home, tasks[0].settings, bounds)
        self._waiting = deque(replace(task, refused=self._refused) for task in tasks)
        self._tried: set[str] = set()
        self._readers: list[_Reader] = []

    def run(self, count: int) -> Iterator[Outcome]:
        """The outcomes of all tasks, by so many readers at once."""
        context = _context()
        try:
            while self._waiting or self._busy():
                self._employ(count, context)
                yield from self._listen()
        finally:
            done = not (self._waiting or self._busy())
            for reader in self._readers:
                if not done:
                    reader.process.kill()
                reader.end()

    def _busy(self) -> list[_Reader]:
        return [reader for reader in self._readers if reader.task is not None]

    def _employ(self, count: int, context: BaseContext) -> None:
        """Give each reader something to do."""
        while self._waiting and len(self._busy()) < count:
            task = self._waiting.popleft()
            idle = (reader for reader in self._readers if reader.task is None)
            reader = next(idle, None) if task.source not in self._tried else None
            if reader is None:
                reader = self._start(context)
            reader.give(task)

    def _start(self, context: BaseContext) -> _Reader:
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, os.getpid(), self._bounds), daemon=True)  # type: ignore[attr-defined]
        process.start()
        theirs.close()
        reader = _Reader(process, ours)
        self._readers.append(reader)
        return reader

    def _listen(self) -> Iterator[Outcome]:
        """What the readers have to say within a moment."""
        ready = connection.wait([reader.channel for reader in self._busy()], _LOOK_SECONDS)
        for reader in self._busy():
            if reader.channel not in ready:
                reader.look()
                continue
            try:
                said = reader.channel.recv()
            except (EOFError, ConnectionResetError):
                said = self._died(reader)
            if isinstance(said, int):
                reader.began = said
            elif isinstance(said, float):
                reader.seconds = said
            elif isinstance(said, BaseException):
                raise said
            else:
                yield from self._taken(reader, said)

    def _died(self, reader: _Reader) -> Outcome:
        assert reader.task is not None  # noqa: S101 - only readers with a task are listened to
        reader.process.join()
        more = reader.memory - reader.began
        told = self._bounds.broken(reader.process.exitcode, more, reader.seconds)
        return Outcome(reader.task.source, failed=told, broke=True)

    def _taken(self, reader: _Reader, outcome: Outcome) -> Iterator[Outcome]:
        """An outcome, unless its file is tried once more: what a reader that had read others before could not do, a new one
        may."""
        task, reader.task = reader.task, None
        assert task is not None  # noqa: S101
        reader.done += 1
        if not outcome.broke:
            yield outcome
            return
        self._readers.remove(reader)
        reader.end()
        if reader.done > 1 and task.source not in self._tried and reader.process.exitcode != -signal.SIGXCPU:
            self._tried.add(task.source)
            self._waiting.appendleft(task)
            return
        yield replace(outcome, failed=self._refused.remember(task.path, outcome.failed), broke=False)


def _context() -> BaseContext:
    # Forking is quick, but only safe while this process has no other threads, and never quite on macOS.
    method = "fork" if threading.active_count() == 1 and sys.platform != "darwin" else "spawn"
    if method == "fork":
        _load_readers()
    return multiprocessing.get_context(method)


def _load_readers() -> None:
    """Import what every reader needs once, before they are forked, not once in each of them."""
    for name in (
        "ankare.index.terms",
        "ankare.ingest.chunk",
        "ankare.ingest.pdf",
        "ankare.language.languages",
        "pypdfium2",
    ):
        import_module(name)


def _serve(channel: Connection, parent: int, bounds: Bounds) -> None:
    """The life of a reader: one task after the other, until there is none. It says with how many bytes it begins (int), how
    many seconds it gives itself for a task (float), and what came of it."""
    _begin_reader(parent, bounds)
    channel.send(memory_in_use("self") or 0)
    while (task := channel.recv()) is not None:
        said = _bounded(task, bounds, channel)
        try:
            channel.send(said)
        except MemoryError:
            channel.send(Outcome(task.source, failed=bounds.out_of_memory(), broke=True))


def _begin_reader(parent: int, bounds: Bounds) -> None:
    """Ctrl-C and the home's lock are for the process that started this one; when that one is killed, so is this."""
    import gc

    # Readers make very many small objects and hardly any cycles: looking for those every 700 objects takes a tenth of
    # the time, while what the process was forked with never goes.
    gc.freeze()
    gc.set_threshold(_GARBAGE, 20, 50)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    leave_locks()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    limit_memory(bounds.memory_bytes)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_PARENT_SECONDS)
    os._exit(1)


_PARENT_SECONDS = 0.5
_LOOK_SECONDS = 0.1
_END_SECONDS = 5.0
_GARBAGE = 50_000


def _bounded(task: Task, bounds: Bounds, channel: Connection) -> Outcome | BaseException:
    """Do the task; a reader that goes on and on, or hangs, is ended by the default action of a signal."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    try:
        size = task.path.stat().st_size
        _give(bounds.seconds_for(size), channel)
        if pages := _pages(task.path):
            _give(bounds.seconds_for(size, pages), channel)
    except OSError:
        _give(bounds.seconds_for(task.size), channel)
    try:
        outcome = work(task)
    except Exception as error:  # raised where the outcomes are waited for
        return error
    finally:
        signal.alarm(0)
    return replace(outcome, failed=bounds.out_of_memory()) if outcome.broke else outcome


def _give(seconds: float, channel: Connection) -> None:
    limit_seconds(seconds)
    signal.alarm(int(patience(seconds)) + 1)
    channel.send(seconds)


def _pages(path: Path) -> int:
    """How many pages a PDF says it has, 0 for any other file and for one that cannot be opened."""
    if not _is_pdf(path):
        return 0
    from ankare.ingest.pdf.read import count_pages

    return count_pages(path)


def _is_pdf(path: Path) -> bool:
    with path.open("rb") as file:
        return b"%PDF-" in file.read(1024)


def _packed(task: Task) -> bool:
    """Is it a PDF or an archive, whatever it is called? Few bytes of those can hold very much, and only in a process of its
    own can reading one crash or be given up without harm to the rest."""
    try:
        with task.path.open("rb") as file:
            head = file.read(1024)
    except OSError:
        return False
    return b"%PDF-" in head or head.startswith(b"PK")
