"""`ankare eval report`: what came of these runs, as a page that opens anywhere?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ankare.messages import languages

PAGE = Path("report.html")


def report(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Folders of runs; the first is the base of the others.")
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            help="The page. Named after it, beside it: NAME.md (short, for a comment), NAME-questions.csv, "
            "NAME-measures.csv.",
        ),
    ] = PAGE,
    language: Annotated[
        str,
        typer.Option(
            "--language", help="Language of the report: sv, en or zh; else that of most questions.", show_default=False
        ),
    ] = "",
    title: Annotated[str, typer.Option("--title", help="What stands on top.")] = "",
    evidence: Annotated[
        bool, typer.Option("--evidence/--no-evidence", help="Show passages of the documents with each answer.")
    ] = True,
    force: Annotated[bool, typer.Option("--force", help="Replace files that no report wrote, too.")] = False,
) -> None:
    """Write one HTML file with figures, plots and every case, a short report in Markdown, and CSV tables."""
    if language and language not in languages():
        raise typer.BadParameter(f"There are reports in {', '.join(languages())}.", param_hint="--language")
    if out.is_dir():
        raise typer.BadParameter(f"{out} is a folder: name the page, such as {out / PAGE}.", param_hint="--out")
    from ankare.evaluation.report.write import check_out, read_report, write_report

    check_out(out, force=force)
    written = write_report(read_report(runs, title=title, evidence=evidence), out, language, force=force)
    for path in written.files:
        typer.echo(str(path))
