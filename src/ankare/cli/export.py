"""`ankare export`: what does the home hold, for other programs?"""

from __future__ import annotations

import typer

from ankare.cli.options import DEFAULT_HOME, HomeOption
from ankare.cli.shown import json_text

app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.callback()
def export() -> None:
    """Write what the home holds as JSON."""


@app.command()
def chunks(home: HomeOption = DEFAULT_HOME) -> None:
    """Every chunk, sorted by id: id, source, type, title, section, pages, text."""
    from ankare.index.home import Home

    rows = [
        {
            "id": chunk.id,
            "source": chunk.source,
            "type": chunk.source_type,
            "title": chunk.title,
            "section": list(chunk.section),
            "pages": list(chunk.pages),
            "text": chunk.text,
        }
        for chunk in sorted(Home(home).chunks(), key=lambda chunk: chunk.id)
    ]
    typer.echo(json_text(rows, 1))
