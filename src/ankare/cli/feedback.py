"""`ankare feedback`: what did readers think of the answers?"""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from ankare.cli.options import DEFAULT_HOME, HomeOption

app = typer.Typer(no_args_is_help=True, add_completion=False)


class Form(StrEnum):
    """How feedback is written."""

    JSONL = "jsonl"
    CSV = "csv"


@app.callback()
def feedback() -> None:
    """Get at what readers said of answers."""


@app.command()
def export(
    home: HomeOption = DEFAULT_HOME,
    form: Annotated[Form, typer.Option("--format", help="One JSON object a line, or a table.")] = Form.JSONL,
    since: Annotated[
        str, typer.Option(help="An ISO date or time (UTC unless it says otherwise); only later feedback.")
    ] = "",
) -> None:
    """Write the feedback of a home, the oldest first. Cells that a spreadsheet might work out begin with an apostrophe."""
    from ankare.service.watch.feedback import moment, read_feedback, write_csv, write_jsonl

    try:
        start = moment(since) if since else None
    except ValueError:
        raise typer.BadParameter(
            f"{since!r} is no ISO date or time, such as 2026-01-31.", param_hint="--since"
        ) from None
    write = write_csv if form is Form.CSV else write_jsonl
    write(read_feedback(home, start), sys.stdout)
