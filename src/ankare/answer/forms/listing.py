"""How is a question for a list answered: with the whole list, not with the items that happen to share its words?"""

from __future__ import annotations

from dataclasses import dataclass

from ankare.answer.claims import claim_at, without_repeats
from ankare.answer.forms import passage
from ankare.answer.units import CONTEXT_CREDIT, Material, Unit, group_members, lead_in
from ankare.domain.answer import Claim, ClaimForm
from ankare.domain.document import Chunk, UnitKind

SMALLEST = 2
LONGEST = 60
LABEL_SHARE = 0.75


@dataclass(frozen=True, slots=True)
class Listing:
    """A list or table of a chunk with how well it fits the question."""

    chunk: Chunk
    group: int
    positions: tuple[int, ...]
    score: float


def answer(material: Material, *, ordered: bool = False) -> tuple[Claim, ...]:
    """The whole list that fits best, with its lead-in; else the passage that fits best.

    `ordered` prefers numbered lists and sets items as steps.
    """
    listing = best_listing(material, ordered=ordered)
    if listing is None or not _beats_prose(material, listing):
        return passage.answer(material, shape=passage.Shape(words=110, own=0.5))
    claims = list_claims(material, listing, ordered=ordered)
    return without_repeats([*claims, *_second_voice(material, listing)])


def best_listing(material: Material, *, ordered: bool = False) -> Listing | None:
    """The list that answers best, or None where no hit holds one."""
    listings = [
        _weigh(material, hit.chunk, rank, group, ordered)
        for rank, hit in enumerate(material.hits)
        for group in dict.fromkeys(s.group for s in hit.chunk.sentences if s.group)
    ]
    listings = [listing for listing in listings if len(listing.positions) >= SMALLEST]
    return max(listings, key=lambda listing: listing.score, default=None)


def list_claims(material: Material, listing: Listing, *, ordered: bool = False) -> list[Claim]:
    """The lead-in and every item, also those that the chunk's continuation holds."""
    chunk = listing.chunk
    lead = lead_in(chunk, listing.positions[0])
    claims = [] if lead is None else [claim_at(chunk, lead)]
    form = ClaimForm.STEP if ordered and chunk.sentences[listing.positions[0]].kind is UnitKind.ITEM else None
    claims.extend(claim_at(chunk, position, form) for position in listing.positions)
    while (nxt := material.following(chunk)) and nxt.section == chunk.section and len(claims) < LONGEST:
        members = group_members(nxt, listing.group)
        if not members or members[0] != 0:
            break
        claims.extend(claim_at(nxt, position, form) for position in members)
        chunk = nxt
    return claims


def _weigh(material: Material, chunk: Chunk, rank: int, group: int, ordered: bool) -> Listing:
    positions = group_members(chunk, group)
    units = [unit for unit in material.of(chunk) if unit.position in positions]
    label = max((unit.context - unit.own for unit in units), default=0.0)
    together = material.subject.coverage(frozenset(t for p in positions for t in chunk.sentences[p].terms)).share
    score = max(unit.score for unit in units) + label + CONTEXT_CREDIT * together
    numbered = any(ch.isdigit() for ch in chunk.sentences[positions[0]].marker)
    if ordered and numbered:
        score += CONTEXT_CREDIT
    return Listing(chunk, group, positions, score)


def _beats_prose(material: Material, listing: Listing) -> bool:
    prose = [unit for unit in material.units if unit.kind is UnitKind.SENTENCE and passage.tells_something(unit)]
    best = max((unit.score for unit in prose), default=0.0)
    return listing.score >= LABEL_SHARE * best


def _second_voice(material: Material, listing: Listing) -> list[Claim]:
    """A sentence outside the list that speaks to the question as strongly as the list does."""
    outside = [u for u in material.best if not _inside(u, listing) and passage.tells_something(u)]
    strong = [u for u in outside[:1] if u.kind is UnitKind.SENTENCE and u.score >= listing.score]
    return [claim_at(u.chunk, p) for u in strong for p in passage.with_context(material, u.chunk, [u.position])]


def _inside(unit: Unit, listing: Listing) -> bool:
    return unit.chunk.id == listing.chunk.id and unit.position in listing.positions
