"""The workers of one machine count together: a key has its rate once, wherever its requests land and whatever is killed."""

from __future__ import annotations

import errno
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from ankare.service.app import create_app
from ankare.service.door.keys import add_key
from ankare.service.door.rates import MINUTE, OwnBuckets, Rates
from ankare.service.door.shared_buckets import FILE, SharedBuckets
from ankare.settings import Settings
from tests.service.scripted import ScriptedEngine, ScriptedShelf
from tests.service.test_limits import Clock, let_in
from tests.service.test_measures import PATIENCE, free_port
from tests.service.test_shutdown import LONG

RATE = 10
NUMBERS = count()
QUESTION = {"question": "Vilka etapper finns?"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rates")


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 20)), max_size=60), st.integers(1, 120))
def test_two_workers_let_in_what_one_would(place: Path, coming: list[tuple[bool, float]], rate: int) -> None:
    clock, who = Clock(), f"caller {next(NUMBERS)}"
    alone = Rates(buckets=OwnBuckets(), clock=clock)
    both = {first: Rates(buckets=SharedBuckets(place), clock=clock) for first in (True, False)}
    for first, pause in coming:
        clock.now += pause
        assert both[first].take(who, rate) == alone.take(who, rate)


def test_a_full_disk_leaves_nothing_half_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def half(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:1000])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(OSError, match="space"):
        SharedBuckets(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_more_callers_than_there_is_room_for_take_no_more_room(tmp_path: Path) -> None:
    buckets = SharedBuckets(tmp_path)
    size = (tmp_path / FILE).stat().st_size
    rates = Rates(buckets=buckets)
    assert let_in(rates, "a", 3) == 3
    assert len(buckets) == 1
    for n in range(60_000):
        assert rates.take(f"other {n}", 1000) == 0
    assert 30_000 < len(buckets) <= 32_768
    assert (tmp_path / FILE).stat().st_size == size
    assert rates.take("a", 3) > 0  # a bucket that is full is kept longer than those that are nearly empty


def test_the_file_tells_nothing_of_who_called(tmp_path: Path) -> None:
    first, second = (SharedBuckets(tmp_path / name) for name in ("one", "two"))
    for buckets in (first, second):
        buckets.put("key anna", 7.0)
    data = [(tmp_path / name / FILE).read_bytes() for name in ("one", "two")]
    assert b"anna" not in data[0]
    assert data[0] != data[1]  # nor can a guess be tried: the digest is keyed


@pytest.mark.parametrize("when", [float("nan"), float("inf"), 1e300, 1000.0 + 3 * MINUTE, -5.0])
def test_what_no_clock_of_today_wrote_locks_nobody_out(tmp_path: Path, when: float) -> None:
    buckets = SharedBuckets(tmp_path)
    buckets.put(" a", when)
    assert let_in(Rates(buckets=buckets, clock=Clock()), "a", RATE) == RATE


def test_two_kinds_of_counts_do_not_meet(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, shared_folder=tmp_path / "shared")
    requests, guesses = Rates.of(settings, "requests"), Rates.of(settings, "wrong keys")
    assert let_in(requests, "a", RATE) == let_in(guesses, "a", RATE) == RATE


HAMMER = """
import sys
from pathlib import Path
from ankare.service.door.rates import Rates
from ankare.service.door.shared_buckets import SharedBuckets
rates = Rates(buckets=SharedBuckets(Path(sys.argv[1])), clock=lambda: 1000.0)
print(sum(not rates.take("a", 1000) for _ in range(1000)))
"""


def test_processes_that_count_at_once_lose_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HAMMER, str(tmp_path)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert sum(int(process.communicate(timeout=LONG)[0]) for process in started) == 1000


HOLD = """
import sys, time
from pathlib import Path
from ankare.service.door.shared_buckets import SharedBuckets
buckets = SharedBuckets(Path(sys.argv[1]))
with buckets:
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL])
def test_a_worker_that_is_stopped_or_killed_in_its_turn_holds_up_nobody(tmp_path: Path, how: signal.Signals) -> None:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        process.send_signal(how)
        assert let_in(Rates(buckets=SharedBuckets(tmp_path), clock=Clock()), "a", 3) == 3
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("data", [b"", b"something else", b"x" * 786_456])
def test_another_file_is_told_and_each_worker_has_its_part(
    tmp_path: Path, data: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / FILE).write_bytes(data)
    caplog.set_level(logging.WARNING, "ankare.service")
    rates = Rates.of(Settings(home=tmp_path, workers=2, shared_folder=tmp_path), "requests")
    assert "counts requests by itself" in caplog.text
    assert let_in(rates, "a", RATE) == RATE // 2
    assert (tmp_path / FILE).read_bytes() == data


@contextmanager
def two_services(home: Path, shared: Path | None) -> Iterator[list[TestClient]]:
    settings = Settings(home=home, api_keys="required", rate_per_minute=RATE, workers=2, shared_folder=shared)
    apps = [create_app(settings, ScriptedEngine(), ScriptedShelf(home), page=False) for _ in range(2)]
    with TestClient(apps[0]) as first, TestClient(apps[1]) as second:
        yield [first, second]


def let_in_by(clients: list[TestClient], key: str, order: list[int]) -> int:
    sent = {"Authorization": f"Bearer {key}"}
    return sum(clients[n].post("/api/ask", json=QUESTION, headers=sent).status_code == 200 for n in order)


ORDERS = [[0] * 15, [0, 1] * 8, [1] * 9 + [0] * 9]


@pytest.mark.parametrize("order", ORDERS)
def test_a_key_has_its_rate_once_wherever_its_requests_land(tmp_path: Path, order: list[int]) -> None:
    keys = [add_key(tmp_path, name)[1] for name in ("Anna", "Bo")]
    with two_services(tmp_path, tmp_path / "shared") as clients:
        assert [let_in_by(clients, key, order) for key in keys] == [RATE, RATE]


def test_guesses_of_the_token_are_counted_together_too(tmp_path: Path) -> None:
    given = {"home": tmp_path, "admin_token": "a" * 30, "workers": 2, "shared_folder": tmp_path / "shared"}
    apps = [create_app(Settings(**given), ScriptedEngine(), ScriptedShelf(tmp_path), page=False) for _ in range(2)]
    clients = [TestClient(app) for app in apps]
    sent = {"Authorization": "Bearer wrong"}
    statuses = [clients[n % 2].get("/api/admin/documents", headers=sent).status_code for n in range(12)]
    assert statuses == [401] * 10 + [429] * 2


def test_a_saboteur_that_counts_in_each_worker_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rates, "of", classmethod(lambda cls, _settings, kind: cls(kind=kind)))
    with pytest.raises(AssertionError):
        test_a_key_has_its_rate_once_wherever_its_requests_land(tmp_path, ORDERS[1])


# Two real workers.


@contextmanager
def real_workers(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    port = free_port()
    command = [sys.executable, "-c", "from ankare.cli.main import run; run()", "serve", "--workers", "2"]
    environment = {
        **os.environ,
        "ANKARE_SEMANTIC": "false",
        "ANKARE_RATE_PER_MINUTE": str(RATE),
        "TMPDIR": str(folder),
    }
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--home", str(folder / "home"), "--port", str(port)], env=environment, stderr=log, stdout=log
        )
        try:
            yield f"http://127.0.0.1:{port}", process
        finally:
            process.terminate()
            process.wait(PATIENCE)


def workers_of(process: subprocess.Popen[bytes]) -> set[int]:
    """The worker processes: children that are no helper of Python's own."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return {int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()}


def let_through(base: str, times: int, client: httpx.Client | None = None) -> int:
    """How many requests are let in, each over a new connection unless a client has one. There is no index, so each is a 503."""
    asked = [(client or httpx).post(f"{base}/api/search", json={"query": "x"}, timeout=LONG) for _ in range(times)]
    assert {answer.status_code for answer in asked} <= {503, 429}
    return sum(answer.status_code == 503 for answer in asked)


def wait_until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def is_up(base: str) -> bool:
    try:
        return httpx.get(f"{base}/health", timeout=LONG).status_code == 200
    except httpx.HTTPError:
        return False


@pytest.mark.slow
def test_two_workers_count_together_and_go_on_counting_when_both_are_killed(tmp_path: Path) -> None:
    with real_workers(tmp_path) as (base, process):
        wait_until(lambda: is_up(base) and len(workers_of(process)) == 2)
        began = time.monotonic()
        with httpx.Client() as client:  # one connection, so one worker: it lets in the whole rate
            first = let_through(base, 2 * RATE, client)
        assert first >= RATE
        others = let_through(base, 2 * RATE)
        before = workers_of(process)
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: len(workers_of(process) - before) == 2 and is_up(base))
        others += let_through(base, 2 * RATE)  # by new workers, that know
        leaked = (time.monotonic() - began) * RATE / MINUTE
        assert first + others <= RATE + leaked + 1
    assert not list(tmp_path.glob("ankare-*"))  # nothing is left behind
