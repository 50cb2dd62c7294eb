"""Does a model judge answers as the deterministic measures do?

Per measure, over the answers that have both: the order (Spearman), the difference of the means, and alpha at the interval
level, which wants the values themselves to be alike; and, where a measure is made of yes and no, how many of these are the
same. A model is no truth either: people's ratings (`ankare eval review`) say which of the two to believe.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ankare.evaluation.asking.response_values import items, mapping, number
from ankare.evaluation.judging.judged_file import JUDGED, JudgedRow
from ankare.evaluation.measures.support import SUPPORTED
from ankare.evaluation.scored import Scored, ScoredRun
from ankare.evaluation.statistics.agreement import Agreement, Level, agreement
from ankare.evaluation.statistics.rank_correlation import Correlation, correlation
from ankare.evaluation.statistics.resample import Interval, interval_of, interval_of_mean

_ROUNDED = 1e-4
"""Details tell support with four places."""


@dataclass(frozen=True, slots=True)
class Mean:
    """With its 95 % interval over `n`; None where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0


@dataclass(frozen=True, slots=True)
class MeasureAgreement:
    """One measure of one judge against the deterministic one. `difference`: the judge's less ours.

    `equal`: the share of statements or contexts of which both say the same, each answer weighed by how many it has; `both`:
    alpha of these, at the nominal level. `incomplete`: answers that lack a verdict and are not in `n`.
    """

    measure: str
    n: int
    ours: float | None
    judges: float | None
    difference: Mean
    order: Correlation
    alpha: Agreement
    equal: Mean
    both: Agreement
    incomplete: int = 0


def judge_agreement(scored: ScoredRun, judged: Sequence[JudgedRow]) -> tuple[MeasureAgreement, ...]:
    """One judge's rows against a run's scores, for each measure of which there is any."""
    ours = {(row.case_id, row.repeat): row for row in scored.rows}
    pairs = [(ours[row.case_id, row.repeat], row) for row in judged if (row.case_id, row.repeat) in ours]
    found = (_of_measure(measure, pairs) for measure in JUDGED)
    return tuple(one for one in found if one.n or one.incomplete)


def _of_measure(measure: str, pairs: Sequence[tuple[Scored, JudgedRow]]) -> MeasureAgreement:
    held = [
        (row.values[measure], judge.values[measure])
        for row, judge in pairs
        if measure in row.values and measure in judge.values
    ]
    ours, judges = [one for one, _ in held], [other for _, other in held]
    same = [found for row, judge in pairs if (found := list(_parts(measure, row, judge)))]
    flat = [pair for answer in same for pair in answer]
    return MeasureAgreement(
        measure=measure,
        n=len(held),
        ours=float(np.mean(ours)) if held else None,
        judges=float(np.mean(judges)) if held else None,
        difference=_mean([other - one for one, other in held]),
        order=correlation(ours, judges),
        alpha=agreement((ours, judges), Level.INTERVAL),
        equal=_share(same),
        both=agreement(([one for one, _ in flat], [other for _, other in flat]), Level.NOMINAL),
        incomplete=sum(measure in judge.missing for _, judge in pairs),
    )


def _parts(measure: str, row: Scored, judge: JudgedRow) -> Iterator[tuple[float, float]]:
    """(ours, the judge's) yes and no of each statement or context that both have."""
    ours = our_verdicts(measure, row.details)
    for part, value in judge.verdicts.get(measure, {}).items():
        if part.isdecimal() and int(part) < len(ours):
            yield ours[int(part)], value


def our_verdicts(measure: str, details: Mapping[str, object]) -> tuple[float, ...]:
    """The yes and no (1 and 0) that a deterministic measure is made of, as its details tell them; none where they do
    not."""
    told = mapping(details.get(measure))
    if measure == "context_precision":
        return tuple(float(one is True) for one in items(told.get("relevant")))
    if measure == "context_recall" and "parts" in told:
        return _from(told["parts"], "held", 1.0)
    if measure in ("faithfulness", "context_recall"):
        return _from(told.get("statements"), "support", SUPPORTED - _ROUNDED)
    return ()


def _from(held: object, name: str, least: float) -> tuple[float, ...]:
    """1 for each that has at least so much under this name, else 0."""
    return tuple(float((number(mapping(one).get(name)) or 0.0) >= least) for one in items(held))


def _share(answers: Sequence[Sequence[tuple[float, float]]]) -> Mean:
    """Over all statements; the interval draws answers, since statements of one answer are alike."""
    if not answers:
        return Mean(None)
    counts = np.array([[sum(a == b for a, b in one), len(one)] for one in answers], dtype=np.float64)
    found = interval_of(counts, lambda means: means[:, 0] / means[:, 1])
    low, high = (found.low, found.high) if isinstance(found, Interval) else (None, None)
    return Mean(float(counts[:, 0].sum() / counts[:, 1].sum()), low, high, int(counts[:, 1].sum()))


def _mean(values: Sequence[float]) -> Mean:
    if not values:
        return Mean(None)
    found = interval_of_mean(np.array(values, dtype=np.float64))
    low, high = (found.low, found.high) if isinstance(found, Interval) else (None, None)
    return Mean(float(np.mean(values)), low, high, len(values))
