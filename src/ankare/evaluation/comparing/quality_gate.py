"""May a change go on, by what its run scored?

A gate that cannot judge does not let through: a measure that is missing, that is no number, or that too few questions have is a
fault like a bad one, and says what to do.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from ankare.errors import EvaluationError
from ankare.evaluation.comparing.compare import Pair
from ankare.evaluation.comparing.differences import LEADING, Difference, Verdict
from ankare.evaluation.comparing.standing import FAILED, Level, Standing, known_measures, worse_by
from ankare.evaluation.comparing.surely_worse import TOLERANCE, difference_of, fell, surely_worse
from ankare.evaluation.scored import Better

LEADING_ONES = "leading"
"""In place of a measure: every leading one that the base has."""
SHOWN = 10
LEAST_SHARE = 0.9
"""Of the answers that might have a measure, those that have to have it before a limit is believed."""
_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
_SOME_DIGIT = re.compile(r"^[^eE]*[1-9]")


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
    name, _, value = text.partition("=")
    if not name.strip() or not _NUMBER.fullmatch(value.strip()) or not math.isfinite(number := float(value)):
        raise EvaluationError(
            f"{text[:100]!r} is no limit.", "Write it as faithfulness=0.9, in plain digits, and not below 0."
        )
    if number == 0 and (not above or _SOME_DIGIT.search(value)):
        raise EvaluationError(f"{text[:100]!r} is no limit: it closes nothing.", "Write it as faithfulness=0.9.")
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


def incomplete(standing: Standing) -> tuple[Fault, ...]:
    """Why nothing that a run scored may be judged: it is not over the whole of its suite, or over more than that."""
    return tuple(_incomplete(standing))


def _incomplete(standing: Standing) -> Iterator[Fault]:
    again = "Run it again with the same --out: what is there is kept, and the rest is asked."
    if standing.suite_fault:
        remedy = "Put suite.jsonl back, or run the suite anew into another --out."
        yield Fault(standing.label, "", standing.suite_fault, remedy)
    if standing.levels and not reviewed(standing, standing.levels.values()):
        yield unreviewed(standing, "")
    if standing.lacking:
        what = f"{len(standing.lacking)} answers of the suite are missing: never asked, or broken off"
        yield Fault(standing.label, "", what, again, standing.lacking[:SHOWN])
    if standing.stray:
        what = f"{len(standing.stray)} questions have scores that are not of the suite, or twice"
        yield Fault(standing.label, "", what, "Score the run again: ankare eval score.", standing.stray[:SHOWN])


def beyond_limits(standing: Standing, limits: Iterable[Limit], least_share: float = LEAST_SHARE) -> tuple[Fault, ...]:
    """The limits that a run does not keep, and those of which too few of its answers tell (see `Level.share`).

    Raises EvaluationError for a limit on the side that is no worse, which would close nothing.
    """
    return tuple(fault for limit in limits for fault in _beyond(standing, limit, least_share))


def _beyond(standing: Standing, limit: Limit, least_share: float) -> Iterator[Fault]:
    level = standing.levels.get(limit.measure)
    if level is None:
        yield missing(standing, limit.measure)
        return
    if limit.above is (level.measure.better is Better.HIGHER):
        side = "--fail-below" if limit.above else "--fail-above"
        raise EvaluationError(
            f"{limit.measure} is not worse on that side.", f"Use {side} {limit.measure}={limit.value}."
        )
    if limit.above and not level.measure.unit and limit.value >= 1:
        raise EvaluationError(
            f"{limit.measure}={limit.value:g} closes nothing: it is never above 1.", "Name a lower one."
        )
    if math.isnan(level.mean):
        yield no_number(standing, limit.measure)
        return
    if not reviewed(standing, [level]):
        yield unreviewed(standing, limit.measure)
        return
    if level.share < least_share:
        what = f"{limit.measure} stands on {level.share:.0%} of the answers that might have it, less than {least_share:.0%}"
        remedy = "See why the others failed or left the path, or let fewer do with --least."
        yield Fault(standing.label, limit.measure, what, remedy)
    if worse_by(level, limit.value) > 0:
        word = "above" if limit.above else "below"
        what = f"{limit.measure} is {level.mean:.4f}, {word} {limit.value:g} ({len(level.cases)} of {standing.asked} questions)"
        below = worst(level, limit.value)
        yield Fault(standing.label, limit.measure, what, "Look at the questions that are named.", below)


def reviewed(standing: Standing, levels: Iterable[Level]) -> bool:
    """Does any of these stand on a question that somebody has looked at?"""
    return any(not standing.drafts.issuperset(level.cases) for level in levels)


def unreviewed(standing: Standing, measure: str) -> Fault:
    """Nobody has looked at any question that is behind a measure, or behind all of them."""
    what = f"{measure or 'the run'} stands on drafts alone: nobody has looked at any of its questions"
    remedy = "Read the drafts, put right what is wrong, and take the draft mark away from those that are good."
    return Fault(standing.label, measure, what, remedy)


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


def got_worse(
    pair: Pair,
    wanted: Sequence[str],
    base: Standing,
    other: Standing,
    *,
    tolerance: float = TOLERANCE,
    only_shared: bool = False,
) -> tuple[Fault, ...]:
    """The measures in which the other run is worse than the base, or of which that cannot be told; more failures always.

    `wanted`: names; "leading" stands for every leading measure that the base has, of which those with too few questions are
    let by, as long as some have enough. `tolerance`: by how much a mean may fall where nothing is chance. `only_shared`:
    questions of the base that the other run lacks are let by. Raises EvaluationError for a measure of which neither way is up.
    """
    named = [known(name) for name in wanted if name != LEADING_ONES]
    leading = [name for name in LEADING if LEADING_ONES in wanted and name in base.levels]
    looked_at = list(dict.fromkeys([*named, *leading]))
    judge = _Judge(pair, base, other, tolerance, surely_worse(pair, looked_at, base, other))
    faults = [] if only_shared else list(_gone(pair))
    of_drafts = (name for name in named if name in other.levels and not reviewed(other, [other.levels[name]]))
    faults += [unreviewed(other, name) for name in of_drafts]
    faults += [fault for name in dict.fromkeys([*named, FAILED.name]) for fault in judge.worse(name)]
    if LEADING_ONES in wanted:
        faults += judge.leading([name for name in leading if name not in named])
    return tuple(faults)


def _gone(pair: Pair) -> Iterator[Fault]:
    if pair.gone:
        what = f"{len(pair.gone)} questions of {pair.base} are missing: not asked, or with another text or gold"
        remedy = "Run it over the same suite, or judge the shared questions alone with --only-shared."
        yield Fault(pair.other, "", what, remedy, pair.gone[:SHOWN])


@dataclass(frozen=True, slots=True)
class _Judge:
    pair: Pair
    base: Standing
    other: Standing
    tolerance: float
    sure: frozenset[str]

    def leading(self, names: Sequence[str]) -> Iterator[Fault]:
        enough = [name for name in names if (one := self._difference(name)) and one.verdict is not Verdict.TOO_FEW]
        if names and not enough:
            yield Fault(self.pair.other, LEADING_ONES, "no leading measure has enough questions", "Ask more questions.")
        for name in names:
            one = self._difference(name)
            if one is None or name in enough or self._broken(name) or fell(one, self.base, self.other, self.tolerance):
                yield from self.worse(name)

    def worse(self, name: str) -> Iterator[Fault]:
        if (fault := self._broken(name)) is not None:
            yield fault
            return
        one = self._difference(name)
        if one is None:
            yield Fault(
                self.pair.other, name, f"{name}: no question has it in both runs", "Run both over the same suite."
            )
        elif one.better is Better.NEITHER:
            raise EvaluationError(f"Of {name} neither way is worse.", "Take it out of --fail-if-worse.")
        elif name in self.sure or fell(one, self.base, self.other, self.tolerance):
            yield Fault(self.pair.other, name, _said(one), "Look at the questions that are named.", self._lost(name))
        elif one.verdict is Verdict.TOO_FEW and name != FAILED.name:
            yield Fault(self.pair.other, name, f"{name}: {one.n} questions are too few to tell", "Ask more questions.")

    def _broken(self, name: str) -> Fault | None:
        for standing in (self.base, self.other):
            if name not in standing.levels:
                return missing(standing, name)
            if math.isnan(standing.levels[name].mean):
                return no_number(standing, name)
        return None

    def _difference(self, name: str) -> Difference | None:
        return difference_of(self.pair, name, self.base, self.other)

    def _lost(self, name: str) -> tuple[str, ...]:
        """The questions that lost most in a measure."""
        return fallen_cases(self.base.levels[name], self.other.levels[name])


def _said(one: Difference) -> str:
    return f"{one.measure} is worse: {one.other:.4f}, was {one.base:.4f} ({one.n} questions)"


def fallen_cases(was: Level, now: Level) -> tuple[str, ...]:
    """The questions that are worse than they were, the largest loss first, at most `SHOWN`."""
    sign = -1.0 if now.measure.better is Better.LOWER else 1.0
    losses = {case_id: sign * (old - now.cases[case_id]) for case_id, old in was.cases.items() if case_id in now.cases}
    ranked = sorted((case_id for case_id, loss in losses.items() if loss > 0), key=lambda case_id: -losses[case_id])
    return tuple(ranked[:SHOWN])
