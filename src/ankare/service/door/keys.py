"""Which keys open the service, and how do they lie on disk?

`keys.json` in the home folder, readable by its owner alone, holds the SHA-256 of each key and never a key. A plain hash is
enough: a key is 256 random bits, so that nobody finds it by trying, however fast the hash. Slow hashes (bcrypt, Argon2) are
for passwords that people choose, and would cost every request a tenth of a second.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from ankare.domain.access import Access, checked_label
from ankare.errors import BadInputError, HomeDamagedError
from ankare.regular_file import read_regular

FILE, LOCK = "keys.json", "keys.lock"
FORMAT: Literal[1] = 1
PREFIX = "ank_"
"""What a key begins with, so that people and scanners for leaked secrets know it: ank_<id>_<secret>."""
ID_BYTES, SECRET_BYTES = 4, 32
_Text = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")]


class ApiKey(BaseModel):
    """A key as it lies on disk. `expires`: the last day that it opens (UTC). `rate`: requests per minute, None for the
    service's own. `sha256`: of the whole key."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id: Annotated[str, Field(pattern=r"^[0-9a-f]{8}$")]
    name: _Text
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    labels: tuple[Annotated[str, AfterValidator(checked_label)], ...] = ()
    admin: bool = False
    created: date
    expires: date | None = None
    rate: Annotated[int, Field(ge=1, le=100_000)] | None = None
    revoked: date | None = None

    @property
    def access(self) -> Access:
        """What its holder may read."""
        return Access(frozenset(self.labels))

    @property
    def state(self) -> str:
        """ "live", "expired" or "revoked"."""
        if self.revoked is not None:
            return "revoked"
        return "expired" if self.expires is not None and today() > self.expires else "live"


class KeysFile(BaseModel):
    """The file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    format: Literal[1] = FORMAT
    keys: tuple[ApiKey, ...]

    @model_validator(mode="after")
    def _each_once(self) -> KeysFile:
        if len({key.id for key in self.keys}) < len(self.keys):
            raise ValueError("two keys have the same id")
        return self


def add_key(
    home: Path,
    name: str,
    labels: Iterable[str] = (),
    *,
    admin: bool = False,
    expires: date | None = None,
    rate: int | None = None,
) -> tuple[ApiKey, str]:
    """A new key and what its holder sends; the latter is kept nowhere.

    Raises BadInputError for a name that a live key has, or a value that cannot be used, and HomeDamagedError.
    """
    if not name.isprintable():
        raise BadInputError(
            f"name: {name!r} holds signs that cannot be seen.", "Choose another name: it stands in logs."
        )
    made: list[tuple[ApiKey, str]] = []

    def added(keys: tuple[ApiKey, ...]) -> tuple[ApiKey, ...]:
        if any(key.name == name and key.state == "live" for key in keys):
            raise BadInputError(f"There is a key named {name!r} already.", "Choose another name, or revoke that key.")
        taken = {key.id for key in keys}
        number = next(i for i in iter(lambda: secrets.token_hex(ID_BYTES), None) if i not in taken)
        sent = f"{PREFIX}{number}_{secrets.token_urlsafe(SECRET_BYTES)}"
        key = _made(number, name, digest(sent), labels, admin, expires, rate)
        made.append((key, sent))
        return (*keys, key)

    change_keys(home, added)
    return made[0]


def revoke_key(home: Path, number: str) -> ApiKey:
    """Close a key for good. It stays in the file, so that logs can be read. Raises BadInputError for an unknown id."""
    found: list[ApiKey] = []

    def revoked(keys: tuple[ApiKey, ...]) -> tuple[ApiKey, ...]:
        found.extend(key.model_copy(update={"revoked": key.revoked or today()}) for key in keys if key.id == number)
        if not found:
            raise BadInputError(f"There is no key with the id {number!r}.", "`ankare keys list` shows them.")
        return tuple(found[0] if key.id == number else key for key in keys)

    change_keys(home, revoked)
    return found[0]


def change_keys(home: Path, change: Callable[[tuple[ApiKey, ...]], tuple[ApiKey, ...]]) -> None:
    """Write what `change` makes of the keys, in one step; nobody else changes them meanwhile."""
    home.mkdir(parents=True, exist_ok=True)
    with _locked(home / LOCK):
        _write(home / FILE, KeysFile(keys=change(read_keys(home))))


def read_keys(home: Path) -> tuple[ApiKey, ...]:
    """The keys of a home, none where there is no file.

    Raises HomeDamagedError for a file that cannot be read, whatever the cause: never fewer keys than there are. Its `retry`
    tells whether it is the reading that failed, not what was read.
    """
    path = home / FILE
    try:
        return KeysFile.model_validate_json(read_regular(path)).keys
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise _unreadable(path, error) from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise _damaged(path, f"{where}: {first['msg']}".removeprefix(": ")) from None


def digest(sent: str) -> str:
    """The SHA-256 of a key, in hexadecimal."""
    return hashlib.sha256(sent.encode("utf-8", "surrogatepass")).hexdigest()


def today() -> date:
    """The day in UTC."""
    return datetime.now(UTC).date()


def _made(
    number: str, name: str, sha: str, labels: Iterable[str], admin: bool, expires: date | None, rate: int | None
) -> ApiKey:
    held = tuple(sorted({label.casefold() for label in labels}))
    try:
        return ApiKey(
            id=number, name=name, sha256=sha, labels=held, admin=admin, created=today(), expires=expires, rate=rate
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInputError(f"{first['loc'][0]}: {first['msg'].removeprefix('Value error, ')}.") from None


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _write(path: Path, held: KeysFile) -> None:
    building = path.with_suffix(".new")
    building.unlink(missing_ok=True)
    descriptor = os.open(building, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(held.model_dump_json(indent=1) + "\n")
        file.flush()
        os.fsync(file.fileno())
    building.replace(path)


def _unreadable(path: Path, error: OSError) -> HomeDamagedError:
    remedy = (
        "Look who may read it, how many files are open (ulimit -n) and whether the disk is well; the file may be whole. It is "
        "tried again with each request, without a restart. Until then no key opens the service."
    )
    told = HomeDamagedError(f"The keys in {path} cannot be read now: {error.strerror or error}.", remedy)
    told.retry = True
    return told


def _damaged(path: Path, why: str) -> HomeDamagedError:
    remedy = "Put back a copy, or move it away and make new keys with `ankare keys add`. Until then no key opens the service."
    return HomeDamagedError(f"The keys in {path} cannot be read: {why}.", remedy)
