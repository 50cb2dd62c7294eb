"""How does a terminal tell what people thought of answers: means, agreement, and what the measures say beside them?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ankare.cli.fitted_table import Grid
from ankare.evaluation.measures import score
from ankare.evaluation.report.words import DASH, Words
from ankare.evaluation.reviewing.result import Group, Held, ReviewResult
from ankare.evaluation.reviewing.wording import Wording
from ankare.evaluation.scored import Better

Line = str | Grid
_JUDGES = {"judge_": "read_by_judge", "ragas_": "read_by_ragas"}


class ReviewText:
    """The figures of a review in one language."""

    def __init__(self, result: ReviewResult, language: str) -> None:
        self._result = result
        self._words = Words(language)
        self._say = Wording(language)

    def parts(self) -> Iterator[Line]:
        """Lines and tables, in the order in which they are read."""
        if not self._result.groups:
            yield self._say("read_nobody")
            return
        grids = [*map(self._group, self._result.groups), self._agreement()]
        yield from grids
        yield from self._strengths()
        if self._result.held:
            grids.append(self._held(self._result.held))
            yield grids[-1]
            if any("↓" in cell for row in grids[-1].rows for cell in row):
                yield self._say("read_lower")
        if any(cell == DASH for grid in grids for row in grid.rows for cell in row):
            yield self._say("read_dash")
        for folder in self._result.unscored:
            yield self._say("read_unscored", folder=folder)

    def _heads(self, *keys: str) -> tuple[str, ...]:
        return tuple(map(self._say, keys))

    def _group(self, group: Group) -> Grid:
        """The means of one run's answers, or of those that stand apart from its path for one reason."""
        told = {
            "run": group.run,
            "answers": self._say.counted("read_answers", group.answers),
            "raters": self._say.counted("read_raters", group.raters),
        }
        reason = self._words.inside(self._words.aside(group.aside)) if group.aside else ""
        title = self._say("read_apart", reason=reason, **told) if reason else self._say("read_group", **told)
        heads = self._heads("read_point", "read_mean", "read_interval", "read_questions", "read_ratings", "cannot")
        rows = tuple(
            (
                self._say(one.point),
                self._number(one.mean),
                self._between(one.low, one.high),
                str(one.questions),
                str(one.ratings),
                str(one.cannot),
            )
            for one in group.points
        )
        return _grid(title, heads, rows, texts=1)

    def _agreement(self) -> Grid:
        """Alpha of each point: at the level of ranks with its interval, then at the others."""
        heads = self._heads("read_point", "read_alpha", "read_interval", "read_nominal", "read_values", "read_common")
        rows = tuple(
            (
                self._say(point),
                self._number(ranks.value),
                self._between(ranks.low, ranks.high),
                self._number(names.value),
                self._number(values.value),
                str(ranks.units),
            )
            for point, (ranks, names, values) in self._result.agreements.items()
        )
        return _grid(self._say("read_agreement"), heads, rows, texts=1)

    def _strengths(self) -> Iterator[str]:
        """What the agreement allows, points together that it allows the same for."""
        alike: dict[str, list[str]] = {}
        for point, (ranks, *_) in self._result.agreements.items():
            alike.setdefault(ranks.strength.value, []).append(self._say(point))
        for strength, points in alike.items():
            yield f"{', '.join(points)}: {self._say(f'alpha_{strength}')}"

    def _held(self, held: Sequence[Held]) -> Grid:
        """Each point beside each measure that should go with it."""
        heads = self._heads(
            "read_point", "read_measure", "read_spearman", "read_interval", "read_kendall", "read_count"
        )
        rows = tuple(
            (
                self._say(one.point),
                self._measure(one.measure),
                self._number(one.correlation.spearman),
                self._between(one.correlation.low, one.correlation.high),
                self._number(one.correlation.kendall),
                str(one.correlation.n),
            )
            for one in held
        )
        return _grid(self._say("read_held"), heads, rows, texts=2)

    def _measure(self, name: str) -> str:
        """What a measure is called, who judged it where a model did, and whether lower is better."""
        for prefix, key in _JUDGES.items():
            if name.startswith(prefix):
                return self._say(key, measure=self._words.measure(name.removeprefix(prefix)))
        known = score.ALL.get(name)
        return self._words.measure(name) + (" ↓" if known and known.better is Better.LOWER else "")

    def _number(self, value: float | None) -> str:
        return DASH if value is None else self._words.number(value, 2)

    def _between(self, low: float | None, high: float | None) -> str:
        if low is None or high is None:
            return DASH
        return self._say("read_between", low=self._number(low), high=self._number(high))


def _grid(title: str, heads: tuple[str, ...], rows: tuple[tuple[str, ...], ...], *, texts: int) -> Grid:
    """`texts`: how many columns from the left are words; the others are numbers."""
    return Grid(title, heads, rows, tuple(place >= texts for place in range(len(heads))))
