"""Which cases stand in a page that cannot hold them all? Those that got worse, then those with the lowest values."""

from __future__ import annotations

from dataclasses import replace

from ankare.evaluation.case import Case, Suite
from ankare.evaluation.report.told import Report, leading


def with_fewer(report: Report, count: int) -> Report:
    """The report with so many of its cases, in the order in which they stood; its figures are those of all cases."""
    worse = report.regressions()
    kept = sorted(report.cases(), key=lambda case: (case.id not in worse, _lowest(case, report)))[:count]
    ids = {case.id for case in kept}
    cases = tuple(case for case in report.suite if case.id in ids)
    return replace(report, suite=Suite(cases, report.suite.digest, report.suite.name))


def _lowest(case: Case, report: Report) -> float:
    """The lowest value of a leading measure that an answer to the case has, 1 where none has any."""
    names = [measure.name for measure in leading(report)]
    rows = [row for run in report.runs for row in run.rows.get(case.id, ()) if not row.aside]
    return min((row.values[name] for row in rows for name in names if name in row.values), default=1.0)
