"""Runs with scores that a test chooses."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence

from ankare.evaluation.captured import AnswerPath, Conditions
from ankare.evaluation.case import Suite
from ankare.evaluation.scored import Better, Family, Measure, Outcome, Scored, ScoredRun

MEASURES = {
    one.name: one
    for one in (
        Measure("abstention_correct", Family.ABSTENTION, of_path=False),
        Measure("faithfulness", Family.ANSWER),
        Measure("answer_relevance", Family.ANSWER),
        Measure("fact_recall", Family.ANSWER),
        Measure("context_precision", Family.ANSWER),
        Measure("context_recall", Family.ANSWER),
        Measure("answer_words", Family.LANGUAGE, Better.NEITHER, "words"),
        Measure("fallback", Family.PATH, Better.LOWER, of_path=False),
        Measure("wall_ms", Family.COST, Better.LOWER, "ms", of_path=False),
        Measure("total_tokens", Family.COST, Better.LOWER, "tokens", of_path=False),
    )
}


def row(
    case_id: str,
    repeat: int = 0,
    *,
    path: AnswerPath = AnswerPath.CONTROL,
    outcome: Outcome = Outcome.ANSWERED,
    aside: str = "",
    kind: str = "",
    **values: float,
) -> Scored:
    return Scored(case_id, repeat, path, outcome, aside, kind, values=values)


def run_of(
    rows: Iterable[Scored], path: AnswerPath = AnswerPath.CONTROL, suite: Suite | None = None, **conditions: object
) -> ScoredRun:
    told: Mapping[str, object] = {"suite_digest": suite.digest if suite else "d" * 64, "name": path.value, **conditions}
    return ScoredRun(Conditions(path, **told), tuple(rows), suite)  # type: ignore[arg-type]


def run_with(measure: str, values: Sequence[float], path: AnswerPath = AnswerPath.CONTROL, **more: object) -> ScoredRun:
    """A question for each value."""
    return run_of((row(f"q{n:03}", path=path, **{measure: value}) for n, value in enumerate(values)), path, **more)


def noisy(seed: int, questions: int = 40, shift: float = 0.0, measure: str = "faithfulness") -> list[float]:
    """What a run with chance in it scores: questions of the same difficulty for every seed, and noise of its own."""
    of_questions, own = random.Random(0), random.Random(seed)
    return [min(1.0, max(0.0, of_questions.random() + own.gauss(shift, 0.08))) for _ in range(questions)]


def sparse(seed: int, questions: int = 40) -> list[float]:
    """Right or wrong, the same as in the other runs but for one question in five."""
    of_questions, own = random.Random(0), random.Random(seed)
    sure = [of_questions.random() < 0.7 for _ in range(questions)]
    return [float(own.random() < 0.5) if own.random() < 0.2 else float(one) for one in sure]


Scores = Callable[[int], list[float]]
