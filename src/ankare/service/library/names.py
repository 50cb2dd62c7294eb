"""Under which name may a file that comes over a network lie on the disk? Its own, where that is plain on every system.

A name is never cut down to something else than was meant: what cannot stand as it is, is refused with the reason. Only
composed letters (NFC), and an ordinary space for any other, are put in place of what means the same.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath

from ankare.domain.access import checked_label
from ankare.ingest.readers import EXTENSIONS, SAVED_AS
from ankare.service.problem import ProblemError

MOST_NAME_BYTES = 200
"""Leaves room for the ending of a sidecar within the 255 bytes that file systems take."""
_SEPARATORS = re.compile(r"[/\\:\u2044\u2215\u29f5\u29f8\ufe68]")
_UNPLAIN = re.compile(r'[<>"|?*]')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])", re.IGNORECASE)


def plain_name(raw: str) -> str:
    """The file name in a plain form. Raises ProblemError: 400 for a name that cannot be used, 415 for a type that cannot."""
    name = kept_as(raw) if not _unreadable(raw) else ""
    wrong = "it holds signs that cannot be seen or read" if not name else _wrong(name)
    if wrong:
        raise ProblemError(400, f"This file name cannot be used: {wrong}.", field="name")
    suffix = PurePosixPath(name).suffix.lower()
    if suffix not in EXTENSIONS:
        raise ProblemError(415, _unknown_type(suffix), field="name")
    return name


def kept_as(raw: str) -> str:
    """The name under which a file of this name is kept, if it may be: whoever takes it out says the name that was put."""
    return re.sub(r"\s", " ", unicodedata.normalize("NFC", raw))


def plain_label(raw: str) -> str:
    """An access label as it is kept, "" for none. Raises ProblemError (400)."""
    try:
        return checked_label(raw.strip()) if raw.strip() else ""
    except ValueError as error:
        raise ProblemError(400, f"label: {error}.", field="label") from None


def _unreadable(raw: str) -> bool:
    """Does it hold control, formatting or bidirectional signs, private or unassigned ones, or what could not be decoded?"""
    return not raw or "\ufffd" in raw or any(unicodedata.category(sign) in _INVISIBLE for sign in raw)


_INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def _wrong(name: str) -> str:
    """What is wrong with a name, "" for nothing. Look-alikes count as the sign that they look like."""
    folded = unicodedata.normalize("NFKC", name)
    if _SEPARATORS.search(name) or _SEPARATORS.search(folded):
        return "it holds a path"
    if _UNPLAIN.search(folded):
        return 'it holds one of < > " | ? *'
    if folded.startswith((".", "~$", " ")):
        return "it begins with a dot, a space or ~$"
    if folded.endswith((".", " ")):
        return "it ends with a dot or a space"
    if _RESERVED.fullmatch(folded.split(".")[0].strip()):
        return "the name is one of a device"
    if len(name.encode()) > MOST_NAME_BYTES:
        return f"it is longer than {MOST_NAME_BYTES} bytes"
    return ""


def _unknown_type(suffix: str) -> str:
    if suffix in SAVED_AS:
        return f"There is no reader for {suffix} files: save it as {SAVED_AS[suffix]}."
    known = ", ".join(sorted(EXTENSIONS))
    return f"There is no reader for {suffix or 'files without an ending'}. These can be read: {known}."
