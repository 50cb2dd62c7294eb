"""Which questions got worse, which better, and which could not be compared at all?

Whoever leaves the path on the hard questions looks better on the rest. So what dropped out is told with its reasons, and
with how the base did on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ankare.evaluation.comparing.differences import LEADING, rank
from ankare.evaluation.measures.values import Basis, CaseValue, asides_of, mean_of, off_path, values_of
from ankare.evaluation.scored import Better, Measure, Outcome, ScoredRun

NOT_ASKED = "not_asked"
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Dropped:
    """A question that does not count for the path, with the reasons of either side ("" in neither: that side counts)."""

    case_id: str
    base: tuple[str, ...] = ()
    other: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """How the base did, as served, on the questions that are compared (`kept`) and on the `n` that dropped out."""

    measure: str
    kept: float
    dropped: float
    n: int


@dataclass(frozen=True, slots=True)
class Moved:
    """One leading measure of one question, as served. `gain`: positive where the other run is better."""

    measure: str
    base: float
    other: float
    gain: float


@dataclass(frozen=True, slots=True)
class CaseChange:
    """A question that two runs did not do alike. `moved`: the leading measures, losses first. Outcomes: the most frequent."""

    case_id: str
    type: str
    question: str
    moved: tuple[Moved, ...]
    base_outcome: Outcome
    other_outcome: Outcome
    base_asides: tuple[str, ...] = ()
    other_asides: tuple[str, ...] = ()

    @property
    def lost(self) -> bool:
        """Did an answer that was there not come at all?"""
        return self.other_outcome is Outcome.FAILED is not self.base_outcome

    @property
    def loss(self) -> float:
        """The largest loss in a leading measure, 0 for none; 1 where no answer came any more."""
        return 1.0 if self.lost else max([0.0, *(-moved.gain for moved in self.moved)])

    @property
    def regressed(self) -> bool:
        """Did it get worse in any leading measure, or end without an answer?"""
        return self.loss > 0


def dropped_between(base: ScoredRun, other: ScoredRun) -> tuple[Dropped, ...]:
    """The questions that do not count for the path on one side at least, in the order of the base."""
    asked = [dict.fromkeys(row.case_id for row in run.rows) for run in (base, other)]
    reasons, off = [asides_of(run) for run in (base, other)], [off_path(run) for run in (base, other)]

    def why(side: int, case_id: str) -> tuple[str, ...]:
        if case_id not in asked[side]:
            return (NOT_ASKED,)
        return reasons[side].get(case_id, ()) if case_id in off[side] else ()

    found = (Dropped(case_id, why(0, case_id), why(1, case_id)) for case_id in {**asked[0], **asked[1]})
    return tuple(one for one in found if one.base or one.other)


def partly_dropped(runs: Iterable[ScoredRun]) -> tuple[str, ...]:
    """The questions of which some repeats count and others do not."""
    return tuple(dict.fromkeys(case_id for run in runs for case_id in asides_of(run) if case_id not in off_path(run)))


def selections(base: ScoredRun, dropped: Iterable[Dropped], measures: Mapping[str, Measure]) -> tuple[Selection, ...]:
    """For each leading measure of the path: was what dropped out harder, by the base's own answers?"""
    gone = {one.case_id for one in dropped}
    found = []
    for name in LEADING:
        if name in measures and measures[name].of_path:
            values = values_of(base, measures[name], Basis.SERVED)
            kept, left = _mean(values, gone, inside=False), _mean(values, gone, inside=True)
            if kept is not None and left is not None:
                found.append(Selection(name, kept, left, sum(case_id in gone for case_id in values)))
    return tuple(found)


def _mean(values: Mapping[str, CaseValue], gone: set[str], *, inside: bool) -> float | None:
    return mean_of(value for case_id, value in values.items() if (case_id in gone) is inside)


# --- question by question


def case_changes(base: ScoredRun, other: ScoredRun, measures: Mapping[str, Measure]) -> tuple[CaseChange, ...]:
    """The questions that differ in a leading measure or in how they ended, as they were served: regressions first, the largest
    loss first, then the gains, the largest first."""
    leading = [measures[name] for name in LEADING if name in measures]
    values = [{one.name: values_of(run, one, Basis.SERVED) for one in leading} for run in (base, other)]
    ends, asides = [_outcomes(run) for run in (base, other)], [asides_of(run) for run in (base, other)]
    texts = {case.id: case.question for case in base.suite or ()}
    types = {row.case_id: row.type for row in base.rows}
    found = [
        CaseChange(
            case_id,
            types[case_id],
            texts.get(case_id, ""),
            _moved(case_id, leading, values[0], values[1]),
            ends[0][case_id],
            ends[1][case_id],
            asides[0].get(case_id, ()),
            asides[1].get(case_id, ()),
        )
        for case_id in ends[0]
        if case_id in ends[1]
    ]
    changed = [one for one in found if one.moved or one.base_outcome is not one.other_outcome]
    return tuple(sorted(changed, key=_urgency))


def _urgency(change: CaseChange) -> tuple[float, int, float]:
    """Regressions by their largest loss, equal ones by the measure that leads; then gains."""
    first = rank(change.moved[0].measure) if change.moved else -1
    return -change.loss, first, -sum(moved.gain for moved in change.moved)


def _moved(
    case_id: str,
    leading: Iterable[Measure],
    base: Mapping[str, Mapping[str, CaseValue]],
    other: Mapping[str, Mapping[str, CaseValue]],
) -> tuple[Moved, ...]:
    found = []
    for measure in leading:
        before, after = base[measure.name].get(case_id), other[measure.name].get(case_id)
        if before is not None and after is not None and abs(after.mean - before.mean) > _SAME:
            gain = after.mean - before.mean
            signed = -gain if measure.better is Better.LOWER else gain
            found.append(Moved(measure.name, before.mean, after.mean, signed))
    return tuple(sorted(found, key=lambda moved: (moved.gain, rank(moved.measure))))


def _outcomes(run: ScoredRun) -> dict[str, Outcome]:
    held: dict[str, Counter[Outcome]] = {}
    for row in run.rows:
        held.setdefault(row.case_id, Counter())[row.outcome] += 1
    return {case_id: counted.most_common(1)[0][0] for case_id, counted in held.items()}
