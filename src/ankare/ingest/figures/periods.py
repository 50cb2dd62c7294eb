"""Which period does the text of a cell name?"""

from __future__ import annotations

from ankare.domain.fact import Period
from ankare.ingest.figures.known import shortened
from ankare.language.periods import parse_period


def period_of(text: str) -> Period:
    """The one period that the whole text names, in any language. Raises ValueError for what names none, or a relative one."""
    found = parse_period(text)
    if found is None:
        raise ValueError(f"{shortened(text)} is no period: write 2024, 2024H1, 2024Q1 or 2024-03")
    return found
