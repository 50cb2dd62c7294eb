"""Which store lies at this address?"""

from __future__ import annotations

from pathlib import Path

from ankare.errors import BadInputError
from ankare.facts.sql_store import SqlFactStore
from ankare.profile.model import Profile

_POSTGRES = ("postgresql", "postgres")


def open_store(location: str | Path, profile: Profile | None = None) -> SqlFactStore:
    """The store at "postgresql://...", or in the SQLite file at any other path. Opens nothing yet.

    `profile` None stands for the sample pack's. Raises BadInputError for an address of another kind, and MissingExtraError for
    PostgreSQL without the extra `postgres`.
    """
    scheme, mark, rest = str(location).partition("://")
    if isinstance(location, Path) or not mark:
        from ankare.facts.sqlite import SqliteFactStore

        return SqliteFactStore(location, profile)
    if scheme.lower() in _POSTGRES:
        from ankare.facts.postgres import PostgresFactStore

        return PostgresFactStore(f"postgresql://{rest}", profile)
    raise BadInputError(
        f"Figures cannot lie at an address that begins with {scheme}://.", "Write postgresql://... or a path."
    )
