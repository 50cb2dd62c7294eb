"""Which hits say the same as a better one, under the same headings, in another place?

The same words under another title or heading are no duplicate: "four weeks" answers another question under "Permits" than
under "Appeals".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ankare.domain.document import Chunk
from ankare.domain.evidence import Hit


def collapse(hits: Iterable[Hit], overlap: float, limit: int) -> tuple[Hit, ...]:
    """The first `limit` hits that differ, each with the (source, page) of those that repeat it, in the given order."""
    kept: list[tuple[Hit, list[tuple[str, int]]]] = []
    for hit in hits:
        places = next((places for other, places in kept if _same(hit.chunk, other.chunk, overlap)), None)
        if places is not None:
            places.append((hit.chunk.source, hit.chunk.pages[0] if hit.chunk.pages else 1))
        elif len(kept) == limit:
            break
        else:
            kept.append((hit, []))
    return tuple(replace(hit, duplicates=tuple(places)) if places else hit for hit, places in kept)


def _same(one: Chunk, other: Chunk, overlap: float) -> bool:
    """Are the headings equal, and do the texts share at least `overlap` of all their terms (Jaccard)?"""
    if _headings(one) != _headings(other):
        return False
    terms, others = _terms(one), _terms(other)
    common = len(terms & others)
    return common > 0 and common >= overlap * (len(terms) + len(others) - common)


def _headings(chunk: Chunk) -> tuple[str, ...]:
    return tuple(part.casefold() for part in (chunk.title, *chunk.section))


def _terms(chunk: Chunk) -> frozenset[str]:
    return frozenset(term for sentence in chunk.sentences for term in sentence.terms)
