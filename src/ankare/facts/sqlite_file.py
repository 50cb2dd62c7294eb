"""How is a SQLite file of figures made, opened and told from any other file, and what do its errors mean?"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep

from ankare.errors import FactStoreError
from ankare.facts.migrations import (
    Migration,
    migrations,
    missing,
    newest,
    refuse_newer_schema,
    refuse_other_schema,
)
from ankare.facts.pool import busy

APPLICATION_ID = 0x616E6B66
"""In the header of each of our files ("ankf"): figures are never put into another program's file."""
BACKEND = "sqlite"
CACHE_KIB = 8192
KEPT_LOG_BYTES = 64 * 1024 * 1024
_RETRY_SECONDS = 0.02


def make_file(path: Path, busy_seconds: float) -> None:
    """Make the file, or bring it up to the newest schema. Raises FactStoreError where something else is there."""
    if has_schema(path, busy_seconds, up_to_date=True):
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FactStoreError(f"{path.parent} cannot be made: {error.strerror}.", "Check the path.") from error
    with telling(path), closing(_connect(path, busy_seconds, "rwc")) as connection:
        _be_ours_or_empty(connection, path)
        _write_ahead(connection, busy_seconds)
        apply_migrations(connection, str(path))


def has_schema(path: Path, busy_seconds: float, *, up_to_date: bool = False) -> bool:
    """Is there a file of ours, with `up_to_date` one of the newest schema? Raises FactStoreError for another kind of file."""
    if not path.exists():
        return False
    with telling(path), closing(_connect(path, busy_seconds, "rw")) as connection:
        if not _be_ours_or_empty(connection, path):
            return False
        return not up_to_date or _applied(connection) == newest(BACKEND)


def open_file(path: Path, busy_seconds: float) -> sqlite3.Connection:
    """A connection to a file that is there and has the newest schema. Raises FactStoreError."""
    with telling(path):
        connection = _connect(path, busy_seconds, "rw")
        try:
            if not _be_ours_or_empty(connection, path):
                raise missing(str(path))
            refuse_other_schema(_applied(connection), BACKEND, str(path))
        except BaseException:
            connection.close()
            raise
    return connection


def apply_migrations(connection: sqlite3.Connection, name: str) -> None:
    """Apply what is missing, in one transaction. A second process waits, and then finds nothing to do."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS ankare_migrations"
            " (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)"
        )
        applied = _applied(connection)
        refuse_newer_schema(applied, BACKEND, name)
        for migration in migrations(BACKEND):
            if migration.number > applied:
                _apply(connection, migration)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _apply(connection: sqlite3.Connection, migration: Migration) -> None:
    for statement in _statements(migration.sql):
        connection.execute(statement)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    connection.execute("INSERT INTO ankare_migrations VALUES (?, ?, ?)", (migration.number, migration.name, now))


def _statements(text: str) -> Iterator[str]:
    """One statement after the other: `executescript` would end the transaction."""
    statement = ""
    for line in text.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        raise ValueError(f"a migration ends in the middle of a statement: {statement.strip()}")


def _connect(path: Path, busy_seconds: float, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode={mode}",
        uri=True,
        timeout=busy_seconds,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    connection.execute(f"PRAGMA journal_size_limit = {KEPT_LOG_BYTES}")
    return connection


def _be_ours_or_empty(connection: sqlite3.Connection, path: Path) -> bool:
    """True for our file, False for one that holds nothing yet; FactStoreError for another program's."""
    if connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID:
        return True
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        # Between the two questions another process may have made the schema.
        if connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID:
            return True
        raise FactStoreError(f"{path} is a database of another program.", "Name another file for the figures.")
    return False


def _applied(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT coalesce(max(number), 0) FROM ankare_migrations").fetchone()[0])


def _write_ahead(connection: sqlite3.Connection, busy_seconds: float) -> None:
    """Turn WAL mode on. SQLite does not wait by itself while another process does the same."""
    until = monotonic() + busy_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > until:
                raise
            sleep(_RETRY_SECONDS)


@contextmanager
def telling(path: Path) -> Iterator[None]:
    """SQLite's errors as FactStoreError."""
    try:
        yield
    except sqlite3.ProgrammingError:  # a mistake of ours
        raise
    except sqlite3.DatabaseError as error:
        raise told(error, str(path)) from error


def told(error: sqlite3.DatabaseError, name: str) -> FactStoreError:
    """What an error of SQLite means for the one who asked."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return busy(f"Another process is writing to {name}.")
    if code == sqlite3.SQLITE_CANTOPEN and not Path(name).exists():
        return missing(name)
    if str(error).startswith("no such table: ankare_"):
        return missing(name)
    fault, remedy = _MEANINGS.get(code, (f"cannot be used: {error}", "Check the file and the disk."))
    return FactStoreError(f"{name} {fault}.", remedy)


_MEANINGS = {
    sqlite3.SQLITE_NOTADB: ("is no store of figures", "Name another file for the figures."),
    sqlite3.SQLITE_CORRUPT: ("is damaged", "Restore it from a backup, or remove it and load the figures again."),
    sqlite3.SQLITE_FULL: ("cannot be written: the disk is full", "Make room, then try again."),
    sqlite3.SQLITE_READONLY: ("cannot be written", "Let ankare write to the file and its folder."),
    sqlite3.SQLITE_PERM: ("cannot be opened", "Let ankare read and write the file and its folder."),
    sqlite3.SQLITE_CANTOPEN: ("cannot be opened", "Let ankare read and write the file and its folder."),
    sqlite3.SQLITE_IOERR: ("cannot be read or written: the disk or network drive fails", "Check the disk."),
}
