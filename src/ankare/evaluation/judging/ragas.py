"""How do answers reach ragas, which lives in an environment of its own, and how do its scores come back?

Out go samples as its `EvaluationDataset` reads them (ragas 0.4: `user_input`, `response`, `retrieved_contexts`,
`reference`), one a line. Back comes a CSV file with its scores, one row a sample, as `to_pandas().to_csv()` or
docs/ragas_scores.py writes it. A row finds its answer by question and text, so that nothing has to be in order.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from ankare.errors import BadInputError
from ankare.evaluation.captured import Response, Run
from ankare.evaluation.case import Case
from ankare.evaluation.judging.judged_file import RAGAS, JudgedRow
from ankare.evaluation.judging.tasks import wanted_statements
from ankare.evaluation.measures.answer_statements import answer_context
from ankare.evaluation.measures.paths import aside
from ankare.evaluation.measures.scores_file import replace_text

COLUMNS: Mapping[str, str] = {
    "faithfulness": "faithfulness",
    "answer_relevancy": "answer_relevance",
    "response_relevancy": "answer_relevance",
    "answer_relevance": "answer_relevance",
    "context_precision": "context_precision",
    "context_precision_with_reference": "context_precision",
    "llm_context_precision_with_reference": "context_precision",
    "context_recall": "context_recall",
}
"""Our name for each column of scores; ragas calls them by the class that was used."""
MOST_BYTES = 500_000_000
LONGEST_FIELD = 50_000_000
_SLACK = 1e-6
"""ragas divides by a little more or less than it should, so that 1 may come as 1.0000000001."""


def samples(run: Run) -> Iterator[dict[str, object]]:
    """One sample for each answer from documents that took the run's path; alike ones once. `reference` None where the suite
    has none."""
    cases, told = {case.id: case for case in run.suite}, set()
    for one in run.captures:
        if one.response is None or one.case_id not in cases or aside(one) or not _said(one.response):
            continue
        sample = _sample(cases[one.case_id], one.response)
        mark = json.dumps(sample)
        if mark not in told:
            told.add(mark)
            yield sample


def write_samples(run: Run, path: Path) -> int:
    """Write the samples, and return how many there are. Raises BadInputError where there is none, OSError."""
    lines = [json.dumps(sample, ensure_ascii=False) + "\n" for sample in samples(run)]
    if not lines:
        raise BadInputError("No answer of the run comes from documents.", "Capture a run that has answers first.")
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_text(path, "".join(lines))
    return len(lines)


def read_scores_of_ragas(run: Run, path: Path, by: str = "ragas") -> tuple[JudgedRow, ...]:
    """A row for each answer of the run that the file scores; scores that are empty or NaN are missing.

    Raises BadInputError with file and line for a value that is none from 0 to 1 and for a sample of another run; where
    columns are missing.
    """
    questions = {case.id: case.question for case in run.suite}
    answers: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for one in run.captures:
        if one.response is not None and one.case_id in questions and not aside(one):
            mark = _mark(questions[one.case_id], _said(one.response))
            answers.setdefault(mark, []).append((one.case_id, one.repeat))
    found: list[JudgedRow] = []
    for line, cells in _cells(path):
        places = answers.get(_mark(cells["user_input"], cells["response"]))
        if places is None:
            raise BadInputError(f"{path}:{line} is no sample of this run.", "Name the run that was exported.")
        values = _values(path, line, cells)
        found += [JudgedRow(RAGAS, by, case_id, repeat, values) for case_id, repeat in places]
    return tuple(found)


def _sample(case: Case, response: Response) -> dict[str, object]:
    reference = case.reference_answer.strip() or "\n".join(wanted_statements(case, response))
    return {
        "user_input": case.question,
        "response": _said(response),
        "retrieved_contexts": [one.text for one in answer_context(response) if one.text.strip()],
        "reference": reference or None,
    }


def _said(response: Response) -> str:
    """The answer without its list of sources."""
    return "\n".join(one.text for one in response.statements).strip() if response.answered else ""


def _mark(question: str, said: str) -> tuple[str, str]:
    """Question and answer, whatever a spreadsheet did to their line ends and spaces."""
    return " ".join(question.split()), " ".join(said.split())


def _cells(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    """(line, cells by the name of their column)."""
    if path.stat().st_size > MOST_BYTES:
        raise BadInputError(f"{path} is larger than {MOST_BYTES:,} bytes.", "Score fewer samples.")
    before = csv.field_size_limit(LONGEST_FIELD)
    try:
        reader = csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline=""))
        missing = [name for name in ("user_input", "response") if name not in (reader.fieldnames or ())]
        if missing or not set(COLUMNS).intersection(reader.fieldnames or ()):
            raise BadInputError(
                f"{path} has no column {', '.join(missing) or 'of scores'}.", "See docs/judge.md, ragas."
            )
        for row in reader:
            yield (
                reader.line_num,
                {name: cell or "" for name, cell in row.items() if isinstance(cell, str | None) and name},
            )
    except (csv.Error, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} is no CSV in UTF-8: {error}.", "Write it with to_csv again.") from error
    finally:
        csv.field_size_limit(before)


def _values(path: Path, line: int, cells: Mapping[str, str]) -> dict[str, float]:
    values: dict[str, float] = {}
    for column, name in COLUMNS.items():
        written = cells.get(column, "").strip()
        if not written:
            continue
        try:
            value = float(written)
        except ValueError:
            raise BadInputError(f"{path}:{line}, {column}: {written[:30]!r} is no number.", "Score it again.") from None
        if math.isnan(value):
            continue
        if not -_SLACK <= value <= 1 + _SLACK:
            raise BadInputError(f"{path}:{line}, {column}: {written[:30]} is not from 0 to 1.", "Score it again.")
        values[name] = min(1.0, max(0.0, value))
    return values
