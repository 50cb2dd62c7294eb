"""How does a stretch of evidence become a claim that can be read and cited?"""

from __future__ import annotations

from collections.abc import Iterable

from ankare.answer.units import Unit
from ankare.domain.answer import Citation, Claim, ClaimForm
from ankare.domain.document import Chunk, UnitKind

_ENDINGS = ".!?:;…。！？"


def claim_of(unit: Unit, form: ClaimForm | None = None) -> Claim:
    """The claim that a unit makes, word for word."""
    return claim_at(unit.chunk, unit.position, form)


def claim_at(chunk: Chunk, position: int, form: ClaimForm | None = None) -> Claim:
    """The claim that a chunk's sentence makes. Without `form` it is set as it stands in the document."""
    sentence = chunk.sentences[position]
    text = chunk.sentence_text(sentence)
    chosen = form or _natural_form(sentence.kind, sentence.marker)
    if chosen is ClaimForm.TEXT:
        text = as_sentence(text, ":" if _leads_into_list(chunk, position) else ".")
    return Claim(text, (Citation(chunk, sentence.start, sentence.end, sentence.places),), chosen)


def as_sentence(text: str, ending: str = ".") -> str:
    """The same words with a capital first letter and an ending, where they lack them."""
    text = text.strip()
    if not text:
        return text
    first = text[:1].upper() + text[1:] if text[:2].islower() else text
    return first if first[-1] in _ENDINGS or first.endswith((".”", '."', ".)")) else first + ending


def without_repeats(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """The claims in order, each text once; a repeated one lends its citation to the first."""
    kept: dict[str, Claim] = {}
    for claim in claims:
        key = " ".join(claim.text.casefold().split()).rstrip(".")
        if key in kept:
            first = kept[key]
            more = tuple(c for c in claim.citations if c not in first.citations)
            kept[key] = Claim(first.text, first.citations + more, first.form)
        else:
            kept[key] = claim
    return tuple(kept.values())


def _leads_into_list(chunk: Chunk, position: int) -> bool:
    return position + 1 < len(chunk.sentences) and chunk.sentences[position + 1].kind is not UnitKind.SENTENCE


def _natural_form(kind: UnitKind, marker: str) -> ClaimForm:
    if kind is UnitKind.ROW:
        return ClaimForm.ROW
    if kind is UnitKind.ITEM:
        return ClaimForm.STEP if any(ch.isdigit() for ch in marker) else ClaimForm.ITEM
    return ClaimForm.TEXT
