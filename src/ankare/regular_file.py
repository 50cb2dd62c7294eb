"""What stands in a file that somebody named, or that a home holds, if it is one that ends?

A pipe or a device would be waited for without end, so it is never opened.
"""

from __future__ import annotations

import errno
import stat
from pathlib import Path


def read_regular(path: Path, most: int | None = None) -> bytes:
    """The first `most` + 1 bytes of the file: more than `most` tell that it is too large. Without it, all bytes.

    Raises OSError, also for what is no regular file; its `strerror` says so.
    """
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(errno.EINVAL, "it is a pipe or a device, no regular file", str(path))
    with path.open("rb") as file:
        return file.read(-1 if most is None else most + 1)
