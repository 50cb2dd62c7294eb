"""How do figures lie in one SQLite file, for many readers and one writer at a time?

The file is in WAL mode: readers never wait for a writer and see the figures before its transaction or after it. Writers of one
process queue at a lock, those of several at SQLite's own. `synchronous` is FULL: writes are few (a load, a decision), and one
that has been told as done shall also outlive a power cut; a killed process loses nothing but the write under way.
"""

from __future__ import annotations

import math
import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from time import monotonic
from typing import Any, Protocol, TypeVar

from ankare.facts import statements as sql
from ankare.facts.pool import ConnectionPool, Held
from ankare.facts.rows import Incoming, Row
from ankare.facts.sql_store import Run, SqlFactStore
from ankare.facts.sqlite_file import apply_migrations, has_schema, make_file, open_file, telling, told
from ankare.profile.model import Profile

T = TypeVar("T")
MEMORY = ":memory:"
BUSY_SECONDS = 60.0
"""How long a writer waits for another process: a load of a million figures takes less."""
LOOK_SECONDS = 1.0


class SqliteFactStore(SqlFactStore):
    """Figures in one SQLite file, or in memory for ":memory:". Making a store opens and creates nothing: `init_schema` does.

    `busy_seconds`: how long a writer waits for one in another process before it gives up with FactStoreError (`retry`).
    """

    def __init__(self, path: str | Path, profile: Profile | None = None, *, busy_seconds: float = BUSY_SECONDS) -> None:
        super().__init__(_Memory() if str(path) == MEMORY else _File(Path(path), busy_seconds), profile)


class _Pool(Protocol):
    turn: AbstractContextManager[Any]

    def take(self) -> Held[sqlite3.Connection]: ...
    def give(self, held: Held[sqlite3.Connection]) -> None: ...
    def drop(self, held: Held[sqlite3.Connection]) -> None: ...


class _Sqlite:
    """What a file and a store in memory have in common."""

    _pool: _Pool
    _name: str
    _next_look = math.inf

    def read(self, statement: str, parameters: Sequence[Any]) -> list[Row]:
        """The rows of one statement."""
        if monotonic() > self._next_look:
            self._look()
        held = self._pool.take()
        try:
            rows = held.connection.execute(statement, parameters).fetchall()
        except UnicodeEncodeError:  # half a surrogate pair: no such text is stored
            rows = []
        except BaseException as error:
            self._pool.drop(held)
            if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.ProgrammingError):
                raise told(error, self._name) from error
            raise
        self._pool.give(held)
        return rows

    def change(self, work: Callable[[Run], T], incoming: Incoming | None = None) -> T:
        """Stage the incoming rows beside the figures, then do the work in one transaction."""
        self._look()
        held = self._pool.take()
        try:
            with telling(Path(self._name)):
                result = self._staged(held.connection, work, incoming)
        except BaseException:
            self._pool.drop(held)
            raise
        self._pool.give(held)
        return result

    def _staged(self, connection: sqlite3.Connection, work: Callable[[Run], T], incoming: Incoming | None) -> T:
        if incoming is None:
            with self._pool.turn:
                return _transact(connection, lambda: work(connection.execute))
        connection.execute(sql.DROP_INCOMING)
        connection.execute(sql.CREATE_INCOMING)
        try:
            # Others can write while these rows are read and checked: no lock on the file is held yet.
            _transact(connection, lambda: connection.executemany(sql.STAGE, incoming), "BEGIN")
            with self._pool.turn:
                return _transact(connection, lambda: work(connection.execute))
        finally:
            connection.execute(sql.DROP_INCOMING)

    def _look(self) -> None:
        """Is it still the same database?"""


def _transact(connection: sqlite3.Connection, work: Callable[[], T], begin: str = "BEGIN IMMEDIATE") -> T:
    connection.execute(begin)
    try:
        result = work()
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk may have ended it already
            connection.execute("ROLLBACK")
        raise
    return result


class _File(_Sqlite):
    """A file, with a connection for each thread that reads at the same time."""

    def __init__(self, path: Path, busy_seconds: float) -> None:
        self._path = path.absolute()  # the same file, wherever the process goes
        self._name = str(self._path)
        self._busy_seconds = busy_seconds
        self._pool: ConnectionPool[sqlite3.Connection] = ConnectionPool(self._open)
        self._inode: tuple[int, int] | None = None
        self._had_another = False
        self._next_look = 0.0

    def stream(self, statement: str, parameters: Sequence[Any]) -> Iterator[Row]:
        """The rows of one statement, over a connection of their own: others go on meanwhile."""
        connection = self._open()
        try:
            with telling(self._path):
                yield from connection.execute(statement, parameters)
        finally:
            connection.close()

    def exists(self) -> bool:
        """Is the file there, with a schema?"""
        return has_schema(self._path, self._busy_seconds)

    def migrate(self) -> None:
        """Make the file, or bring it up to date."""
        make_file(self._path, self._busy_seconds)

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()

    def _open(self) -> sqlite3.Connection:
        return open_file(self._path, self._busy_seconds)

    def _look(self) -> None:
        """Another file in the old one's place (a restored backup) is read from now on, not the one that is gone."""
        self._next_look = monotonic() + LOOK_SECONDS
        try:
            status = self._path.stat()
            inode = (status.st_dev, status.st_ino)
        except OSError:
            inode = None
        if inode != self._inode:
            if inode is not None and self._had_another and self.exists():
                self.migrate()  # the backup may be older than this ankare
            self._had_another = self._had_another or inode is not None
            self._inode = inode
            self._pool.close()


class _Memory(_Sqlite):
    """A database in memory: one connection that all threads take in turn. It lives as long as its store."""

    def __init__(self) -> None:
        self._name = MEMORY
        self._pool: _OneConnection = _OneConnection()

    def stream(self, statement: str, parameters: Sequence[Any]) -> Iterator[Row]:
        """The rows of one statement, all read before the first is given: others are not to wait for the reader."""
        yield from self.read(statement, parameters)

    def exists(self) -> bool:
        """Is there a schema?"""
        return bool(self.read("SELECT 1 FROM sqlite_master WHERE name = 'ankare_facts'", ()))

    def migrate(self) -> None:
        """Make the schema."""
        held = self._pool.take()
        try:
            apply_migrations(held.connection, self._name)
        finally:
            self._pool.give(held)

    def close(self) -> None:
        """Nothing: the figures would be gone."""


class _OneConnection:
    """A pool of one, which a thread that holds it may take again."""

    def __init__(self) -> None:
        self.turn: AbstractContextManager[Any] = nullcontext()
        self._lock = threading.RLock()
        connection = sqlite3.connect(MEMORY, isolation_level=None, check_same_thread=False)
        self._held = Held(connection, None)
        weakref.finalize(self, connection.close)

    def take(self) -> Held[sqlite3.Connection]:
        self._lock.acquire()
        return self._held

    def give(self, held: Held[sqlite3.Connection]) -> None:
        self._lock.release()

    drop = give
