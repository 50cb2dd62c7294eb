"""Which commands are there, and what does the caller see when one fails?

A command is a module with a function of the command's name, or with a Typer app called `app`; adding one is one line in
`COMMANDS`. Modules are loaded when their command is called (all of them for the help), so they import heavy things inside
their functions.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

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
}

FAILED = 1
BAD_USE = 2


def run() -> None:
    """The `ankare` command. An error that ankare raises on purpose, or that the system gives (no permission, a full disk),
    is one line, with its remedy where there is one, and exit code 2."""
    try:
        typer.main.get_command(app)(prog_name="ankare")
    except AnkareError as error:
        typer.echo(f"ankare: {error}", err=True)
        sys.exit(BAD_USE)
    except OSError as error:
        where = f"{error.filename}: " if error.filename is not None else ""
        typer.echo(f"ankare: {where}{error.strerror or error}.", err=True)
        sys.exit(BAD_USE)


class LazyGroup(TyperGroup):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands, in the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import a command's module and give its command, None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(COMMANDS[cmd_name])
        found = getattr(module, "app", None)
        if found is None:
            found = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
            found.command()(getattr(module, cmd_name))
        command = typer.main.get_command(found)
        command.name = cmd_name
        return command


app = typer.Typer(cls=LazyGroup, add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)


@app.callback()
def main() -> None:
    """Answers from your own documents, with page and sentence, or says that they do not hold the answer."""
