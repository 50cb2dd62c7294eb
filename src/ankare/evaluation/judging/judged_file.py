"""Where does what models think of a run's answers stand, beside the scores and never in their place?

`judged.jsonl` in the run's folder: one line for each answer and each judge, the whole file replaced in one step. Joined
with the scores, a value has the name of its measure behind `judge_` or `ragas_`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ankare.errors import EvaluationError
from ankare.evaluation.measures.scores_file import line_of, replace_text, whole
from ankare.evaluation.scored import Family, Measure, ScoredRun

FILE = "judged.jsonl"
MOST_BYTES = 500_000_000
JUDGE, RAGAS = "judge", "ragas"
JUDGED = ("faithfulness", "answer_relevance", "context_precision", "context_recall")
MEASURES = tuple(Measure(f"{kind}_{name}", Family.ANSWER) for kind in (JUDGE, RAGAS) for name in JUDGED)
"""What `with_judged` may add to a row."""


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """One answer as one judge saw it. `by`: the model or program; `values` by the measure's own name, 0 to 1.

    `missing`: verdicts that a measure lacks; without all of them it has no value. `verdicts`: by measure, those of its
    statements or contexts by their place.
    """

    kind: str
    by: str
    case_id: str
    repeat: int
    values: Mapping[str, float] = field(default_factory=dict)
    missing: Mapping[str, int] = field(default_factory=dict)
    verdicts: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


def read_judged(folder: Path) -> tuple[JudgedRow, ...]:
    """The rows of a run's folder, none where nobody has judged. Raises EvaluationError with file and line."""
    path = folder / FILE
    if not path.is_file():
        return ()
    if path.stat().st_size > MOST_BYTES:
        raise EvaluationError(f"{path} is larger than {MOST_BYTES:,} bytes.", "Move it away, and judge a smaller run.")
    return tuple(_rows(path))


def keep_judged(rows: Iterable[JudgedRow], folder: Path) -> Path:
    """Put these in the place of what the same judge said of the same answers, after what others said. Raises OSError."""
    fresh = {_place(row): row for row in rows}
    held = [row for row in read_judged(folder) if _place(row) not in fresh]
    path = folder / FILE
    lines = (json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in (*held, *fresh.values()))
    replace_text(path, "".join(lines))
    return path


def with_judged(scored: ScoredRun, folder: Path) -> ScoredRun:
    """The scores with what models said beside them; of several judges of one kind, the one that was asked last."""
    beside: dict[tuple[str, int], dict[str, float]] = {}
    for row in read_judged(folder):
        told = beside.setdefault((row.case_id, row.repeat), {})
        told |= {f"{row.kind}_{name}": value for name, value in row.values.items()}
    rows = (
        replace(row, values={**row.values, **beside.get((row.case_id, row.repeat), {})}) if beside else row
        for row in scored.rows
    )
    return replace(scored, rows=tuple(rows))


def _place(row: JudgedRow) -> tuple[str, str, str, int]:
    return row.kind, row.by, row.case_id, row.repeat


def _rows(path: Path) -> Iterator[JudgedRow]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield _row(line_of(line))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                fault = f"{path}:{number} is no judgement ({type(error).__name__})."
                raise EvaluationError(
                    fault, "Take the file away, and judge the run again; verdicts are kept."
                ) from error


def _row(told: Mapping[str, Any]) -> JudgedRow:
    if told["kind"] not in (JUDGE, RAGAS) or not isinstance(told["case_id"], str) or not isinstance(told["by"], str):
        raise TypeError("who judged what is not told")
    return JudgedRow(
        told["kind"],
        told["by"],
        told["case_id"],
        whole(told["repeat"]),
        {str(name): _share(value) for name, value in told["values"].items() if name in JUDGED},
        {str(name): whole(count) for name, count in told.get("missing", {}).items()},
        {
            str(name): {str(part): _share(value) for part, value in verdicts.items()}
            for name, verdicts in told.get("verdicts", {}).items()
        },
    )


def _share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError("a value is none from 0 to 1")
    return float(value)
