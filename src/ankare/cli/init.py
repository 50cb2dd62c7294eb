"""`ankare init`: how does one start a pack of one's own? From a copy of the sample."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

from ankare.errors import PackError


def init(folder: Annotated[Path, typer.Argument(help="The folder to make; it must not hold anything yet.")]) -> None:
    """Make a new pack from the sample: a profile, documents and a question suite to replace with your own."""
    copy_sample(folder)
    typer.echo(f"Made {folder}. Next: `ankare ingest {folder}`, then `ankare ask` a question of it.")


def copy_sample(folder: Path) -> None:
    """Copy the sample pack. Raises PackError where the folder holds something, or cannot be written."""
    import shutil

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise PackError(f"{folder} is not empty.", "Name a folder that does not exist yet.")
    try:
        with as_file(files("ankare.sample") / "pack") as sample:
            shutil.copytree(sample, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    except OSError as error:
        raise PackError(f"{folder} cannot be written: {error}.", "Check the folder's permissions.") from error
