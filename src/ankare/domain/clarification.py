"""What does ankare ask back, or assume and say, before it answers a question about figures?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType


class ClarifyMode(StrEnum):
    """What the clarification gateway decided."""

    NONE = "none"
    OUT_OF_SCOPE_ENTITY = "out_of_scope_entity"
    ASK_FIRST = "ask_first"
    ANSWER_WITH_ASSUMPTIONS = "answer_with_assumptions"


@dataclass(frozen=True, slots=True)
class NarrowingOption:
    """A choice that answers with one click: what it says, and the whole question that it asks."""

    label: str
    question: str


def _nothing() -> Mapping[str, object]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ClarificationResult:
    """The decision. `assumed_slots`: slot to code or `Period`; `assumption_note` says them to the user; `question` is what
    is asked back, or the refusal of `out_of_scope_entity`; both empty where they do not apply."""

    mode: ClarifyMode
    assumed_slots: Mapping[str, object] = field(default_factory=_nothing)
    assumption_note: str = ""
    narrowing_options: tuple[NarrowingOption, ...] = ()
    question: str = ""
