"""How do the lexical score, the rerank's features and likeness in meaning become one score that explains itself?

A plain weighted sum of values on fixed scales: a candidate's score depends on the question and the corpus alone, not on
which other candidates happen to stand beside it, so that no single weight tips the order over.
"""

from __future__ import annotations

from dataclasses import dataclass

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


def score_parts(
    lexical: float, seen: Features, likeness: Likeness | None, superseded: bool, weights: RankWeights
) -> tuple[ScorePart, ...]:
    """The summands of a candidate's score. `lexical` is its BM25 score as a share of the best possible one."""
    parts = [
        ScorePart("lexical", lexical, weights.lexical),
        ScorePart("coverage", seen.coverage, weights.coverage),
        ScorePart("sentence", seen.sentence, weights.sentence),
        ScorePart("window", seen.window, weights.window),
        ScorePart("heading", seen.heading, weights.heading),
        ScorePart("source", seen.source, weights.source),
        ScorePart("form", seen.form, weights.form),
    ]
    if likeness is not None:
        parts.append(ScorePart("semantic", likeness.passage, weights.semantic))
        parts.append(ScorePart("semantic_sentence", likeness.sentence, weights.semantic_sentence))
    if superseded:
        parts.append(ScorePart("superseded", 1.0, weights.superseded))
    return tuple(part for part in parts if part.weight)
