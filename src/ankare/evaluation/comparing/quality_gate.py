"""May a change go on, by what its run scored?

A gate that cannot judge does not let through: a measure that is missing, that is no number, or that too few questions have is a
fault like a bad one, and says what to do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from ankare.errors import EvaluationError
from ankare.evaluation.comparing.compare import Pair
from ankare.evaluation.comparing.differences import LEADING, Difference, Verdict
from ankare.evaluation.comparing.standing import Level, Standing, known_measures, worse_by
from ankare.evaluation.scored import Better

LEADING_ONES = "leading"
"""In place of a measure: every leading one that the base has."""
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a gate is closed. `questions`: those that are behind it, the worst first."""

    run: str
    measure: str
    what: str
    remedy: str = ""
    questions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Limit:
    """What a mean may not be below (`above`: may not be above)."""

    measure: str
    value: float
    above: bool = False


def limit_of(text: str, *, above: bool = False) -> Limit:
    """`measure=value` as a limit. Raises EvaluationError for anything else, and for a measure that there is not."""
    name, sign, value = text.partition("=")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not name.strip() or not sign or not math.isfinite(number):
        raise EvaluationError(f"{text!r} is no limit.", "Write it as faithfulness=0.9.")
    return Limit(known(name.strip()), number, above)


def known(measure: str) -> str:
    """The measure, if there is one of the name. Raises EvaluationError that names the nearest ones."""
    names = known_measures()
    if measure in names or measure == LEADING_ONES:
        return measure
    near = nearest(measure)
    remedy = f"Did you mean {' or '.join(near)}?" if near else f"There are {', '.join(sorted(names))}."
    raise EvaluationError(f"There is no measure {measure[:100]!r}.", f"{remedy} See docs/measures.md.")


def nearest(measure: str) -> list[str]:
    """The measures whose names are written most like this, two at most."""
    return get_close_matches(measure, sorted(known_measures()), n=2, cutoff=0.7)


def beyond_limits(standing: Standing, limits: Iterable[Limit]) -> tuple[Fault, ...]:
    """The limits that a run does not keep.

    Raises EvaluationError for a limit on the side that is no worse, which would close nothing.
    """
    return tuple(fault for limit in limits for fault in _beyond(standing, limit))


def _beyond(standing: Standing, limit: Limit) -> Iterator[Fault]:
    level = standing.levels.get(limit.measure)
    if level is None:
        yield missing(standing, limit.measure)
        return
    if limit.above is (level.measure.better is Better.HIGHER):
        side = "--fail-below" if limit.above else "--fail-above"
        raise EvaluationError(
            f"{limit.measure} is not worse on that side.", f"Use {side} {limit.measure}={limit.value}."
        )
    if math.isnan(level.mean):
        yield no_number(standing, limit.measure)
    elif worse_by(level, limit.value) > 0:
        word = "above" if limit.above else "below"
        what = f"{limit.measure} is {level.mean:.4f}, {word} {limit.value:g} ({len(level.cases)} of {standing.asked} questions)"
        below = worst(level, limit.value)
        yield Fault(standing.label, limit.measure, what, "Look at the questions that are named.", below)


def missing(standing: Standing, measure: str) -> Fault:
    """No question of the run has the measure."""
    what = f"{measure} is missing: no answer of the run has it"
    remedy = "Score the run again, see whether its answers took the path, or take the measure out of the gate."
    return Fault(standing.label, measure, what, remedy)


def no_number(standing: Standing, measure: str) -> Fault:
    """A value of the measure is no number."""
    return Fault(standing.label, measure, f"{measure} is no number", "Score the run again: ankare eval score.")


def worst(level: Level, mark: float) -> tuple[str, ...]:
    """The questions that are on the wrong side of a mark, the worst first, at most `SHOWN`. Where none is, as may be with a
    ratio, those that are not as good as the best."""
    sign = -1.0 if level.measure.better is Better.LOWER else 1.0
    values = {case_id: sign * value for case_id, value in level.cases.items()}
    ranked = sorted(values, key=values.__getitem__)
    beyond = [case_id for case_id in ranked if values[case_id] < sign * mark]
    return tuple((beyond or [case_id for case_id in ranked if values[case_id] < max(values.values())])[:SHOWN])


def got_worse(pair: Pair, wanted: Sequence[str], base: Standing, other: Standing) -> tuple[Fault, ...]:
    """The measures in which the other run is worse than the base, or of which that cannot be told.

    `wanted`: names; "leading" stands for every leading measure that the base has, of which those with too few questions are
    let by, as long as some have enough. Raises EvaluationError for a measure of which neither way is up.
    """
    faults = [fault for name in wanted if name != LEADING_ONES for fault in _worse(pair, known(name), base, other)]
    if LEADING_ONES in wanted:
        faults += _leading_worse(pair, base, other)
    return tuple(faults)


def _leading_worse(pair: Pair, base: Standing, other: Standing) -> Iterator[Fault]:
    held = [name for name in LEADING if name in base.levels]
    judged = [one for name in held if (one := pair.measure(name)) is not None and one.verdict is not Verdict.TOO_FEW]
    if not judged:
        yield Fault(pair.other, LEADING_ONES, "no leading measure has enough questions", "Ask more questions.")
    for name in held:
        one = pair.measure(name)
        if one is None or one in judged or name not in other.levels or math.isnan(other.levels[name].mean):
            yield from _worse(pair, name, base, other)


def _worse(pair: Pair, name: str, base: Standing, other: Standing) -> Iterator[Fault]:
    one = pair.measure(name)
    for standing in (base, other):
        if name not in standing.levels:
            yield missing(standing, name)
            return
        if math.isnan(standing.levels[name].mean):
            yield no_number(standing, name)
            return
    if one is None:
        yield Fault(pair.other, name, f"{name}: no question has it in both runs", "Run both over the same suite.")
    elif one.better is Better.NEITHER:
        raise EvaluationError(f"Of {name} neither way is worse.", "Take it out of --fail-if-worse.")
    elif one.verdict is Verdict.TOO_FEW:
        yield Fault(pair.other, name, f"{name}: {one.n} questions are too few to tell", "Ask more questions.")
    elif one.verdict is Verdict.WORSE:
        yield Fault(
            pair.other, name, _said(one), "Look at the questions that are named.", _lost(pair, name, base, other)
        )


def _said(one: Difference) -> str:
    return f"{one.measure} is worse: {one.other:.4f}, was {one.base:.4f} ({one.n} questions)"


def _lost(pair: Pair, name: str, base: Standing, other: Standing) -> tuple[str, ...]:
    """The questions that lost most in a measure."""
    return fallen_cases(base.levels[name], other.levels[name])


def fallen_cases(was: Level, now: Level) -> tuple[str, ...]:
    """The questions that are worse than they were, the largest loss first, at most `SHOWN`."""
    sign = -1.0 if now.measure.better is Better.LOWER else 1.0
    losses = {case_id: sign * (old - now.cases[case_id]) for case_id, old in was.cases.items() if case_id in now.cases}
    ranked = sorted((case_id for case_id, loss in losses.items() if loss > 0), key=lambda case_id: -losses[case_id])
    return tuple(ranked[:SHOWN])
