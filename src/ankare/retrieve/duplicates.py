"""Which hits say the same as a better one, under the same headings, in another place?

The same words under another title or heading are no duplicate: "four weeks" answers another question under "Permits" than
under "Appeals".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ankare.domain.document import Chunk
from ankare.domain.evidence import Hit


def collapse(hits: Sequence[Hit], overlap: float, limit: int) -> tuple[Hit, ...]:
    """The first `limit` hits that differ, each with the (source, page) of those that repeat it, in the given order."""
    kept: list[tuple[Hit, frozenset[str], list[tuple[str, int]]]] = []
    for hit in hits:
        terms = _terms(hit.chunk)
        for other, others, places in kept:
            if _headings(hit.chunk) == _headings(other.chunk) and _same(terms, others, overlap):
                places.append((hit.chunk.source, hit.chunk.pages[0] if hit.chunk.pages else 1))
                break
        else:
            if len(kept) == limit:
                break
            kept.append((hit, terms, []))
    return tuple(replace(hit, duplicates=tuple(places)) if places else hit for hit, _terms, places in kept)


def _headings(chunk: Chunk) -> tuple[str, ...]:
    return tuple(part.casefold() for part in (chunk.title, *chunk.section))


def _terms(chunk: Chunk) -> frozenset[str]:
    return frozenset(term for sentence in chunk.sentences for term in sentence.terms)


def _same(one: frozenset[str], other: frozenset[str], overlap: float) -> bool:
    """Do the smaller and the larger set share at least `overlap` of all their terms (Jaccard)?"""
    small, large = sorted((len(one), len(other)))
    if small < overlap * large or not small:
        return False
    common = len(one & other)
    return common >= overlap * (small + large - common)
