"""`ankare eval score RUN...`: how good are the answers of a run?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.options import JsonOption
from ankare.cli.shown import json_text

if TYPE_CHECKING:
    from rich.table import Table

    from ankare.evaluation.measures.summary import Summary

NARROWEST = 100
"""Columns of a table that nobody looks at on a screen."""


def score(
    runs: Annotated[list[Path], typer.Argument(help="Folders that `ankare eval run` has written.", show_default=False)],
    prices: Annotated[
        Path | None, typer.Option(help="A TOML file of what tokens cost; without it, no cost.", show_default=False)
    ] = None,
    home: Annotated[
        Path | None,
        typer.Option(
            help="A home whose profile tells the codes of names, for suites that name figures by aliases.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Score the answers of runs, offline and without a model: `scores.jsonl` and `summary.json` beside the answers.

    Only answers that took the path that was asked for count for it; the others stand apart, each with its reason. The same
    answers give the same scores. Exit code 0: scored, 2: a run, suite or table of prices cannot be read.
    """
    from ankare.evaluation.asking.run_folder import read_run
    from ankare.evaluation.measures.figure_measures import literal
    from ankare.evaluation.measures.prices import read_prices
    from ankare.evaluation.measures.score import score_run
    from ankare.evaluation.measures.scored_from import scored_from
    from ankare.evaluation.measures.scores_file import write_scores
    from ankare.evaluation.measures.summary import summarise
    from ankare.evaluation.measures.summary_text import summary_json, write_summary

    table = read_prices(prices) if prices else None
    names = names_of(home) if home else literal
    summaries = []
    for folder in runs:
        made_of = scored_from(folder)  # before the answers are read: scores of fewer answers fit no more of them
        scored = score_run(read_run(folder), table, names)
        summary = summarise(scored)
        write_scores(scored, folder, made_of)
        write_summary(summary, folder)
        summaries.append((folder, summary))
    if as_json:
        told = [{"run": str(folder), **summary_json(summary)} for folder, summary in summaries]
        typer.echo(json_text(told, 1))
    else:
        _print(summaries)


def names_of(home: Path) -> Callable[[str, str], str]:
    """The codes that a home has for names; a name that it does not know stays itself. Raises HomeError, ProfileError."""
    from ankare.index.home import Home
    from ankare.structured.glossary import glossary_of
    from ankare.wiring import Profiles

    glossary = glossary_of(Profiles(None).of(Home(home).open_current()))
    return lambda kind, name: (glossary.code(kind, name) or name) if name else name


def _print(summaries: Sequence[tuple[Path, Summary]]) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = max(console.width, NARROWEST, 44 + 24 * len(summaries))
    console.print(_measures(summaries))
    console.print(_apart(summaries))
    _print_notes(console.print, summaries)


def _head(title: str, summaries: Sequence[tuple[Path, Summary]]) -> Table:
    from rich.table import Table

    from ankare.cli.shown import shown_line

    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column(title)
    for folder, summary in summaries:
        table.add_column(shown_line(summary.conditions.name or folder.name), justify="right")
    return table


def _measures(summaries: Sequence[tuple[Path, Summary]]) -> Table:
    """The mean of each measure with the number of questions that it is over."""
    from ankare.evaluation.measures.score import ALL
    from ankare.evaluation.measures.summary_text import shown

    table = _head("measure", summaries)
    for name in ALL:
        levels = [summary.overall.levels.get(name) for _, summary in summaries]
        if any(levels):
            table.add_row(name, *(f"{shown(one.mean, one)}  n={one.n}" if one else "–" for one in levels))
    for name in ("precision", "recall", "f1"):
        shares = [getattr(summary.overall.abstention, name) for _, summary in summaries]
        if any(share is not None for share in shares):
            table.add_row(f"abstention {name}", *("–" if share is None else f"{share:.3f}" for share in shares))
    return table


def _apart(summaries: Sequence[tuple[Path, Summary]]) -> Table:
    """How many answers counted, and how many stood apart for which reason."""
    from ankare.cli.shown import shown_line

    table = _head("\nanswers", summaries)
    table.add_row("asked", *(str(summary.overall.answers) for _, summary in summaries))
    table.add_row("took the path", *(str(summary.overall.counted) for _, summary in summaries))
    held = [
        {**summary.asides, **{f"failed:{kind}": count for kind, count in summary.failures.items()}}
        for _, summary in summaries
    ]
    for why in dict.fromkeys(why for reasons in held for why in reasons):
        table.add_row(f"apart: {shown_line(why)}", *(str(reasons.get(why, 0)) for reasons in held))
    return table


def unlike(summaries: Sequence[Summary]) -> Iterator[str]:
    """Whether the runs' means are of the same questions, where several stand side by side."""
    levels = [summary.overall.levels for summary in summaries]
    names = dict.fromkeys(name for held in levels for name in held)
    differ = [name for name in names if len({held[name].n if name in held else 0 for held in levels}) > 1]
    if len({summary.conditions.suite_digest for summary in summaries}) > 1:
        yield f"The runs asked different suites: their means are of different questions. {_SIDE_BY_SIDE}"
    elif differ:
        shown = ", ".join(differ[:_SHOWN]) + (f", … ({len(differ)})" if len(differ) > _SHOWN else "")
        yield f"Means of different questions stand side by side (n differs): {shown}. {_SIDE_BY_SIDE}"


_SHOWN = 3
_SIDE_BY_SIDE = "`ankare eval compare` holds the same questions against each other."


def _print_notes(say: Callable[[str], None], summaries: Sequence[tuple[Path, Summary]]) -> None:
    """What a reader has to know before believing a figure."""
    from ankare.cli.shown import shown_line

    for line in unlike([summary for _, summary in summaries]):
        say(line)
    for folder, summary in summaries:
        name = shown_line(summary.conditions.name or folder.name)
        if summary.models.without_tokens:
            say(f"{name}: {summary.models.without_tokens} answers without all tokens; they have no token value.")
        if summary.models.unpriced:
            reasons = ", ".join(f"{shown_line(why)} ({count})" for why, count in summary.models.unpriced.items())
            say(f"{name}: answers without a cost, for want of: {reasons}.")
        if summary.models.truncated:
            say(f"{name}: {summary.models.truncated} replies of models were probably cut off.")
