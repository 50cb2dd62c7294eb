"""`ankare search "..."`: which passages do the documents hold about something, and why in this order?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ankare.cli.options import (
    DEFAULT_HOME,
    AsLabelOption,
    AsPublicOption,
    HomeOption,
    JsonOption,
    reader,
    refuse_unknown,
)
from ankare.cli.shown import json_text, shown

if TYPE_CHECKING:
    from ankare.domain.access import Access
    from ankare.domain.evidence import Hit
    from ankare.engine import Engine

EXCERPT = 240

app = typer.Typer(add_completion=False)


@app.command()
def search(
    query: Annotated[str | None, typer.Argument(help="What to look for.")] = None,
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=1000, help="How many hits at most.")] = 8,
    explain: Annotated[bool, typer.Option("--explain", help="Show what each hit's score is made of.")] = False,
    as_json: JsonOption = False,
    batch: Annotated[
        Path | None,
        typer.Option("--batch", help="A file with one query a line (- for standard input); JSON lines out."),
    ] = None,
    home: HomeOption = DEFAULT_HOME,
    language: Annotated[
        str | None, typer.Option(help="The language of the query, where it should not be guessed.")
    ] = None,
    as_label: AsLabelOption = None,
    as_public: AsPublicOption = False,
) -> None:
    """The passages that speak to a query, best first."""
    if (query is None) == (batch is None):
        raise typer.BadParameter("Give either a query or --batch FILE.")
    from ankare.settings import load_settings
    from ankare.wiring import open_engine

    engine, access = open_engine(load_settings(home=home)), reader(as_label, as_public)
    refuse_unknown(language, engine.corpus(access).profile.home.languages)
    if batch is not None:
        for row in _batch(engine, batch, top_k, language, access):
            typer.echo(json_text(row))
        return
    hits = engine.search(query or "", top_k=top_k, language=language, access=access)
    if as_json:
        typer.echo(json_text(_body(query or "", hits, explain), 2))
    else:
        _show(hits, explain)


def _batch(engine: Engine, file: Path, top_k: int, language: str | None, access: Access) -> Iterator[dict[str, Any]]:
    """One row per line of the file, in its order; a line that is no usable query has no hits and is told on stderr."""
    from ankare.cite.body import search_body
    from ankare.errors import QuestionError

    engine.corpus(access)  # no usable index: told before the first row
    for number, line in enumerate(_lines(file), 1):
        try:
            hits = engine.search(line, top_k=top_k, language=language, access=access)
        except QuestionError as error:
            typer.echo(f"line {number}: {error}", err=True)
            hits = ()
        yield search_body(line, hits)


def _lines(file: Path) -> list[str]:
    from ankare.errors import BadInputError

    if str(file) == "-":
        text = typer.get_binary_stream("stdin").read()
    else:
        try:
            text = file.read_bytes()
        except OSError as error:
            raise BadInputError(
                f"{file} cannot be read: {error.strerror}.", "Name a file with one query a line."
            ) from error
    # Only line ends divide: other white space may stand inside a query.
    lines = text.decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _body(query: str, hits: Sequence[Hit], explain: bool) -> dict[str, Any]:
    from ankare.cite.body import search_body

    body: dict[str, Any] = search_body(query, hits)
    if explain:
        for row, hit in zip(body["hits"], hits, strict=True):
            row["explanation"] = explanation(hit)
    return body


def explanation(hit: Hit) -> dict[str, Any]:
    """What a hit's score is made of; the contributions sum to it."""
    return {
        "parts": [
            {
                "name": part.name,
                "value": round(part.value, 6),
                "weight": part.weight,
                "contribution": round(part.contribution, 6),
            }
            for part in hit.parts
        ],
        "bm25": hit.lexical,
        "cosine": hit.semantic,
        "duplicates": [{"source": source, "page": page} for source, page in hit.duplicates],
    }


def _show(hits: Sequence[Hit], explain: bool) -> None:
    """The hits for a reader: where, under which headings, how the text begins."""
    from rich.console import Console
    from rich.text import Text

    from ankare.cli.shown import shown_line

    console = Console(highlight=False)
    if not hits:
        console.print("Nothing found.")
    for number, hit in enumerate(hits, 1):
        chunk = hit.chunk
        pages = ", ".join(map(str, chunk.pages))
        console.print(Text(f"{number}. {shown_line(chunk.source)}, p. {pages}   {hit.score:.3f}", style="bold"))
        if chunk.section:
            console.print(Text("   " + shown_line(" > ".join(chunk.section)), style="cyan"))
        for row in Text(shown(excerpt(chunk.text))).wrap(console, max(20, console.width - 3)):
            row.rstrip()
            console.print(Text("   ") + row)
        if explain:
            told = explanation(hit)
            for part in told["parts"]:
                line = f"     {part['name']:<18} {part['value']:.3f} x {part['weight']:g} = {part['contribution']:.3f}"
                console.print(Text(shown(line), style="dim"))
            for other in told["duplicates"]:
                console.print(Text(f"     same text: {shown_line(other['source'])}, p. {other['page']}", style="dim"))


def excerpt(text: str) -> str:
    """How a passage begins, in at most `EXCERPT` characters and an ellipsis; its paragraphs and rows of tables on lines of
    their own."""
    from ankare.cli.shown import shown_line

    lines = filter(None, (shown_line(line).strip() for line in text.splitlines()))
    whole = "\n".join(lines)
    return whole if len(whole) <= EXCERPT else whole[:EXCERPT].rsplit(None, 1)[0] + " …"
