"""What do people's ratings say of a run, do the raters agree, and do the measures agree with the people?

A mean is over questions: of the mean over an answer's raters, of a question's repeats. What did not take its run's path stands
in a group of its own, by its reason. Which measures are held against which point is settled beforehand: of a hundred pairs some
would agree by chance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean

import numpy as np

from ankare.evaluation.judging.judged_file import with_judged
from ankare.evaluation.measures.fitting_scores import fitting_scores
from ankare.evaluation.reviewing.criteria import CRITERIA
from ankare.evaluation.reviewing.ratings import Rating, same_name
from ankare.evaluation.reviewing.read import Reviewed
from ankare.evaluation.statistics.agreement import Agreement, Level, agreement
from ankare.evaluation.statistics.rank_correlation import Correlation, correlation
from ankare.evaluation.statistics.resample import Interval, interval_of_mean

LEVELS = (Level.ORDINAL, Level.NOMINAL, Level.INTERVAL)
"""The scale is one of ranks; the other two are told beside it."""
HELD_AGAINST: Mapping[str, tuple[str, ...]] = {
    "directness": ("answer_relevance", "mechanical_opening", "answer_words"),
    "language": ("fragment", "repetition", "mechanical_opening", "sentence_words"),
    "conclusion": ("fact_recall", "context_recall", "figure_exact", "answer_relevance"),
    "source_support": ("faithfulness", "citation_precision", "citation_recall", "context_precision"),
    "abstention": ("abstention_correct",),
}
JUDGES = ("judge_", "ragas_")
"""What stands before a measure's name where a model has judged it."""


@dataclass(frozen=True, slots=True)
class PointMean:
    """One point over the questions that were rated for it: 1 to 5, with its 95 % interval. `cannot`: how many said that it
    cannot be judged."""

    point: str
    mean: float | None
    low: float | None
    high: float | None
    questions: int
    ratings: int
    cannot: int


@dataclass(frozen=True, slots=True)
class Group:
    """The answers of one run that took its path (`aside` ""), or that stand apart for one reason."""

    run: str
    aside: str
    answers: int
    raters: int
    points: tuple[PointMean, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """A point held against a measure, over the answers that have both."""

    point: str
    measure: str
    correlation: Correlation


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """Everything that the ratings say. `agreements`: per point, at each of LEVELS, over all runs. `unscored`: runs whose scores
    are not there, so that their answers are held against nothing."""

    groups: tuple[Group, ...]
    agreements: Mapping[str, tuple[Agreement, ...]]
    held: tuple[Held, ...]
    unscored: tuple[str, ...] = ()


def review_result(reviewed: Sequence[Reviewed]) -> ReviewResult:
    """The figures of these runs. Raises EvaluationError for scores that cannot be read."""
    ratings = [rating for one in reviewed for rating in one.ratings]
    values, unscored = _values(reviewed)
    return ReviewResult(
        groups=tuple(group for one in reviewed for group in _groups(one)),
        agreements={point: agreements(ratings, point) for point in CRITERIA},
        held=tuple(_held(ratings, values)),
        unscored=unscored,
    )


def agreements(ratings: Sequence[Rating], point: str) -> tuple[Agreement, ...]:
    """How far the raters agree on a point, at each of LEVELS. A unit is an answer."""
    raters = list(dict.fromkeys(same_name(rating.rater) for rating in ratings))
    items = list(dict.fromkeys(rating.item for rating in ratings))
    given = {rating.key: rating.scores.get(point) for rating in ratings}
    table = [[given.get((item, rater)) for item in items] for rater in raters]
    return tuple(agreement(table, level) for level in LEVELS)


def _groups(one: Reviewed) -> list[Group]:
    apart: dict[str, list[Rating]] = defaultdict(list)
    for rating in one.ratings:
        apart[one.items[rating.item].aside].append(rating)
    name = one.run.conditions.name or one.folder.name
    return [_group(name, aside, apart[aside]) for aside in sorted(apart)]


def _group(name: str, aside: str, ratings: Sequence[Rating]) -> Group:
    answers, raters = {rating.item for rating in ratings}, {same_name(rating.rater) for rating in ratings}
    return Group(name, aside, len(answers), len(raters), tuple(_point(ratings, point) for point in CRITERIA))


def _point(ratings: Sequence[Rating], point: str) -> PointMean:
    by_case: dict[str, list[float]] = defaultdict(list)
    for rating_case, mean in _of_answers(ratings, point, lambda rating: rating.case_id):
        by_case[rating_case].append(mean)
    means = np.array([fmean(of_case) for of_case in by_case.values()], dtype=np.float64)
    found = interval_of_mean(means) if len(means) else None
    low, high = (found.low, found.high) if isinstance(found, Interval) else (None, None)
    return PointMean(
        point=point,
        mean=float(means.mean()) if len(means) else None,
        low=low,
        high=high,
        questions=len(means),
        ratings=sum(point in rating.scores for rating in ratings),
        cannot=sum(point in rating.cannot for rating in ratings),
    )


def _of_answers(ratings: Sequence[Rating], point: str, name: Callable[[Rating], str]) -> list[tuple[str, float]]:
    """Per answer that was rated for the point: its name and the mean of its raters."""
    given: dict[str, list[int]] = defaultdict(list)
    names: dict[str, str] = {}
    for rating in ratings:
        if point in rating.scores:
            given[rating.item].append(rating.scores[point])
            names[rating.item] = name(rating)
    return [(names[item], fmean(scores)) for item, scores in given.items()]


# --- against the measures


def _values(reviewed: Sequence[Reviewed]) -> tuple[dict[str, Mapping[str, float]], tuple[str, ...]]:
    """What was measured of each answer, by its id; and the runs of which nothing was."""
    found: dict[str, Mapping[str, float]] = {}
    unscored = []
    for one in reviewed:
        if not (one.folder / "scores.jsonl").is_file():
            unscored.append(str(one.folder))
            continue
        rows = with_judged(fitting_scores(one.folder).run, one.folder).rows
        values = {(row.case_id, row.repeat): row.values for row in rows}
        found |= {item.plain: values.get((item.case.id, item.repeat), {}) for item in one.items.values()}
    return found, tuple(unscored)


def _held(ratings: Sequence[Rating], values: Mapping[str, Mapping[str, float]]) -> list[Held]:
    """Each point against its measures, and against the same measures as models judged them, where any answer has both."""
    told = []
    for point, names in HELD_AGAINST.items():
        means = _of_answers(ratings, point, lambda rating: rating.item)
        for name in chain(names, (judge + name for judge in JUDGES for name in names)):
            pairs = [(mean, values[item][name]) for item, mean in means if name in values.get(item, {})]
            if pairs:
                told.append(Held(point, name, correlation(*zip(*pairs, strict=True))))
    return told
