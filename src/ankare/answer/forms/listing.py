"""How is a question for a list answered: with the whole list, not with the items that happen to share its words?

A list answers by its label: the heading it stands under and the sentence that leads into it say what it lists.
"""

from __future__ import annotations

from dataclasses import dataclass

from ankare.answer.claims import claim_at, without_repeats
from ankare.answer.forms import passage
from ankare.answer.units import Material, Unit, group_members, lead_in
from ankare.domain.answer import Claim
from ankare.domain.cancel import while_wanted
from ankare.domain.document import Chunk, UnitKind
from ankare.language.cues import opens_with

SMALLEST = 2
LONGEST = 60
LABEL = 1.0
INSIDE = 0.35
NUMBERED = 0.25
CLAUSE_WORDS = 5
NAMED_ONLY = 0.6
"""Steps are clauses; a table, or a list of single words, names what is needed or comes out, and counts only this much."""
OTHER_LABEL = 0.7
"""What is left of a list's score when the sentence that leads into it names nothing that the question asks for, or says
something of each such thing ("Each stage follows these steps:")."""
PROSE_SHARE = 0.65
"""A list is told unless the best prose is stronger than this share says."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A list or table of a chunk with how well it fits the question, on the scale of units' scores."""

    chunk: Chunk
    group: int
    positions: tuple[int, ...]
    score: float


def answer(material: Material, *, ordered: bool = False) -> tuple[Claim, ...]:
    """The whole list that fits best, with its lead-in; else the passage that fits best.

    `ordered` prefers numbered lists and sets their items as steps.
    """
    listing = best_listing(material, ordered=ordered)
    if listing is None or listing.score < PROSE_SHARE * _best_prose(material, listing):
        return passage.answer(material, shape=passage.Shape(words=110, before=True))
    claims = list_claims(material, listing)
    return without_repeats([*claims, *_second_voice(material, listing)])


def best_listing(material: Material, *, ordered: bool = False) -> Listing | None:
    """The list that answers best, or None where no hit holds one."""
    listings = [
        _weigh(material, hit.chunk, group, ordered)
        for hit in material.hits
        for group in while_wanted(dict.fromkeys(s.group for s in hit.chunk.sentences if s.group))
    ]
    listings = [listing for listing in listings if _lists(listing)]
    return max(listings, key=lambda listing: listing.score, default=None)


def _lists(listing: Listing) -> bool:
    """Are there items enough? Of a table whose header is not known, one row may be it."""
    sentences = [listing.chunk.sentences[position] for position in listing.positions]
    told = [sentence for sentence in sentences if not sentence.header]
    unnamed_table = sentences[0].kind is UnitKind.ROW and len(told) == len(sentences)
    return len(told) >= SMALLEST + unnamed_table


def list_claims(material: Material, listing: Listing) -> list[Claim]:
    """The lead-in and every item, also those that the chunk's continuation holds."""
    chunk = listing.chunk
    lead = lead_in(chunk, listing.positions[0])
    opening = () if lead is None else passage.introduction(material.language(chunk), chunk, lead)
    claims = [claim_at(chunk, position) for position in opening]
    claims.extend(claim_at(chunk, position) for position in listing.positions)
    if listing.positions[-1] != len(chunk.sentences) - 1:
        return claims
    while (following := material.following(chunk)) and following.section == chunk.section and len(claims) < LONGEST:
        members = group_members(following, listing.group)
        if not members or members[0] != 0:
            break
        claims.extend(claim_at(following, position) for position in members)
        chunk = following
    return claims


def _weigh(material: Material, chunk: Chunk, group: int, ordered: bool) -> Listing:
    positions = group_members(chunk, group)
    units = [unit for unit in material.of(chunk) if unit.position in positions]
    lead = lead_in(chunk, positions[0])
    language = material.language(chunk)
    label = frozenset(language.index_terms(" ".join(chunk.section[-2:])))
    leads = () if lead is None else passage.introduction(language, chunk, lead)
    headers = tuple(position for position in positions if chunk.sentences[position].header)
    said = frozenset(term for position in (*leads, *headers) for term in chunk.sentences[position].terms)
    label |= said
    beside = lead is not None and (
        material.share(said) == 0.0 or opens_with(language, chunk.sentence_text(chunk.sentences[lead]), "each")
    )
    labelled = material.share(label)
    inside = material.share(label | frozenset(t for unit in units for t in unit.sentence.terms)) - labelled
    weights = material.weights
    score = LABEL * labelled + INSIDE * inside + weights.rank * units[0].signals.rank
    score += weights.asked * material.asked(label)
    score += weights.meaning * sum(unit.signals.meaning for unit in units) / len(units)
    if ordered:
        score += NUMBERED * any(ch.isdigit() for ch in chunk.sentences[positions[0]].marker)
        table = chunk.sentences[positions[0]].kind is UnitKind.ROW
        if table or sum(len(unit.text.split()) for unit in units) < CLAUSE_WORDS * len(units):
            score *= NAMED_ONLY
    if beside:
        score *= OTHER_LABEL
    rows = [unit for unit in units if not unit.sentence.header] or units
    telling = sum(passage.tells_something(unit) for unit in rows) / len(rows)
    return Listing(chunk, group, positions, score * telling)  # a checklist that asks is no list of answers


def _best_prose(material: Material, listing: Listing) -> float:
    lead = (listing.chunk.id, lead_in(listing.chunk, listing.positions[0]))
    prose = (u for u in material.units if u.kind is UnitKind.SENTENCE and passage.tells_something(u))
    return max((_but_for_wording(material, u) for u in prose if (u.chunk.id, u.position) != lead), default=0.0)


def _but_for_wording(material: Material, unit: Unit) -> float:
    """A list is not worded as its question is, so where both are compared a sentence's wording does not count."""
    return unit.score - material.weights.wording * unit.signals.wording


def _second_voice(material: Material, listing: Listing) -> list[Claim]:
    """A sentence outside the list that speaks to the question as strongly as the list does."""
    outside = [u for u in material.best if not _inside(u, listing) and passage.tells_something(u)]
    strong = [u for u in outside[:1] if u.kind is UnitKind.SENTENCE and _but_for_wording(material, u) >= listing.score]
    return [claim_at(u.chunk, p) for u in strong for p in passage.with_context(material, u.chunk, [u.position])]


def _inside(unit: Unit, listing: Listing) -> bool:
    return unit.chunk.id == listing.chunk.id and unit.position in listing.positions
