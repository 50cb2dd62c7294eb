"""What may be published of a text that a model wrote, and who decides?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ankare.domain.agents import FinalState, Origin, Reason
from ankare.domain.document import Chunk
from ankare.domain.grounding import Grounding


class TextGate(Protocol):
    """The grounding gate, as the chain needs it. It never raises."""

    def judge(
        self,
        text: str,
        cited: Sequence[Chunk],
        *,
        pool: Sequence[Chunk] = (),
        question: str = "",
        language: str = "sv",
    ) -> Grounding:
        """Does the evidence hold every sentence of this text?"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may be published once the gate has passed it. `blocked`: the reason to fall back where it does not."""

    text: str
    cited: tuple[Chunk, ...]
    origin: Origin
    final: FinalState
    blocked: Reason


class FellBackError(Exception):
    """The chain cannot publish what it has; `reason` is machine readable."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
