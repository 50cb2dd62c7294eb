"""`ankare ingest`: how do documents and figures get into a home?"""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.options import DEFAULT_HOME, HomeOption, JsonOption, SemanticOption
from ankare.errors import AnkareError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ankare.facts.protocol import FactStore
    from ankare.index.home import Home
    from ankare.ingest.bounds import Bounds
    from ankare.ingest.report import IngestReport
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
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave bad rows out of files of figures, which are else refused whole.")
    ] = False,
    semantic: SemanticOption = True,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every file, also those that have not changed.")
    ] = False,
) -> None:
    """Read documents and figures into the home folder: what is new or changed goes in, what has gone from a folder goes out.

    Exit code 0 when all went in, 1 when some files could not be read, 2 for bad use.
    """
    from ankare.index.home import Home
    from ankare.ingest.run import ingest as run_ingest

    opened = Home(home)
    progress_bar = _progress(show=not as_json and sys.stderr.isatty())
    with shared_store(home) as facts, progress_bar as progress:
        report = run_ingest(
            paths or [],
            opened,
            pack=pack,
            progress=progress,
            fresh=fresh,
            facts=facts,
            skip_bad=skip_bad,
            bounds=_bounds(),
        )
    if as_json:
        typer.echo(json.dumps(report.to_json(), ensure_ascii=True, indent=1))
    else:
        _show(report, verbose=verbose)
    if semantic:
        prepare_search_by_meaning(opened, tell=not as_json)
    if report.failed:
        raise typer.Exit(FAILED)


def _bounds() -> Bounds:
    """What reading one file may cost, by the settings."""
    from ankare.ingest.bounds import Bounds
    from ankare.settings import load_settings

    settings = load_settings()
    return Bounds(settings.reader_memory_bytes, settings.reader_seconds)


@contextmanager
def shared_store(home: Path) -> Iterator[FactStore | None]:
    """The store of figures where it is not the home's own file, closed after use."""
    from ankare.facts.open import open_store
    from ankare.settings import load_settings

    location = load_settings(home=home).facts_location
    store = None if isinstance(location, Path) else open_store(location)
    try:
        yield store
    finally:
        if store is not None:
            store.close()


def prepare_search_by_meaning(home: Home, *, tell: bool) -> None:
    """Embed the version in use, or begin to; what stands in the way is told, and stops nothing."""
    from ankare.cli.embed import prepare_meaning

    try:
        prepared = prepare_meaning(home)
    except (AnkareError, OSError) as error:  # the documents are in, and can be found by words
        typer.echo(f"Search by meaning could not be prepared: {error}", err=True)
        return
    if tell and prepared is not None:
        typer.echo(
            "Search by meaning is ready." if prepared.ready else _BEING_PREPARED.format(_about(prepared.seconds))
        )


_BEING_PREPARED = (
    "Search by words works now. Search by meaning is being prepared in the background for what is new: {}."
)


def _about(seconds: float) -> str:
    if seconds < _A_MINUTE_OR_SO:
        return f"about {max(5, 5 * round(seconds / 5))} seconds"
    return f"about {round(seconds / 60)} minutes"


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
            bar.update(task, completed=done, total=total, description=escape(one_line(source)))
            bar.refresh()

        yield advance


def _show(report: IngestReport, *, verbose: bool) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    for name in ("File", "Status"):
        table.add_column(name, overflow="fold")
    for name in ("Chunks", "Pages", "Figures"):
        table.add_column(name, justify="right")
    table.add_column("Notes", overflow="fold")
    told = [file for file in report.files if verbose or file.message or file.status.value != "unchanged"]
    for file in told:
        numbers = (str(file.chunks or ""), str(file.pages or ""), str(file.facts or ""))
        style = _STYLES.get(file.status.value, "")
        label = f"for readers with the label {file.access}" if file.access else ""
        notes = Text(one_line("; ".join(filter(None, (label, file.message)))))
        table.add_row(Text(one_line(file.source)), Text(file.status.value, style=style), *numbers, notes)
    console = Console(width=None if sys.stdout.isatty() else _PLAIN_WIDTH)
    if told:
        console.print(table)
    console.print(Text(summary(report)))


_PLAIN_WIDTH = 160
_STYLES = {"added": "green", "changed": "green", "removed": "yellow", "skipped": "yellow", "failed": "bold red"}


def summary(report: IngestReport) -> str:
    """What this run did, and what the home holds after it."""
    counts: dict[str, int] = {}
    for file in report.files:
        counts[file.status.value] = counts.get(file.status.value, 0) + 1
    again = sum(file.read_again for file in report.files)
    told = {status: f"{counts[status]} {status}" for status in _ORDER if status in counts}
    if again:
        told["unchanged"] += " (read again)" if again == counts["unchanged"] else f" ({again} of them read again)"
    done = ", ".join(told.values()) or "no files"
    new = sum(file.chunks for file in report.files if file.read_again or file.status.value in ("added", "changed"))
    held = f"The home holds {_count(report.documents, 'document')} in {_count(report.chunks, 'chunk')}"
    held += f" and {_count(report.facts, 'figure')}" if report.facts else ""
    if report.labels:
        carried = ", ".join(f"{number} with {label}" for label, number in report.labels)
        held += f" (documents for readers with a label: {carried})"
    read = f" ({_count(new, 'chunk')} read)" if new else ""
    version = f"{'new' if report.built else 'still'} version {report.version}"
    return f"This run: {done}{read}. {held}, {version}."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


_ORDER = ("added", "changed", "unchanged", "removed", "skipped", "failed")


def one_line(text: str) -> str:
    """A text that cannot move the terminal's cursor."""
    return "".join(sign if sign.isprintable() else f"\\x{ord(sign):02x}" for sign in text)
