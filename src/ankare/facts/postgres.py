"""How do figures lie in a PostgreSQL database, for many processes on many machines?

Reads are single prepared statements outside transactions. Writes are transactions at READ COMMITTED that begin by taking one
advisory lock, so that writers queue, as do processes that bring the schema up to date. A connection that broke while it lay
idle is replaced without a word; one that breaks in a write is told, since only the server knows what became of it. A server
that does not answer costs one read its time; the others fail at once until it does (`ankare.facts.breaker`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from ankare.errors import FactStoreError
from ankare.facts import statements as sql
from ankare.facts.breaker import SLOW_SECONDS, Breaker
from ankare.facts.check import storable
from ankare.facts.migrations import migrations, missing, newest, refuse_newer_schema, refuse_other_schema
from ankare.facts.pool import ConnectionPool, Held
from ankare.facts.postgres_server import Server, psycopg, wait_for
from ankare.facts.rows import Incoming, Row
from ankare.facts.sql_store import Run, SqlFactStore
from ankare.profile.model import Profile

if TYPE_CHECKING:
    from psycopg import Connection, Error

T = TypeVar("T")
BACKEND = "postgres"
POOL_SIZE = 8
READ_SECONDS = 10.0
WHOLE_SECONDS = 900.0
"""How long a statement may take that writes, or that goes through all figures."""
LOCK_SECONDS = 60.0
"""How long a writer waits for another one."""
MANY_ROWS = 1000
_BLOCK = 2000
_WRITERS = 0x616E6B61726500
"""The number of the advisory lock."""


class PostgresFactStore(SqlFactStore):
    """Figures in the tables `ankare_*` of a PostgreSQL database, in the first schema of its search path.

    `url` is "postgresql://user:password@host:port/database"; whatever libpq takes as parameters may follow. At most `pool_size`
    connections answer at a time. A read is broken off after `read_seconds`, by the server or, where that is silent, two seconds
    later by us. Making a store connects to nothing. Raises
    MissingExtraError without the extra `postgres`, BadInputError for an address that cannot be read.
    """

    def __init__(
        self,
        url: str,
        profile: Profile | None = None,
        *,
        pool_size: int = POOL_SIZE,
        read_seconds: float = READ_SECONDS,
        lock_seconds: float = LOCK_SECONDS,
    ) -> None:
        super().__init__(_Postgres(Server(url, read_seconds), pool_size, read_seconds, lock_seconds), profile)


class _Postgres:
    def __init__(self, server: Server, pool_size: int, read_seconds: float, lock_seconds: float) -> None:
        self._server = server
        self._read_seconds = read_seconds
        self._lock_seconds = lock_seconds
        self._breaker = Breaker(min(SLOW_SECONDS, read_seconds))
        self._pool: ConnectionPool[Connection[Any]] = ConnectionPool(self._open, pool_size)

    def read(self, statement: str, parameters: Sequence[Any]) -> list[Row]:
        """The rows of one statement."""
        with self._breaker.watching(lambda: self._read_apart(statement, parameters)):
            return self._read(statement, parameters)

    def _read(self, statement: str, parameters: Sequence[Any]) -> list[Row]:
        while True:
            held = self._taken()
            try:
                rows = held.connection.execute(_numbered(statement), parameters, prepare=True).fetchall()
            except UnicodeEncodeError:  # half a surrogate pair: no such text is stored
                self._pool.give(held)
                return []
            except psycopg().Error as error:
                stale = self._broken(held, error)
                if not all(map(storable, parameters)):  # a NUL: the same
                    return []
                if not stale:
                    raise self._server.told(error) from error
            except BaseException:  # an interrupt may have left half an answer on the line
                self._pool.drop(held)
                raise
            else:
                self._pool.give(held)
                return rows

    def _taken(self) -> Held[Connection[Any]]:
        """A connection, unless it has become known while it was waited for that the server does not answer."""
        held = self._pool.take()
        try:
            self._breaker.check()
        except FactStoreError:
            self._pool.give(held)
            raise
        return held

    def _read_apart(self, statement: str, parameters: Sequence[Any]) -> None:
        """Ask the same over a connection of its own."""
        connection = self._connected()
        try:
            with self._server.telling():
                connection.execute(_numbered(statement), parameters)
        finally:
            connection.close()

    def stream(self, statement: str, parameters: Sequence[Any]) -> Iterator[Row]:
        """The rows of one statement, in blocks, over a connection of their own: others go on meanwhile."""
        connection = self._open()
        wait_for(connection, WHOLE_SECONDS)
        try:
            with connection.transaction(), connection.cursor("ankare_stream") as cursor:
                _limit(connection, "statement_timeout", WHOLE_SECONDS)
                cursor.itersize = _BLOCK
                cursor.execute(_numbered(statement), parameters)
                yield from cursor
        except psycopg().Error as error:
            raise self._server.told(error) from error
        finally:
            connection.close()

    def change(self, work: Callable[[Run], T], incoming: Incoming | None = None) -> T:
        """Stage the incoming rows, wait for the turn to write, then do the work; all in one transaction."""
        held = self._live()
        wait_for(held.connection, WHOLE_SECONDS)
        try:
            with held.connection.transaction():
                result = self._work(held.connection, work, incoming)
            if incoming is not None and incoming.given >= MANY_ROWS:
                _count_anew(held.connection)
            return result
        except psycopg().Error as error:
            raise self._server.told(error) from error
        finally:
            wait_for(held.connection, self._read_seconds)
            (self._pool.drop if held.connection.closed else self._pool.give)(held)

    def exists(self) -> bool:
        """Is there a schema of ours?"""
        with self._breaker.watching(self._exists):
            return self._exists()

    def _exists(self) -> bool:
        with self._server.telling(), self._server.connect() as connection:
            return _has_schema(connection)

    def migrate(self) -> None:
        """Apply the migrations that are missing. A second process waits, and then finds nothing to do."""
        with self._server.telling(), self._server.connect() as connection:
            if _one(connection, "SHOW server_encoding") != "UTF8":
                raise FactStoreError(f"{self._server.name} is not in UTF-8.", "Make a database WITH ENCODING 'UTF8'.")
            if _has_schema(connection) and _applied(connection) == newest(BACKEND):
                return
            with connection.transaction():
                self._my_turn(connection)
                _migrate(connection, self._server.name)

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()

    def _open(self) -> Connection[Any]:
        self._breaker.check()
        return self._connected()

    def _connected(self) -> Connection[Any]:
        with self._server.telling():
            connection = self._server.connect()
            try:
                if not _has_schema(connection):
                    raise missing(self._server.name)
                refuse_other_schema(_applied(connection), BACKEND, self._server.name)
            except BaseException:
                connection.close()
                raise
        return connection

    def _broken(self, held: Held[Connection[Any]], error: Error) -> bool:
        """Give the connection back after an error; True where it had broken while it lay idle, so that a fresh one may do."""
        silent = held.connection.closed and isinstance(error, psycopg().errors.QueryCanceled)
        stale = held.connection.closed and not held.fresh
        if stale or silent:
            self._pool.close()  # the others will have broken with it
        (self._pool.drop if held.connection.closed else self._pool.give)(held)
        return stale and not silent

    def _live(self) -> Held[Connection[Any]]:
        """A connection that answers: a write is not tried twice."""
        while True:
            held = self._pool.take()
            try:
                held.connection.execute("SELECT 1")
            except psycopg().Error as error:
                if not self._broken(held, error):
                    raise self._server.told(error) from error
            else:
                return held

    def _work(self, connection: Connection[Any], work: Callable[[Run], T], incoming: Incoming | None) -> T:
        _limit(connection, "statement_timeout", WHOLE_SECONDS)
        if incoming is not None:
            connection.execute(_numbered(sql.CREATE_INCOMING))
            with connection.cursor().copy(_COPY) as copy:
                for row in incoming:
                    copy.write_row(row)
        self._my_turn(connection)
        result = work(lambda statement, parameters: connection.execute(_numbered(statement), parameters))
        if incoming is not None:
            connection.execute(_numbered(sql.DROP_INCOMING))
        return result

    def _my_turn(self, connection: Connection[Any]) -> None:
        _limit(connection, "lock_timeout", self._lock_seconds)
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_WRITERS,))


_COPY = f"COPY ankare_incoming ({', '.join(sql.INCOMING)}) FROM STDIN".encode()


@cache
def _numbered(statement: str) -> bytes:
    return statement.replace("?", "%s").encode()


def _count_anew(connection: Connection[Any]) -> None:
    """Let the planner know of a load at once. Until it does, a plan made while there were few figures reads them all."""
    with suppress(psycopg().Error):
        connection.execute("ANALYZE ankare_facts")


def _limit(connection: Connection[Any], setting: str, seconds: float) -> None:
    """Until the end of the transaction."""
    connection.execute("SELECT set_config(%s, %s, true)", (setting, str(round(seconds * 1000))))


def _has_schema(connection: Connection[Any]) -> bool:
    return _one(connection, "SELECT to_regclass('ankare_migrations') IS NOT NULL") is True


def _applied(connection: Connection[Any]) -> int:
    return int(_one(connection, "SELECT coalesce(max(number), 0) FROM ankare_migrations"))


def _one(connection: Connection[Any], statement: str) -> Any:
    row = connection.execute(statement.encode()).fetchone()
    return None if row is None else row[0]


def _migrate(connection: Connection[Any], name: str) -> None:
    connection.execute(
        "CREATE TABLE IF NOT EXISTS ankare_migrations"
        " (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TIMESTAMPTZ NOT NULL DEFAULT now())"
    )
    applied = _applied(connection)
    refuse_newer_schema(applied, BACKEND, name)
    for migration in migrations(BACKEND):
        if migration.number > applied:
            connection.execute(migration.sql.encode())
            connection.execute(
                "INSERT INTO ankare_migrations (number, name) VALUES (%s, %s)", (migration.number, migration.name)
            )
