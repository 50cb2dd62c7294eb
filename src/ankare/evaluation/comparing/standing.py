"""Where does a run stand, measure by measure, for a gate to judge?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ankare.evaluation.captured import AnswerPath, Conditions
from ankare.evaluation.comparing.complete import drafts, lacking, stray, suite_fault
from ankare.evaluation.comparing.conditions import meaning
from ankare.evaluation.comparing.differences import F1_MEASURE
from ankare.evaluation.measures import score
from ankare.evaluation.measures.values import Basis, counts, mean_of, refusal_counts, unusable, values_of
from ankare.evaluation.scored import Better, Family, Measure, Outcome, Scored, ScoredRun
from ankare.evaluation.statistics.resample import f1

SEARCH_BY_MEANING, READER = "search by meaning", "reader"
ON_PATH = Measure("on_path", Family.PATH, of_path=False)
"""The share of the suite's answers that took the path, question by question: what all measures of the path stand on."""
FAILED = Measure("failed", Family.PATH, Better.LOWER, of_path=False)
"""The share of the answers that did not come back."""
_LEFT = ("failed:", "fallback:", "wrong_path", "not_run")
"""How the reasons begin for which an answer that might have had a value of the path has none."""


@dataclass(frozen=True, slots=True)
class Level:
    """A measure's mean over `cases`, which hold each question's own. NaN where a value is no number, or a ratio is 0/0.

    `share`: of the answers that have a value, or have none because they failed or left the path, those that have one; question
    by question.
    """

    measure: Measure
    mean: float
    cases: Mapping[str, float]
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Standing:
    """One run: its path and suite, how many questions it asked, the measures that any question has, and when and of which
    revision it was. `conditions`: what its answers depend on beside the software; `note`: what its maker wants to be known.
    `lacking`, `stray`, `suite_fault`, `drafts`: see `ankare.evaluation.comparing.complete`."""

    label: str
    path: AnswerPath
    suite: str
    asked: int
    levels: Mapping[str, Level]
    at: str = ""
    revision: str = ""
    conditions: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    lacking: tuple[str, ...] = ()
    stray: tuple[str, ...] = ()
    suite_fault: str = ""
    drafts: frozenset[str] = frozenset()


def standing_of(run: ScoredRun, label: str = "", measures: Mapping[str, Measure] | None = None) -> Standing:
    """The levels of a run by path, abstention's F1 and the share on the path among them. `measures`: all by default."""
    known = score.ALL if measures is None else measures
    broken = unusable(run)
    found = {}
    for measure in known.values():
        cases = {case_id: value.mean for case_id, value in values_of(run, measure).items()}
        if cases or measure.name in broken:
            mean = mean_of(values_of(run, measure).values()) if measure.name not in broken else None
            found[measure.name] = Level(measure, math.nan if mean is None else mean, cases, _share(run, measure))
    for level in (_on_path(run), _failed(run), _abstention(run)):
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
        lacking(run),
        stray(run),
        suite_fault(run),
        drafts(run),
    )


def _depends_on(held: Conditions) -> dict[str, str]:
    """Whether search by meaning had a part, and who reads, where that is known."""
    told = {SEARCH_BY_MEANING: meaning(held), READER: str(held.settings.get("reader") or "")}
    return {name: value for name, value in told.items() if value}


def known_measures() -> frozenset[str]:
    """The names that a gate may be given."""
    return frozenset({*score.ALL, ON_PATH.name, FAILED.name, F1_MEASURE.name})


def _on_path(run: ScoredRun) -> Level | None:
    """What was not asked did not take the path."""
    unasked = dict.fromkeys((case.id for case in run.suite or ()), 0.0)
    return _level(ON_PATH, unasked | _shares((row.case_id, not row.aside) for row in run.rows))


def _failed(run: ScoredRun) -> Level | None:
    return _level(FAILED, _shares((row.case_id, row.outcome is Outcome.FAILED) for row in run.rows))


def _level(measure: Measure, cases: Mapping[str, float]) -> Level | None:
    return Level(measure, math.fsum(cases.values()) / len(cases), cases) if cases else None


def _shares(told: Iterable[tuple[str, bool]]) -> dict[str, float]:
    """How often it is so, by question."""
    held: dict[str, list[bool]] = {}
    for case_id, so in told:
        held.setdefault(case_id, []).append(so)
    return {case_id: sum(sos) / len(sos) for case_id, sos in held.items()}


def _share(run: ScoredRun, measure: Measure) -> float:
    told = [(row.case_id, has) for row in run.rows if (has := _has(row, measure)) is not None]
    shares = _shares(told).values()
    return math.fsum(shares) / len(shares) if shares else 1.0


def _has(row: Scored, measure: Measure) -> bool | None:
    """Does an answer have a value that counts? None where it need not have one."""
    if measure.name in row.values and counts(row, measure, Basis.PATH):
        return True
    gone = row.outcome is Outcome.FAILED or (measure.of_path and row.aside.startswith(_LEFT))
    return False if gone else None


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
