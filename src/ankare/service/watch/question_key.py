"""How can the same question be counted in a log that does not hold it?

By a keyed hash (HMAC-SHA-256, RFC 2104) of its words. The key is random, lies in the home folder and leaves it nowhere: who
has the log alone cannot try out questions, and logs of two homes cannot be laid side by side.
"""

from __future__ import annotations

import hmac
import logging
import os
import re
import secrets
import unicodedata
from contextlib import suppress
from pathlib import Path
from threading import Lock

from ankare.regular_file import read_regular

LOG = logging.getLogger("ankare.service")
KEY_FILE = "log.key"
KEY_BYTES = 32
SHOWN = 24
"""Hexadecimal digits of the hash that are kept: 96 bits, so that two questions do not meet by chance."""
_APART = re.compile(r"[\W_]+")


class QuestionKey:
    """Hashes questions with the key of one home. Safe for many threads and processes."""

    def __init__(self, home: Path) -> None:
        self._path = home / KEY_FILE
        self._key = b""
        self._stand_in = b""
        self._lock = Lock()

    def of(self, question: str) -> str:
        """The hash; the same for two questions that differ in case, punctuation and spaces alone."""
        with self._lock:
            key = self._key or self._kept()
        return hmac.digest(key, normalised(question).encode("utf-8", "backslashreplace"), "sha256").hex()[:SHOWN]

    def _kept(self) -> bytes:
        """The home's key; for as long as that cannot be read or kept, one of this process."""
        try:
            self._key = _kept_key(self._path)
            return self._key
        except OSError as error:
            if not self._stand_in:
                LOG.warning(
                    "%s cannot be kept (%s): repeated questions are counted within this process alone.",
                    self._path,
                    error,
                )
                self._stand_in = secrets.token_bytes(KEY_BYTES)
            return self._stand_in


def normalised(question: str) -> str:
    """The words of a question, in one case and form, one space apart."""
    return _APART.sub(" ", unicodedata.normalize("NFKC", question).casefold()).strip()


def _kept_key(path: Path) -> bytes:
    """The home's key, made where there is none; another one where the file holds none. Raises OSError."""
    with suppress(FileExistsError):
        _make(path)
    key = read_regular(path, KEY_BYTES)
    if len(key) == KEY_BYTES:
        return key
    LOG.warning(
        "%s is not a key of %d bytes: repeated questions are counted within this process alone.", path, KEY_BYTES
    )
    return secrets.token_bytes(KEY_BYTES)


def _make(path: Path) -> None:
    """The key appears whole, and the first of several processes gives it. Raises FileExistsError where there is one."""
    if path.exists():
        return
    draft = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    finally:
        draft.unlink()
