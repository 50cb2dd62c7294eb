"""What does every measure say of a run?

    captures -> which way did it take, how did it end -> the measures of each family -> one row a capture

Deterministic and offline: the same captures give the same rows. No model is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from ankare.evaluation.captured import Capture, Response, Run
from ankare.evaluation.case import Case
from ankare.evaluation.measures import (
    abstention_measures,
    answer_measures,
    citation_measures,
    context_measures,
    cost_measures,
    fact_precision,
    figure_measures,
    language_measures,
    paths,
    retrieval_measures,
)
from ankare.evaluation.measures.figure_measures import Names, literal
from ankare.evaluation.measures.prices import Prices
from ankare.evaluation.scored import Measure, Outcome, Scored, ScoredRun

Measured = tuple[Mapping[str, float], Mapping[str, object]]

OF_CASE = (
    answer_measures,
    fact_precision,
    context_measures,
    citation_measures,
    retrieval_measures,
    abstention_measures,
    language_measures,
)
"""What is measured of a response against its case alone."""

_MODULES = (*OF_CASE, figure_measures, cost_measures, paths)

ALL: Mapping[str, Measure] = MappingProxyType(
    {measure.name: measure for module in _MODULES for measure in module.MEASURES}
)
"""Every measure by its name, in the order in which they are told."""


def score_run(run: Run, prices: Prices | None = None, names: Names = literal) -> ScoredRun:
    """Score every capture of a run, in the order of the suite, each case's repeats together.

    A capture of a case that the suite does not hold is left out. `prices`: what tokens cost; without, there is no cost.
    `names`: the codes of names, where a suite names figures by aliases.
    """
    cases = {case.id: (place, case) for place, case in enumerate(run.suite)}
    known = [capture for capture in run.captures if capture.case_id in cases]
    known.sort(key=lambda capture: (cases[capture.case_id][0], capture.repeat))
    rows = tuple(score(cases[capture.case_id][1], capture, prices, names) for capture in known)
    return ScoredRun(run.conditions, rows, run.suite)


def score(case: Case, capture: Capture, prices: Prices | None = None, names: Names = literal) -> Scored:
    """One capture of a case."""
    response = capture.response
    values, details = _unanswered(capture) if response is None else _measured(case, capture, response, prices, names)
    return Scored(
        case.id,
        capture.repeat,
        capture.path,
        outcome(response),
        paths.aside(capture),
        case.type,
        case.language or (response.language if response else ""),
        case.answerable,
        values,
        details,
    )


def _unanswered(capture: Capture) -> Measured:
    """Nothing is measured of what did not come back."""
    return {}, {"failure": capture.failure.detail} if capture.failure else {}


def _measured(case: Case, capture: Capture, response: Response, prices: Prices | None, names: Names) -> Measured:
    parts = [module.measured(case, response) for module in OF_CASE]
    parts.append(figure_measures.measured(case, response, names))
    parts.append(cost_measures.measured(capture, response, prices))
    parts.append(paths.measured(capture, response))
    return _together(parts)


def _together(parts: Iterable[Measured]) -> Measured:
    values: dict[str, float] = {}
    details: dict[str, object] = {}
    for some, told in parts:
        values.update(some)
        details.update(told)
    return {name: values[name] for name in ALL if name in values}, details


def outcome(response: Response | None) -> Outcome:
    """How a capture ended. To ask back is no answer and no refusal."""
    if response is None:
        return Outcome.FAILED
    if response.answered:
        return Outcome.ANSWERED
    return Outcome.ASKED_BACK if response.clarify_mode == abstention_measures.ASK_FIRST else Outcome.REFUSED
