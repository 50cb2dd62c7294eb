"""Agent 2: what is the answer to the question, by these chunks?

The model gives the answer, its scope, and which chunk supports which claim. Sources, pages and coverage are the
application's own and never the model's. Faults round the answer (no evidence, unknown ids) do not void it: they are told,
and the grounding gate finds out what holds it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from ankare.contracts.fields import Fields, clean_text
from ankare.contracts.ids import MAX_CLAIM, MAX_EVIDENCE, EvidenceRead, EvidenceUse, KnownIds
from ankare.contracts.reading import fault, read_object, visible_text
from ankare.contracts.schema import Contract, wire_schema
from ankare.errors import ContractError

__all__ = ["WIRE_SCHEMA", "AnswerScope", "Draft", "EvidenceAnswerResult", "EvidenceUse", "read_answer", "read_draft"]

MAX_ANSWER = 2200
MAX_UNCERTAIN = 6
RAW_TEXT = "raw_text"
MIN_RAW = 40
"""Characters from which on a reply without an object is long enough to be an answer."""

Scopes = Literal["direct", "partial_due_to_thin_evidence", "insufficient_evidence"]
_NAMES = (
    r"\b(?:answer_scope|evidence_used|chunk_id|claim_supported|source_coverage|original_question"
    r"|unsupported_or_uncertain)\b"
)
_ESCAPED_BREAK = re.compile(r"\\n(?=\\n|\s|[•*–-]|[A-ZÅÄÖ]|\d+[.)])")
"""A line break that was escaped once too often."""
_OBJECT = re.compile(rf"^\W*\{{|{_NAMES}", re.IGNORECASE)
_TRACES = re.compile(
    r"[\"'“”]\s*:|[\"'“”]\s*,\s*(?:[\"'“”]|\Z)|[{\[]\s*[\"'“”]|[\"'“”]\s*[}\]]|^\W*\{|\b[a-z]+_[a-z_]+",
    re.IGNORECASE,
)
"""What an object leaves in a text: in a reply without one, quotes next to colons, commas and brackets are its remains as well,
and names with underscores."""


class CitedEvidence(Contract):
    """A chunk that the answer rests on, with the application's own word on where it stands."""

    chunk_id: str
    source: str
    pages: Annotated[list[int | str], Field(default_factory=list)]
    claim_supported: Annotated[str, Field(max_length=MAX_CLAIM)]


class SourceCoverage(Contract):
    """What the application found out about how the answer uses its sources."""

    uses_retrieved_chunks: bool
    answers_original_question: bool
    ignores_metadata_as_facts: bool


class EvidenceAnswerResult(Contract):
    """The published contract of agent 2, which the application completes. A short answer is as right as a long one."""

    original_question: Annotated[str, Field(min_length=1)]
    answer: Annotated[str, Field(max_length=MAX_ANSWER)]
    answer_scope: Scopes
    evidence_used: Annotated[list[CitedEvidence], Field(min_length=1, max_length=MAX_EVIDENCE)]
    unsupported_or_uncertain: Annotated[list[Annotated[str, Field(max_length=180)]], Field(max_length=MAX_UNCERTAIN)]
    source_coverage: SourceCoverage
    grounding_notes: Annotated[str, Field(max_length=600)]


class UseReply(Contract):
    """A chunk and its claim as the model writes them."""

    chunk_id: str
    claim_supported: str


class DraftReply(Contract):
    """What the model is asked for."""

    answer: str
    answer_scope: Scopes
    evidence_used: Annotated[list[UseReply], Field(max_length=MAX_EVIDENCE)]
    unsupported_or_uncertain: Annotated[list[str], Field(max_length=MAX_UNCERTAIN)]


WIRE_SCHEMA = wire_schema(DraftReply)


