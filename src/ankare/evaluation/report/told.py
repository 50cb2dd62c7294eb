"""What is a report made of: runs with their answers and levels, the comparison, and what is looked at first?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ankare.evaluation.captured import AnswerPath, Capture, Run
from ankare.evaluation.case import Case, Suite
from ankare.evaluation.comparing.advice import Advice, advise_on_chain, advise_on_shadow
from ankare.evaluation.comparing.cases import CaseChange
from ankare.evaluation.comparing.compare import Comparison, Pair
from ankare.evaluation.comparing.differences import LEADING, rank
from ankare.evaluation.measures import score
from ankare.evaluation.measures.abstention_measures import Abstention
from ankare.evaluation.measures.summary import Group, summarise
from ankare.evaluation.measures.values import values_of
from ankare.evaluation.scored import Measure, Scored, ScoredRun
from ankare.evaluation.statistics.resample import Interval, interval_of_mean

CHAINS = (AnswerPath.AGENTIC, AnswerPath.SYNTHESIS)
FEW = 30
"""With fewer questions intervals are wide, and the report says so."""
Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Level:
    """What a run has in a measure: the mean over its `n` questions, each the mean of its repeats, and the 95 % interval."""

    mean: float
    n: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class ReportRun:
    """One run. `captures`: by case and repeat, empty where only the scores are there. `types`: levels by type of question."""

    name: str
    scored: ScoredRun
    captures: Mapping[Place, Capture]
    levels: Mapping[str, Level]
    types: Mapping[str, Mapping[str, Level]]
    asides: Mapping[str, int]
    abstention: Abstention
    rows: Mapping[str, tuple[Scored, ...]] = field(default_factory=dict)
    """The repeats of each case."""

    def first(self, case_id: str) -> Scored | None:
        """The first repeat of a case, which is the one that the report shows; None where it was not asked."""
        return next(iter(self.rows.get(case_id, ())), None)

    @property
    def counted(self) -> int:
        """How many answers took the path that was asked for."""
        return sum(not row.aside for row in self.scored.rows)


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that a report tells. The first run is the base. `evidence`: are passages shown?"""

    title: str
    runs: tuple[ReportRun, ...]
    suite: Suite
    comparison: Comparison | None = None
    evidence: bool = True
    measures: Mapping[str, Measure] = field(default_factory=lambda: score.ALL)
    made: str = ""
    advice: Mapping[str, Advice] = field(default_factory=dict)
    """On each run in whose answers a chain had a part."""

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The other runs against the base."""
        return self.comparison.pairs if self.comparison else ()

    def shown_measures(self) -> list[Measure]:
        """The measures that some run has, the leading ones first."""
        held = {name for run in self.runs for name in run.levels}
        return sorted((one for name, one in self.measures.items() if name in held), key=lambda one: rank(one.name))

    def types(self) -> list[str]:
        """The types of question, in the order of the suite."""
        return list(dict.fromkeys(case.type for case in self.suite if case.type))

    def regressions(self) -> dict[str, list[tuple[Pair, CaseChange]]]:
        """The questions that got worse in some run, the largest loss first, with what happened in each."""
        found: dict[str, list[tuple[Pair, CaseChange]]] = {}
        for pair in self.pairs:
            for change in pair.regressions:
                found.setdefault(change.case_id, []).append((pair, change))
        return dict(sorted(found.items(), key=lambda item: -max(change.loss for _, change in item[1])))

    def cases(self) -> list[Case]:
        """The questions: those that got worse first, the others in the order of the suite."""
        worse = {case_id: place for place, case_id in enumerate(self.regressions())}
        return sorted(self.suite, key=lambda case: worse.get(case.id, len(worse)))


def report_run(name: str, scored: ScoredRun, run: Run | None, measures: Iterable[Measure]) -> ReportRun:
    """A run with its levels, overall and by type."""
    summary = summarise(scored, {one.name: one for one in measures})
    rows: dict[str, list[Scored]] = {}
    for row in scored.rows:
        rows.setdefault(row.case_id, []).append(row)
    captures = {(one.case_id, one.repeat): one for one in run.captures} if run else {}
    return ReportRun(
        name,
        scored,
        captures,
        dict(_levels(scored, summary.overall)),
        {
            kind: {name: Level(one.mean, one.n) for name, one in group.levels.items()}
            for kind, group in summary.types.items()
        },
        Counter(row.aside for row in scored.rows if row.aside),
        summary.overall.abstention,
        {case_id: tuple(own) for case_id, own in rows.items()},
    )


def _levels(scored: ScoredRun, group: Group) -> Iterator[tuple[str, Level]]:
    """The levels of a summary with their intervals."""
    for name, level in group.levels.items():
        means = [value.mean for value in values_of(scored, level.measure).values()]
        found = interval_of_mean(np.array(means, dtype=np.float64))
        ends = (found.low, found.high) if isinstance(found, Interval) else (None, None)
        yield name, Level(level.mean, level.n, *ends)


def advice_on(runs: Sequence[ReportRun], comparison: Comparison | None) -> dict[str, Advice]:
    """On chains that ran in the shadow, and on those that are held against a base without models."""
    found = {run.name: advise_on_shadow(run.scored) for run in runs if run.scored.conditions.path is AnswerPath.SHADOW}
    if comparison is not None and runs[0].scored.conditions.path is AnswerPath.CONTROL:
        others = zip(comparison.pairs, runs[1:], strict=True)
        found |= {
            pair.other: advise_on_chain(pair, run.scored.conditions.path)
            for pair, run in others
            if run.scored.conditions.path in CHAINS
        }
    return found


def names_of(wanted: Sequence[str]) -> list[str]:
    """A name for each run that no other has."""
    return [name if wanted.count(name) == 1 else f"{name} ({place})" for place, name in enumerate(wanted, 1)]


def leading(report: Report) -> list[Measure]:
    """The leading measures that the report has."""
    return [one for one in report.shown_measures() if one.name in LEADING]
