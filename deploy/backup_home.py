"""How is a home copied while it is in use? One archive, whole or not there at all; and back again, into an empty folder.

    python deploy/backup_home.py save --home HOME --out FILE.tar.gz
    python deploy/backup_home.py restore --home HOME --from FILE.tar.gz

The build's lock is held while files are copied, so no ingest changes them; questions go on. Figures in the home (SQLite) are
copied by SQLite itself. Figures in PostgreSQL are not in the home: pg_dump saves them.
"""

from __future__ import annotations

import argparse
import fcntl
import io
import os
import sqlite3
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

FACTS = "facts.db"
LEFT_OUT = (FACTS, f"{FACTS}-wal", f"{FACTS}-shm", "lock")
LAST = "CURRENT"


class BackupError(Exception):
    """Nothing was saved or restored, and why."""


def save(home: Path, out: Path, patience: float) -> int:
    """Write the archive. Returns its size in bytes. Raises BackupError."""
    if not (home / LAST).is_file():
        raise BackupError(f"{home} is no home: it has no {LAST}")
    part = out.with_name(out.name + ".part")
    with _locked(home / "lock", patience), tarfile.open(part, "w:gz") as archive:
        for path in sorted(home.iterdir()):
            if path.name not in (*LEFT_OUT, LAST):
                archive.add(path, path.name, filter=_kept)
        if (home / FACTS).is_file():
            _add_facts(archive, home / FACTS)
        archive.add(home / LAST, LAST)
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.replace(out)
    return out.stat().st_size


def _kept(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Files and folders alone: what is being built or on its way in stays out."""
    unfinished = {".building", ".incoming"} & set(Path(member.name).parts)
    return member if (member.isfile() or member.isdir()) and not unfinished else None


def _add_facts(archive: tarfile.TarFile, facts: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / FACTS
        with closing(sqlite3.connect(facts)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        data = copy.read_bytes()
    member = tarfile.TarInfo(FACTS)
    member.size, member.mode, member.mtime = len(data), 0o600, int(time.time())
    archive.addfile(member, io.BytesIO(data))


def restore(home: Path, archive: Path) -> None:
    """Unpack into a folder that holds nothing yet; it appears whole. Raises BackupError."""
    if home.exists() and any(home.iterdir()):
        raise BackupError(f"{home} holds something already: name a folder that does not exist yet")
    home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{home.name}-", dir=home.parent) as part:
        try:
            with tarfile.open(archive) as packed:
                packed.extractall(Path(part) / "home", filter="data")
        except (tarfile.TarError, EOFError, OSError) as error:
            raise BackupError(f"{archive} cannot be read: {error}") from error
        if not (Path(part) / "home" / LAST).is_file():
            raise BackupError(f"{archive} holds no home")
        if home.exists():
            home.rmdir()
        (Path(part) / "home").rename(home)


@contextmanager
def _locked(path: Path, patience: float) -> Iterator[None]:
    """The lock that a build holds. Raises BackupError where a build does not end in time."""
    until = time.monotonic() + patience
    with path.open("a") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise BackupError(f"the home is being built; tried for {patience:g} s") from None
                time.sleep(0.2)
        yield


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. Exit code 0, or 1 with the reason on standard error."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    ways = parser.add_subparsers(dest="way", required=True)
    for name, option, help_text in (("save", "--out", "the archive to write"), ("restore", "--from", "the archive")):
        way = ways.add_parser(name)
        way.add_argument("--home", required=True, type=Path)
        way.add_argument(option, required=True, type=Path, dest="archive", help=help_text)
    ways.choices["save"].add_argument("--patience", type=float, default=600, help="seconds to wait for a build")
    given = parser.parse_args(arguments)
    try:
        if given.way == "save":
            print(f"{save(given.home, given.archive, given.patience):,} bytes in {given.archive}")
        else:
            restore(given.home, given.archive)
            print(f"restored {given.home}; look at it with: ankare doctor --home {given.home}")
    except BackupError as error:
        print(f"FAILED: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
