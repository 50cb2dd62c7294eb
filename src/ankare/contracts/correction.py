"""Agent 4, and the synthesis: what is the answer, put right?

Both rewrite a text by given evidence and hand over the same: the answer, and which chunk supports which claim. There is
no way round the object here: a reply without one is a fault.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from ankare.contracts.draft import MAX_ANSWER, UseReply, read_answer
from ankare.contracts.fields import Fields
from ankare.contracts.ids import MAX_CLAIM, MAX_EVIDENCE, EvidenceUse, KnownIds
from ankare.contracts.reading import read_object
from ankare.contracts.schema import Contract, wire_schema


class ClaimEvidence(Contract):
    """A chunk and the claim that it supports."""

    chunk_id: str
    claim_supported: Annotated[str, Field(max_length=MAX_CLAIM)]


class CorrectionResult(Contract):
    """The published contract of agent 4."""

    answer: Annotated[str, Field(max_length=MAX_ANSWER)]
    evidence_used: Annotated[list[ClaimEvidence], Field(max_length=MAX_EVIDENCE)]


class CorrectionReply(Contract):
    """What the model is asked for."""

    answer: str
    evidence_used: Annotated[list[UseReply], Field(max_length=MAX_EVIDENCE)]


WIRE_SCHEMA = wire_schema(CorrectionReply)


@dataclass(frozen=True, slots=True)
class Correction:
    """What agent 4 hands over; `evidence` may be empty, `unknown_ids` are ids that it was never shown."""

    answer: str
    evidence: tuple[EvidenceUse, ...] = ()
    unknown_ids: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_correction(text: str, known_ids: Collection[str]) -> Correction:
    """The corrected answer, with the chunks among `known_ids` that it cites. Raises ContractError."""
    found = read_object(text, ("answer",))
    fields = Fields(found.value)
    known = KnownIds(known_ids)
    answer, marked = read_answer(fields, known)
    evidence = known.evidence(fields, marked)
    told = [
        *found.repaired,
        *evidence.faults,
        *(f"ignored:{name}" for name in fields.unexpected(tuple(CorrectionReply.model_fields))),
    ]
    return Correction(answer, evidence.uses, evidence.unknown, tuple(told))
