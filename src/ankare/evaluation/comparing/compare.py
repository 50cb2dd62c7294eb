"""What is different between runs over the same questions, and can it be believed?

    runs -> the cases that are equal -> each run against the first
         -> measures of the path, as served, by type, question by question -> what to mind when reading it

Two ways of counting stand beside each other. By path, a question counts only where both runs took the way that was asked for:
that tells what the way can do. As served, every answer counts: that tells what users get, fallbacks included.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ankare.errors import EvaluationError
from ankare.evaluation.captured import AnswerPath
from ankare.evaluation.comparing.cases import (
    CaseChange,
    Dropped,
    Selection,
    case_changes,
    dropped_between,
    partly_dropped,
    selections,
)
from ankare.evaluation.comparing.conditions import Change, changes_between, in_both
from ankare.evaluation.comparing.differences import LEADING, Difference, Reading, differences, rank
from ankare.evaluation.comparing.lost import BOUNDED, NOTHING, lost_answers, with_losses
from ankare.evaluation.comparing.notes import Note, notes_on
from ankare.evaluation.measures import score
from ankare.evaluation.measures.values import Basis, mean_of, only, values_of
from ankare.evaluation.scored import Measure, ScoredRun
from ankare.evaluation.statistics.resample import LEVEL, Method

MOST_RUNS = 20


@dataclass(frozen=True, slots=True)
class Column:
    """One run of a comparison: how it is called, how many questions it asked and how many took the path, and what its maker
    wants to be known."""

    label: str
    path: AnswerPath
    questions: int
    on_path: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Overall:
    """One measure of all runs, over the `n` questions that count for every one of them."""

    measure: str
    means: tuple[float, ...]
    n: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Another run against the base.

    `cases`: the questions that differ, regressions first; `dropped`: those that the measures of the path leave out; `by_type`:
    the leading measures. `lost`: the questions that the base answered and the other did not, with the share of their answers;
    `charged`: as served, where each of these counts 0. `gone`: questions of the base that the other run did not ask, or not
    with the same gold.
    """

    base: str
    other: str
    questions: int
    measures: tuple[Difference, ...]
    as_served: tuple[Difference, ...]
    by_type: Mapping[str, tuple[Difference, ...]]
    cases: tuple[CaseChange, ...]
    dropped: tuple[Dropped, ...]
    partly: tuple[str, ...]
    selection: tuple[Selection, ...]
    conditions: tuple[Change, ...]
    notes: tuple[Note, ...] = ()
    lost: Mapping[str, float] = field(default_factory=dict)
    charged: tuple[Difference, ...] = ()
    gone: tuple[str, ...] = ()

    @property
    def regressions(self) -> tuple[CaseChange, ...]:
        """The questions that got worse, the largest loss first."""
        return tuple(change for change in self.cases if change.regressed)

    @property
    def gains(self) -> tuple[CaseChange, ...]:
        """The questions that got better, the largest gain first."""
        return tuple(change for change in self.cases if not change.regressed)

    def measure(self, name: str, basis: Basis = Basis.PATH) -> Difference | None:
        """The difference in a measure, None where no question of both has it."""
        held = self.measures if basis is Basis.PATH else self.as_served
        return next((one for one in held if one.measure == name), None)

    def with_losses(self, name: str) -> Difference | None:
        """The difference as served, lost answers counted as 0."""
        return next((one for one in self.charged if one.measure == name), None) or self.measure(name, Basis.SERVED)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs or more; the first is the base of every pair."""

    runs: tuple[Column, ...]
    overall: tuple[Overall, ...]
    pairs: tuple[Pair, ...]
    level: float = LEVEL
    method: Method = Method.PERCENTILE


def compare(
    runs: Sequence[ScoredRun],
    *,
    labels: Sequence[str] = (),
    measures: Mapping[str, Measure] | None = None,
    level: float = LEVEL,
    method: Method = Method.PERCENTILE,
) -> Comparison:
    """Each run against the first. `labels`: how they are called, else by the names of their conditions. `measures`: what is
    looked at, all by default. `level`: of the intervals.

    Raises EvaluationError for fewer than two runs, more than `MOST_RUNS`, and runs that have no case in common.
    """
    if not 2 <= len(runs) <= MOST_RUNS:
        raise EvaluationError(f"A comparison takes 2 to {MOST_RUNS} runs, not {len(runs)}.", "Name the base first.")
    known = score.ALL if measures is None else measures
    names, reading = _labels(runs, labels), Reading(level, method)
    pairs = tuple(_pair(names[0], names[place], runs[0], runs[place], known, reading) for place in range(1, len(runs)))
    return Comparison(tuple(map(_column, names, runs)), tuple(_overall(runs, known)), pairs, level, method)


def _pair(
    base_name: str, name: str, base: ScoredRun, other: ScoredRun, known: Mapping[str, Measure], reading: Reading
) -> Pair:
    same = in_both(base, other)
    left, right = only(base, same), only(other, same)
    dropped, lost = dropped_between(left, right), lost_answers(left, right)
    pair = Pair(
        base=base_name,
        other=name,
        questions=len({row.case_id for row in left.rows} & {row.case_id for row in right.rows}),
        measures=differences(left, right, known.values(), Basis.PATH, reading),
        as_served=differences(left, right, known.values(), Basis.SERVED, reading),
        by_type=_by_type(left, right, known, reading),
        cases=case_changes(left, right, known),
        dropped=dropped,
        partly=partly_dropped((left, right)),
        selection=selections(left, dropped, known),
        conditions=changes_between(base.conditions, other.conditions),
        lost=lost,
        charged=_charged(left, right, lost, known, reading),
        gone=_gone(base, left, right),
    )
    return replace(pair, notes=notes_on(pair, base, other))


def _charged(
    base: ScoredRun, other: ScoredRun, lost: Mapping[str, float], known: Mapping[str, Measure], reading: Reading
) -> tuple[Difference, ...]:
    """The measures that a lost answer counts in; none where nothing was lost."""
    if not lost:
        return ()
    measures = [known[name] for name in (*NOTHING, *BOUNDED) if name in known]
    return differences(base, with_losses(base, other, lost), measures, Basis.SERVED, reading)


def _gone(base: ScoredRun, left: ScoredRun, right: ScoredRun) -> tuple[str, ...]:
    compared = {row.case_id for row in left.rows} & {row.case_id for row in right.rows}
    return tuple(dict.fromkeys(row.case_id for row in base.rows if row.case_id not in compared))


def _by_type(
    base: ScoredRun, other: ScoredRun, known: Mapping[str, Measure], reading: Reading
) -> dict[str, tuple[Difference, ...]]:
    """The leading measures among the questions of each type, in their order of appearance."""
    types = {row.case_id: row.type for row in base.rows}
    leading = [known[name] for name in LEADING if name in known]
    found = {}
    for kind in filter(None, dict.fromkeys(types.values())):
        of_kind = {case_id for case_id, told in types.items() if told == kind}
        left, right = (only(run, of_kind.__contains__) for run in (base, other))
        found[kind] = differences(left, right, leading, Basis.PATH, reading)
    return {kind: told for kind, told in found.items() if told}


def _overall(runs: Sequence[ScoredRun], known: Mapping[str, Measure]) -> Iterator[Overall]:
    """The measures that all runs have for some question, leading ones first."""
    same = [in_both(runs[0], run) for run in runs[1:]]
    for measure in sorted(known.values(), key=lambda one: rank(one.name)):
        values = [values_of(run, measure) for run in runs]
        shared = [case_id for case_id in values[0] if all(case_id in held for held in values[1:])]
        shared = [case_id for case_id in shared if all(equal(case_id) for equal in same)]
        if shared:
            means = (mean_of(held[case_id] for case_id in shared) for held in values)
            yield Overall(measure.name, tuple(mean or 0.0 for mean in means), len(shared))


def _column(name: str, run: ScoredRun) -> Column:
    asked = {row.case_id for row in run.rows}
    on_path = {row.case_id for row in run.rows if not row.aside}
    return Column(name, run.conditions.path, len(asked), len(on_path), run.conditions.note)


def _labels(runs: Sequence[ScoredRun], labels: Sequence[str]) -> list[str]:
    """A name for each run that no other has."""
    wanted = [
        (labels[place] if place < len(labels) else "") or run.conditions.name or run.conditions.path.value
        for place, run in enumerate(runs)
    ]
    return [name if wanted.count(name) == 1 else f"{name} ({place})" for place, name in enumerate(wanted, 1)]
