"""`ankare init`: how does one start a pack of one's own? From a copy of the sample, or with an empty one."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

from ankare.errors import PackError


def init(
    folder: Annotated[Path, typer.Argument(help="The folder to make; it must not hold anything yet.")],
    empty: Annotated[
        bool, typer.Option("--empty", help="Only a profile with comments: no documents, figures or questions.")
    ] = False,
) -> None:
    """Make a new pack: a copy of the sample to look at and replace, or with --empty one for your own documents and figures."""
    copy_sample(folder, empty=empty)
    ingest = f"`ankare ingest --pack {folder} --home {folder}-home`"
    if empty:
        typer.echo(f"Made {folder}. Next: documents into {folder / 'documents'}, figures into {folder / 'facts'}.")
        typer.echo(f"Say in {folder / 'profile.toml'} what your figures are called. Then {ingest}.")
    else:
        typer.echo(f"Made {folder} with the sample's documents, figures, synonyms and questions. Next: {ingest}.")
        typer.echo("For documents of your own take those away first, or start with `ankare init --empty`.")


def copy_sample(folder: Path, *, empty: bool = False) -> None:
    """Copy the sample pack, or the empty one. Raises PackError where the folder holds something, or cannot be written."""
    import shutil

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise PackError(f"{folder} is not empty.", "Name a folder that does not exist yet.")
    try:
        with as_file(files("ankare.sample") / ("empty" if empty else "pack")) as sample:
            shutil.copytree(sample, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        for name in ("documents", "facts"):
            (folder / name).mkdir(exist_ok=True)  # an empty folder is in no package
    except OSError as error:
        raise PackError(f"{folder} cannot be written: {error}.", "Check the folder's permissions.") from error
