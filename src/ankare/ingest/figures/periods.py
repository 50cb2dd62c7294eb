"""Which period does the text of a cell name?"""

from __future__ import annotations

from ankare.domain.fact import Period
from ankare.ingest.figures.known import shortened
from ankare.language.periods import parse_period

TYPES = "write a year (2024), a half-year (2024H1), a quarter (2024Q1) or a month (2024-03)"


def period_of(text: str) -> Period:
    """The one period that the whole text names, in any language. Raises ValueError for what names none, or a relative one."""
    found = parse_period(text)
    if found is None:
        raise ValueError(f"{shortened(text)} is no period: {TYPES}")
    return found
