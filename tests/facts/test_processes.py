"""Several processes at one store: none loses what another wrote, and one that is killed leaves the last good state."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from ankare.facts.migrations import migrations
from ankare.facts.open import open_store
from ankare.facts.sqlite import SqliteFactStore
from tests.facts.making import fact, many
from tests.facts.postgres_server import PostgresServer, postgres  # noqa: F401 - a fixture

ROOT = Path(__file__).parents[2]
PROCESSES = 4


@pytest.fixture(params=["sqlite", "postgres"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "under" / "facts.db")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.fresh_url()


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    """Run code in a process of its own; it may say a line on standard output."""
    opening = "import sys\nfrom ankare.facts.open import open_store\nfrom tests.facts.making import fact, many\n"
    command = [sys.executable, "-c", opening + dedent(code), *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)


def start_together(code: str, location: str) -> list[int]:
    """Run code in several processes that begin at one sign; gives their exit codes."""
    waiting = "print('ready', flush=True)\nsys.stdin.readline()\n"
    children = [start(waiting + dedent(code), location, str(number)) for number in range(PROCESSES)]
    for child in children:
        assert child.stdout
        assert child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin
        child.stdin.write("go\n")
        child.stdin.flush()
    codes = [child.wait() for child in children]
    for child in children:
        child.communicate()
    return codes


def test_several_processes_make_the_schema_at_once(location: str) -> None:
    assert start_together("open_store(sys.argv[1]).init_schema()", location) == [0] * PROCESSES
    store = open_store(location)
    steps = len(migrations("sqlite"))
    assert store._database.read("SELECT count(*) FROM ankare_migrations", ()) == [(steps,)]
    assert store.count() == 0
    store.close()


def test_several_processes_write_at_once(location: str) -> None:
    code = """
        store, number = open_store(sys.argv[1]), sys.argv[2]
        store.init_schema()
        for turn in range(10):
            assert store.add_facts(many(20, f"{number}-{turn}.csv")).added == 20
            store.replace_file("shared.csv", list(many(50, "shared.csv", int(number))))
            assert len({one.fact.value for one in store.facts() if one.fact.source_file == "shared.csv"}) == 1
    """
    assert start_together(code, location) == [0] * PROCESSES
    store = open_store(location)
    assert store.count() == sum(1 for _ in store.facts()) == PROCESSES * 10 * 20 + 50
    assert len(store.files()) == PROCESSES * 10 + 1
    store.close()


def _at_staging(child: subprocess.Popen[str]) -> None:
    """While the new rows are still being given."""


def _at_merging(child: subprocess.Popen[str]) -> None:
    """While the old rows are replaced, at some moment that differs from run to run."""
    assert child.stdin
    child.stdin.write("go\n")
    child.stdin.flush()


@pytest.mark.parametrize("moment", [_at_staging, _at_merging])
def test_a_writer_that_is_killed_leaves_the_last_good_state(location: str, moment: Callable[..., None]) -> None:
    size = 4000
    store = open_store(location)
    store.init_schema()
    store.replace_file("many.csv", list(many(size)))
    code = f"""
        def staged():
            yield from many({size}, value=int(sys.argv[2]))
            print("given", flush=True)
            sys.stdin.readline()
        open_store(sys.argv[1]).replace_file("many.csv", staged())
    """
    for value in range(1, 6):
        child = start(code, location, str(value))
        assert child.stdout
        assert child.stdout.readline() == "given\n"
        before = {one.fact.value for one in store.facts()}
        moment(child)
        child.kill()
        assert child.wait() in (-signal.SIGKILL, 0)
        child.communicate()
        store.close()
        after = [one.fact.value for one in store.facts()]
        assert len(after) == store.count() == size
        assert set(after) in (before, {value})
    assert store.replace_file("many.csv", list(many(size, value=9))).added == size
    store.close()


def test_a_write_that_was_told_as_done_outlives_its_process(tmp_path: Path) -> None:
    code = """
        store = open_store(sys.argv[1])
        store.init_schema()
        store.add_facts(many(500))
        print("done", flush=True)
        sys.stdin.readline()
    """
    child = start(code, str(tmp_path / "facts.db"))
    assert child.stdout
    assert child.stdout.readline() == "done\n"
    child.kill()
    child.wait()
    child.communicate()
    assert (tmp_path / "facts.db-wal").exists()
    store = SqliteFactStore(tmp_path / "facts.db")
    assert store.count() == sum(1 for _ in store.facts()) == 500


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_leaves_its_parents_connections_alone(tmp_path: Path) -> None:
    store = SqliteFactStore(tmp_path / "facts.db")
    store.init_schema()
    store.add_facts([fact("1")])
    inherited = store._database._pool._idle
    child = os.fork()
    if not child:
        good = store._database._pool._idle is not inherited and store.add_facts([fact("2")]).added == 1
        store.close()
        os._exit(0 if good and len(inherited) == 1 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert store.count() == 2
    assert store.add_facts([fact("3")]).added == 1
