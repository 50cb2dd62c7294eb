"""What does every measure say of a run?

    captures -> which way did it take, how did it end -> the measures of each family -> one row a capture

Deterministic and offline: the same captures give the same rows. No model is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from ankare.evaluation import paths
from ankare.evaluation.captured import Capture, Response, Run
from ankare.evaluation.case import Case
from ankare.evaluation.scored import Measure, Outcome, Scored, ScoredRun

Measured = tuple[Mapping[str, float], Mapping[str, object]]

OF_CASE: tuple[Callable[[Case, Response], Measured], ...] = ()
"""What is measured of a response against its case."""

ALL: Mapping[str, Measure] = MappingProxyType({measure.name: measure for measure in (*paths.MEASURES,)})
"""Every measure by its name, in the order in which they are told."""


def score_run(run: Run, prices: object | None = None) -> ScoredRun:
    """Score every capture of a run, in the order of the suite, each case's repeats together.

    A capture of a case that the suite does not hold is left out. `prices`: what tokens cost; without, there is no cost.
    """
    cases = {case.id: (place, case) for place, case in enumerate(run.suite)}
    known = [capture for capture in run.captures if capture.case_id in cases]
    known.sort(key=lambda capture: (cases[capture.case_id][0], capture.repeat))
    return ScoredRun(run.conditions, tuple(_scored(cases[one.case_id][1], one, prices) for one in known))


def _scored(case: Case, capture: Capture, prices: object | None) -> Scored:
    values, details = _measured(case, capture, prices)
    response = capture.response
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


def _measured(case: Case, capture: Capture, prices: object | None) -> Measured:
    """The values and details of all measures; nothing is measured of what did not come back."""
    if capture.response is None:
        told = capture.failure.detail if capture.failure else ""
        return {}, {"failure": told} if told else {}
    return _together(
        [measure(case, capture.response) for measure in OF_CASE] + [paths.measured(capture, capture.response)]
    )


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
    return Outcome.ASKED_BACK if response.clarify_mode == "ask_first" else Outcome.REFUSED
