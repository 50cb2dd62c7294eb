"""What did a run score, by its answers as they are now?

Scores that were kept are taken where they fit; where they do not, or there are none, the answers are scored anew, without
writing anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ankare.errors import EvaluationError
from ankare.evaluation.asking.run_folder import ANSWERS, SUITE, read_run
from ankare.evaluation.measures.score import score_run
from ankare.evaluation.measures.scored_from import ScoredFrom, scored_from
from ankare.evaluation.measures.scores_file import FILE, read_kept
from ankare.evaluation.scored import ScoredRun

MISSING, CHANGED, UNTOLD = "scores", "rows", "scored_from"


@dataclass(frozen=True, slots=True)
class FittingScores:
    """`anew`: why the answers were scored anew: "scores" (there were none), "rows" (they were changed by hand),
    "scored_from" (they do not tell of what they were made), "answers", "suite", "measures" (these are others now); empty
    where they are as kept."""

    run: ScoredRun
    anew: tuple[str, ...] = ()


def fitting_scores(folder: Path) -> FittingScores:
    """The scores of a run's folder.

    Raises EvaluationError for a folder that holds no run, and for scores that do not fit where nothing is there to score anew.
    """
    if not (folder / FILE).is_file():
        return FittingScores(score_run(read_run(folder)), (MISSING,))
    now, kept = scored_from(folder), read_kept(folder)
    wrong = _wrong(kept.made_of, now, kept.untouched)
    if not wrong:
        return FittingScores(kept.run)
    if not ((folder / ANSWERS).is_file() and (folder / SUITE).is_file()):
        raise EvaluationError(
            f"The scores in {folder} do not fit ({', '.join(wrong)}), and the answers or the suite are gone.",
            "Ask the suite again with ankare eval run.",
        )
    return FittingScores(score_run(read_run(folder)), wrong)


def _wrong(then: ScoredFrom | None, now: ScoredFrom, untouched: bool) -> tuple[str, ...]:
    if then is None:
        return (UNTOLD,)
    return then.differs(now) or (() if untouched else (CHANGED,))
