"""How are the scores of a run kept, and read again?

`scores.jsonl` beside the answers: what they were made of on the first line, then one `Scored` a line; the whole file replaced
in one step.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from ankare.errors import EvaluationError
from ankare.evaluation.asking.run_folder import SUITE, read_conditions, read_kept_suite
from ankare.evaluation.captured import AnswerPath
from ankare.evaluation.case import Suite
from ankare.evaluation.measures.scored_from import ScoredFrom, scored_from
from ankare.evaluation.scored import Outcome, Scored, ScoredRun

FILE = "scores.jsonl"
MOST_BYTES = 500_000_000
LARGEST = 1e15
"""No value of an answer comes near it, and sums of such values stay finite."""
MOST_REPEATS = 1_000_000
_LONGEST_HEAD = 10_000
_NAMES = frozenset(field.name for field in fields(Scored))


_HEAD, _ROWS = "scored_from", "rows"


@dataclass(frozen=True, slots=True)
class KeptScores:
    """Scores as they were kept. `made_of`: None where the file does not tell; `untouched`: are the rows as written?"""

    run: ScoredRun
    made_of: ScoredFrom | None = None
    untouched: bool = False


def write_scores(scored: ScoredRun, folder: Path, made_of: ScoredFrom | None = None) -> Path:
    """Write the rows into the run's folder and return the file; the rows that were there are replaced. `made_of`: as it was
    before the answers were read, else as the folder is now. Raises OSError."""
    path = folder / FILE
    rows = "".join(json.dumps(_row(row), ensure_ascii=False) + "\n" for row in scored.rows)
    digest = hashlib.sha256(rows.encode()).hexdigest()
    head = {_HEAD: {**asdict(made_of or scored_from(folder)), _ROWS: digest}}
    replace_text(path, f"{json.dumps(head)}\n{rows}")
    return path


def replace_text(path: Path, text: str) -> None:
    """Put this text in the place of a file, whole or not at all; a link is replaced, never followed. Raises OSError."""
    beside = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with beside.open("x", encoding="utf-8", newline="\n") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def read_scores(folder: Path) -> ScoredRun:
    """The rows of a run's folder, with the conditions of the run.

    Raises EvaluationError with file and line for what cannot be read, and where there are no scores. Whether they still fit the
    answers, `fitting_scores` tells.
    """
    return read_kept(folder).run


def read_kept(folder: Path) -> KeptScores:
    """The rows of a run's folder, and what they were made of. Raises EvaluationError as `read_scores` does."""
    path = folder / FILE
    if not path.is_file():
        raise EvaluationError(f"There are no scores in {folder}.", f"Make them with: ankare eval score {folder}")
    if path.stat().st_size > MOST_BYTES:
        raise EvaluationError(f"{path} is larger than {MOST_BYTES:,} bytes.", "Score a smaller run.")
    run = ScoredRun(read_conditions(folder), tuple(_rows(path)), _suite(folder))
    head, digest = _head(path)
    if head is None:
        return KeptScores(run)
    made_of = ScoredFrom(**{field.name: str(head.get(field.name, "")) for field in fields(ScoredFrom)})
    return KeptScores(run, made_of, head.get(_ROWS) == digest)


def _head(path: Path) -> tuple[Mapping[str, object] | None, str]:
    """What the first line tells of what the rows were made of, None where it is a row; and the digest of what follows."""
    with path.open("rb") as file:
        head = _told_of(file.readline(_LONGEST_HEAD))
        return head, hashlib.file_digest(file, "sha256").hexdigest()


def _told_of(line: bytes) -> Mapping[str, object] | None:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    held = told.get(_HEAD) if isinstance(told, dict) and set(told) == {_HEAD} else None
    return held if isinstance(held, dict) else None


def _row(row: Scored) -> dict[str, Any]:
    told = {
        "case_id": row.case_id,
        "repeat": row.repeat,
        "path": row.path.value,
        "outcome": row.outcome.value,
        "aside": row.aside,
        "type": row.type,
        "language": row.language,
        "answerable": row.answerable,
        "values": dict(row.values),
        "details": dict(row.details),
    }
    return {name: value for name, value in told.items() if value not in ("", None)}


def _rows(path: Path) -> Iterator[Scored]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip() or (number == 1 and _told_of(line) is not None):
                continue
            try:
                yield _scored(line_of(line))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                fault = f"{path}:{number} is no line of scores ({type(error).__name__})."
                raise EvaluationError(fault, "Score the run again.") from error


def line_of(line: bytes) -> Any:
    """What a line of JSON holds. Raises ValueError for no JSON, a number that is not finite, and text that is no Unicode."""
    told = json.loads(line, parse_float=_finite, parse_constant=_finite)
    if b"\\u" in line:
        json.dumps(told, ensure_ascii=False).encode()  # half a surrogate pair can be written in JSON and nowhere else
    return told


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is not finite")
    return number


def _scored(told: Mapping[str, Any]) -> Scored:
    """Raises ValueError, TypeError, KeyError or AttributeError for what is no row."""
    if not _NAMES.issuperset(told):
        raise ValueError("an unknown field")
    texts = {name: told.get(name, "") for name in ("case_id", "aside", "type", "language")}
    if not all(isinstance(text, str) for text in texts.values()) or not texts["case_id"]:
        raise TypeError("a text is no text")
    answerable = told.get("answerable")
    if not isinstance(answerable, bool | None):
        raise TypeError("answerable is no truth")
    details = told.get("details", {})
    if not isinstance(details, dict):
        raise TypeError("details are no object")
    return Scored(
        **texts,
        repeat=whole(told["repeat"]),
        path=AnswerPath(told["path"]),
        outcome=Outcome(told["outcome"]),
        answerable=answerable,
        values={str(name): _number(value) for name, value in told["values"].items()},
        details=details,
    )


def whole(value: object) -> int:
    """A repeat or a count. Raises TypeError."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_REPEATS:
        raise TypeError("a repeat or a count is no number")
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) <= LARGEST:
        raise TypeError("a value is no number")
    return float(value)


def _suite(folder: Path) -> Suite | None:
    """The suite as it was asked, None where it is not kept beside the scores. Raises SuiteError for one that cannot be read."""
    return read_kept_suite(folder) if (folder / SUITE).is_file() else None
