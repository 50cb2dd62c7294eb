"""May a report be written here, or would it take the place of what somebody else wrote?

A page is known by its generator mark. Its companions are taken for the report's own where the page is.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from ankare.errors import EvaluationError
from ankare.evaluation.asking.run_folder import CONDITIONS

PAGES = (".html", ".htm")
MARK = '<meta name="generator" content="ankare eval report">'
_START, _HEAD = b"<!doctype html>", 400
"""How a page begins, and within how many bytes its mark stands."""


def check_place(page: Path, companions: Iterable[Path], *, force: bool = False) -> None:
    """Raises EvaluationError for a name that is no page's, and for a file that no report wrote, with its name.

    `force`: files that no report wrote may be replaced too, but none in the folder of a run. A link is never followed.
    """
    if page.suffix.lower() not in PAGES:
        raise EvaluationError(f"{page} is no name of a page.", f"Let --out end in .html, such as {page.stem}.html.")
    ours = is_ours(page)
    for path in (page, *companions):
        if not os.path.lexists(path) or (ours and _is_plain(path)):
            continue
        in_run = (path.parent / CONDITIONS).is_file()
        if in_run or not force or path.is_dir():
            raise EvaluationError(
                f"{path} was not written by ankare eval report.",
                "Name another --out." if in_run else "Name another --out, or replace it with --force.",
            )


def is_ours(page: Path) -> bool:
    """Is this a page of a report? False where nothing can be read."""
    try:
        descriptor = os.open(page, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return False
        head = file.read(_HEAD)
    return head.startswith(_START) and MARK.encode() in head


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()
