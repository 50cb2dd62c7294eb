"""How are the hits of a question and of its other wordings put together, so that the question stays the anchor?

Each wording's hits are ranked by themselves and joined by reciprocal rank (after Cormack, Clarke and Büttcher 2009). The best
hits of the question itself stand first, in their order. After them a hit counts with its place among the question's hits
and, for less, with its best place among those of any one other wording.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ankare.domain.evidence import Hit, ScorePart

POOL = 12
"""Most hits of a pool."""
ANCHORED = 4
"""So many of the question's own best hits keep their places, whatever other wordings find."""
_RANK = 10
"""Small, since the lists are short: with it the best hit of another wording comes between the question's fifth and sixth."""
_OTHERS = 0.7


def merged(original: Sequence[Hit], others: Sequence[Sequence[Hit]], most: int = POOL) -> tuple[Hit, ...]:
    """At most `most` hits, best first, each chunk once. `original`: the question's own hits, best first; `others`: those of
    each other wording. Scores are those of the fusion, in parts.

    Without other wordings the original hits come back as they are.
    """
    if not others:
        return tuple(original[:most])
    own = {hit.chunk.id: place for place, hit in enumerate(original)}
    best: dict[str, int] = {}
    for found in others:
        for place, hit in enumerate(found):
            best[hit.chunk.id] = min(place, best.get(hit.chunk.id, place))
    hits = {hit.chunk.id: hit for found in (*reversed(others), original) for hit in reversed(found)}
    scored = [_scored(hit, own.get(key), best.get(key)) for key, hit in hits.items()]
    scored.sort(key=lambda hit: (-hit.score, hit.chunk.id))
    return tuple(scored[:most])


def _scored(hit: Hit, own: int | None, other: int | None) -> Hit:
    """The hit with its score in the pool, from its places in the lists."""
    parts = []
    if own is not None and own < ANCHORED:
        parts.append(ScorePart("anchor", float(ANCHORED - own), 1.0))
    if own is not None:
        parts.append(ScorePart("original", 1 / (_RANK + own + 1), 1.0))
    if other is not None:
        parts.append(ScorePart("rewrite", 1 / (_RANK + other + 1), _OTHERS))
    return replace(hit, score=sum(part.contribution for part in parts), parts=tuple(parts))
