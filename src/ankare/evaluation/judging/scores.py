"""What do the verdicts of an answer come to?

As in RAGAS: faithfulness and context recall are the share of statements with a yes, context precision the mean precision at
the ranks of useful contexts, relevance the score itself. A measure that lacks one verdict has no value: what could not be
read would otherwise count as either side of the mean.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

from ankare.evaluation.judging.judged_file import JUDGE, JudgedRow
from ankare.evaluation.judging.tasks import Task
from ankare.evaluation.judging.verdict_cache import VerdictCache
from ankare.evaluation.measures.context_measures import average_precision


def judged_rows(tasks: Sequence[Task], cache: VerdictCache, model: str) -> tuple[JudgedRow, ...]:
    """A row for each answer that has any verdict, in the order of the tasks."""
    found: dict[tuple[str, int], dict[str, dict[int, float | None]]] = defaultdict(lambda: defaultdict(dict))
    for task in tasks:
        verdict = cache.get(task.key(model))
        found[task.case_id, task.repeat][task.measure][task.part] = None if verdict is None else verdict.value
    rows = (_row(case_id, repeat, measures, model) for (case_id, repeat), measures in found.items())
    return tuple(row for row in rows if row.verdicts)


def _row(case_id: str, repeat: int, measures: Mapping[str, Mapping[int, float | None]], model: str) -> JudgedRow:
    values: dict[str, float] = {}
    missing: dict[str, int] = {}
    for measure, parts in measures.items():
        told = [parts[part] for part in sorted(parts)]
        verdicts = [value for value in told if value is not None]
        if len(verdicts) == len(told):
            values[measure] = _value(measure, verdicts)
        else:
            missing[measure] = len(told) - len(verdicts)
    kept = {
        measure: {str(part): value for part, value in sorted(parts.items()) if value is not None}
        for measure, parts in measures.items()
    }
    return JudgedRow(
        JUDGE, model, case_id, repeat, values, missing, {name: held for name, held in kept.items() if held}
    )


def _value(measure: str, verdicts: Sequence[float]) -> float:
    if measure == "context_precision":
        return average_precision([value == 1.0 for value in verdicts])
    return fmean(verdicts)
