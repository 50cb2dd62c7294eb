"""`ankare remove`: how is a document, or a file of figures, taken out of a home?"""

from __future__ import annotations

import json
from typing import Annotated

import typer

from ankare.cli.options import DEFAULT_HOME, HomeOption, JsonOption, SemanticOption


def remove(
    sources: Annotated[
        list[str], typer.Argument(metavar="SOURCE...", help="Documents and files of figures, as `ingest` names them.")
    ],
    home: HomeOption = DEFAULT_HOME,
    as_json: JsonOption = False,
    semantic: SemanticOption = True,
) -> None:
    """Take documents and figures out of the home folder. The files stay: ingest their folder again, and all is back.

    All of them or, where one is unknown, none. Exit code 2 for an unknown one.
    """
    from ankare.cli.ingest import one_line, prepare_search_by_meaning, shared_store, summary
    from ankare.index.home import Home
    from ankare.ingest.remove import remove as take_out

    with shared_store(home) as facts:
        report = take_out(sources, Home(home), facts=facts)
    if as_json:
        typer.echo(json.dumps(report.to_json(), ensure_ascii=True, indent=1))
    else:
        for file in report.files:
            typer.echo(one_line(": ".join(filter(None, (f"Removed {file.source}", file.message)))))
        typer.echo(summary(report))
    if semantic:
        prepare_search_by_meaning(Home(home), tell=not as_json)
