"""Agent 3: does the draft answer the question, and does the evidence hold it?

A review is taken at its word only where it does not contradict itself. What approves and at the same time names a fault is a
rejection; so is a revision that would have to save a draft on another question, and one without a text. A rejection stands
whatever else is wrong with the reply: a fault of form must never publish what the reviewer turned down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal, TypeVar, get_args

from pydantic import Field

from ankare.contracts.draft import MAX_ANSWER
from ankare.contracts.fields import Fields
from ankare.contracts.reading import fault, read_object
from ankare.contracts.schema import Contract, wire_schema
from ankare.errors import ContractError

MAX_UNSUPPORTED = 8
Verdicts = Literal["approve", "revise_minor", "reject"]
Actions = Literal["publish", "publish_after_minor_revision", "fallback_to_extractive", "ask_for_more_evidence"]
_ACTIONS = frozenset(get_args(Actions))
_Value = TypeVar("_Value")


class GroundingReviewResult(Contract):
    """The published contract of agent 3."""

    verdict: Verdicts
    answers_original_question: bool
    grounded_in_sources: bool
    drift_from_original_question: bool
    metadata_leakage: bool
    unsupported_claims: Annotated[list[Annotated[str, Field(max_length=180)]], Field(max_length=MAX_UNSUPPORTED)]
    required_action: Actions
    minor_revision: Annotated[str, Field(default="", max_length=MAX_ANSWER)]
    review_notes: Annotated[str, Field(max_length=700)]


class ReviewReply(Contract):
    """What the model is asked for. What is to be done follows from the verdict, so it need not say it.

    Fields come in the order in which they are to be thought of: a verdict given first would be defended by the rest.
    """

    unsupported_claims: Annotated[list[str], Field(max_length=MAX_UNSUPPORTED)]
    answers_original_question: bool
    grounded_in_sources: bool
    drift_from_original_question: bool
    metadata_leakage: bool
    verdict: Verdicts
    minor_revision: str
    review_notes: str


WIRE_SCHEMA = wire_schema(ReviewReply)


class Verdict(StrEnum):
    """What the reviewer decides."""

    APPROVED = "approved"
    REVISION = "revision"
    REJECTED = "rejected"


_LONG = {"approve": Verdict.APPROVED, "revise_minor": Verdict.REVISION, "reject": Verdict.REJECTED}
_WORDS = {**_LONG, **{verdict.value: verdict for verdict in Verdict}}
_FLAGS = {
    "answers_original_question": True,
    "grounded_in_sources": True,
    "drift_from_original_question": False,
    "metadata_leakage": False,
}
"""The flags of a review, with the value that allows publication."""
_BEYOND_REVISION = ("answers_original_question", "drift_from_original_question")


@dataclass(frozen=True, slots=True)
class ReviewFlags:
    """What the reviewer says of the draft; None where it does not say."""

    answers_original_question: bool | None = None
    grounded_in_sources: bool | None = None
    drift_from_original_question: bool | None = None
    metadata_leakage: bool | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """What agent 3 hands over. `revision` is the text of a minor revision, empty for any other verdict.

    `contradictions`: what turned the verdict into a rejection ("grounded_in_sources", "unsupported_claims", "required_action",
    "revision_without_text", ...). `notes` are the reviewer's, `told` what had to be read through.
    """

    verdict: Verdict
    revision: str = ""
    unsupported_claims: tuple[str, ...] = ()
    notes: str = ""
    flags: ReviewFlags = ReviewFlags()
    required_action: str = ""
    contradictions: tuple[str, ...] = ()
    told: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """What is wrong with the draft, for the agent that corrects it."""
        said = [part for part in (self.notes, *self.unsupported_claims) if part]
        return "\n".join(said or self.contradictions)


def read_review(text: str) -> Review:
    """What agent 3 decided. Raises ContractError where that cannot be told for certain; such a review is none.

    The long verdicts (approve, revise_minor) want all four flags; the short ones (approved, revision) stand alone, and are held
    against the flags that are there.
    """
    found = read_object(text, ("verdict",))
    fields = Fields(found.value)
    written = fields.word("verdict", _WORDS)
    if not written:
        raise fault("missing_field", "the field verdict is missing")
    told = [*found.repaired]
    told += [f"ignored:{name}" for name in fields.unexpected(tuple(GroundingReviewResult.model_fields))]
    if _WORDS[written] is Verdict.REJECTED:
        return _rejection(fields, told)
    flags = ReviewFlags(**{name: fields.flag(name) for name in _FLAGS})
    missing = [name for name in _FLAGS if getattr(flags, name) is None]
    if written in _LONG and missing:
        raise fault("missing_field", f"the field {missing[0]} is missing")
    claims = fields.texts("unsupported_claims", most=MAX_UNSUPPORTED, cut=180)
    action = fields.word("required_action", _ACTIONS)
    verdict = _WORDS[written]
    revision = fields.text("minor_revision", most=MAX_ANSWER) if fields.has("minor_revision") else ""
    wrong = (
        _against_approval(flags, claims, action)
        if verdict is Verdict.APPROVED
        else _against_revision(flags, action, revision)
    )
    return Review(
        verdict=Verdict.REJECTED if wrong else verdict,
        revision=revision if verdict is Verdict.REVISION and not wrong else "",
        unsupported_claims=claims,
        notes=fields.optional_text("review_notes", cut=700),
        flags=flags,
        required_action=action,
        contradictions=wrong,
        told=tuple(told),
    )


def _against_approval(flags: ReviewFlags, claims: tuple[str, ...], action: str) -> tuple[str, ...]:
    wrong = [name for name, allowed in _FLAGS.items() if getattr(flags, name) is (not allowed)]
    if claims:
        wrong.append("unsupported_claims")
    if action not in ("", "publish"):
        wrong.append("required_action")
    return tuple(wrong)


def _against_revision(flags: ReviewFlags, action: str, revision: str) -> tuple[str, ...]:
    """A revision may take away what is not supported, so those flags do not speak against it."""
    wrong = [name for name in _BEYOND_REVISION if getattr(flags, name) is (not _FLAGS[name])]
    if action in ("fallback_to_extractive", "ask_for_more_evidence"):
        wrong.append("required_action")
    if not any(map(str.isalnum, revision)):
        wrong.append("revision_without_text")
    return tuple(wrong)


def _rejection(fields: Fields, told: list[str]) -> Review:
    return Review(
        verdict=Verdict.REJECTED,
        unsupported_claims=_or(lambda: fields.texts("unsupported_claims", most=MAX_UNSUPPORTED, cut=180), (), told),
        notes=_or(lambda: fields.optional_text("review_notes", cut=700), "", told),
        flags=_or(lambda: ReviewFlags(**{name: fields.flag(name) for name in _FLAGS}), ReviewFlags(), told),
        required_action=_or(lambda: fields.word("required_action", _ACTIONS), "", told),
        told=tuple(told),
    )


def _or(read: Callable[[], _Value], otherwise: _Value, told: list[str]) -> _Value:
    try:
        return read()
    except ContractError as error:
        told.append(error.reason)
        return otherwise
