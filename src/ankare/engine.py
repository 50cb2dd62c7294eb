"""Start here: what happens to a question?

    screen -> interpret -> retrieve -> relevance gate -> answer -> cite

The engine answers from one open version of a home and moves on to a newer one by itself when there is one.
"""

from __future__ import annotations

from typing import Protocol

from ankare.domain.evidence import Hit
from ankare.domain.reply import Reply


class Engine(Protocol):
    """Answers questions. Safe for many threads."""

    def ask(self, question: str, *, language: str | None = None) -> Reply:
        """Answer or refuse. Raises QuestionError for an unusable question and HomeError where there is no index."""

    def search(self, query: str, *, top_k: int = 8, language: str | None = None) -> tuple[Hit, ...]:
        """The best hits, best first."""
