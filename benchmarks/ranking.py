"""How good is a ranking, and is one ranking better than another by more than chance?

hit@k, mean reciprocal rank, and nDCG@10 as `ankare.evaluation.measures.retrieval_measures` has them; differences with
a 95 % interval of the paired bootstrap (Efron and Tibshirani 1993).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ankare.evaluation.measures.retrieval_measures import hit, ndcg, reciprocal_rank

RESAMPLES = 5000


@dataclass(frozen=True, slots=True)
class Figures:
    """Per question, in the order of the questions."""

    hit1: NDArray[np.float64]
    hit3: NDArray[np.float64]
    hit8: NDArray[np.float64]
    mrr: NDArray[np.float64]
    ndcg: NDArray[np.float64]


def judge(rankings: Sequence[Iterable[Hashable]], gold: Sequence[frozenset[Hashable]]) -> Figures:
    """The figures of rankings of units (repeated units count once, where they first stand)."""
    rows = [_row(list(dict.fromkeys(ranking)), right) for ranking, right in zip(rankings, gold, strict=True)]
    return Figures(*(np.array(column, dtype=np.float64) for column in zip(*rows, strict=True)))


def _row(ranking: Sequence[Hashable], right: frozenset[Hashable]) -> tuple[float, ...]:
    # Alternatives hold the same fact, so the first one found is the whole of it.
    first = next(([place] for place, unit in enumerate(ranking) if unit in right), [])
    return (hit(first, 1), hit(first, 3), hit(first, 8), reciprocal_rank(first), ndcg(first, 1))


def line(name: str, figures: Figures) -> str:
    """One row of a report."""
    values = "  ".join(f"{field.name} {getattr(figures, field.name).mean():.3f}" for field in fields(figures))
    return f"{name:<34} {values}"


def difference(name: str, ours: Figures, theirs: Figures) -> str:
    """Ours minus theirs with its 95 % interval, for hit@1, MRR and nDCG@10."""
    told = []
    for field in ("hit1", "mrr", "ndcg"):
        delta = getattr(ours, field) - getattr(theirs, field)
        low, high = _interval(delta)
        told.append(f"{field} {delta.mean():+.3f} [{low:+.3f}, {high:+.3f}]")
    return f"{name:<34} " + "  ".join(told)


def _interval(delta: NDArray[np.float64]) -> tuple[float, float]:
    draws = np.random.default_rng(0).integers(0, len(delta), (RESAMPLES, len(delta)))
    low, high = np.percentile(delta[draws].mean(axis=1), [2.5, 97.5])
    return float(low), float(high)
