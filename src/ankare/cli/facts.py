"""`ankare facts`: which figures does the store hold, which disagree, and which wait for a decision?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.facts_load import load
from ankare.cli.options import DEFAULT_HOME, HomeOption, JsonOption
from ankare.domain.fact import ReviewStatus

if TYPE_CHECKING:
    from ankare.domain.fact import Fact
    from ankare.facts.protocol import StoredFact
    from ankare.facts.sql_store import SqlFactStore

SHOWN = 200

app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.callback()
def facts() -> None:
    """Load figures, see them, compare them and decide about them."""


app.command()(load)


@app.command()
def conflicts(home: HomeOption = DEFAULT_HOME, as_json: JsonOption = False) -> None:
    """What approved sources say differently: each figure with all its values and where each stands."""
    from ankare.cli.facts_text import conflict_body, show_conflicts, write_json

    with _store(home) as store:
        found = store.conflicts() if store.ready() else iter(())
        if as_json:
            write_json("conflicts", map(conflict_body, found))
        else:
            show_conflicts(found)


@app.command()
def review(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID... STATUS]",
            help="Ids, then approved, rejected or pending. Without: what waits.",
            show_default=False,
        ),
    ] = None,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """List the figures that wait for a decision, or decide about some: `ankare facts review 17 18 approved`.

    Only approved figures answer. A decision about several is made about all of them or, where an id is unknown, none.
    """
    from ankare.cli.facts_text import show_facts, stored_body, write_json
    from ankare.facts.surroundings import FOLDER, KeptTables

    decision = _decision(arguments) if arguments else None
    with _store(home) as store:
        if decision is not None:
            ids, status = decision
            decided = store.review_all(ids, status)
            if status is not ReviewStatus.APPROVED:
                KeptTables(home / FOLDER).forget(one.fact for one in decided)
            found = iter(decided)
        else:
            found = store.facts(status=ReviewStatus.PENDING) if store.ready() else iter(())
        if as_json:
            write_json("facts", map(stored_body, found))
        elif show_facts(found, none="No figure waits for a decision.") and decision is None:
            typer.echo("Decide with: ankare facts review ID... approved (or rejected)")


@app.command("list")
def list_facts(
    metric: Annotated[str | None, typer.Option(help="Only this metric, by its code or any of its names.")] = None,
    entity: Annotated[str | None, typer.Option(help="Only this entity, by its code or any of its names.")] = None,
    period: Annotated[
        str | None, typer.Option(help="Only this period, such as 2024, 2024H1, 2024T1, 2024Q3, 2024-03.")
    ] = None,
    status: Annotated[ReviewStatus | None, typer.Option(help="Only figures of this review status.")] = None,
    limit: Annotated[
        int, typer.Option(min=0, help="So many rows at most in the table; 0 for all. JSON has all.")
    ] = SHOWN,
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
) -> None:
    """Every figure with its value, its source and its review status."""
    from ankare.cli.facts_names import wanted_codes
    from ankare.cli.facts_text import show_facts, stored_body, write_json

    with _store(home) as store:
        wanted = wanted_codes(store, home, metric=metric, entity=entity, period=period)
        found = _only(store.facts(status=status) if store.ready() else iter(()), wanted)
        if as_json:
            write_json("facts", map(stored_body, found))
        else:
            none = (
                "No figure is like that."
                if any([metric, entity, period, status])
                else f"There are no figures yet. {LOAD}"
            )
            show_facts(found, none=none, limit=limit)


LOAD = "Load some: ankare facts load FILE."


class _store:  # noqa: N801 - reads as a statement
    """The store of a home, closed after use."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def __enter__(self) -> SqlFactStore:
        from ankare.facts.open import open_store
        from ankare.settings import load_settings

        self._opened = open_store(load_settings(home=self._home).facts_location)
        return self._opened

    def __exit__(self, *_: object) -> None:
        self._opened.close()


def _decision(arguments: list[str]) -> tuple[list[int], ReviewStatus]:
    *ids, last = arguments
    try:
        status = ReviewStatus(last.lower())
    except ValueError:
        raise typer.BadParameter(f"End with {', '.join(ReviewStatus)}; {last!r} is none of them.") from None
    unreadable = [text for text in ids if not (text.isascii() and text.isdigit())]
    if unreadable or not ids:
        raise typer.BadParameter(
            f"An id is a number, not {unreadable[0]!r}." if unreadable else "Name the figures by their ids."
        )
    return [int(text) for text in ids], status


def _only(found: Iterator[StoredFact], wanted: dict[str, str]) -> Iterator[StoredFact]:
    def fits(fact: Fact) -> bool:
        return all(getattr(fact, name) == text for name, text in wanted.items())

    return (stored for stored in found if fits(stored.fact)) if wanted else found
