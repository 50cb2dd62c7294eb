"""Is a chain of models worth having on, by what was measured, and at what price?

    shadow run:          context precision and recall of the chain beside those of the answer, question by question
    agentic, control:    the measures by path, as served with lost answers as nothing, what a question takes more

A gain that users do not get is none: one measure that is worse as served forbids to call it one, two forbid the chain. Nothing
shown is no reason to have it on: then the advice is to leave it off, firmly where a gain that matters is ruled out, for
now where there were too few questions to tell.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from ankare.evaluation.captured import AnswerPath
from ankare.evaluation.comparing.advice_words import said
from ankare.evaluation.comparing.compare import Pair
from ankare.evaluation.comparing.differences import (
    LEADING,
    LEAST_QUESTIONS,
    Difference,
    Reading,
    Verdict,
    difference_in,
)
from ankare.evaluation.comparing.lost import NOTHING
from ankare.evaluation.comparing.notes import could_turn
from ankare.evaluation.measures.values import Basis, CaseValue, asides_of, values_of
from ankare.evaluation.scored import Better, Family, Measure, ScoredRun
from ankare.evaluation.statistics.power import questions_needed
from ankare.evaluation.statistics.resample import NoInterval

FOUR = ("faithfulness", "answer_relevance", "context_precision", "context_recall")
LOOKED_AT = (*FOUR, "fact_recall", "abstention_correct")
GUARDED = (*LOOKED_AT, "figure_exact")
"""What may not be worse as served where a gain is to be told."""
TOLD_AS_SERVED = ("fact_recall", "abstention_correct")
SHADOWED = ("context_precision", "context_recall")
PRICES = ("wall_ms", "total_tokens", "model_calls", "cost")
MATTERS = 0.05
"""The gain below which nobody would pay for a chain, of scores of 0 to 1."""
RULE_OF_THREE = 3.0
RARE_QUESTIONS = 30
"""With fewer, a gain has to outweigh losses too rare to have been seen."""
LEAST_CHOSEN = 0.5
"""The share of the questions in which a chain in the shadow has to have chosen texts."""
TOO_MANY_WORSE = 2


class Recommendation(StrEnum):
    """What to do about the chain."""

    LEAVE_OFF = "leave_off"
    ASK_MORE = "ask_more"  # leave it off until more questions have shown a gain, or that no rare loss undoes it
    GAIN = "gain"  # better at a price: whoever pays decides
    WEIGH = "weigh"  # better in one thing, worse in another; or better by path, and unsure as served
    NOTHING = "nothing"  # no question to judge it by


class Finding(StrEnum):
    """What one measure says of the chain."""

    GAIN = "gain"
    LOSS = "loss"
    RULED_OUT = "ruled_out"  # no gain is shown, and one that matters would have been
    OPEN = "open"  # no gain is shown, and one that matters may be there


@dataclass(frozen=True, slots=True)
class Found:
    """One measure of the chain against the control path.

    `needed`: how many questions more would show a gain that matters, or the one that was seen where that is larger; 0 where no
    more are needed.
    """

    difference: Difference
    finding: Finding
    needed: int = 0


@dataclass(frozen=True, slots=True)
class Price:
    """What a question takes more with the chain, as served. `per_point`: for each hundredth gained in the measure that gained
    most, None where none did."""

    measure: str
    unit: str
    control: float
    chain: float
    per_point: float | None = None

    @property
    def more(self) -> float:
        """Chain less control."""
        return self.chain - self.control


@dataclass(frozen=True, slots=True)
class Advice:
    """What is recommended, and why. `kind`: "shadow", "chain" or "synthesis". `dropped`: questions that say nothing of it.

    `served`: what is told as served, among it all that is worse so; `lost`: questions that had an answer without the chain and
    have none with it, in all repeats or some; `turns`: measures whose gain the answers that are missing could undo; `chosen` of
    `asked`: in how many questions a chain in the shadow chose texts; `rare`: may losses too rare to be seen undo the gain?
    """

    kind: str
    recommendation: Recommendation
    found: tuple[Found, ...]
    prices: tuple[Price, ...] = ()
    dropped: int = 0
    served_worse: tuple[Difference, ...] = ()
    """Leading measures that gain by path and do not gain as served."""
    reasons: Mapping[str, int] = field(default_factory=dict)
    """Why questions were dropped, with how many."""
    matters: float = MATTERS
    served: tuple[Difference, ...] = ()
    lost: int = 0
    turns: tuple[str, ...] = ()
    chosen: int = 0
    asked: int = 0
    rare: bool = False

    @property
    def chose_too_few(self) -> bool:
        """Did the chain in the shadow choose texts in less than half of the questions?"""
        return self.chosen < LEAST_CHOSEN * self.asked

    def text(self, language: str) -> tuple[str, ...]:
        """The advice in words, one sentence or two an entry, the recommendation first."""
        return said(self, language)


def advise_on_shadow(run: ScoredRun, matters: float = MATTERS) -> Advice:
    """Would the chain's evidence have been better than that of the answers in whose shadow it ran?

    Every question counts in which the chain chose texts to draft from, whatever became of the draft: leaving out those in
    which it fell back would leave out the hard ones.
    """
    found = []
    for name in SHADOWED:
        own, beside = (_rows_with_both(run, name, wanted) for wanted in (name, _shadow(name)))
        difference = difference_in(Measure(name, Family.ANSWER), own, beside, Basis.SERVED, Reading())
        if difference is not None:
            found.append(finding_of(difference, matters))
    told, asides = _with_any(run, map(_shadow, SHADOWED)), asides_of(run)
    gone = {row.case_id for row in run.rows} - told
    reasons = _counted(asides[case_id][0] for case_id in gone if case_id in asides)
    asked = len(told | _with_any(run, SHADOWED))
    advice = Advice("shadow", _recommended(found), tuple(found), (), len(gone), (), reasons, matters)
    advice = replace(advice, chosen=len(told), asked=asked, rare=_rare(found))
    return replace(advice, recommendation=_in_shadow(advice))


def _with_any(run: ScoredRun, names: Iterable[str]) -> set[str]:
    """The questions of which some answer has any of these measures."""
    wanted = frozenset(names)
    return {row.case_id for row in run.rows if not wanted.isdisjoint(row.values)}


def _in_shadow(advice: Advice) -> Recommendation:
    if advice.recommendation is not Recommendation.GAIN:
        return advice.recommendation
    if advice.rare:
        return Recommendation.ASK_MORE
    return Recommendation.WEIGH if advice.chose_too_few else Recommendation.GAIN


def _rows_with_both(run: ScoredRun, name: str, wanted: str) -> dict[str, CaseValue]:
    """The values of `wanted` in the answers that have the measure and its shadow."""
    rows = tuple(row for row in run.rows if name in row.values and _shadow(name) in row.values)
    return values_of(replace(run, rows=rows), Measure(wanted, Family.ANSWER), Basis.SERVED)


def _shadow(name: str) -> str:
    return f"shadow_{name}"


def advise_on_chain(pair: Pair, path: AnswerPath = AnswerPath.AGENTIC, matters: float = MATTERS) -> Advice:
    """Is the chain (the pair's other run) better than the control path (its base), and what does it take?"""
    found = [finding_of(one, matters) for name in LOOKED_AT if (one := pair.measure(name)) is not None]
    gained = [one for one in found if one.finding is Finding.GAIN]
    not_served = _not_served(pair)
    most = max((one.difference.gain for one in gained), default=0.0)
    reasons = _counted((one.other or one.base)[0] for one in pair.dropped)
    kind = "synthesis" if path is AnswerPath.SYNTHESIS else "chain"
    recommendation, prices = _recommended(found), _prices(pair, most)
    advice = Advice(kind, recommendation, tuple(found), prices, len(pair.dropped), not_served, reasons, matters)
    turns = tuple(one.difference.measure for one in gained if _may_turn(pair, one.difference))
    advice = replace(advice, served=_as_served(pair), lost=len(pair.lost), turns=turns, rare=_rare(gained))
    return replace(advice, recommendation=_as_used(advice))


def _not_served(pair: Pair) -> tuple[Difference, ...]:
    """The leading measures that gain by path, and do not gain as served."""
    better = [name for name in LEADING if (one := pair.measure(name)) is not None and one.verdict is Verdict.BETTER]
    served = (_charged(pair, name) for name in better)
    return tuple(one for one in served if one is not None and one.verdict is not Verdict.BETTER)


def _as_served(pair: Pair) -> tuple[Difference, ...]:
    """What is told as served: facts and abstention always, the others where they are worse."""
    held = [one for name in GUARDED if (one := _charged(pair, name)) is not None]
    return tuple(one for one in held if one.measure in TOLD_AS_SERVED or one.verdict is Verdict.WORSE)


def _charged(pair: Pair, name: str) -> Difference | None:
    """A measure as served; a lost answer has no facts and answers nothing."""
    return pair.with_losses(name) if name in NOTHING else pair.measure(name, Basis.SERVED)


def _may_turn(pair: Pair, gained: Difference) -> bool:
    """Could answers that are missing undo a gain?"""
    served, least = _charged(pair, gained.measure), pair.with_losses(gained.measure)
    lowest = least is not None and served is not None and least.verdict is not Verdict.BETTER is served.verdict
    return lowest or could_turn(gained, served)


def _as_used(advice: Advice) -> Recommendation:
    """What is left of what was seen by path when all is counted that users get."""
    worse = sum(one.verdict is Verdict.WORSE for one in advice.served)
    gained = {one.difference.measure for one in advice.found if one.finding is Finding.GAIN}
    undone = gained <= {one.measure for one in advice.served_worse}
    if advice.recommendation is Recommendation.NOTHING:
        return advice.recommendation
    if worse >= TOO_MANY_WORSE or (gained and undone):
        return Recommendation.LEAVE_OFF
    if not gained:
        return advice.recommendation
    if worse or advice.served_worse or advice.turns:
        return Recommendation.WEIGH
    if advice.recommendation is Recommendation.GAIN and advice.rare:
        return Recommendation.ASK_MORE
    return advice.recommendation


def _rare(found: Iterable[Found]) -> bool:
    """Could losses too rare to have been seen undo every gain? Below `RARE_QUESTIONS`, up to 3 in n of the next questions may
    lose all that they had (the rule of three; Hanley and Lippman-Hand 1983)."""
    gained = [one.difference for one in found if one.finding is Finding.GAIN]
    return bool(gained) and all(_undone(one) for one in gained)


def _undone(one: Difference) -> bool:
    if one.n >= RARE_QUESTIONS:
        return False
    unseen = min(1.0, RULE_OF_THREE / one.n)
    to_lose = 1 - one.base if one.better is Better.LOWER else one.base
    return (1 - unseen) * one.gain <= unseen * to_lose


def _counted(reasons: Iterable[str]) -> dict[str, int]:
    """How often each is there, the most frequent first; equal ones by name."""
    return dict(sorted(Counter(reasons).items(), key=lambda item: (-item[1], item[0])))


def _prices(pair: Pair, gained: float) -> tuple[Price, ...]:
    found = []
    for name in PRICES:
        one = pair.measure(name, Basis.SERVED)
        if one is not None:
            per_point = one.difference / (100 * gained) if gained > 0 else None
            found.append(Price(name, one.unit, one.base, one.other, per_point))
    return tuple(found)


def finding_of(difference: Difference, matters: float = MATTERS) -> Found:
    """What a measure says, of which a gain of `matters` would be worth paying for."""
    if difference.verdict is Verdict.BETTER:
        return Found(difference, Finding.GAIN)
    if difference.verdict is Verdict.WORSE:
        return Found(difference, Finding.LOSS)
    if difference.verdict is Verdict.NO_DIFFERENCE and _highest_gain(difference) <= matters:
        return Found(difference, Finding.RULED_OUT)
    return Found(difference, Finding.OPEN, _more_needed(difference, matters))


def _highest_gain(difference: Difference) -> float:
    """The most that the chain may be better by: no more than there is room for above the control path."""
    room = difference.base if difference.better is Better.LOWER else 1 - difference.base
    return min(room, _highest_seen(difference))


def _highest_seen(difference: Difference) -> float:
    """The bound of the interval. Where no question differs, the next ones may: up to 3 in n of them, by a whole point (the rule
    of three; Hanley and Lippman-Hand 1983)."""
    if isinstance(difference.interval, NoInterval):
        return float("inf")
    if difference.interval.flat:
        return max(difference.gain, RULE_OF_THREE / difference.n)
    return -difference.interval.low if difference.better is Better.LOWER else difference.interval.high


def _more_needed(difference: Difference, matters: float) -> int:
    """Questions beyond those that were asked. At least one: those that were asked did not do."""
    if difference.spread:
        wanted = questions_needed(max(matters, difference.gain), difference.spread)
    else:
        wanted = math.ceil(RULE_OF_THREE / matters)
    return max(wanted, LEAST_QUESTIONS, difference.n + 1) - difference.n


def _recommended(found: Sequence[Found]) -> Recommendation:
    says = {one.finding for one in found}
    if not says:
        return Recommendation.NOTHING
    if Finding.GAIN in says:
        return Recommendation.WEIGH if Finding.LOSS in says else Recommendation.GAIN
    if Finding.LOSS in says or Finding.OPEN not in says:
        return Recommendation.LEAVE_OFF
    return Recommendation.ASK_MORE
