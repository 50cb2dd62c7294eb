"""A grounding gate that passes everything: with it, the table must fail."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

from ankare.domain.answer import Citation
from ankare.domain.document import Chunk
from ankare.domain.grounding import Grounding, SentenceVerdict
from ankare.gate.grounding import GroundingSettings
from tests.hostile.run import Outcome
from tests.hostile.scenario import Scenario

OK = 200


class BlindGate:
    """Every sentence is supported, by whatever comes first."""

    def __init__(self, settings: GroundingSettings | None = None) -> None:
        self.settings = settings

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


def verdict(outcome: Outcome) -> str:
    """Did the table notice that there was no gate? "noticed": another answer was published than is expected; "MISSED": the
    scenario holds as ever; "ERROR": there was no answer at all, or nothing of it differs, which proves nothing."""
    expected, seen = outcome.scenario.ending, outcome.seen
    if seen.status != OK:
        return "ERROR"
    if outcome.holds:
        return "MISSED"
    return "noticed" if (seen.final, seen.origin) != (expected.final, expected.origin) else "ERROR"
