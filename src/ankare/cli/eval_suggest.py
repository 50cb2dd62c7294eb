"""`ankare eval suggest`: which questions could a suite for these documents hold? Drafts for a person to correct."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.options import DEFAULT_HOME, HomeOption
from ankare.cli.shown import shown

if TYPE_CHECKING:
    from ankare.evaluation.drafting.suggest import Suggestion

DEFAULT_OUT = Path("suite-draft.jsonl")


def suggest(
    home: HomeOption = DEFAULT_HOME,
    count: Annotated[int, typer.Option(min=1, max=1000, help="How many questions.")] = 30,
    out: Annotated[Path, typer.Option("--out", help="The file to write.")] = DEFAULT_OUT,
    language: Annotated[
        list[str] | None, typer.Option(help="Only in this language; may be given several times.", show_default=False)
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option("--type", help="Only of this type; may be given several times.", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(help="Another number draws other questions.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Draft questions from the documents and figures of a home, without a model. Each line is marked as a draft: read it,
    correct it or take it out, then take its "draft" out.

    Where there are fewer good questions than asked for, fewer are written, and it is said.
    """
    from ankare.evaluation.drafting.suggest import Wish
    from ankare.evaluation.drafting.suggest import suggest as drafted
    from ankare.evaluation.suites.holdings import read_holdings
    from ankare.evaluation.suites.suite import write_suite

    wish = Wish(count, _types(kind), _languages(language), seed)
    if out.exists() and not force:
        raise typer.BadParameter(f"{out} is there already, and somebody may have corrected it. --force writes over it.")
    found = drafted(read_holdings(home), wish)
    write_suite(found.cases, out)
    for line in _lines(found, out, count):
        typer.echo(shown(line))


def _types(given: list[str] | None) -> tuple[str, ...]:
    from ankare.evaluation.drafting.draft import TYPES

    for kind in given or ():
        if kind not in TYPES:
            raise typer.BadParameter(f"--type {kind}: known are {', '.join(TYPES)}.")
    return tuple(kind for kind in TYPES if kind in (given or ()))


def _languages(given: list[str] | None) -> tuple[str, ...]:
    from ankare.language.languages import LANGUAGE_CODES

    for code in given or ():
        if code not in LANGUAGE_CODES:
            raise typer.BadParameter(f"--language {code}: known are {', '.join(LANGUAGE_CODES)}.")
    return tuple(dict.fromkeys(given or ()))


def _lines(found: Suggestion, out: Path, count: int) -> Iterator[str]:
    told = ", ".join(f"{kind} {number}" for kind, number in found.found.items())
    yield f"{out}: {len(found.cases)} {'draft' if len(found.cases) == 1 else 'drafts'}" + (f" ({told})" if told else "")
    if len(found.cases) < count:
        yield f"Fewer than the {count} asked for: a question is only drafted where its wording is sure."
    if found.short:
        few = ", ".join(f"{kind} {held} of {wished}" for kind, (held, wished) in found.short.items())
        yield f"Fewer of some types than a balanced suite has: {few}."
    if found.cases:
        yield f'Next: read each line, correct it or take it out, take its "draft" out; then `ankare eval check {out}`.'
