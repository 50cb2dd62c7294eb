"""How do the figures leave a report for a spreadsheet? One table of all answers, one of all measures."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from ankare.evaluation.report.safe import cell
from ankare.evaluation.report.told import Report
from ankare.evaluation.statistics.resample import Interval

QUESTIONS, MEASURES = "-questions.csv", "-measures.csv"
"""What stands after the name of the page in the names of the tables."""
_OF_ANSWER = ("run", "case_id", "repeat", "type", "question", "path", "outcome", "aside", "answerable")
_OF_MEASURE = ("run", "measure", "type", "basis", "mean", "low", "high", "n", "base", "difference", "difference_low",
               "difference_high", "wins", "ties", "losses", "p", "p_holm", "verdict")  # fmt: skip


def questions_csv(report: Report) -> str:
    """A line for each answer: how it ended, whether it counts, every value that was measured."""
    measures = [one.name for one in report.shown_measures()]
    return _written((*_OF_ANSWER, *measures), _answers(report, measures))


def measures_csv(report: Report) -> str:
    """A line for each measure of each run, overall and by type, and for each difference to the base, by path and as served."""
    return _written(_OF_MEASURE, _measures(report))


def _answers(report: Report, measures: Sequence[str]) -> Iterator[list[object]]:
    questions = {case.id: case.question for case in report.suite}
    for run in report.runs:
        for row in run.scored.rows:
            told = (
                run.name,
                row.case_id,
                row.repeat,
                row.type,
                questions.get(row.case_id, ""),
                row.path,
                row.outcome,
                row.aside,
            )
            answerable = "" if row.answerable is None else str(row.answerable).lower()
            yield [*told, answerable, *(row.values.get(name, "") for name in measures)]


def _measures(report: Report) -> Iterator[list[object]]:
    for run in report.runs:
        for kind, levels in (("", run.levels), *run.types.items()):
            for name, level in levels.items():
                yield [
                    run.name,
                    name,
                    kind,
                    "path",
                    level.mean,
                    _or_empty(level.low),
                    _or_empty(level.high),
                    level.n,
                    *[""] * 10,
                ]
    for pair in report.pairs:
        for one in (*pair.measures, *pair.as_served):
            found = one.interval
            ends = (found.low, found.high) if isinstance(found, Interval) else ("", "")
            tests = (one.wins, one.ties, one.losses, _or_empty(one.p), _or_empty(one.p_holm), one.verdict)
            yield [
                pair.other,
                one.measure,
                "",
                one.basis,
                one.other,
                "",
                "",
                one.n,
                one.base,
                one.difference,
                *ends,
                *tests,
            ]


def _or_empty(value: float | None) -> object:
    return "" if value is None else value


def _written(heads: Sequence[str], rows: Iterator[list[object]]) -> str:
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)  # a lone \r would end a row unquoted
    table.writerow(heads)
    for row in rows:
        table.writerow([_cell(value) for value in row])
    return out.getvalue()


def _cell(value: object) -> object:
    """Numbers stay numbers, also negative ones; texts are made harmless."""
    return value if isinstance(value, int | float) else cell(str(value))
