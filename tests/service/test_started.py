"""A service is ready when all of its processes are, and somebody listens."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path

import pytest

from ankare.service.watch import started as watch
from ankare.service.watch.started import forget_started, note_started, started, wait_until


def test_only_workers_of_this_process_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ready-1-2").touch()
    assert (started(tmp_path), started(None)) == (0, 0)
    monkeypatch.setattr(os, "getppid", os.getpid)
    note_started(tmp_path)
    note_started(tmp_path)
    note_started(None)
    note_started(tmp_path / "gone")
    assert started(tmp_path) == 1
    forget_started(tmp_path)
    assert (started(tmp_path), (tmp_path / "ready-1-2").exists()) == (0, True)


def test_it_is_waited_for_both_the_workers_and_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "LOOKS_EVERY", 0.001)
    looked, all_there = threading.Event(), threading.Event()

    def all_started() -> bool:
        looked.set()
        return all_there.is_set()

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = int(listening.getsockname()[1])
        waiting = threading.Thread(target=wait_until, args=(all_started, "127.0.0.1", port))
        waiting.start()
        assert looked.wait(30) and waiting.is_alive(), "not all workers are there"
        all_there.set()
        looked.clear()
        assert looked.wait(30) and waiting.is_alive(), "nobody listens"
        listening.listen()
        waiting.join(30)
        assert not waiting.is_alive()
