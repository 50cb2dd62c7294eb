"""`ankare analyze "..."`: how is a text read: index terms, compound parts, spelling?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ankare.cli.options import DEFAULT_HOME, HomeOption, JsonOption
from ankare.cli.shown import json_text, shown

if TYPE_CHECKING:
    from ankare.language.spelling import Speller

ACCEPTED = ("sv", "en", "zh")


def analyze(
    text: Annotated[str | None, typer.Argument(help="The text to analyse.")] = None,
    language: Annotated[
        str | None, typer.Option("--language", help="sv, en or zh; guessed where it is not given.")
    ] = None,
    as_json: JsonOption = False,
    batch: Annotated[
        Path | None,
        typer.Option("--batch", help="A file with one text a line (- for standard input); JSON lines out."),
    ] = None,
    home: HomeOption = DEFAULT_HOME,
) -> None:
    """How a text is analysed: per word its index terms, compound parts and spelling correction."""
    if (text is None) == (batch is None):
        raise typer.BadParameter("Give either a text or --batch FILE.")
    analysis = TextAnalysis(_vocabulary(home), language)
    if batch is not None:
        for line in _lines(batch):
            typer.echo(_dump(analysis.row(line)))
        return
    row = analysis.row(text or "")
    if as_json:
        typer.echo(_dump(row))
    else:
        _show(row)


class TextAnalysis:
    """Analyses texts; the language is `code`, or guessed per text."""

    def __init__(self, vocabulary: Mapping[str, int], code: str | None) -> None:
        self._vocabulary = vocabulary
        self._code = code
        self._spellers: dict[str, Speller] = {}

    def row(self, text: str) -> dict[str, Any]:
        """`{"text", "words": [{"word", "terms", "parts", "corrected"}]}`.

        `terms`: index terms of the whole word, of the word that was meant where it is misspelt. `parts`: the compound's parts
        as words (modifiers in dictionary form). `corrected`: the word that was meant, or null. Raises BadInputError for
        an unknown language.
        """
        from ankare.language.languages import detect_language, get_language
        from ankare.language.spelling import Speller

        code = self._code or detect_language(text, ACCEPTED, ACCEPTED[0])
        language = get_language(code)
        speller = self._spellers.setdefault(code, Speller(self._vocabulary, language))
        words = []
        for token in language.tokens(text):
            corrected = speller.correct(token.text)
            found = language.analyze(corrected or token.text)
            words.append(
                {
                    "word": token.text,
                    "terms": list(found.terms),
                    "parts": list(found.surface_parts),
                    "corrected": corrected,
                }
            )
        return {"text": text, "words": words}


def _vocabulary(home: Path) -> Mapping[str, int]:
    """The words of the home's documents; none where nothing has been ingested."""
    from ankare.errors import HomeMissingError
    from ankare.index.home import Home
    from ankare.index.manifest import read_vocabulary

    try:
        return read_vocabulary(Home(home).version_folder())
    except HomeMissingError:
        return {}


def _lines(file: Path) -> Iterator[str]:
    """The texts of a batch: lines as they stand, or the `text` of a line that is a JSON object with one."""
    from ankare.errors import BadInputError

    try:
        content = typer.get_binary_stream("stdin").read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise BadInputError(f"{file} cannot be read: {error.strerror}.", "Name a file with one text a line.") from error
    lines = content.decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")
    for line in lines[:-1] if lines[-1] == "" else lines:
        yield _text_of(line)


def _text_of(line: str) -> str:
    if line.startswith("{"):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            return line
        if isinstance(row, dict) and isinstance(row.get("text"), str):
            return str(row["text"])
    return line


def _dump(row: dict[str, Any]) -> str:
    """One JSON line; lone surrogates are escaped, so that any text can be written."""
    return json_text(row)


def _show(row: dict[str, Any]) -> None:
    """A table for a reader."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("word", "terms", "parts", "corrected", box=None)
    for word in row["words"]:
        cells = (word["word"], " ".join(word["terms"]), " + ".join(word["parts"]), word["corrected"] or "")
        table.add_row(*(Text(shown(cell)) for cell in cells))
    Console().print(table)
