"""`ankare eval review`: what do people think of the answers, and do they agree, with each other and with the measures?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ankare.cli.options import JsonOption
from ankare.cli.shown import json_text, shown
from ankare.evaluation.reviewing.sheet import Form

if TYPE_CHECKING:
    from ankare.evaluation.reviewing.result import ReviewResult

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
    all_repeats: Annotated[
        bool, typer.Option("--all-repeats", help="Every answer to a question asked several times; else the first.")
    ] = False,
    language: Annotated[
        str, typer.Option(help="Language of the sheet: sv, en or zh; else that of the questions.", show_default=False)
    ] = "",
) -> None:
    """Write a sheet on which people rate directness, language, conclusion, source support and abstention, from 1 to 5."""
    _known(language)
    from ankare.cli.shown import shown_line
    from ankare.evaluation.asking.run_folder import read_run
    from ankare.evaluation.report.words import language_of
    from ankare.evaluation.reviewing.items import select
    from ankare.evaluation.reviewing.page import about
    from ankare.evaluation.reviewing.sheet import write_sheet

    read = [read_run(folder) for folder in runs]
    selection = select(read, sample=sample, seed=seed, blind=blind, on_path=on_path, all_repeats=all_repeats)
    path = out or runs[0] / f"review-{selection.id}.{form.value}"
    written = write_sheet(selection, path, form, language or language_of(case for run in read for case in run.suite))
    for line in about(selection, "en"):
        typer.echo(shown_line(line))
    if selection.repeats:
        typer.echo("Give --all-repeats to hand them out too.")
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
    language: Annotated[
        str, typer.Option(help="What is told in: sv, en or zh; else the language of the questions.", show_default=False)
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Keep ratings (CSV, XLSX, or JSON of the page) with their runs, and tell means, agreement and what the measures say.

    Without files, what was kept before is told.
    """
    from ankare.evaluation.asking.run_folder import read_run
    from ankare.evaluation.report.words import language_of
    from ankare.evaluation.reviewing.read import take_in
    from ankare.evaluation.reviewing.result import review_result

    folders, files = [path for path in paths if path.is_dir()], [path for path in paths if not path.is_dir()]
    if not folders:
        raise typer.BadParameter("Name the folder of a run first.", param_hint="RUN")
    read = [(folder, read_run(folder)) for folder in folders]
    code = _known(language) or language_of(case for _, run in read for case in run.suite)
    taken = take_in(read, files, key, rater, code)
    result = review_result(taken.reviewed)
    if as_json:
        typer.echo(json_text({**asdict(result), "told": taken.told}))
        return
    for line in taken.told:
        typer.echo(shown(line))
    _show(result, code)


def _known(language: str) -> str:
    if language and language not in LANGUAGES:
        raise typer.BadParameter(f"There are texts in {', '.join(LANGUAGES)}.", param_hint="--language")
    return language


def _show(result: ReviewResult, language: str) -> None:
    from rich.console import Console
    from rich.text import Text

    from ankare.cli.eval_review_text import ReviewText
    from ankare.cli.fitted_table import fitted

    console = Console(highlight=False)
    for part in ReviewText(result, language).parts():
        for piece in [Text(shown(part))] if isinstance(part, str) else fitted(part, console.width):
            console.print(piece)
