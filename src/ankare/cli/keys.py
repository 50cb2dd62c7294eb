"""`ankare keys`: who may use the service, and what may they read?

A running service sees a change with its next request. Whether keys are asked for at all, ANKARE_API_KEYS says.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.options import DEFAULT_HOME, HomeOption, JsonOption
from ankare.cli.shown import json_text, shown
from ankare.errors import AnkareError, BadInputError

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
    _tell_unused(home, key.labels)
    if as_json:
        typer.echo(json_text({**_told(key), "key": sent}))
        return
    typer.echo(sent)
    typer.echo(f"ankare: the key {key.id} of {key.name}. It is shown this once: copy it now.", err=True)


@app.command("list")
def list_keys(home: HomeOption = DEFAULT_HOME, as_json: JsonOption = False) -> None:
    """The keys there are: whose, for what, until when."""
    from ankare.service.door.keys import read_keys

    found = read_keys(home)
    if as_json:
        typer.echo(json_text([_told(key) for key in found], 2))
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
    typer.echo(f"The key {key.id} of {shown(key.name)} opens nothing any more.")


def _day(text: str | None) -> date | None:
    from ankare.service.door.keys import today

    try:
        day = None if text is None else date.fromisoformat(text)
    except ValueError:
        raise BadInputError(f"--expires: {text!r} is not a date such as 2031-12-31.") from None
    if day is not None and day < today():
        raise BadInputError(f"--expires: {text} is past: the key would open nothing.", "Name today or a later day.")
    return day


def _tell_unused(home: Path, labels: Iterable[str]) -> None:
    """A hint for labels that nothing in the home carries: misspelled, or what carries them is not read in yet."""
    held = _labels(home)
    for label in sorted(set(labels) - held):
        told = f"there are: {', '.join(sorted(held))}" if held else "nothing in it has a label"
        typer.echo(f"ankare: no document or table in {home} has the label {label!r}; {told}.", err=True)


def _labels(home: Path) -> set[str]:
    """The labels that documents and tables of a home carry; none for a home that cannot be read, which others tell."""
    from ankare.facts.open import open_store
    from ankare.index.home import Home
    from ankare.index.manifest import read_manifest
    from ankare.settings import load_settings

    held: set[str] = set()
    with suppress(AnkareError):
        held |= {entry.document.access for entry in read_manifest(Home(home).version_folder()).entries}
    with suppress(AnkareError):
        store = open_store(load_settings(home=home).facts_location)
        held |= set(store.labels().values()) if store.ready() else set()
    return held - {""}


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
        table.add_row(*(Text("" if cell is None else shown(cell)) for cell in (*row, key.state)))
    Console(highlight=False).print(table)
