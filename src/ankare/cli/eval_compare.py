"""`ankare eval compare A B`: is B better than A, and may it go on?

    the runs -> what is different, regressions first -> advice on a chain -> the gate: limits, worse than the base, the ratchet

One run alone can be held against limits and against the ratchet. Exit code 0: fine, 1: a gate is closed, 2: bad use.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from ankare.cli.options import JsonOption
from ankare.cli.shown import json_text
from ankare.errors import EvaluationError

if TYPE_CHECKING:
    from ankare.evaluation.comparing.advice import Advice
    from ankare.evaluation.comparing.compare import Comparison
    from ankare.evaluation.comparing.quality_gate import Fault
    from ankare.evaluation.comparing.standing import Standing
    from ankare.evaluation.comparing.told import Section
    from ankare.evaluation.scored import ScoredRun

CLOSED = 1
LEADING_ONES = "leading"
WORSE = "--fail-if-worse"
SHOWN_CASES = 10
WIDEST = 170
"""Columns of a table that goes to a file or to another program."""


class CompareCommand(TyperCommand):
    """Lets `--fail-if-worse` stand alone, or before as many measures as there are."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give each measure its own option."""
        return super().parse_args(ctx, spread(args))


def spread(args: Sequence[str]) -> list[str]:
    """`--fail-if-worse a b` as `--fail-if-worse=a --fail-if-worse=b`; alone it is about the leading measures."""
    from ankare.evaluation.comparing.standing import known_measures

    told: list[str] = []
    rest = list(args)
    while rest:
        word = rest.pop(0)
        if word != WORSE:
            told.append(word)
            continue
        names = []
        while rest and (rest[0] in known_measures() or rest[0] == LEADING_ONES):
            names.append(rest.pop(0))
        told += [f"{WORSE}={name}" for name in names or [LEADING_ONES]]
    return told


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command(cls=CompareCommand)
def compare(
    runs: Annotated[
        list[Path], typer.Argument(help="Folders of scored runs; the first is the base.", metavar="RUN...")
    ],
    as_json: JsonOption = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write Markdown instead of tables.")] = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write it to this file.", show_default=False)] = None,
    language: Annotated[str, typer.Option("--language", help="Of the words: sv, en or zh.")] = "en",
    fail_below: Annotated[
        list[str] | None,
        typer.Option("--fail-below", help="measure=value: fail where its mean is lower.", show_default=False),
    ] = None,
    fail_above: Annotated[
        list[str] | None,
        typer.Option("--fail-above", help="measure=value: fail where its mean is higher.", show_default=False),
    ] = None,
    fail_if_worse: Annotated[
        list[str] | None,
        typer.Option(
            WORSE,
            metavar="[MEASURE...]",
            help="Fail where a measure is worse than the base; alone: any leading measure.",
            show_default=False,
        ),
    ] = None,
    ratchet: Annotated[
        Path | None, typer.Option("--ratchet", help="A file with the best so far; fail below it.", show_default=False)
    ] = None,
    update_ratchet: Annotated[bool, typer.Option("--update-ratchet", help="Raise it to what is better now.")] = False,
    force: Annotated[
        str | None,
        typer.Option("--force", metavar="REASON", help="Set it where the run stands, even down.", show_default=False),
    ] = None,
    tolerance: Annotated[
        float,
        typer.Option(
            "--tolerance", min=0, max=0.5, help="By how much a mean may fall: new marks, and runs without a model."
        ),
    ] = 0.02,
    only_shared: Annotated[
        bool, typer.Option("--only-shared", help="Let questions of the base be missing in the other run.")
    ] = False,
    least: Annotated[
        float, typer.Option("--least", min=0, max=1, help="Share of answers that a limit has to stand on.")
    ] = 0.9,
) -> None:
    """Compare runs with the first, question by question. Exit code 0: fine, 1: a gate is closed, 2: bad use."""
    gate = _Gate(
        tuple(fail_below or ()),
        tuple(fail_above or ()),
        tuple(fail_if_worse or ()),
        _Ratchet(ratchet, update_ratchet, force, tolerance),
        only_shared,
        least,
    )
    _require_sense(runs, gate, as_json and markdown)
    judged = _judge(runs, gate, language)
    _write(judged, as_json, markdown, out, language)
    if judged.faults:
        _tell(judged.faults)
        raise typer.Exit(CLOSED)


@dataclass(frozen=True, slots=True)
class _Ratchet:
    path: Path | None
    update: bool
    reason: str | None
    tolerance: float


@dataclass(frozen=True, slots=True)
class _Gate:
    below: tuple[str, ...]
    above: tuple[str, ...]
    worse: tuple[str, ...]
    ratchet: _Ratchet
    only_shared: bool
    least: float

    @property
    def any(self) -> bool:
        return bool(self.below or self.above or self.worse or self.ratchet.path)


