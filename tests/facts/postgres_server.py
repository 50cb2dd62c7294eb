"""A real PostgreSQL server for tests, from the package pgserver; each store gets a schema of its own."""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

_numbers = count(1)


class PostgresServer:
    """A running server. `stop`, `start` and `hung` are for tests of what happens when it goes away, or answers no more."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # platformdirs warns where XDG_RUNTIME_DIR is not set
            import pgserver

        self._pgserver: Any = pgserver
        self._folder = folder
        self.start()
        self.run("ALTER SYSTEM SET fsync = off")  # the tests end no power supply
        self.run("SELECT pg_reload_conf()")

    def start(self) -> None:
        self._server = self._pgserver.get_server(self._folder)
        self.url: str = self._server.get_uri()

    def stop(self) -> None:
        self._server.cleanup()

    @contextmanager
    def hung(self) -> Iterator[None]:
        """All of its processes stand still meanwhile: connections stay open, new ones are taken, nothing is answered."""
        first = int((self._folder / "postmaster.pid").read_text().splitlines()[0])
        stopped = []
        try:
            for process in self._processes(first):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGSTOP)
                    stopped.append(process)
            yield
        finally:
            for process in stopped:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGCONT)

    @staticmethod
    def _processes(first: int) -> Iterator[int]:
        yield first  # it begins no further ones once it stands still
        yield from map(int, Path(f"/proc/{first}/task/{first}/children").read_text().split())

    def fresh_url(self) -> str:
        """The address of an empty schema."""
        name = f"test_{next(_numbers)}"
        self.run(f"CREATE SCHEMA {name}")
        return f"{self.url}&options=-csearch_path%3D{name}"

    def run(self, statement: str, url: str = "") -> list[tuple[Any, ...]]:
        """Run a statement past the store; gives its rows."""
        import psycopg

        with psycopg.connect(url or self.url, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    # Not below pytest's own folder: every run of pytest closes that one to other users, and the server is one.
    with TemporaryDirectory(prefix="ankare-pg-", ignore_cleanup_errors=True) as folder:
        server = PostgresServer(Path(folder) / "data")
        yield server
        server.stop()
