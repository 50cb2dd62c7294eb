"""Had search by meaning a part in the answers, and what is to be done where it had none?

A home is prepared for it in the background, so the first questions after an ingest may be answered by words alone, and the next
ones not. That changes answers and is nobody's mistake: it is kept with the run, as a new version of the index is, and told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from ankare.evaluation.asking.response_values import mapping, mappings, number
from ankare.evaluation.captured import Conditions, Json

ANOTHER_RUN = "Ask again with another --out."


class Meaning(StrEnum):
    """How far search by meaning had a part in what was found."""

    NO = "no"
    PARTLY = "partly"  # the vectors of an earlier version, for the texts that both hold
    YES = "yes"


def meaning_of(body: Json) -> Meaning | None:
    """By the hits of an answer; None where there were none, as for figures, or the server does not tell."""
    hits = [hit for hit in mappings(mapping(body.get("retrieval")).get("top_results")) if "semantic" in hit]
    known = sum(number(hit["semantic"]) is not None for hit in hits)
    if not hits:
        return None
    return Meaning.NO if not known else Meaning.YES if known == len(hits) else Meaning.PARTLY


def with_meaning(known: tuple[str, ...], body: Json) -> tuple[str, ...]:
    """What has come up in a run, with what this answer adds to it."""
    found = meaning_of(body)
    return known if found is None or found.value in known else (*known, found.value)


def not_ready(now: Meaning, remedy: str) -> tuple[str, ...]:
    """What is to be told before questions are asked, where search by meaning is wanted."""
    if now is Meaning.YES:
        return ()
    lacks = "is not ready" if now is Meaning.NO else "is ready for a part of the texts only"
    return (f"Search by meaning {lacks}: answers differ from those that come when it is. {remedy}",)


def told_after(conditions: Conditions, remedy: str) -> Iterator[str]:
    """What is to be told once they are answered. Nothing where nobody wanted search by meaning, or it was there throughout."""
    if conditions.settings.get("semantic") is not True or conditions.by_meaning in ((), (Meaning.YES,)):
        return
    yield " ".join(filter(None, (_said(conditions.by_meaning), remedy, ANOTHER_RUN)))


def _said(came_up: Sequence[str]) -> str:
    if list(came_up) == [Meaning.NO]:
        return "Search by meaning was not ready: all answers were found by words alone."
    if came_up[-1] == Meaning.YES:
        return "Search by meaning became ready during the run: some answers were found with it, others without."
    return "Search by meaning was ready for a part of the texts only: some answers were found with it, others without."
