"""Which revision of ankare runs? What the deployment says, else the commit of a checkout, else the version of the package."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from ankare._version import __version__

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_MOST = 4096


def running_revision(told: str = "") -> str:
    """`told` where a deployment names its revision, else the whole commit of the checkout that the package runs from, else
    the package's version. Reads a file or two once; runs nothing and raises nothing."""
    return told.strip() or _found()


@cache
def _found() -> str:
    root = Path(__file__).resolve().parents[2]
    in_checkout = Path(__file__).resolve().parents[1].name == "src"
    return (commit_of(root) if in_checkout else "") or __version__


def commit_of(checkout: Path) -> str:
    """The commit that is checked out in this folder, "" where that cannot be read."""
    try:
        folder = _git_folder(checkout)
        head = _short(folder / "HEAD")
        return _commit(head) if not head.startswith("ref: ") else _resolved(folder, head.removeprefix("ref: "))
    except (OSError, ValueError):
        return ""


def _git_folder(checkout: Path) -> Path:
    """`.git`, or the folder that it names where this is one of several work trees."""
    place = checkout / ".git"
    return place if place.is_dir() else checkout / _short(place).removeprefix("gitdir: ")


def _resolved(folder: Path, reference: str) -> str:
    common = folder / "commondir"
    shared = folder / _short(common) if common.is_file() else folder
    loose = shared / reference
    if loose.is_file():
        return _commit(_short(loose))
    lines = (shared / "packed-refs").read_text("ascii").splitlines()
    return next((_commit(line.split(" ")[0]) for line in lines if line.endswith(f" {reference}")), "")


def _short(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.read(_MOST).strip()


def _commit(text: str) -> str:
    return text if _COMMIT.fullmatch(text) else ""
