"""Where does a run stand, measure by measure, for a gate to judge?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ankare.evaluation.captured import AnswerPath, Conditions
from ankare.evaluation.comparing.conditions import meaning
from ankare.evaluation.comparing.differences import F1_MEASURE
from ankare.evaluation.measures import score
from ankare.evaluation.measures.values import mean_of, refusal_counts, unusable, values_of
from ankare.evaluation.scored import Better, Family, Measure, ScoredRun
from ankare.evaluation.statistics.resample import f1

SEARCH_BY_MEANING, READER = "search by meaning", "reader"
ON_PATH = Measure("on_path", Family.PATH, of_path=False)
"""The share of questions of which some answer took the path: what all measures of the path stand on."""


@dataclass(frozen=True, slots=True)
class Level:
    """A measure's mean over `cases`, which hold each question's own. NaN where a value is no number, or a ratio is 0/0."""

    measure: Measure
    mean: float
    cases: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Standing:
    """One run: its path and suite, how many questions it asked, the measures that any question has, and when and of which
    revision it was. `conditions`: what its answers depend on beside the software; `note`: what its maker wants to be known."""

    label: str
    path: AnswerPath
    suite: str
    asked: int
    levels: Mapping[str, Level]
    at: str = ""
    revision: str = ""
    conditions: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


def standing_of(run: ScoredRun, label: str = "", measures: Mapping[str, Measure] | None = None) -> Standing:
    """The levels of a run by path, abstention's F1 and the share on the path among them. `measures`: all by default."""
    known = score.ALL if measures is None else measures
    broken = unusable(run)
    found = {}
    for measure in known.values():
        cases = {case_id: value.mean for case_id, value in values_of(run, measure).items()}
        if cases or measure.name in broken:
            mean = mean_of(values_of(run, measure).values()) if measure.name not in broken else None
            found[measure.name] = Level(measure, math.nan if mean is None else mean, cases)
    for level in (_on_path(run), _abstention(run)):
        if level is not None:
            found[level.measure.name] = level
    asked = len({row.case_id for row in run.rows})
    held = run.conditions
    return Standing(
        label,
        held.path,
        held.suite_digest,
        asked,
        found,
        held.finished,
        ", ".join(held.revisions)[:200],
        _depends_on(held),
        held.note,
    )


def _depends_on(held: Conditions) -> dict[str, str]:
    """Whether search by meaning had a part, and who reads, where that is known."""
    told = {SEARCH_BY_MEANING: meaning(held), READER: str(held.settings.get("reader") or "")}
    return {name: value for name, value in told.items() if value}


def known_measures() -> frozenset[str]:
    """The names that a gate may be given."""
    return frozenset({*score.ALL, ON_PATH.name, F1_MEASURE.name})


def _on_path(run: ScoredRun) -> Level | None:
    cases = dict.fromkeys((row.case_id for row in run.rows), 0.0)
    cases |= {row.case_id: 1.0 for row in run.rows if not row.aside}
    return Level(ON_PATH, math.fsum(cases.values()) / len(cases), cases) if cases else None


def _abstention(run: ScoredRun) -> Level | None:
    """F1; a question's own value is the share of its repeats that were rightly handled."""
    counts = refusal_counts(run)
    if not counts:
        return None
    total = np.array(list(counts.values())).mean(axis=0)
    cases = {case_id: float(1 - counted[1:].sum()) for case_id, counted in counts.items()}
    return Level(F1_MEASURE, float(f1(total[None, :])[0]), cases)


def worse_by(level: Level, mark: float) -> float:
    """How far a level is on the wrong side of a mark; below 0 on the right side. NaN for one that is no number."""
    return level.mean - mark if level.measure.better is Better.LOWER else mark - level.mean