@dataclass(frozen=True, slots=True)
class _Judged:
    comparison: Comparison | None
    advice: dict[str, Advice]
    standings: tuple[Standing, ...]
    faults: tuple[Fault, ...]


def _require_sense(runs: Sequence[Path], gate: _Gate, both: bool) -> None:
    """Raises BadParameter for what could not be done, or would close nothing."""
    if both:
        raise typer.BadParameter("Give either --json or --markdown.")
    if gate.ratchet.path is None and (gate.ratchet.update or gate.ratchet.reason is not None):
        raise typer.BadParameter("--update-ratchet and --force need --ratchet FILE.")
    if gate.ratchet.reason is not None and not gate.ratchet.update:
        raise typer.BadParameter("--force needs --update-ratchet.")
    if len(runs) == 1 and gate.worse:
        raise typer.BadParameter("--fail-if-worse needs a base: name two runs.")
    if len(runs) == 1 and not (gate.below or gate.above or gate.ratchet.path):
        raise typer.BadParameter(
            "Name two runs to compare, or a gate for the one: --fail-below, --fail-above, --ratchet."
        )


def _judge(folders: Sequence[Path], gate: _Gate, language: str) -> _Judged:
    from ankare.evaluation.comparing.compare import compare as compared
    from ankare.evaluation.comparing.standing import standing_of

    runs = [_run(folder) for folder in folders]
    labels = [run.conditions.name or folder.name for run, folder in zip(runs, folders, strict=True)]
    comparison = compared(runs, labels=labels) if len(runs) > 1 else None
    names = [run.label for run in comparison.runs] if comparison else labels
    standings = tuple(standing_of(run, name) for run, name in zip(runs, names, strict=True))
    faults = _faults(comparison, standings, gate)
    return _Judged(comparison, _advice(runs, names, comparison), standings, tuple(faults))


def _run(folder: Path) -> ScoredRun:
    """What the answers of a folder score; it is told where that is not what was kept. Raises EvaluationError."""
    from ankare.evaluation.comparing.quality_gate import nearest
    from ankare.evaluation.comparing.told import plain
    from ankare.evaluation.measures.fitting_scores import fitting_scores

    if not folder.exists() and (near := nearest(str(folder))):
        raise EvaluationError(
            f"{folder} is neither the folder of a run nor a measure.", f"Did you mean {' or '.join(near)}?"
        )
    found = fitting_scores(folder)
    if found.anew:
        why = ", ".join(_ANEW[reason] for reason in found.anew)
        typer.echo(
            f"{plain(folder.name)}: scored anew, without prices, since {why}. To keep it: ankare eval score.", err=True
        )
    return found.run


_ANEW = {
    "scores": "it was not scored",
    "rows": "its scores were changed",
    "scored_from": "its scores do not tell of which answers they are",
    "answers": "its answers are others now",
    "suite": "its suite is another now",
    "measures": "the measures are others now",
}


def _advice(runs: Sequence[ScoredRun], names: Sequence[str], comparison: Comparison | None) -> dict[str, Advice]:
    """On each run in whose answers a chain had a part: in the shadow, or against a base without models."""
    from ankare.evaluation.captured import AnswerPath
    from ankare.evaluation.comparing.advice import advise_on_chain, advise_on_shadow

    found = {
        name: advise_on_shadow(run)
        for name, run in zip(names, runs, strict=True)
        if run.conditions.path is AnswerPath.SHADOW
    }
    if comparison is not None and runs[0].conditions.path is AnswerPath.CONTROL:
        chains = (AnswerPath.AGENTIC, AnswerPath.SYNTHESIS)
        found |= {
            pair.other: advise_on_chain(pair, run.conditions.path)
            for pair, run in zip(comparison.pairs, runs[1:], strict=True)
            if run.conditions.path in chains
        }
    return found


# --- the gate


def _faults(comparison: Comparison | None, standings: Sequence[Standing], gate: _Gate) -> list[Fault]:
    """Everything that closes a gate; of several runs, the base is what they are held against, and is not judged itself."""
    from ankare.evaluation.comparing.quality_gate import beyond_limits, got_worse, incomplete, limit_of

    limits = [*map(limit_of, gate.below), *(limit_of(text, above=True) for text in gate.above)]
    judged = standings[1:] or standings
    concerned = standings if gate.worse else judged
    faults = [fault for standing in concerned for fault in incomplete(standing)] if gate.any else []
    faults += [fault for standing in judged for fault in beyond_limits(standing, limits, gate.least)]
    if comparison is not None and gate.worse:
        for pair, standing in zip(comparison.pairs, judged, strict=True):
            more = got_worse(
                pair,
                gate.worse,
                standings[0],
                standing,
                tolerance=gate.ratchet.tolerance,
                only_shared=gate.only_shared,
            )
            faults += more
    if gate.ratchet.path is not None:
        faults += _held_by_ratchet(gate.ratchet, gate.ratchet.path, judged, open_so_far=not faults)
    return faults


