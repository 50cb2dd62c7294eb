"""Which commands are there, and what does the caller see when one fails?

A command is a module with a function of the command's name, or with a Typer app called `app`; adding one is one line in
`COMMANDS`. Modules are loaded when their command is called (all of them for the help), so they import heavy things inside
their functions.
"""

from __future__ import annotations

import os
import sys

import typer

from ankare.cli.lazy import LazyGroup
from ankare.cli.shown import shown
from ankare.errors import AnkareError

COMMANDS = {
    "init": "ankare.cli.init",
    "ingest": "ankare.cli.ingest",
    "remove": "ankare.cli.remove",
    "embed": "ankare.cli.embed",
    "ask": "ankare.cli.ask",
    "search": "ankare.cli.search",
    "analyze": "ankare.cli.analyze",
    "gate": "ankare.cli.gate",
    "serve": "ankare.cli.serve",
    "keys": "ankare.cli.keys",
    "mcp": "ankare.cli.mcp",
    "doctor": "ankare.cli.doctor",
    "smoke": "ankare.cli.smoke",
    "models": "ankare.cli.models",
    "facts": "ankare.cli.facts",
    "export": "ankare.cli.export",
    "feedback": "ankare.cli.feedback",
    "eval": "ankare.cli.eval",
}

FAILED = 1
BAD_USE = 2
INTERRUPTED = 130


def run() -> None:
    """The `ankare` command. An error that ankare raises on purpose, or that the system gives (no permission, a full disk),
    is one line, with its remedy where there is one, and exit code 2. Ctrl-C ends it with 130, and without a word."""
    _open_streams()
    try:
        typer.main.get_command(app)(prog_name="ankare")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except AnkareError as error:
        typer.echo(f"ankare: {shown(error)}", err=True)
        sys.exit(BAD_USE)
    except OSError as error:
        where = f"{error.filename}: " if error.filename is not None else ""
        typer.echo(shown(f"ankare: {where}{error.strerror or error}."), err=True)
        sys.exit(BAD_USE)


def _open_streams() -> None:
    """A stream that the caller has closed (`ankare ask ... >&-`) leads nowhere. Left closed, it would be None, and its number
    that of the next file that is opened, into which whatever is said would go."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            nowhere = os.open(os.devnull, os.O_RDONLY if number == 0 else os.O_WRONLY)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False))  # noqa: SIM115


class Commands(LazyGroup):
    """The commands of ankare, in the order in which a newcomer needs them."""

    modules = COMMANDS


app = typer.Typer(cls=Commands, add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)


@app.callback()
def main() -> None:
    """Answers from your own documents, with page and sentence, or says that they do not hold the answer."""
