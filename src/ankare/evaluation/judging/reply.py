"""What did a judge decide?

Thoughts, fences and prose around the object are read through, and a bare "yes" is one. What is no verdict is a ContractError:
it counts as missing, never as yes or no.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ankare.contracts.fields import Fields, one_line
from ankare.contracts.reading import fault, read_object, visible_text
from ankare.contracts.schema import Contract, wire_schema
from ankare.errors import ContractError

STEPS = 4
"""The highest score; a score is so many steps from 0 to 1."""
MAX_REASON = 300
_WORDS = {"yes": 1.0, "no": 0.0, "ja": 1.0, "nej": 0.0, "true": 1.0, "false": 0.0}


class YesOrNo(Contract):
    """The reply for a statement or a context. The reason comes first: a verdict given first would be defended by it."""

    reason: str
    verdict: Literal["yes", "no"]


class Scale(Contract):
    """The reply for the relevance of an answer."""

    reason: str
    noncommittal: bool
    score: Literal[0, 1, 2, 3, 4]


_YES_OR_NO, _SCALE = wire_schema(YesOrNo), wire_schema(Scale)


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict from 0 to 1: yes and no are 1 and 0. `noncommittal`: the answer only avoids the question; its value is 0."""

    value: float
    reason: str = ""
    noncommittal: bool = False


def reply_schema(measure: str) -> Mapping[str, Any]:
    """The form of the reply for a measure."""
    return _SCALE if measure == "answer_relevance" else _YES_OR_NO


def read_decision(measure: str, text: str) -> Decision:
    """What the reply decides. Raises ContractError where that cannot be told for certain."""
    return _read_score(text) if measure == "answer_relevance" else _read_yes_or_no(text)


def _read_yes_or_no(text: str) -> Decision:
    try:
        fields = _Reply(read_object(text, ("verdict",)).value)
    except ContractError as error:
        if error.reason == "not_an_object" and (bare := _word(visible_text(text))) is not None:
            return Decision(bare)
        raise
    return Decision(fields.yes_or_no("verdict"), fields.reason())


def _read_score(text: str) -> Decision:
    fields = _Reply(read_object(text, ("score",)).value)
    noncommittal = fields.flag("noncommittal")
    if noncommittal is None:
        raise fault("missing_field", "the field noncommittal is missing")
    score = fields.step("score")
    return Decision(0.0 if noncommittal else score / STEPS, fields.reason(), noncommittal)


def _word(value: object) -> float | None:
    if isinstance(value, bool):
        return float(value)
    return _WORDS.get(value.strip(" \t\r\n.!\"'*").casefold()) if isinstance(value, str) else None


class _Reply(Fields):
    """The fields of a verdict."""

    def __init__(self, value: Mapping[str, Any]) -> None:
        super().__init__(value)
        self._held = value

    def yes_or_no(self, name: str) -> float:
        """1 for yes, 0 for no."""
        if not self.has(name):
            raise fault("missing_field", f"the field {name} is missing")
        found = _word(self._held[name])
        if found is None:
            raise fault("unknown_value", f"the field {name} is neither yes nor no")
        return found

    def step(self, name: str) -> int:
        """A whole number from 0 to STEPS."""
        value = self._held.get(name)
        if isinstance(value, str) and value.strip().isdecimal():
            value = int(value.strip()[:3])
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise fault("missing_field" if value is None else "wrong_type", f"the field {name} is no number")
        if value not in range(STEPS + 1):
            raise fault("out_of_range", f"the field {name} is none of 0 to {STEPS}")
        return int(value)

    def reason(self) -> str:
        """Why, on one line; "" where it does not say, or says no text."""
        value = self._held.get("reason")
        return one_line(value)[:MAX_REASON] if isinstance(value, str) else ""
