"""A grounding gate that passes everything: with it, the table must fail."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

from ankare.domain.answer import Citation
from ankare.domain.document import Chunk
from ankare.domain.grounding import Grounding, SentenceVerdict
from tests.hostile.scenario import Scenario


class BlindGate:
    """Every sentence is supported, by whatever comes first."""

    def judge(self, text: str, cited: Sequence[Chunk], *, pool: Sequence[Chunk] = (), **_: object) -> Grounding:
        first = (tuple(cited) or tuple(pool))[0]
        sentence = first.sentences[0]
        citation = Citation(first, sentence.start, sentence.end, sentence.places)
        parts = re.split(r"(?<=[.!?])\s+", text.strip()) or [text]
        return Grounding(True, tuple(SentenceVerdict(part, True, citations=(citation,), score=1.0) for part in parts))


@contextmanager
def no_gate() -> Iterator[None]:
    """Services that are opened meanwhile have no gate."""
    with patch("ankare.wiring.GroundingGate", BlindGate):
        yield


def stopped_by_the_gate(scenario: Scenario) -> bool:
    """Does nothing but the gate stand between this text and the reader?"""
    return (scenario.ending.reason or "").endswith("grounding_failed") and not scenario.gap
