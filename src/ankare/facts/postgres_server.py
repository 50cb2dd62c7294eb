"""How is a PostgreSQL server reached, for how long is it waited for, and what do its errors mean?

The server's own limits (`statement_timeout`) end what it works at. A server that has stopped, or a network that swallows
everything, keeps no limit: for that the client has its own, a little longer, after which the connection is closed for good.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

from ankare.errors import BadInputError, FactStoreError, MissingExtraError
from ankare.facts.migrations import missing

if TYPE_CHECKING:
    from psycopg import Connection, Error

CONNECT_SECONDS = 5
GRACE_SECONDS = 2.0
"""So much longer than the server's own limit the client waits: a server that is only slow tells it itself, and the connection
stays fit for use."""
_DEFAULTS = {
    "connect_timeout": CONNECT_SECONDS,
    "application_name": "ankare",
    "client_encoding": "UTF8",
    "keepalives": 1,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""Unless the address says otherwise. A machine that is gone without a word is noticed within a minute, one that what was sent
does not reach within 20 seconds (milliseconds there)."""
_SILENT = "no answer; the connection is closed"
_GONE = ("08", "57P")
_LATER = ("08", "40", "53", "55", "57")


def psycopg() -> ModuleType:
    """The library, on first use. Raises MissingExtraError."""
    try:
        import psycopg as library
    except ImportError as error:
        raise MissingExtraError(
            "Figures in PostgreSQL need the package psycopg.", "Install it: pip install 'ankare[postgres]'."
        ) from error
    return library


class Server:
    """An address of a database. `name` is what errors call it: host and database, never the password."""

    def __init__(self, url: str, read_seconds: float) -> None:
        self._parameters = _parameters(url)
        self._read_seconds = read_seconds
        self.name = _name(self._parameters)

    def connect(self) -> Connection[Any]:
        """A new connection outside of any transaction. Raises the library's own errors."""
        library = psycopg()
        connection: Connection[Any] = _bounded().connect(autocommit=True, **{**_DEFAULTS, **self._parameters})
        try:
            wait_for(connection, self._read_seconds)
            connection.isolation_level = library.IsolationLevel.READ_COMMITTED
            limit = str(round(self._read_seconds * 1000))
            connection.execute("SELECT set_config('statement_timeout', %s, false)", (limit,))
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def telling(self) -> Iterator[None]:
        """The library's errors as FactStoreError."""
        try:
            yield
        except psycopg().Error as error:
            raise self.told(error) from error

    def told(self, error: Error) -> FactStoreError:
        """What an error means for the one who asked."""
        state = error.sqlstate or ""
        if state == "42P01":
            return missing(self.name)
        fault, remedy = self._meaning(state, error)
        result = FactStoreError(f"{self.name} {fault}.", remedy)
        result.retry = not state or state.startswith(_LATER)
        return result

    def _meaning(self, state: str, error: Error) -> tuple[str, str]:
        if state == "57014":
            return "did not answer in time", "Try again; see what keeps the server busy."
        if state == "55P03":
            return "is being written to by another process", "Try again in a moment."
        if state.startswith("42501"):
            return f"refuses: {self._said(error)}", "Give the user the rights to the schema."
        if not state or state.startswith(_GONE):
            return (
                f"cannot be reached: {self._said(error)}",
                "Check the address and that the server is up, then try again.",
            )
        return f"cannot be used: {self._said(error)}", "See the server's log."

    def _said(self, error: Error) -> str:
        """The library's words on one line, without the password."""
        text = " ".join(str(error).split()).rstrip(".")
        password = str(self._parameters.get("password") or "")
        for spelling in {password, quote(password, ""), quote_plus(password)} - {""}:
            text = text.replace(spelling, "***")
        return text


def wait_for(connection: Connection[Any], seconds: float) -> None:
    """From now on, wait so long for each answer of the server, and a little longer for its own word that it took too long."""
    connection.patience = seconds + GRACE_SECONDS  # type: ignore[attr-defined]


@cache
def _bounded() -> type[Connection[Any]]:
    """A connection that does not wait for ever: QueryCanceled once its `patience` (seconds) is over, and it is closed then."""
    library = psycopg()

    class Bounded(library.Connection):  # type: ignore[misc, name-defined]
        patience = float(CONNECT_SECONDS)

        def wait(self, gen: Generator[Any, Any, Any], *given: Any, **named: Any) -> Any:
            return super().wait(self._until(monotonic() + self.patience, gen), *given, **named)

        def _until(self, end: float, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
            """What a generator gives and is sent; it is sent something every tenth of a second, also where nothing comes."""
            try:
                wanted = next(gen)
                while True:
                    wanted = gen.send((yield wanted))
                    if monotonic() > end:
                        self.pgconn.finish()
                        raise library.errors.QueryCanceled(_SILENT)
            except StopIteration as last:
                return last.value

    return Bounded


def _parameters(url: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = dict(psycopg().conninfo.conninfo_to_dict(url))
    except psycopg().Error:  # its text would show the address, and the password in it
        raise _unreadable() from None
    # A password with a bare / or @ in it ends up in the port or the name of the database, which errors show.
    if str(found.get("port", "")).strip("0123456789,") or "@" in str(found.get("dbname", "")):
        raise _unreadable()
    return found


def _unreadable() -> BadInputError:
    return BadInputError(
        "The address of the PostgreSQL server cannot be read.",
        "Write postgresql://user:password@host:5432/database, with signs such as @ or / in it as %40 or %2F.",
    )


def _name(parameters: dict[str, Any]) -> str:
    where = parameters.get("host") or parameters.get("hostaddr") or "localhost"
    port = parameters.get("port")
    return f"PostgreSQL at {where}{f':{port}' if port else ''}/{parameters.get('dbname', '')}"
