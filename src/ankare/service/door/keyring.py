"""Whose key is this? The keys as a running service sees them; a change on disk counts from the next request on.

What stands in the file is remembered as long as the file stays the same, whether it is of use or not. That it could not be read
is not: too many open files, or a disk that fails for a moment, are no property of the file.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Mapping
from pathlib import Path
from threading import Lock

from ankare.errors import HomeDamagedError
from ankare.service.door.keys import FILE, PREFIX, ApiKey, digest, read_keys

LOG = logging.getLogger("ankare.service")
LONGEST = 200
"""Characters of a key that is looked at."""
_NOBODYS = "0" * 64


class Keyring:
    """The keys of a home. Safe for many threads. Looks at the file's date for every key that is sent."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._lock = Lock()
        self._seen: tuple[int, ...] | None = None
        self._keys: Mapping[str, ApiKey] = {}
        self._damage: HomeDamagedError | None = None
        self._told = ""

    def key_of(self, sent: str) -> ApiKey | None:
        """The live key that was sent; None for an unknown, expired or revoked one, told apart by nothing.

        Raises HomeDamagedError where the file cannot be read: then no key is known to be wrong or right.
        """
        key = self._current().get(_id_of(sent))
        known = hmac.compare_digest(key.sha256 if key else _NOBODYS, digest(sent))
        return key if known and key is not None and key.state == "live" else None

    def has_admin(self) -> bool:
        """Does a live key have the admin flag? Raises HomeDamagedError."""
        return any(key.admin and key.state == "live" for key in self._current().values())

    def _current(self) -> Mapping[str, ApiKey]:
        with self._lock:
            stamp = _stamp(self._home / FILE)
            if stamp != self._seen:
                self._seen = None
                self._read()
                self._seen = stamp
            if self._damage is not None:
                raise self._damage
            return self._keys

    def _read(self) -> None:
        try:
            self._keys, self._damage = {key.id: key for key in read_keys(self._home)}, None
            self._told = ""
        except HomeDamagedError as error:
            self._tell(error)
            if error.retry:
                raise
            self._keys, self._damage = {}, error

    def _tell(self, error: HomeDamagedError) -> None:
        """Once for each state of the file, not for each request."""
        if str(error) != self._told:
            LOG.error("%s", error)
        self._told = str(error)


def _id_of(sent: str) -> str:
    if not sent.startswith(PREFIX) or len(sent) > LONGEST:
        return ""
    return sent.removeprefix(PREFIX).partition("_")[0]


def _stamp(path: Path) -> tuple[int, ...]:
    """What changes when the file is written, put in place of another, given away or taken away."""
    try:
        told = path.stat()
    except OSError as error:
        return (-1, error.errno or 0)
    return (told.st_mtime_ns, told.st_ctime_ns, told.st_size, told.st_ino)
