"""What stands in a file that somebody named, or that a home holds, if it is one that ends?

A pipe or a device would be waited for without end, so it is never opened.
"""

from __future__ import annotations

import errno
import json
import stat
from pathlib import Path
from typing import Any


def read_regular(path: Path, most: int | None = None) -> bytes:
    """The first `most` + 1 bytes of the file: more than `most` tell that it is too large. Without it, all bytes.

    Raises OSError, also for what is no regular file; its `strerror` says so.
    """
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(errno.EINVAL, "it is a pipe or a device, no regular file", str(path))
    with path.open("rb") as file:
        return file.read(-1 if most is None else most + 1)


def read_json(path: Path) -> Any:
    """The value of a JSON file. Raises OSError, and ValueError as `json_of` does."""
    return json_of(read_regular(path))


def json_of(data: bytes) -> Any:
    """The value of JSON. Raises ValueError for what is none, also for one that is nested so deeply that it cannot be read."""
    try:
        return json.loads(data)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
