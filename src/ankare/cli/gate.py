"""`ankare gate`: does some evidence hold a claim, sentence by sentence, and where?

With `--json` it is a filter: each line in is answered by one line out, at once, so that a program can talk with it. A line
that cannot be used gives `{"error": ...}` in its place, is told on stderr with its number and field, and makes the exit code 2
once all lines are read; the lines around it are judged as ever.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from ankare.cli.options import JsonOption
from ankare.cli.shown import json_text, shown

if TYPE_CHECKING:
    from ankare.domain.document import Chunk
    from ankare.domain.grounding import Grounding, SentenceVerdict

ACCEPTED = ("sv", "en")
LONGEST_LINE = 1_000_000
"""Bytes; a longer line is refused unread."""
FIELDS = ("claim", "evidence", "question", "language")
SHORTENED, ALIKE = 4, 0.8
"""How many letters of a field, or how alike a name is (0 to 1), that is taken for a field misspelled."""
NOT_SUPPORTED, BAD_LINES = 3, 2

app = typer.Typer(add_completion=False)


@dataclass(frozen=True, slots=True)
class Asked:
    """One claim to be judged. `language`: sv or en, None where it is to be guessed."""

    claim: str
    evidence: tuple[str, ...]
    question: str = ""
    language: str | None = None


@app.command()
def gate(
    claim: Annotated[str | None, typer.Option("--claim", help="The text to judge.")] = None,
    evidence: Annotated[
        list[str] | None, typer.Option("--evidence", help="A text that may hold it; may be given several times.")
    ] = None,
    question: Annotated[str, typer.Option("--question", help="What was asked; its words are no evidence.")] = "",
    language: Annotated[str | None, typer.Option("--language", help="sv or en; guessed where it is not given.")] = None,
    as_json: JsonOption = False,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file", help='JSON lines {"claim", "evidence": [...]} (- or none: standard input), with --json.'
        ),
    ] = None,
) -> None:
    """Hold a claim against evidence. Exit code 0: supported (or all lines read), 3: not supported, 2: bad use, bad lines.

    ANKARE_GROUNDING_THRESHOLD sets the score to pass from.
    """
    if language is not None and language not in ACCEPTED:
        raise typer.BadParameter(f"There is no language '{language}' here; use one of: {', '.join(ACCEPTED)}.")
    threshold = _threshold()
    if claim is not None and file is None:
        _one(Asked(claim, tuple(evidence or ()), question, language), as_json, threshold)
    elif claim is None and not evidence and as_json:
        _lines_through(file, question, language, threshold)
    else:
        raise typer.BadParameter(
            "Give --claim with --evidence, or --json with JSON lines on standard input or in --file."
        )


def _threshold() -> float:
    """That of the environment, as the engine has it. Raises SettingsError."""
    from ankare.settings import load_settings

    return load_settings().grounding_threshold


def _one(asked: Asked, as_json: bool, threshold: float) -> None:
    if not asked.claim.strip() or not asked.evidence:
        raise typer.BadParameter("Give --claim some text and --evidence at least once.")
    row = answer(asked, threshold)
    if as_json:
        typer.echo(_dump(row))
    else:
        _show(asked.claim, row)
    if not row["supported"]:
        raise typer.Exit(NOT_SUPPORTED)


def _lines_through(file: Path | None, question: str, language: str | None, threshold: float) -> None:
    """Answer each line as it comes."""
    bad = 0
    for number, line in enumerate(_lines(file), 1):
        try:
            row = answer(asked_of(line, question, language), threshold)
        except ValueError as error:
            bad += 1
            row = {"error": f"line {number}: {error}"}
            typer.echo(row["error"], err=True)
        typer.echo(_dump(row))
    if bad:
        raise typer.Exit(BAD_LINES)


# --- reading lines


def _lines(file: Path | None) -> Iterator[bytes]:
    """The lines without their ends; of one that is too long only its beginning, which still is too long."""
    from ankare.errors import BadInputError

    if file is None or str(file) == "-":
        yield from _bounded(typer.get_binary_stream("stdin"))
        return
    try:
        stream = file.open("rb")
    except OSError as error:
        raise BadInputError(f"{file} cannot be read: {error.strerror}.", "Name a file of JSON lines.") from error
    with stream:
        yield from _bounded(stream)


def _bounded(stream: IO[bytes]) -> Iterator[bytes]:
    most = LONGEST_LINE + 2
    while line := stream.readline(most):
        rest = line
        while not rest.endswith(b"\n") and len(rest) == most:
            rest = stream.readline(most)
        yield line.removesuffix(b"\n").removesuffix(b"\r")


def asked_of(line: bytes, question: str = "", language: str | None = None) -> Asked:
    """What a line asks; `question` and `language` where it does not say. Raises ValueError that names the wrong field."""
    if len(line) > LONGEST_LINE:
        raise ValueError(f"longer than {LONGEST_LINE:,} bytes")
    row = _object(line)
    _require_known(row)
    claim, evidence = _field(row, "claim"), row.get("evidence")
    if not isinstance(claim, str):
        raise ValueError('"claim" is missing or no text')
    if not claim.strip():
        raise ValueError('"claim" is empty')
    if not isinstance(evidence, list) or not all(isinstance(text, str) for text in evidence):
        raise ValueError('"evidence" is missing or no list of texts')
    asked, code = _field(row, "question", question), _field(row, "language", language)
    if not isinstance(asked, str):
        raise ValueError('"question" is no text')
    if code is not None and code not in ACCEPTED:
        raise ValueError(f'"language" is none of {", ".join(ACCEPTED)}')
    return Asked(claim, tuple(evidence), asked, code)


def _require_known(row: dict[str, Any]) -> None:
    """Fields of the caller's own, as an id, are let be; one that is likely meant for ours would be without effect. Raises
    ValueError that names it."""
    for name in row:
        meant = _meant(name.strip().lower()) if name not in FIELDS else ""
        if meant:
            raise ValueError(f'{json.dumps(name[:40])} is no field; did you mean "{meant}"?')


def _meant(name: str) -> str:
    short = [field for field in FIELDS if len(name) >= SHORTENED and field.startswith(name)]
    alike = [] if name.endswith(("_id", "_ids")) else get_close_matches(name, FIELDS, 1, ALIKE)
    return next(iter((*short, *alike)), "")


def _field(row: dict[str, Any], name: str, default: Any = None) -> Any:
    """A field; one that is null counts as not given."""
    value = row.get(name)
    return default if value is None else value


def _object(line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ValueError("not in UTF-8") from None
    except (ValueError, RecursionError):
        raise ValueError("no JSON") from None
    if not isinstance(row, dict):
        raise ValueError("no JSON object")
    return row


# --- judging


def answer(asked: Asked, threshold: float = 0.5) -> dict[str, Any]:
    """`{"supported", "reason", "detail", "score", "spans", "language"}`, and `"sentences"` where the claim has several.

    A span `{"evidence", "start", "end", "text"}` is a stretch of the evidence of that number (from 0), counted in code points.
    The claim is supported if every sentence is; its score is that of the weakest. `threshold`: the score to pass from, 0 to 1.
    """
    from ankare.gate.grounding import GroundingGate, GroundingSettings
    from ankare.gate.grounding.evidence import chunk_of
    from ankare.language.detect import detect_language

    language = asked.language or detect_language(" ".join((asked.claim, *asked.evidence)), ACCEPTED, ACCEPTED[0])
    chunks = [chunk_of(text, language, id=_id(number, text)) for number, text in enumerate(asked.evidence)]
    gate = GroundingGate(GroundingSettings(threshold=threshold))
    judged = gate.judge(asked.claim, chunks, question=asked.question, language=language)
    rows = [_sentence(verdict, chunks, asked.evidence) for verdict in judged.sentences]
    row = {**_whole(judged, rows), "language": language}
    return row | ({"sentences": rows} if len(rows) > 1 else {})


def _id(number: int, text: str) -> str:
    """An id that no other text has: the gate remembers under it what it has read."""
    return f"e{number}-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"


def _whole(judged: Grounding, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    reason = str(judged.reason) if judged.reason is not None else None
    spans = {(s["evidence"], s["start"], s["end"]): s for row in rows for s in row["spans"]}
    return {
        "supported": judged.passed,
        "reason": reason,
        "detail": next((row["detail"] for row in rows if row["reason"] == reason), ""),
        "score": min((row["score"] for row in rows), default=0.0),
        "spans": list(spans.values()) if judged.passed else [],
    }


def _sentence(verdict: SentenceVerdict, chunks: Sequence[Chunk], evidence: Sequence[str]) -> dict[str, Any]:
    numbers = {chunk.id: number for number, chunk in enumerate(chunks)}
    cited = [(numbers[c.chunk.id], c.start, c.end) for c in verdict.citations]
    return {
        "text": verdict.text,
        "supported": verdict.supported,
        "reason": str(verdict.reason) if verdict.reason is not None else None,
        "detail": verdict.detail,
        "score": verdict.score,
        "spans": [
            {"evidence": n, "start": start, "end": end, "text": evidence[n][start:end]} for n, start, end in cited
        ],
    }


# --- showing


def _dump(row: dict[str, Any]) -> str:
    """One JSON line; lone surrogates are escaped, so that any text can be written."""
    return json_text(row)


def _show(claim: str, row: dict[str, Any]) -> None:
    """A table for a reader."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("sentence", "supported", "score", "by", box=None)
    for sentence in row.get("sentences", ()) or [row | {"text": claim}]:
        held = " … ".join(f"[{span['evidence'] + 1}] {span['text']}" for span in sentence["spans"])
        why = ": ".join(part for part in (sentence["reason"], sentence["detail"]) if part)
        yes = "yes" if sentence["supported"] else "no"
        table.add_row(*(Text(shown(cell)) for cell in (sentence["text"], yes, f"{sentence['score']:.2f}", held or why)))
    Console().print(table)
