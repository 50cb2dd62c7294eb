"""`ankare ingest`: how do documents get into a home?"""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.options import DEFAULT_HOME, HomeOption, JsonOption, SemanticOption

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ankare.index.home import Home
    from ankare.ingest.report import FileReport, IngestReport
    from ankare.ingest.run import Progress

FAILED = 1


def ingest(
    paths: Annotated[list[Path] | None, typer.Argument(help="Files, folders or packs.", show_default=False)] = None,
    pack: Annotated[
        Path | None, typer.Option(help="A pack folder: its profile, and its documents if no PATH is given.")
    ] = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Read everything anew, also what has not changed.")] = False,
    semantic: SemanticOption = True,
) -> None:
    """Read documents into the home folder: what is new or changed goes in, what has gone from a folder goes out.

    Exit code 0 when all went in, 1 when some files could not be read, 2 for bad use.
    """
    from ankare.index.home import Home
    from ankare.ingest.run import ingest as run_ingest

    opened = Home(home)
    with _progress(show=not as_json and sys.stderr.isatty()) as progress:
        report = run_ingest(paths or [], opened, pack=pack, progress=progress, fresh=fresh)
    if as_json:
        typer.echo(json.dumps(report.to_json(), ensure_ascii=True, indent=1))
    else:
        _show(report)
    if semantic:
        _prepare_meaning(opened, tell=not as_json)
    if report.failed:
        raise typer.Exit(FAILED)


def _prepare_meaning(home: Home, *, tell: bool) -> None:
    from ankare.cli.embed import embed_in_background

    seconds = embed_in_background(home)
    if tell and seconds is not None:
        took = f"{seconds:.0f} seconds" if seconds < _A_MINUTE_OR_SO else f"{seconds / 60:.0f} minutes"
        typer.echo(f"Search by words works now. Search by meaning is being prepared in the background: about {took}.")


_A_MINUTE_OR_SO = 90


@contextmanager
def _progress(*, show: bool) -> Iterator[Progress | None]:
    if not show:
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    # No thread that redraws the bar: the reading processes are forked from this one.
    with Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True) as bar:
        task = bar.add_task("", total=None)

        def advance(done: int, total: int, source: str) -> None:
            bar.update(task, completed=done, total=total, description=escape(_one_line(source)))
            bar.refresh()

        yield advance


def _show(report: IngestReport) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    for name in ("File", "Status"):
        table.add_column(name, overflow="fold")
    for name in ("Chunks", "Pages"):
        table.add_column(name, justify="right")
    table.add_column("Notes", overflow="fold")
    for file in _worth_telling(report.files):
        numbers = (str(file.chunks or ""), str(file.pages or ""))
        style = _STYLES.get(file.status.value, "")
        notes = Text(_one_line(file.message))
        table.add_row(Text(_one_line(file.source)), Text(file.status.value, style=style), *numbers, notes)
    console = Console(width=None if sys.stdout.isatty() else _PLAIN_WIDTH)
    if report.files:
        console.print(table)
    console.print(Text(_summary(report.files, report)))


def _worth_telling(files: tuple[FileReport, ...]) -> tuple[FileReport, ...]:
    """All files; of very many, only those with which something was done or is wrong."""
    if len(files) <= _MANY:
        return files
    return tuple(file for file in files if file.status.value != "unchanged")


_MANY = 200
_PLAIN_WIDTH = 160
_STYLES = {"added": "green", "changed": "green", "removed": "yellow", "skipped": "yellow", "failed": "bold red"}


def _summary(files: tuple[FileReport, ...], report: IngestReport) -> str:
    counts: dict[str, int] = {}
    for file in files:
        counts[file.status.value] = counts.get(file.status.value, 0) + 1
    told = ", ".join(f"{counts[status]} {status}" for status in _ORDER if status in counts) or "no files"
    chunks = sum(file.chunks for file in files)
    what = "new version" if report.built else "nothing changed, version"
    return f"{told}; {chunks} chunks; {what} {report.version}"


_ORDER = ("added", "changed", "unchanged", "removed", "skipped", "failed")


def _one_line(text: str) -> str:
    """A text that cannot move the terminal's cursor."""
    return "".join(sign if sign.isprintable() else f"\\x{ord(sign):02x}" for sign in text)
