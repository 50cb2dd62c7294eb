"""`ankare eval review`: what do people think of the answers, and do they agree, with each other and with the measures?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.options import JsonOption
from ankare.evaluation.reviewing.sheet import Form

if TYPE_CHECKING:
    from ankare.evaluation.captured import Run
    from ankare.evaluation.case import Case
    from ankare.evaluation.reviewing.result import Group, Held, ReviewResult

LANGUAGES = ("sv", "en", "zh")

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


@app.callback()
def review() -> None:
    """Hand answers out to people to rate, and read their ratings back."""


@app.command()
def sheet(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.", show_default=False)],
    out: Annotated[
        Path | None, typer.Option(help="The sheet; else review-<id> in the first run's folder.", show_default=False)
    ] = None,
    form: Annotated[Form, typer.Option(help="A page that works offline, or a table to fill in.")] = Form.HTML,
    sample: Annotated[
        int | None, typer.Option(min=1, help="So many questions, by type and outcome; else all.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(help="What a sample and the order of a blind sheet are drawn with.")] = 0,
    blind: Annotated[
        bool, typer.Option("--blind", help="Mix the runs and do not say which is which; the key is a file of its own.")
    ] = False,
    on_path: Annotated[
        bool, typer.Option("--on-path", help="Leave out answers that did not take the path of their run.")
    ] = False,
    language: Annotated[
        str, typer.Option(help="Language of the sheet: sv, en or zh; else that of the questions.", show_default=False)
    ] = "",
) -> None:
    """Write a sheet on which people rate directness, language, conclusion, source support and abstention, from 1 to 5."""
    if language and language not in LANGUAGES:
        raise typer.BadParameter(f"There are sheets in {', '.join(LANGUAGES)}.", param_hint="--language")
    from ankare.evaluation.asking.run_folder import read_run
    from ankare.evaluation.reviewing.items import select
    from ankare.evaluation.reviewing.page import about
    from ankare.evaluation.reviewing.sheet import write_sheet

    read = [read_run(folder) for folder in runs]
    selection = select(read, sample=sample, seed=seed, blind=blind, on_path=on_path)
    path = out or runs[0] / f"review-{selection.id}.{form.value}"
    written = write_sheet(selection, path, form, language or _language(case for run in read for case in run.suite))
    for line in about(selection, "en"):
        typer.echo(line)
    typer.echo(f"Sheet:  {written.sheet}")
    if written.scale is not None:
        typer.echo(f"Scale:  {written.scale}")
    if written.key is not None:
        typer.echo(f"Key:    {written.key} (keep it from those who rate)")
    named = " ".join(map(str, runs))
    key = f" --key {written.key}" if written.key else ""
    typer.echo(f"Next:   ankare eval review read {named} RATINGS...{key}")


@app.command()
def read(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="RUN... RATINGS...", help="Folders of runs, and files of ratings.", show_default=False),
    ],
    key: Annotated[Path | None, typer.Option(help="The key of a blind sheet.", show_default=False)] = None,
    rater: Annotated[str, typer.Option(help="The name for ratings that have none.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Keep ratings (CSV, XLSX, or JSON of the page) with their runs, and tell means, agreement and what the measures say.

    Without files, what was kept before is told.
    """
    from ankare.evaluation.reviewing.read import take_in
    from ankare.evaluation.reviewing.result import review_result

    folders, files = [path for path in paths if path.is_dir()], [path for path in paths if not path.is_dir()]
    if not folders:
        raise typer.BadParameter("Name the folder of a run first.", param_hint="RUN")
    taken = take_in([(folder, _run(folder)) for folder in folders], files, key, rater)
    result = review_result(taken.reviewed)
    if as_json:
        typer.echo(json.dumps({**asdict(result), "told": taken.told}, ensure_ascii=False))
        return
    for line in taken.told:
        typer.echo(line)
    for line in told(result):
        typer.echo(line)


def _run(folder: Path) -> Run:
    from ankare.evaluation.asking.run_folder import read_run

    return read_run(folder)


def _language(cases: Iterator[Case]) -> str:
    """The language that most questions are in."""
    counted = Counter(case.language for case in cases if case.language in LANGUAGES)
    return counted.most_common(1)[0][0] if counted else "en"


# --- showing


def told(result: ReviewResult) -> Iterator[str]:
    """The figures as lines."""
    if not result.groups:
        yield "Nobody has rated these answers yet."
        return
    for group in result.groups:
        yield from _group(group)
    yield from _agreement(result)
    if result.held:
        yield from _held(result.held)
    for folder in result.unscored:
        yield f"{folder} has no scores to hold the ratings against: ankare eval score {folder}"


def _group(group: Group) -> Iterator[str]:
    apart = f", apart from its path ({group.aside})" if group.aside else ""
    yield ""
    yield f"{group.run}{apart}: {group.answers} answers, {group.raters} raters"
    yield _row("point", "mean", "95 % interval", "questions", "ratings", "cannot judge")
    for one in group.points:
        yield _row(
            one.point, number(one.mean), interval(one.low, one.high), one.questions, one.ratings, one.cannot or ""
        )


def _agreement(result: ReviewResult) -> Iterator[str]:
    from ankare.messages import messages

    yield ""
    yield "Agreement between raters (Krippendorff's alpha)"
    yield _row("point", "ordinal", "95 % interval", "nominal", "interval", "answers in common")
    words = messages("en")
    for point, found in result.agreements.items():
        ranks, names, values = found
        yield _row(
            point,
            number(ranks.value),
            interval(ranks.low, ranks.high),
            number(names.value),
            number(values.value),
            ranks.units,
        )
        yield f"    {words[f'review.alpha_{ranks.strength.value}']}"


def _held(held: Sequence[Held]) -> Iterator[str]:
    yield ""
    yield "Do the measures agree with people? (rank correlation over answers)"
    yield _row("point", "Spearman", "95 % interval", "Kendall", "answers", "measure")
    for one in held:
        found = one.correlation
        yield _row(
            one.point,
            number(found.spearman),
            interval(found.low, found.high),
            number(found.kendall),
            found.n,
            one.measure,
        )


def _row(name: str, *cells: object) -> str:
    widths = (9, 16, 10, 10, 18)
    return f"  {name:<16}" + "".join(f"{cell!s:>{width}}" for cell, width in zip(cells, widths, strict=True))


def number(value: float | None) -> str:
    """With two places, or that there is none."""
    return "-" if value is None else f"{round(value, 2) + 0.0:.2f}"


def interval(low: float | None, high: float | None) -> str:
    """Both bounds, or that there are none."""
    return "-" if low is None or high is None else f"{number(low)} to {number(high)}"
