"""What has to be read before a model's part in an answer begins, so that its time goes to the models?

The client of the model's service and the word lists of the grounding gate together take more than a second to read, once in a
process. A service reads them at its start; the first question of a command reads them before its clock starts.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from ankare.channels.publishing import TextGate
from ankare.domain.document import Chunk
from ankare.llm.options import prepared
from ankare.llm.protocol import LLMProvider

ENOUGH = 300
"""Characters of a chunk that are judged against itself: with them the gate has read all that it needs."""


@dataclass
class Readiness:
    """Reads each language once. Safe for many threads."""

    provider: LLMProvider
    gate: TextGate
    _read: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def see_to(self, chunk: Chunk, language: str) -> None:
        """Be ready for answers in `language`. `chunk`: any. Raises MissingExtraError where the client cannot be loaded."""
        prepared(self.provider)
        with self._lock:
            if language not in self._read:
                backwards = " ".join(
                    reversed(chunk.text[:ENOUGH].split())
                )  # what is copied would not be looked at closely
                self.gate.judge(backwards, (chunk,), language=language)
                self._read.add(language)
