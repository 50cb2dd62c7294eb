"""How are the scores of a run kept, and read again?

`scores.jsonl` beside the answers: one `Scored` a line, the whole file replaced in one step.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from ankare.errors import EvaluationError
from ankare.evaluation.asking.run_folder import SUITE, read_conditions, read_kept_suite
from ankare.evaluation.captured import AnswerPath
from ankare.evaluation.case import Suite
from ankare.evaluation.scored import Outcome, Scored, ScoredRun

FILE = "scores.jsonl"
MOST_BYTES = 500_000_000
_NAMES = frozenset(field.name for field in fields(Scored))


def write_scores(scored: ScoredRun, folder: Path) -> Path:
    """Write the rows into the run's folder and return the file; the rows that were there are replaced. Raises OSError."""
    path = folder / FILE
    replace_text(path, "".join(json.dumps(_row(row), ensure_ascii=False) + "\n" for row in scored.rows))
    return path


def replace_text(path: Path, text: str) -> None:
    """Put this text in the place of a file, whole or not at all. Raises OSError."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def read_scores(folder: Path) -> ScoredRun:
    """The rows of a run's folder, with the conditions of the run.

    Raises EvaluationError with file and line for what cannot be read, and where there are no scores.
    """
    path = folder / FILE
    if not path.is_file():
        raise EvaluationError(f"There are no scores in {folder}.", f"Make them with: ankare eval score {folder}")
    if path.stat().st_size > MOST_BYTES:
        raise EvaluationError(f"{path} is larger than {MOST_BYTES:,} bytes.", "Score a smaller run.")
    return ScoredRun(read_conditions(folder), tuple(_rows(path)), _suite(folder))


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
            if not line.strip():
                continue
            try:
                yield _scored(json.loads(line))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                fault = f"{path}:{number} is no line of scores ({type(error).__name__})."
                raise EvaluationError(fault, "Score the run again.") from error


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
    return Scored(
        **texts,
        repeat=_whole(told["repeat"]),
        path=AnswerPath(told["path"]),
        outcome=Outcome(told["outcome"]),
        answerable=answerable,
        values={str(name): _number(value) for name, value in told["values"].items()},
        details=dict(told.get("details", {})),
    )


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError("a repeat is no number")
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise TypeError("a value is no number")
    return float(value)


def _suite(folder: Path) -> Suite | None:
    """The suite as it was asked, None where it is not kept beside the scores. Raises SuiteError for one that cannot be read."""
    return read_kept_suite(folder) if (folder / SUITE).is_file() else None