class AnswerScope(StrEnum):
    """How far the draft answers, by its own word. `UNSTATED`: it did not say."""

    DIRECT = "direct"
    PARTIAL = "partial_due_to_thin_evidence"
    INSUFFICIENT = "insufficient_evidence"
    UNSTATED = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """What agent 2 hands over. `evidence` may be empty; `unknown_ids` are ids that it was never shown.

    `recovered`: "raw_text" where the reply was a plain text and no object, None otherwise. `notes`: what had to be read
    through.
    """

    answer: str
    scope: AnswerScope
    evidence: tuple[EvidenceUse, ...] = ()
    unknown_ids: tuple[str, ...] = ()
    uncertain: tuple[str, ...] = ()
    recovered: str | None = None
    notes: tuple[str, ...] = ()

    def published(
        self, question: str, places: Mapping[str, tuple[str, Sequence[int]]], coverage: SourceCoverage, notes: str = ""
    ) -> EvidenceAnswerResult:
        """The contract for the question as it was asked. `places`: source and pages of each chunk, from the index. Raises
        pydantic.ValidationError for a draft without evidence."""
        return EvidenceAnswerResult(
            original_question=question,
            answer=self.answer,
            answer_scope=self.scope.value or "partial_due_to_thin_evidence",  # type: ignore[arg-type]
            evidence_used=[
                CitedEvidence(
                    chunk_id=use.chunk_id,
                    source=places[use.chunk_id][0],
                    pages=list(places[use.chunk_id][1]),
                    claim_supported=use.claim_supported,
                )
                for use in self.evidence
                if use.chunk_id in places
            ],
            unsupported_or_uncertain=list(self.uncertain),
            source_coverage=coverage,
            grounding_notes=notes[:600],
        )


def read_draft(text: str, known_ids: Collection[str]) -> Draft:
    """What agent 2 wrote, with the chunks among `known_ids` that it cites. Raises ContractError.

    A reply without any object that is long enough is the answer itself, with no evidence but its citation marks. A broken or
    cut off object is a fault, and no part of it an answer.
    """
    known = KnownIds(known_ids)
    try:
        found = read_object(text, ("answer",))
    except ContractError as error:
        if error.reason != "not_an_object":
            raise
        return _raw_draft(text, known, error)
    fields = Fields(found.value)
    answer, marked = read_answer(fields, known)
    evidence = known.evidence(fields, marked)
    told = [*found.repaired, *evidence.faults]
    expected = (*DraftReply.model_fields, "original_question")
    told += [f"ignored:{name}" for name in fields.unexpected(expected)]
    return Draft(
        answer=answer,
        scope=AnswerScope(fields.word("answer_scope", {scope.value for scope in AnswerScope})),
        evidence=evidence.uses,
        unknown_ids=evidence.unknown,
        uncertain=fields.texts("unsupported_or_uncertain", most=MAX_UNCERTAIN, cut=180),
        notes=tuple(told),
    )


def read_answer(fields: Fields, known: KnownIds) -> tuple[str, tuple[str, ...]]:
    """The field `answer` without citation marks, and the ids of those. Raises ContractError for an absent, empty or too long
    one, and for one that is an object itself."""
    written = _ESCAPED_BREAK.sub("\n", fields.text("answer"))
    answer, marked = known.without_marks(clean_text(written))
    return _sound(answer, _OBJECT), marked


def _raw_draft(text: str, known: KnownIds, error: ContractError) -> Draft:
    answer, marked = known.without_marks(clean_text(visible_text(text)))
    if len(answer) < MIN_RAW:
        raise error
    evidence: EvidenceRead = known.evidence(Fields({}), marked)
    if answer.count('"') % 2:
        raise fault("answer_is_json", "the text holds half a string")
    return Draft(_sound(answer, _TRACES), AnswerScope.UNSTATED, evidence.uses, recovered=RAW_TEXT)


def _sound(answer: str, traces: re.Pattern[str]) -> str:
    if not any(map(str.isalnum, answer)):
        raise fault("empty_answer", "the answer is empty")
    if len(answer) > MAX_ANSWER:
        raise fault("too_long", f"the answer has more than {MAX_ANSWER} characters")
    if traces.search(answer):
        raise fault("answer_is_json", "the answer holds parts of an object")
    return answer
