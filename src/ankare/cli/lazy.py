"""How is a command imported only when it is asked for?"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup


class LazyGroup(TyperGroup):
    """A group whose commands are modules: each with a function of the command's name, or with a Typer app called `app`."""

    modules: ClassVar[Mapping[str, str]] = {}
    """The module of each command, by its name, in the order of the help."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands, in their order."""
        return list(self.modules)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import a command's module and give its command, None for an unknown name."""
        if cmd_name not in self.modules:
            return None
        module = import_module(self.modules[cmd_name])
        found = getattr(module, "app", None)
        if found is None:
            found = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
            found.command()(getattr(module, cmd_name))
        command = typer.main.get_command(found)
        command.name = cmd_name
        return command
