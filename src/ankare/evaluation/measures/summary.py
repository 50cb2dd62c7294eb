"""What do the scores of a run say, taken together?

A question counts once: its value is the mean over its repeats, and a mean over a run is one over questions. A measure of a path
is taken over the answers that took it; the others are counted beside it, each with its reason.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ankare.evaluation.captured import Conditions
from ankare.evaluation.measures import score
from ankare.evaluation.measures.abstention_measures import Abstention, abstention_of
from ankare.evaluation.measures.cost_measures import CURRENCY
from ankare.evaluation.measures.summary_models import ModelUse, currency_of, model_use
from ankare.evaluation.measures.values import Basis, CaseValue, counts, noise_of, values_of
from ankare.evaluation.scored import Measure, Outcome, Scored, ScoredRun

LOW, HIGH = 5.0, 95.0
FAILED = "failed:"


@dataclass(frozen=True, slots=True)
class Level:
    """What a run has in one measure.

    `n` questions with `answers` values in all. `mean`: over questions. `deviation`: between questions (n - 1), None for one.
    `median`: of the questions. `low` and `high`: the 5th and 95th percentile of all values, for what has a unit; else None.
    `within`: the pooled standard deviation between repeats of a question, `alike`: the share of questions asked several times
    whose values are all the same; both None where nothing was asked twice.
    """

    measure: Measure
    n: int
    answers: int
    mean: float
    median: float
    deviation: float | None = None
    low: float | None = None
    high: float | None = None
    within: float | None = None
    alike: float | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The answers of a run, or of its questions of one type or language. `counted`: answers that took their path."""

    cases: int
    answers: int
    counted: int
    outcomes: Mapping[str, int]
    levels: Mapping[str, Level]
    abstention: Abstention


@dataclass(frozen=True, slots=True)
class Summary:
    """A run in figures. `asides`: answers by the reason why they do not count for the path, failures apart in `failures`."""

    conditions: Conditions
    overall: Group
    types: Mapping[str, Group]
    languages: Mapping[str, Group]
    asides: Mapping[str, int]
    failures: Mapping[str, int]
    models: ModelUse


def summarise(scored: ScoredRun, measures: Mapping[str, Measure] | None = None) -> Summary:
    """Take the scores of a run together. `measures`: those that are told, all where none are given."""
    currency = currency_of(scored.rows)
    known = [_in_currency(one, currency) for one in (score.ALL if measures is None else measures).values()]
    reasons = Counter(row.aside for row in scored.rows if row.aside)
    return Summary(
        scored.conditions,
        _group(scored, known),
        {kind: _group(part, known) for kind, part in _parts(scored, lambda row: row.type)},
        {code: _group(part, known) for code, part in _parts(scored, lambda row: row.language)},
        {why: count for why, count in reasons.most_common() if not why.startswith(FAILED)},
        {why.removeprefix(FAILED): count for why, count in reasons.most_common() if why.startswith(FAILED)},
        model_use(scored.rows),
    )


def _in_currency(measure: Measure, currency: str) -> Measure:
    return replace(measure, unit=currency) if currency and measure.unit == CURRENCY else measure


def _parts(scored: ScoredRun, name_of: Callable[[Scored], str]) -> Iterator[tuple[str, ScoredRun]]:
    """The run cut up by what its rows are called, in the order in which the names come; a row without a name is in none."""
    for name in dict.fromkeys(filter(None, map(name_of, scored.rows))):
        rows = tuple(row for row in scored.rows if name_of(row) == name)
        yield name, ScoredRun(scored.conditions, rows, scored.suite)


def _group(scored: ScoredRun, measures: Sequence[Measure]) -> Group:
    rows = scored.rows
    levels = ((measure.name, level) for measure in measures if (level := _level(scored, measure)) is not None)
    outcomes = Counter(row.outcome.value for row in rows)
    return Group(
        len({row.case_id for row in rows}),
        len(rows),
        sum(not row.aside for row in rows),
        {outcome.value: outcomes[outcome.value] for outcome in Outcome if outcomes[outcome.value]},
        dict(levels),
        abstention_of(rows),
    )


def _level(scored: ScoredRun, measure: Measure) -> Level | None:
    """None where no answer that counts has a value."""
    cases = list(values_of(scored, measure).values())
    if not cases:
        return None
    means = np.array([one.mean for one in cases], dtype=np.float64)
    values = _values(scored.rows, measure)
    low, high = np.percentile(values, [LOW, HIGH]) if measure.unit else (None, None)
    return Level(
        measure,
        len(cases),
        len(values),
        math.fsum(means) / len(means),
        float(np.median(means)),
        float(np.std(means, ddof=1)) if len(means) > 1 else None,
        None if low is None else float(low),
        None if high is None else float(high),
        noise_of(cases),
        _alike(cases),
    )


def _values(rows: Sequence[Scored], measure: Measure) -> list[float]:
    held = (row.values[measure.name] for row in rows if measure.name in row.values and counts(row, measure, Basis.PATH))
    return [value for value in held if math.isfinite(value)]


def _alike(cases: Sequence[CaseValue]) -> float | None:
    several = [one for one in cases if one.variance is not None]
    return sum(one.variance == 0.0 for one in several) / len(several) if several else None
