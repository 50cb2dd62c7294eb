"""How are many files read at once, and what if reading one kills its process?"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from ankare.index.build import leave_locks
from ankare.ingest.work import Outcome, Task, work
from ankare.messages.remarks import remark

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

SMALL_BYTES = 200_000
"""So little to read is read in this process: starting others would take longer."""

FILE_SECONDS = 600
"""A file that takes longer is given up."""


def run_tasks(tasks: Sequence[Task], workers: int | None = None) -> Iterator[Outcome]:
    """The outcomes, as they are ready. `workers` None: as many processes as this one may use processors.

    Raises HomeError where the home cannot be written.
    """
    if (workers or 1) == 1 and sum(task.size for task in tasks) <= SMALL_BYTES and not any(map(_packed, tasks)):
        yield from map(work, tasks)
        return
    count = max(1, min(workers or processors(), len(tasks)))
    left = sorted(tasks, key=lambda task: (-task.size, task.source))
    while left:
        left = yield from _in_pool(left, count)
        # Tasks are begun in order: one of the first that are left killed its worker. Alone, only the guilty one fails.
        suspects, left = left[: 2 * count + 1], left[2 * count + 1 :]
        for task in suspects:
            lost = yield from _in_pool([task], 1)
            for guilty in lost:
                yield Outcome(guilty.source, failed=remark("reading_crashed"))


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _in_pool(tasks: Sequence[Task], count: int) -> Generator[Outcome, None, list[Task]]:
    """Yields outcomes; returns the tasks that were lost when a worker died."""
    from concurrent.futures import as_completed
    from concurrent.futures.process import BrokenProcessPool

    done: set[str] = set()
    with _pool(count) as pool:
        futures = {pool.submit(_timed, task): task for task in tasks}
        try:
            for future in as_completed(futures):
                outcome = future.result()
                done.add(outcome.source)
                yield outcome
        except BrokenProcessPool:
            pass  # a worker died: what it and its siblings held is returned as lost, and the caller tries each again alone
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [task for task in tasks if task.source not in done]


def _pool(count: int) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor

    # Forking is quick, but only safe while this process has no other threads, and never quite on macOS.
    method = "fork" if threading.active_count() == 1 and sys.platform != "darwin" else "spawn"
    if method == "fork":
        _load_readers()
    return ProcessPoolExecutor(count, multiprocessing.get_context(method), _begin_worker, (os.getpid(),))


def _load_readers() -> None:
    """Import what every worker needs once, before they are forked, not once in each of them."""
    for name in (
        "ankare.index.terms",
        "ankare.ingest.chunk",
        "ankare.ingest.pdf",
        "ankare.language.languages",
        "pypdfium2",
    ):
        import_module(name)


def _begin_worker(parent: int) -> None:
    """Ctrl-C and the home's lock are for the process that started this one; when that one is killed, so is this."""
    import gc
    import signal

    # Readers make very many small objects and hardly any cycles: looking for those every 700 objects takes a tenth of
    # the time, while what the process was forked with never goes.
    gc.freeze()
    gc.set_threshold(_GARBAGE, 20, 50)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    leave_locks()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os._exit(1)


_LOOK_SECONDS = 0.5
_GARBAGE = 50_000


def _timed(task: Task) -> Outcome:
    """Do the task; a reader that hangs in foreign code is ended with its process by the alarm's default action."""
    import signal

    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(FILE_SECONDS)
    try:
        return work(task)
    finally:
        signal.alarm(0)


def _packed(task: Task) -> bool:
    """Is it a PDF or an archive, whatever it is called? Few bytes of those can hold very much, and only in a process of its
    own can reading one crash or be given up without harm to the rest."""
    try:
        with task.path.open("rb") as file:
            head = file.read(1024)
    except OSError:
        return False
    return b"%PDF-" in head or head.startswith(b"PK")
