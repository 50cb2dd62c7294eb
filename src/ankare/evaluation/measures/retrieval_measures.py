"""How high in the ranking stand the texts that hold the answer?

A part of the gold (see `ankare.evaluation.suites.gold`) is found by the first hit that holds its snippet; where the suite has
no snippet, or the hit's text is not told, by the first hit on any of its pages, which are those of the hit's whole chunk. To
show two places that say the same is worth no more than one. Parts that stand in the same pages are one target, since no ranking
could find them one after the other; in a document without pages each snippet is one.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from ankare.evaluation.captured import Context, Response
from ankare.evaluation.case import Case
from ankare.evaluation.measures.answer_statements import language_of_case
from ankare.evaluation.measures.context_measures import speaks_to
from ankare.evaluation.scored import Family, Measure
from ankare.evaluation.suites.gold import Part, parts_of

DEPTH = 10
HIT_DEPTHS = (1, 3, 8)
STRUCTURED = "structured"

MEASURES = (
    Measure("ndcg_at_10", Family.RETRIEVAL),
    *(Measure(f"hit_at_{depth}", Family.RETRIEVAL) for depth in HIT_DEPTHS),
    Measure("mrr", Family.RETRIEVAL),
)


def measured(case: Case, response: Response) -> tuple[Mapping[str, float], Mapping[str, object]]:
    """(values, details) of `MEASURES` for a case with gold; nothing for one without, or where nothing was searched.

    `details["mrr"]`: the place of each target in the ranking, from 1, None where no hit holds it.
    """
    targets = targets_of(case, told=any(one.text.strip() for one in response.context))
    if not targets or not _searched(response):
        return {}, {}
    places = first_places(targets, response.context, language_of_case(case, response))
    found = [place for place in places if place is not None]
    values = {"ndcg_at_10": ndcg(found, len(targets))}
    values |= {f"hit_at_{depth}": hit(found, depth) for depth in HIT_DEPTHS}
    values["mrr"] = reciprocal_rank(found)
    return values, {"mrr": {"places": [None if place is None else place + 1 for place in places]}}


Target = tuple[Part, ...]


def targets_of(case: Case, *, told: bool = False) -> tuple[Target, ...]:
    """What is to be found: the parts of the gold, those of the same pages together. `told`: texts are known, so that parts that
    name no page can be told from each other by their snippets."""
    groups: dict[object, list[Part]] = {}
    for part in parts_of(case):
        alone = told and part.snippets and any(place.page is None for place in part.places)
        groups.setdefault(part if alone else part.places, []).append(part)
    return tuple(map(tuple, groups.values()))


def _searched(response: Response) -> bool:
    """Were the documents searched, as far as the body tells? A search that finds nothing ends in no answer from them."""
    return bool(response.context) or (response.route != STRUCTURED and not response.answered)


def first_places(targets: Sequence[Target], hits: Sequence[Context], code: str) -> tuple[int | None, ...]:
    """Of each target, the place (from 0) of the first hit that holds any of its parts; None where none does."""
    return tuple(
        next((at for at, one in enumerate(hits) if any(speaks_to(part, one, code) for part in target)), None)
        for target in targets
    )


def ndcg(places: Collection[int], wanted: int, depth: int = DEPTH) -> float:
    """Normalised discounted cumulative gain of relevant places (from 0), each with a gain of 1 / log2(place + 2).

    The ideal ranking has its `wanted` relevant units first; a hit that stands in several targets gains each of them, and the
    whole is 1 at most. Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR
    techniques", ACM TOIS 20 (4), 2002, with the discount of Burges et al. 2005 that is in use today.
    """
    ideal = math.fsum(discount(place) for place in range(min(wanted, depth)))
    return min(1.0, math.fsum(discount(place) for place in places if place < depth) / ideal) if ideal else 0.0


def discount(place: int) -> float:
    """What a gain at this place (from 0) is worth."""
    return 1 / math.log2(place + 2)


def hit(places: Collection[int], depth: int) -> float:
    """1 where a relevant unit is among the first `depth`, else 0 (success@k)."""
    return float(any(place < depth for place in places))


def reciprocal_rank(places: Collection[int]) -> float:
    """1 / rank of the first relevant unit, 0 where there is none (Voorhees, TREC-8, 1999)."""
    return 1 / (min(places) + 1) if places else 0.0
