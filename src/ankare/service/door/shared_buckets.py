"""How do the workers of one machine count a caller's requests together?

    rates   a file of one size, mapped into the memory of every worker: a mark, a salt, and 32 768 places of 24 bytes
            (keyed digest of the caller, the time at which its bucket is empty again)

A caller has eight places where it may stand. When all are taken, the one that is empty soonest makes room, which gives its
caller a fresh bucket. The times are of the machine's own clock, the same in all its processes (CLOCK_MONOTONIC).

Who counts holds a lock on the file, which goes with the process, even a killed one: at worst a request of a killed worker is
not counted. A worker that is held up while it has the lock holds up nobody: the others go on without it.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import struct
import time
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from threading import Lock

FILE = "rates"
_MARK = b"ankare01"
_SALT = 16
_HEAD = len(_MARK) + _SALT
_ENTRY = struct.Struct("=16sd")
_SETS, _WAYS = 4096, 8
_SIZE = _HEAD + _SETS * _WAYS * _ENTRY.size
_NOBODY = bytes(16)
_TRIES, _PAUSE = 50, 0.0002
"""A hundredth of a second at most, in the event loop; who counts needs a thousandth of that."""


class SharedBuckets:
    """The times at which buckets are empty again, by caller. Safe for many threads and processes; `with` is one's turn."""

    def __init__(self, folder: Path) -> None:
        """Open the file in a folder, made if it is not there. Raises OSError, and ValueError for another file."""
        path = folder / FILE
        if not path.exists():
            _make(path)
        self._file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        try:
            if os.fstat(self._file).st_size != _SIZE:
                raise ValueError(f"{path} is no file of rates.")
            self._map = mmap.mmap(self._file, _SIZE)
            if self._map[: len(_MARK)] != _MARK:
                raise ValueError(f"{path} is no file of rates.")
        except (OSError, ValueError):
            os.close(self._file)
            raise
        self._salt = self._map[len(_MARK) : _HEAD]
        self._lock = Lock()

    def __enter__(self) -> None:
        self._lock.acquire()
        for _ in range(_TRIES):
            with suppress(BlockingIOError):
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            time.sleep(_PAUSE)

    def __exit__(self, *_: object) -> None:
        fcntl.flock(self._file, fcntl.LOCK_UN)
        self._lock.release()

    def get(self, caller: str) -> float | None:
        """When the bucket of a caller is empty again; None for one that is not known, or not any more."""
        digest = self._digest(caller)
        return next((when for _, found, when in self._places(digest) if found == digest), None)

    def put(self, caller: str, when: float) -> None:
        """Note it."""
        digest = self._digest(caller)
        places = list(self._places(digest))
        known = next((at for at, found, _ in places if found == digest), None)
        at = known if known is not None else min(places, key=lambda place: place[2])[0]
        self._map[at : at + _ENTRY.size] = _ENTRY.pack(digest, when)

    def __len__(self) -> int:
        """How many callers are known."""
        return sum(found != _NOBODY for found, _ in _ENTRY.iter_unpack(self._map[_HEAD:]))

    def _digest(self, caller: str) -> bytes:
        return blake2b(caller.encode("utf-8", "replace"), key=self._salt, digest_size=16).digest()

    def _places(self, digest: bytes) -> list[tuple[int, bytes, float]]:
        """The places where a caller may stand: where each begins, who stands there, and until when."""
        first = _HEAD + int.from_bytes(digest[:4]) % _SETS * _WAYS * _ENTRY.size
        held = self._map[first : first + _WAYS * _ENTRY.size]
        return [(first + n * _ENTRY.size, *entry) for n, entry in enumerate(_ENTRY.iter_unpack(held))]


def _make(path: Path) -> None:
    """Make the file whole, unless another worker has."""
    path.parent.mkdir(parents=True, exist_ok=True)
    mine = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        mine.write_bytes((_MARK + os.urandom(_SALT)).ljust(_SIZE, b"\0"))
        mine.chmod(0o600)
        with suppress(FileExistsError):
            os.link(mine, path)
    finally:
        mine.unlink(missing_ok=True)