def _held_by_ratchet(wanted: _Ratchet, path: Path, judged: Sequence[Standing], *, open_so_far: bool) -> list[Fault]:
    """What the ratchet holds against the runs. It is moved only where all is open, and never down without a reason; of two jobs
    that move it, the second reads what the first has written."""
    from ankare.evaluation.comparing.alone import alone_with

    with alone_with(path) if wanted.update else nullcontext():
        return _moved(wanted, path, judged, open_so_far)


def _moved(wanted: _Ratchet, path: Path, judged: Sequence[Standing], open_so_far: bool) -> list[Fault]:
    from ankare.evaluation.comparing import ratchet as held

    kept = held.read_ratchet(path) if path.exists() or not wanted.update else held.Ratchet()
    faults: list[Fault] = []
    moved = kept
    for standing in judged:
        faults += held.unmarkable(standing)
        if wanted.reason is not None:
            moved = held.forced(moved, standing, wanted.reason)
            continue
        known = not wanted.update or kept.entry(standing) is not None
        faults += held.unfit(standing) or (held.fallen(kept, standing) if known else ())
        moved = held.raised(moved, standing, tolerance=wanted.tolerance)
    if wanted.update and open_so_far and not faults and moved != kept:
        held.write_ratchet(moved, path)
    return faults


def _tell(faults: Sequence[Fault]) -> None:
    """The faults on stderr, each with its questions."""
    from ankare.evaluation.comparing.told import plain

    typer.echo(f"The gate is closed: {len(faults)} faults." if len(faults) > 1 else "The gate is closed.", err=True)
    for fault in faults:
        typer.echo(f"  {plain(fault.run)}: {plain(fault.what)}. {plain(fault.remedy)}".rstrip(), err=True)
        if fault.questions:
            typer.echo(f"    questions: {plain(', '.join(fault.questions))}", err=True)


# --- showing


def _write(judged: _Judged, as_json: bool, as_markdown: bool, out: Path | None, language: str) -> None:
    from ankare.evaluation.comparing.told import MOST_ROWS, body, markdown
    from ankare.messages import messages

    if as_json:
        told = body(judged.comparison, judged.standings, judged.advice, judged.faults, language)
        _put(json_text(told, 1, allow_nan=False) + "\n", out)
    elif as_markdown or out is not None:
        _put(markdown(_sections(judged, language, MOST_ROWS), messages(language)["compare.title"]), out)
    else:
        found = _sections(judged, language, SHOWN_CASES)
        _show([section for section in found if not section.detail])
        if any(section.detail for section in found):
            typer.echo("Question types one by one: --markdown, --json, or `ankare eval report`.")


def _put(text: str, out: Path | None) -> None:
    """Write the text to the file in one step, or to standard output."""
    from ankare.evaluation.measures.scores_file import replace_text

    if out is None:
        typer.echo(text.encode("utf-8", "backslashreplace").decode("utf-8"), nl=False)
    else:
        replace_text(out, text.encode("utf-8", "backslashreplace").decode("utf-8"))


def _sections(judged: _Judged, language: str, most_rows: int) -> Sequence[Section]:
    from ankare.evaluation.comparing.told import advice_sections, levels_section, sections

    if judged.comparison is None:
        return [*(levels_section(one, language) for one in judged.standings), *advice_sections(judged.advice, language)]
    return sections(judged.comparison, judged.advice, language=language, most_rows=most_rows)


def _show(told: Sequence[Section]) -> None:
    """Tables for a terminal."""
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    console = Console()
    if not console.is_terminal:
        console.width = WIDEST
    for section in told:
        console.print(Text(section.title, style="bold"))
        for line in section.lines:
            console.print(Text(f"  {line}"))
        if section.head:
            kept = columns(section, console.width)
            table = Table(*(Column(Text(section.head[at])) for at in kept), box=None, padding=(0, 2, 0, 0))
            for row in section.rows:
                table.add_row(*(Text(row[at]) for at in kept))
            console.print(table)
            if left_out := [name for at, name in enumerate(section.head) if at not in kept]:
                console.print(Text(f"  Left out for want of room: {', '.join(left_out)}. {_ALL_OF_THEM}", style="dim"))
        if section.more:
            console.print(Text(f"  {section.more}"))
        console.print()


_ALL_OF_THEM = "A wider terminal, --markdown and --json have them."


def columns(section: Section, width: int) -> Sequence[int]:
    """The columns for which there is room: those that can be spared go until the others fit."""
    needed = [max(map(len, cells)) + 2 for cells in zip(section.head, *section.rows, strict=True)]
    kept = list(range(len(needed)))
    for spare in section.spare:
        if sum(needed[at] for at in kept) > width:
            kept.remove(spare)
    return kept
