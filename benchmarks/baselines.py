"""What do others reach on the same texts: bm25s with a Swedish stemmer, alone and fused with e5?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ankare.language.packs import word_set
from ankare.retrieve.embed import Embedder

Scores = NDArray[np.float64]

LEXICAL_SHARE = 0.65
"""Weight of the lexical z-score in the fused baseline; e5 has the rest."""


def bm25_snowball(texts: Sequence[str], questions: Sequence[str]) -> Scores:
    """bm25s (Lucene variant) with Swedish stop words and the Snowball stemmer; shape (questions, texts)."""
    import bm25s
    import Stemmer

    options = {
        "stopwords": sorted(word_set("sv", "stop")),
        "stemmer": Stemmer.Stemmer("swedish"),
        "show_progress": False,
    }
    engine = bm25s.BM25()
    engine.index(bm25s.tokenize(list(texts), **options), show_progress=False)
    scores = np.zeros((len(questions), len(texts)))
    for number, words in enumerate(bm25s.tokenize(list(questions), return_ids=False, **options)):
        if words:
            scores[number] = engine.get_scores(words)
    return scores


def e5_cosines(texts: Sequence[str], questions: Sequence[str], embedder: Embedder) -> Scores:
    """Cosines of whole texts (the engine averages over windows of a long one) with questions."""
    passages = embedder.passages(texts)
    return np.array([passages @ embedder.query(question) for question in questions], dtype=np.float64)


def fused(lexical: Scores, semantic: Scores) -> Scores:
    """Sum of the z-scores of both over all texts, per question."""
    return LEXICAL_SHARE * _standard(lexical) + (1 - LEXICAL_SHARE) * _standard(semantic)


def ranked(scores: Scores, depth: int = 100) -> list[list[int]]:
    """Per question the numbers of its best texts, best first; texts without any score are left out."""
    order = np.argsort(-scores, axis=1, kind="stable")[:, :depth]
    return [[int(i) for i in row if scores[number, i] != 0] for number, row in enumerate(order)]


def _standard(scores: Scores) -> Scores:
    spread = scores.std(axis=1, keepdims=True)
    standard: Scores = (scores - scores.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, 1.0)
    return standard
