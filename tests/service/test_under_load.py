"""Many clients at once, while the index changes and workers are killed: every answer is right, and nobody goes without."""

from __future__ import annotations

import asyncio
import sys
from functools import partial
from pathlib import Path

import pytest
from benchmarks.load import Disturbance, Tally, kill_workers, make_calls, roll, run_clients
from benchmarks.service import SERVE, make_questions, sample_home, server

from ankare.index.home import Home

pytestmark = pytest.mark.slow


def load(home: Path, workers: int, seconds: float, *, folder: Path, kill: bool) -> Tally:
    command = [sys.executable, "-c", SERVE, "serve", "--home", str(home), "--workers", str(workers), "--port"]

    async def run(port: int, pid: int) -> Tally:
        calls = await make_calls(port, make_questions(home, 30))
        disturb: list[Disturbance] = [partial(roll, home, folder / "more", 0.2)]
        if kill:
            disturb.append(partial(kill_workers, pid, 0.6 * seconds))
        return await run_clients(port, calls, 12, seconds, pid, disturb)

    with server(command) as (port, process, _ready):
        return asyncio.run(run(port, process.pid))


def test_a_rolling_index_gives_no_wrong_and_no_failed_answer(tmp_path: Path) -> None:
    home = sample_home(tmp_path)
    tally = load(home, 1, 15, folder=tmp_path, kill=False)
    assert tally.wrong == []
    assert tally.broken == 0
    assert set(tally.statuses) == {"200"}
    assert len(tally.versions) > 1


def test_a_killed_worker_costs_a_second_try_and_nothing_else(tmp_path: Path) -> None:
    home = sample_home(tmp_path)
    tally = load(home, 2, 8, folder=tmp_path, kill=True)
    assert tally.wrong == []
    assert tally.broken > 0
    assert set(tally.statuses) <= {"200", "503"}
    assert Home(home).open_current().documents
