"""A worker whose parent is killed, in processes of their own: `python -m tests.service.orphan` tells the worker's id."""

from __future__ import annotations

import multiprocessing
import os
import threading

from ankare.service.closing import end_with_parent


def work() -> None:
    end_with_parent()
    print(os.getpid(), flush=True)  # noqa: T201
    threading.Event().wait(20)
    print("still there", flush=True)  # noqa: T201


if __name__ == "__main__":
    worker = multiprocessing.get_context("spawn").Process(target=work)
    worker.start()
    worker.join()
