"""`ankare keys`: who may use the service, and what may they read?

A running service sees a change with its next request. Whether keys are asked for at all, ANKARE_API_KEYS says.
"""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.options import DEFAULT_HOME, HomeOption, JsonOption
from ankare.errors import BadInputError

if TYPE_CHECKING:
    from ankare.service.door.keys import ApiKey

app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.callback()
def keys() -> None:
    """Make keys for callers of the service, list them and close them."""


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="Whose key it is; stands in logs.")],
    labels: Annotated[
        list[str] | None, typer.Option("--label", help="What it may read beside what has no label; several times.")
    ] = None,
    admin: Annotated[bool, typer.Option("--admin", help="It may change what is held.")] = False,
    expires: Annotated[str | None, typer.Option(help="The last day that it opens, YYYY-MM-DD (UTC).")] = None,
    rate: Annotated[
        int | None, typer.Option(min=1, help="Requests per minute, instead of the service's limit.")
    ] = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Make a key and show it: this once, it is kept nowhere."""
    from ankare.service.door.keys import add_key

    key, sent = add_key(home, name, labels or (), admin=admin, expires=_day(expires), rate=rate)
    if as_json:
        typer.echo(json.dumps({**_told(key), "key": sent}, ensure_ascii=False))
        return
    typer.echo(sent)
    typer.echo(f"ankare: the key {key.id} of {key.name}. It is shown this once: copy it now.", err=True)


@app.command("list")
def list_keys(home: HomeOption = DEFAULT_HOME, as_json: JsonOption = False) -> None:
    """The keys there are: whose, for what, until when."""
    from ankare.service.door.keys import read_keys

    found = read_keys(home)
    if as_json:
        typer.echo(json.dumps([_told(key) for key in found], ensure_ascii=False, indent=2))
    elif found:
        _show(found)
    else:
        typer.echo("There are no keys. Make one: ankare keys add NAME")


@app.command()
def revoke(
    number: Annotated[str, typer.Argument(metavar="ID", help="The id, see `ankare keys list`.")],
    home: HomeOption = DEFAULT_HOME,
) -> None:
    """Close a key for good."""
    from ankare.service.door.keys import revoke_key

    key = revoke_key(home, number)
    typer.echo(f"The key {key.id} of {key.name} opens nothing any more.")


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise BadInputError(f"--expires: {text!r} is not a date such as 2031-12-31.") from None


def _told(key: ApiKey) -> dict[str, object]:
    """A key without its hash."""
    return {**key.model_dump(mode="json", exclude={"sha256"}), "state": key.state}


def _show(found: tuple[ApiKey, ...]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from ankare.cite.escape import plain

    table = Table(box=None, pad_edge=False)
    for name in ("id", "name", "labels", "admin", "created", "expires", "a minute", "state"):
        table.add_column(name, overflow="fold")
    for key in found:
        row = (
            key.id,
            plain(key.name),
            ", ".join(key.labels),
            "yes" if key.admin else "",
            key.created,
            key.expires,
            key.rate,
        )
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in (*row, key.state)))
    Console(highlight=False).print(table)
