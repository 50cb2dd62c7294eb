"""How do the lexical score, the rerank's features and likeness in meaning become one score that explains itself?

A plain weighted sum of values on fixed scales: a candidate's score depends on the question and the corpus alone, not on
which other candidates happen to stand beside it, so that no single weight tips the order over.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import mul

from ankare.domain.evidence import ScorePart
from ankare.retrieve.rerank import Features
from ankare.retrieve.settings import RankWeights

BM25_CEILING = 2.2
"""k1 + 1: what a term's inverse document frequency is at most multiplied with."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """Likeness in meaning of a candidate with the question, 0 to 1 (see `vectors.py`): best passage, best sentence."""

    passage: float
    sentence: float


NAMES = (
    "lexical",
    "coverage",
    "sentence",
    "window",
    "heading",
    "source",
    "form",
    "page",
    "semantic",
    "semantic_sentence",
    "superseded",
)

Values = tuple[float, ...]
"""A candidate's value (or the weight of it) per name of `NAMES`, in that order."""


def values_of(lexical: float, seen: Features, page: float, likeness: Likeness | None, superseded: bool) -> Values:
    """What is summed up. `lexical` is the BM25 score as a share of the best possible one, `page` what all candidates on the
    candidate's page hold of the subject together."""
    likenesses = (0.0, 0.0) if likeness is None else (likeness.passage, likeness.sentence)
    return (
        lexical,
        seen.coverage,
        seen.sentence,
        seen.window,
        seen.heading,
        seen.source,
        seen.form,
        page,
        *likenesses,
        float(superseded),
    )


def weights_of(weights: RankWeights) -> Values:
    """The weights in the order of `NAMES`."""
    return tuple(getattr(weights, name) for name in NAMES)


def score(values: Values, weights: Values) -> float:
    """The weighted sum."""
    return float(sum(map(mul, values, weights)))


def score_parts(values: Values, weights: Values, *, semantic: bool) -> tuple[ScorePart, ...]:
    """The summands of a score; those that cannot have added anything are left out."""
    return tuple(
        ScorePart(name, value, weight)
        for name, value, weight in zip(NAMES, values, weights, strict=True)
        if weight and (value or not (name == "superseded" or (name.startswith("semantic") and not semantic)))
    )
