"""`ankare eval usage`: how is the service used, what goes without an answer, and what do readers think?"""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.fitted_table import Grid, fitted
from ankare.cli.options import DEFAULT_HOME, HomeOption
from ankare.cli.shown import json_text, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ankare.service.watch.usage_period import Period
    from ankare.service.watch.usage_sections import Section
    from ankare.service.watch.usage_summary import UsageSummary
    from ankare.service.watch.usage_tables import Table

BAD_USE = 2


class By(StrEnum):
    """How long a piece of the period is."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"


class Language(StrEnum):
    """The languages of the report."""

    SWEDISH = "sv"
    ENGLISH = "en"
    CHINESE = "zh"


def usage(
    log_dir: Annotated[
        list[Path] | None,
        typer.Option(
            envvar=["ANKARE_LOG_DIR", "SYSTEMINFORANDE_LOG_DIR"],
            help="The folder of the usage log; several, where several services write to folders of their own.",
        ),
    ] = None,
    home: HomeOption = DEFAULT_HOME,
    since: Annotated[str, typer.Option(help="An ISO date or time; unset: 30 days, today counted.")] = "",
    until: Annotated[str, typer.Option(help="An ISO date (that whole day) or time; unset: now.")] = "",
    by: Annotated[By | None, typer.Option(help="How long a piece is; unset: as suits the period.")] = None,
    time_zone: Annotated[str, typer.Option(help="Such as Europe/Stockholm; unset: that of this machine.")] = "",
    language: Annotated[Language, typer.Option(help="The language of the report.")] = Language.ENGLISH,
    html: Annotated[Path | None, typer.Option(help="Write the report with its charts into this file.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write one CSV file per table into this folder.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown in place of tables.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in place of tables.")] = False,
) -> None:
    """Tell from the usage log and the feedback how the service is used: volumes, refusals, subjects without an answer, times,
    models and tokens, what readers think, and what has changed since the time before."""
    from ankare.service.watch.usage_collect import summarise_usage
    from ankare.service.watch.usage_sections import report_sections

    if markdown and as_json:
        raise typer.BadParameter("Give either --markdown or --json.")
    folders = _folders(log_dir)
    period = _period(since, until, by, time_zone)
    try:
        summary = summarise_usage(folders, home if home.is_dir() else None, period)
    except OSError as error:
        typer.echo(f"The log cannot be read: {error}", err=True)
        raise typer.Exit(BAD_USE) from error
    sections = report_sections(summary, language.value)
    try:
        _write_files(summary, sections, language.value, html, csv)
    except OSError as error:
        typer.echo(f"The report cannot be written: {error}", err=True)
        raise typer.Exit(BAD_USE) from error
    if as_json:
        typer.echo(json_text(asdict(summary), 2))
    elif markdown:
        _print_markdown(sections, language.value)
    elif html is None and csv is None:
        _print_tables(sections)


def _folders(given: list[Path] | None) -> list[Path]:
    if not given:
        typer.echo(
            "No usage log is named: give --log-dir, or set ANKARE_LOG_DIR to the folder that the service writes to.\n"
            "A service without ANKARE_LOG_DIR keeps no log; once it is set, questions are counted from then on.",
            err=True,
        )
        raise typer.Exit(BAD_USE)
    missing = [folder for folder in given if not folder.is_dir()]
    if missing:
        typer.echo(
            f"There is no folder {missing[0]}. The service makes it with the first question; ANKARE_LOG_DIR says where.",
            err=True,
        )
        raise typer.Exit(BAD_USE)
    return given


def _period(since: str, until: str, by: By | None, time_zone: str) -> Period:
    from ankare.errors import BadInputError
    from ankare.service.watch.usage_period import period_of

    try:
        return period_of(since, until, by.value if by else "", time_zone)
    except BadInputError as error:
        raise typer.BadParameter(str(error)) from error


def _write_files(
    summary: UsageSummary, sections: Sequence[Section], language: str, html: Path | None, csv: Path | None
) -> None:
    from ankare.service.watch.usage_html import report_html
    from ankare.service.watch.usage_markdown import write_tables

    if html is not None:
        html.write_text(report_html(sections, language), encoding="utf-8")
        typer.echo(f"{html}", err=True)
    if csv is not None:
        for path in write_tables(summary, sections, csv):
            typer.echo(f"{path}", err=True)


def _print_markdown(sections: Sequence[Section], language: str) -> None:
    from ankare.service.watch.usage_markdown import report_markdown

    typer.echo(report_markdown(sections, language), nl=False)


def _print_tables(sections: Sequence[Section]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for section in sections:
        console.print(Text(f"\n{shown(section.title)}", style="bold"))
        for line in section.lines:
            console.print(Text(shown(line)))
        for table in section.tables:
            for part in fitted(_grid(table, "" if table.title == section.title else table.title), console.width):
                console.print(part)
        for note in section.notes:
            console.print(Text(shown(note), style="dim"))


def _grid(table: Table, title: str) -> Grid:
    numbers = tuple(any(row[place].number for row in table.rows) for place in range(len(table.head)))
    return Grid(title, table.head, tuple(tuple(cell.shown for cell in row) for row in table.rows), numbers)
